/* NPY: the labels as they are, height x width bytes. */
#include "masks/exports/export.h"

#include "vectors/vectors_write.h"

seg_status seg_export_npy(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    const size_t shape[] = {(size_t)mask->height, (size_t)mask->width};
    seg_writer writer;
    (void)about; /* numbers only */
    seg_status status = seg_writer_open(ctx, path, &writer);
    if (status != SEG_OK)
        return status;
    seg_npy_put_header(&writer, 'u', 1, 2, shape);
    seg_writer_put(&writer, mask->label, shape[0] * shape[1]);
    return seg_writer_commit(ctx, &writer);
}
