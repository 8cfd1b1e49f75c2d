#include "pipeline/slice_files.h"
#include "base/base.h"
#include "image/colour.h"
#include "image/labels.h"
#include "image/mask.h"
#include "image/raster.h"
#include "image/slices.h"
#include "scribbles/scribbles.h"

seg_status seg_slices_read_image(seg_context *ctx, const seg_slice_files *files, seg_image *out) {
    SEG_RELEASED(seg_raster_free) seg_raster raster = {0};
    if (!files->path)
        return seg_image_read(ctx, files->name, out);
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_stack_read(ctx, files->name, files->path, files->count, &raster));
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
    SEG_TRY(seg_stack_read(job->ctx, job->name, there, count, &raster));
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
                     : seg_truth_read(ctx, files->name, out);
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
