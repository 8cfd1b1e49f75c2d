/* The formats with the labels of the pixels: npy, masks and voc. */
#include "base/base.h"
#include "masks/exports/export.h"
#include "vectors/vectors_write.h"

#include <stdio.h>
#include <string.h>

/* The labels as they are, height x width bytes. */
seg_status seg_export_npy(seg_context *ctx, const char *path, const seg_mask *mask,
                          const seg_export_about *about SEG_UNUSED) {
    const size_t shape[] = {(size_t)mask->height, (size_t)mask->width};
    seg_writer writer;
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    seg_npy_put_header(&writer, 'u', 1, 2, shape);
    seg_writer_put(&writer, mask->label, shape[0] * shape[1]);
    return seg_writer_commit(ctx, &writer);
}

/* A folder of grey images, one per label; names of labels may be no file names. */
seg_status seg_export_masks(seg_context *ctx, const char *path, const seg_mask *mask,
                            const seg_export_about *about SEG_UNUSED) {
    const size_t pixels = (size_t)mask->width * (size_t)mask->height, room = strlen(path) + 32;
    seg_extent extent[256];
    SEG_FREED uint8_t *value = seg_alloc(ctx, pixels, 1);
    SEG_FREED char *name = seg_alloc(ctx, room, 1);
    if (!value || !name)
        return SEG_ERR_MEMORY;
    SEG_TRY(seg_export_make_folder(ctx, path));
    seg_extents(mask, extent);
    for (int label = 1; label <= SEG_MAX_LABELS; label++) {
        if (!extent[label].pixels)
            continue;
        for (size_t i = 0; i < pixels; i++)
            value[i] = mask->label[i] == label ? 255 : 0;
        snprintf(name, room, "%s/label-%d.png", path, label);
        SEG_TRY(seg_mask_write(ctx, name, &(seg_mask){.width = mask->width, .height = mask->height, .label = value},
                               SEG_MASK_GREY));
    }
    return SEG_OK;
}

/* A palette PNG in the colours of PASCAL VOC: the bits of a number, three by three from the lowest, are the highest
 * bits of red, green and blue. */
seg_status seg_export_voc(seg_context *ctx, const char *path, const seg_mask *mask,
                          const seg_export_about *about SEG_UNUSED) {
    seg_mask coloured = *mask;
    memset(coloured.colour, 0, sizeof coloured.colour);
    for (int label = 0; label < 256; label++)
        for (int bit = 0; bit < 8; bit++)
            coloured.colour[label][bit % 3] |= (uint8_t)((label >> bit & 1) << (7 - bit / 3));
    return seg_mask_write(ctx, path, &coloured, SEG_MASK_PNG);
}
