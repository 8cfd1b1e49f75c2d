/* Scribbles from a file of any kind: an image, an array, or shapes. What this library exports it reads. */
#include "base/base.h"
#include "image/file.h"
#include "image/labels.h"
#include "image/mask.h"
#include "scribbles/mask_fit.h"
#include "scribbles/shapes.h"
#include "vectors/npy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An array of labels, a pixel each. */
static seg_status read_array(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                             seg_mask *out) {
    seg_matrix array = {0};
    seg_status status = seg_npy_decode(ctx, name, bytes, size, &array);
    if (status == SEG_OK && (array.rows > SEG_MAX_SIDE || array.cols > SEG_MAX_SIDE))
        status = seg_fail(ctx, SEG_ERR_INPUT, "%s is an array of %zu x %zu numbers, more than an image has", name,
                          array.rows, array.cols);
    if (status == SEG_OK)
        status = seg_mask_create(ctx, (int)array.cols, (int)array.rows, out);
    for (size_t i = 0; status == SEG_OK && i < array.rows * array.cols; i++) {
        const double value = array.at[i];
        if (!(value >= 0 && value <= SEG_VOID && value == floor(value)))
            status = seg_fail(ctx, SEG_ERR_INPUT,
                              "%s has the number %g in row %zu, column %zu; labels are 0 (unmarked) to %d", name, value,
                              i / array.cols, i % array.cols, SEG_MAX_LABELS);
        else
            out->label[i] = value == SEG_VOID ? 0 : (uint8_t)value;
        out->labels = status == SEG_OK && out->label[i] > out->labels ? out->label[i] : out->labels;
    }
    seg_matrix_free(&array);
    return status;
}

static seg_status read_shapes(seg_context *ctx, const char *text, size_t size, const char *name, const seg_image *photo,
                              const seg_labelmap *map, seg_mask *out) {
    seg_shapes shapes = {.ctx = ctx, .file = name};
    seg_status status = seg_shapes_read_json(&shapes, text, size);
    if (status == SEG_OK && (!shapes.width || !shapes.height)) {
        shapes.width = photo ? photo->width : 0;
        shapes.height = photo ? photo->height : 0;
    }
    if (status == SEG_OK && !shapes.width)
        status = seg_fail(ctx, SEG_ERR_INPUT, "%s does not tell the size of its image; give the image with it", name);
    if (status == SEG_OK && photo && (photo->width != shapes.width || photo->height != shapes.height) &&
        !seg_sizes_in_proportion(shapes.width, shapes.height, photo->width, photo->height))
        status = seg_fail(ctx, SEG_ERR_INPUT,
                          "%s is about an image of %d x %d pixels, the image has %d x %d; draw on the image itself",
                          name, shapes.width, shapes.height, photo->width, photo->height);
    if (status == SEG_OK && (int64_t)shapes.width * shapes.height > SEG_MAX_PIXELS)
        status = seg_fail(ctx, SEG_ERR_INPUT, "%s is about an image of %d x %d pixels, which is too large", name,
                          shapes.width, shapes.height);
    if (status == SEG_OK)
        status = seg_shapes_draw(&shapes, map, out);
    seg_shapes_free(&shapes);
    return status;
}

int seg_scribbles_are_shapes(const unsigned char *bytes, size_t size) {
    size_t first = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (first < size && (bytes[first] == ' ' || (bytes[first] >= '\t' && bytes[first] <= '\r')))
        first++;
    return first < size && (bytes[first] == '{' || bytes[first] == '[');
}

seg_status seg_scribbles_from_bytes(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                                    const seg_image *photo, const seg_labelmap *map, seg_mask *out,
                                    seg_scribbles_about *about) {
    seg_status status;
    memset(out, 0, sizeof *out);
    memset(about, 0, sizeof *about);
    if (seg_scribbles_are_shapes(bytes, size)) {
        about->kind = SEG_SCRIBBLES_SHAPES;
        status = read_shapes(ctx, (const char *)bytes, size, name, photo, map, out);
    } else if (seg_npy_is(bytes, size)) {
        about->kind = SEG_SCRIBBLES_ARRAY;
        status = read_array(ctx, bytes, size, name, out);
    } else {
        status = seg_scribbles_about_image(ctx, bytes, size, name, photo, map, out, about);
    }
    const int image = about->kind != SEG_SCRIBBLES_SHAPES && about->kind != SEG_SCRIBBLES_ARRAY;
    const int same = status == SEG_OK && (!photo || (photo->width == out->width && photo->height == out->height));
    if (status == SEG_OK && !same)
        status = seg_mask_fit(ctx, name, photo, out);
    if (status == SEG_OK && (!image || !same))
        seg_scribbles_tell(ctx, name, out, about);
    if (status == SEG_OK && about->marked == 0)
        status = seg_fail(ctx, SEG_ERR_INPUT, "%s: nothing is marked; draw a stroke or shape in each region", name);
    if (status != SEG_OK)
        seg_mask_free(out);
    return status;
}

seg_status seg_scribbles_read(seg_context *ctx, const char *path, const seg_image *photo, const seg_labelmap *map,
                              seg_mask *out, seg_scribbles_about *about) {
    seg_scribbles_about own = {0};
    unsigned char *bytes = NULL;
    size_t size = 0;
    memset(out, 0, sizeof *out);
    about = about ? about : &own;
    memset(about, 0, sizeof *about);
    seg_status status = seg_file_read(ctx, path, &bytes, &size);
    if (status == SEG_OK)
        status =
            seg_scribbles_from_bytes(ctx, bytes, size, seg_file_label(path, "standard input"), photo, map, out, about);
    free(bytes);
    return status;
}
