#include "pipeline/slice_files.h"
#include "base/base.h"
#include "features/channels.h"
#include "image/colour.h"
#include "image/labels.h"
#include "image/mask.h"
#include "scribbles/scribbles.h"
#include "vectors/npy.h"

/* An NPY file, and the samples made of it. */
typedef struct array {
    const unsigned char *file;
    seg_npy_layout layout;
    int apart; /* channel below channel */
    seg_sample_type type;
    void *to;
} array;

/* The range of a channel's numbers or, with `scale`, which divides floats, its samples. */
static seg_status walk(seg_context *ctx, const array *a, size_t channel, double scale, double range[2]) {
    const size_t height = a->layout.rows, channels = a->layout.planes, width = a->layout.cols / channels;
    for (size_t p = 0; p < width * height; p++) {
        const size_t at[3] = {p / width, p % width, channel},
                     i = a->apart ? channel * width * height + p : p * channels + channel;
        double value = 0;
        SEG_TRY(seg_npy_number(ctx, &a->layout, a->file, at, &value));
        if (!scale) {
            range[0] = fmin(range[0], value);
            range[1] = fmax(range[1], value);
        } else if (a->type == SEG_SAMPLE_FLOAT) {
            ((float *)a->to)[i] = (float)((value - range[0]) / scale);
        } else if (a->type == SEG_SAMPLE_U16) {
            ((uint16_t *)a->to)[i] = (uint16_t)value;
        } else {
            ((uint8_t *)a->to)[i] = (uint8_t)value;
        }
    }
    return SEG_OK;
}

int seg_is_array_name(const char *path) {
    return seg_ends_in(path, ".npy") || seg_ends_in(path, ".nrrd");
}

static seg_status open_array(seg_context *ctx, const char *path, int most, unsigned char **bytes, seg_npy_layout *out,
                             double *apart) {
    size_t size;
    SEG_TRY(seg_file_read(ctx, path, bytes, &size));
    SEG_TRY(seg_nrrd_to_npy(ctx, path, bytes, &size, apart));
    return seg_npy_is(*bytes, size)
               ? seg_npy_open(ctx, &(seg_loaded){path, *bytes, size}, most, out)
               : seg_fail(ctx, SEG_ERR_INPUT, "'%s' is neither an NPY nor an NRRD file: save it with numpy.save", path);
}

int seg_array_slices(seg_context *ctx, const char *path, double *apart) {
    SEG_FREED unsigned char *bytes = NULL;
    seg_npy_layout l;
    const int read = open_array(ctx, path, 4, &bytes, &l, apart) == SEG_OK && l.dimensions >= 3;
    const size_t slices = !read ? 0 : l.dimensions == 3 ? l.rows : l.slices;
    return slices <= SEG_MAX_SIDE ? (int)slices : 0;
}

seg_status seg_array_read_image(seg_context *ctx, const char *path, int *channels, int *slices, seg_image *out) {
    SEG_FREED unsigned char *bytes = NULL;
    array a = {.type = SEG_SAMPLE_FLOAT};
    seg_npy_layout *l = &a.layout;
    SEG_TRY(open_array(ctx, path, slices ? 4 : 3, &bytes, l, NULL));
    const int volume = slices && *slices > 1 && l->dimensions == 3, deep = volume || l->dimensions == 4;
    if (deep && l->fortran)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is in Fortran order; save numpy.ascontiguousarray of it", path);
    if (deep)
        *slices = (int)(volume ? l->rows : l->slices);
    else if (slices)
        *slices = 1;
    if (volume) { /* slice below slice, of one channel */
        *channels = 1;
        l->rows *= l->cols / l->planes;
        l->cols = l->planes;
        l->planes = 1;
    }
    const size_t count = l->planes, width = l->cols / count, samples = l->rows * l->cols;
    if (count > SEG_MAX_CHANNELS || l->rows * count > SEG_MAX_STACK || width > SEG_MAX_SIDE)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is an array of %zu x %zu x %zu numbers; give height x width x channels, of these %d at "
                        "most, or state that it is a volume",
                        path, l->rows, width, count, SEG_MAX_CHANNELS);
    a.apart = volume || *channels > 1 || (count != 1 && count != 3 && count != 4);
    if (a.apart && *channels && (size_t)*channels != count)
        return seg_fail(ctx, SEG_ERR_USAGE, "'%s' has %zu channels, not %d", path, count, *channels);
    if (l->kind == 'u' && l->size <= 2)
        a.type = l->size == 1 ? SEG_SAMPLE_U8 : SEG_SAMPLE_U16;
    SEG_LOCAL(void, room, seg_alloc(ctx, samples, a.type == SEG_SAMPLE_FLOAT ? sizeof(float) : l->size));
    a.file = bytes;
    a.to = room;
    double all[2] = {INFINITY, -INFINITY}, ends[SEG_MAX_CHANNELS][2], least = INFINITY;
    for (size_t c = 0; c < count; c++) {
        double *own = ends[c];
        own[0] = a.type == SEG_SAMPLE_FLOAT && a.apart ? INFINITY : 0;
        own[1] = -own[0];
        if (own[0] > 0)
            SEG_TRY(walk(ctx, &a, c, 0, own));
        all[0] = fmin(all[0], own[0]);
        all[1] = fmax(all[1], own[1]);
        least = own[1] > own[0] ? fmin(least, own[1] - own[0]) : least;
    }
    for (size_t c = 0; c < count; c++) {
        double *range = least * SEG_RANGES_ALIKE < all[1] - all[0] ? ends[c] : all;
        SEG_TRY(walk(ctx, &a, c, range[1] > range[0] ? range[1] - range[0] : 1, range));
    }
    *channels = a.apart ? (int)count : 1;
    const int rows = (int)(a.apart ? l->rows * count : l->rows);
    const seg_pixels pixels = {room, (int)width, rows, a.apart ? 1 : (int)count, a.type, 0};
    const seg_status status = seg_image_create(ctx, &pixels, out);
    char why[SEG_MESSAGE_SIZE];
    memcpy(why, ctx->message, sizeof why); /* says nothing of the file */
    return status == SEG_ERR_INPUT
               ? seg_fail(ctx, status, "'%s' (save whole numbers as uint8 or uint16): %.900s", path, why)
               : status;
}

seg_status seg_slices_read_image(seg_context *ctx, const seg_slice_files *files, seg_image *out) {
    SEG_RELEASED(seg_raster_free) seg_raster raster = {0};
    if (!files->path && !files->apart)
        return seg_image_read(ctx, files->name, out);
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_stack_read(ctx, &(seg_stack_files){files->name, files->path, files->count, files->apart}, &raster));
    return seg_image_take_raster(ctx, files->name, &raster, out);
}

/* Read the slices that have a file as one, with the same slices of the image beside them: so what is missing cannot be
 * taken for a ground of another colour. there: room for their paths and for their pixels of the image. */
static seg_status read_there(const seg_scribbles_job *job, const seg_slice_files *files, int truth, char **there,
                             seg_image *own) {
    SEG_RELEASED(seg_raster_free) seg_raster raster = {0};
    const seg_image *photo = job->photo;
    const size_t bytes = (size_t)photo->width * (size_t)own->height * 3 * (size_t)(photo->depth / 8);
    int count = 0;
    for (int i = 0; i < files->count; i++)
        if (files->path[i]) {
            memcpy((char *)own->data + (size_t)count * bytes, seg_image_slice(photo, files->count, i).data, bytes);
            there[count++] = files->path[i];
        }
    SEG_TRY(seg_stack_read(job->ctx, &(seg_stack_files){job->name, there, count, 0}, &raster));
    if (raster.width != photo->width || raster.height != own->height * count)
        return seg_fail(job->ctx, SEG_ERR_INPUT,
                        "'%s' has %d x %d pixels, but the slices have %d x %d; give it their size", there[0],
                        raster.width, raster.height / count, photo->width, own->height);
    if (truth)
        return seg_truth_from_raster(job->ctx, &raster, job->name, job->out);
    own->height *= count;
    SEG_TRY(seg_raster_to_srgb(job->ctx, job->name, &raster));
    seg_scribbles_job marks = *job;
    marks.photo = own;
    return seg_scribbles_from_raster(&marks, &raster);
}

seg_status seg_slices_read_labels(seg_context *ctx, const seg_slice_files *files, const seg_image *photo,
                                  const seg_labelmap *map, seg_scribbles_about *about, seg_mask *out) {
    if (!files->path)
        return about ? seg_scribbles_read(ctx, files->name, photo, map, out, about)
                     : seg_truth_read_of(ctx, files->name, photo, out);
    SEG_RELEASED(seg_mask_free) seg_mask read = {0};
    SEG_RELEASED(seg_image_free) seg_image own = *photo;
    SEG_FREED char **there = seg_alloc(ctx, (size_t)files->count, sizeof *there);
    own.height = photo->height / files->count;
    own.data = seg_alloc(ctx, (size_t)photo->width * (size_t)photo->height, 3 * (size_t)(photo->depth / 8));
    SEG_TRY(seg_allocated(there && own.data));
    SEG_TRY(read_there(&(seg_scribbles_job){ctx, files->name, photo, map, &read, about}, files, !about, there, &own));
    SEG_TRY(seg_mask_create(ctx, photo->width, photo->height, out));
    memcpy(out->colour, read.colour, sizeof out->colour);
    out->labels = read.labels;
    const size_t pixels = (size_t)photo->width * (size_t)(photo->height / files->count);
    const uint8_t *next = read.label;
    for (int i = 0; i < files->count; i++) {
        if (files->path[i])
            memcpy(out->label + (size_t)i * pixels, next, pixels);
        else
            memset(out->label + (size_t)i * pixels, about ? 0 : SEG_VOID, pixels);
        next += files->path[i] ? pixels : 0;
    }
    return SEG_OK;
}

seg_status seg_shapes_read_names(seg_context *ctx, const char *path, seg_labelmap *names) {
    SEG_RELEASED(seg_shapes_free) seg_shapes shapes = {.ctx = ctx, .file = seg_file_label(path, "standard input")};
    SEG_FREED unsigned char *bytes = NULL;
    size_t size = 0;
    SEG_TRY(seg_file_read(ctx, path, &bytes, &size));
    SEG_TRY(seg_shapes_read_json(&shapes, (const char *)bytes, size));
    uint8_t colour[256][3];
    seg_mask_default_colours(colour);
    memcpy(names->colour, colour + 1, sizeof names->colour);
    return seg_shapes_names(&shapes, names);
}
