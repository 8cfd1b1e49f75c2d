/* Ground truths and masks from a file: an image (image/truth.c), or an array of labels or of probabilities. */
#include "base/base.h"
#include "image/labels.h"
#include "image/mask.h"
#include "vectors/npy.h"

/* Probabilities of the labels 1 .. k, or of label 1 alone: the likeliest label. */
static seg_status take_likeliest(seg_context *ctx, const char *name, const double *p, size_t k, uint8_t *out) {
    size_t best = 0;
    for (size_t c = 0; c < k; c++) {
        if (!(p[c] >= 0 && p[c] <= 1))
            return seg_fail(
                ctx, SEG_ERR_INPUT,
                "%s has the number %g; labels are whole numbers, 0 to 255, of height x width or slices x height x "
                "width, probabilities 0 to 1",
                name, p[c]);
        best = p[c] > p[best] ? c : best;
    }
    *out = (uint8_t)(k > 1 ? best + 1 : p[0] >= 0.5 ? 1 : 2);
    return SEG_OK;
}

/* Whole numbers are the values of a grey image. @return 1 where they are and fit, else 0 */
static int take_values(const seg_matrix *array, uint8_t *value) {
    int fit = 1;
    for (size_t i = 0; i < array->rows * array->cols && fit; i++) {
        fit = array->at[i] >= 0 && array->at[i] <= SEG_VOID && array->at[i] == floor(array->at[i]);
        value[i] = fit ? (uint8_t)array->at[i] : 0;
    }
    return fit;
}

/* Whether every pixel has probability 1 of one label. */
static int is_one_hot(const uint8_t *value, size_t pixels, size_t planes) {
    for (size_t p = 0; p < pixels; p++, value += planes) {
        unsigned sum = 0;
        for (size_t c = 0; c < planes; c++)
            sum += value[c];
        if (sum != 1)
            return 0;
    }
    return 1;
}

static seg_status from_array(seg_context *ctx, const char *name, const seg_matrix *array, const seg_npy_layout *about,
                             const seg_image *photo, seg_mask *out) {
    const size_t planes = about->planes, width = array->cols / planes, rows = array->rows * width;
    const int deep = about->dimensions == 4;
    SEG_LOCAL(uint8_t, value, seg_alloc(ctx, array->rows, array->cols));
    const int whole = take_values(array, value),
              fits = photo && planes == (size_t)photo->width && rows == (size_t)photo->height,
              volume = !deep && planes > 1 && (fits || (whole && !is_one_hot(value, rows, planes)));
    const size_t each = volume ? 1 : planes;
    const seg_raster grey = {.width = (int)(volume ? planes : width),
                             .height = (int)(volume ? rows : array->rows),
                             .kind = SEG_RASTER_GREY,
                             .channels = 1,
                             .bits = 8,
                             .sample8 = value};
    if (array->rows > (deep ? SEG_MAX_STACK : SEG_MAX_SIDE) || width > SEG_MAX_SIDE ||
        planes > (volume ? SEG_MAX_SIDE : SEG_MAX_LABELS) || (volume && rows > SEG_MAX_STACK))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s is an array of %zu x %zu x %zu numbers; give height x width labels, or height x width x "
                        "labels probabilities",
                        name, array->rows, width, planes);
    if (whole && each == 1)
        return seg_truth_from_raster(ctx, &grey, name, out);
    SEG_TRY(seg_mask_create(ctx, grey.width, grey.height, out));
    out->labels = each > 1 ? (int)each : 2;
    for (size_t p = 0; p < array->rows * array->cols / each; p++)
        SEG_TRY(take_likeliest(ctx, name, array->at + p * each, each, &out->label[p]));
    return SEG_OK;
}

seg_status seg_truth_read(seg_context *ctx, const char *path, seg_mask *out) {
    return seg_truth_read_of(ctx, path, NULL, out);
}

seg_status seg_truth_read_of(seg_context *ctx, const char *path, const seg_image *photo, seg_mask *out) {
    const char *name = seg_file_label(path, "standard input");
    SEG_FREED unsigned char *bytes = NULL;
    SEG_RELEASED(seg_raster_free) seg_raster raster = {0};
    SEG_RELEASED(seg_matrix_free) seg_matrix array = {0};
    seg_npy_layout about;
    size_t size;
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_file_read(ctx, path, &bytes, &size));
    SEG_TRY(seg_nrrd_to_npy(ctx, name, &bytes, &size, NULL));
    if (seg_npy_is(bytes, size)) {
        SEG_TRY(seg_npy_decode_planes(ctx, &(seg_loaded){name, bytes, size}, 4, &array, &about));
        SEG_RETURN_OR(from_array(ctx, name, &array, &about, photo, out), seg_mask_free(out));
    }
    SEG_TRY(seg_raster_decode(ctx, bytes, size, name, &raster));
    return seg_truth_from_raster(ctx, &raster, name, out);
}
