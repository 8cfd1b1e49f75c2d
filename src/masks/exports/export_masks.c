/* A folder of grey pictures, one per label. */
#include "masks/exports/export.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

seg_status seg_export_masks(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    const size_t pixels = (size_t)mask->width * (size_t)mask->height, room = strlen(path) + 32;
    seg_extent extent[256];
    (void)about; /* names may be no file names */
    uint8_t *value = seg_alloc(ctx, pixels, 1);
    char *name = seg_alloc(ctx, room, 1);
    seg_status status = value && name ? seg_export_make_folder(ctx, path) : SEG_ERR_MEMORY;
    seg_extents(mask, extent);
    for (int label = 1; label <= SEG_MAX_LABELS && status == SEG_OK; label++) {
        if (!extent[label].pixels)
            continue;
        for (size_t i = 0; i < pixels; i++)
            value[i] = mask->label[i] == label ? 255 : 0;
        snprintf(name, room, "%s/label-%d.png", path, label);
        status = seg_mask_write(ctx, name, &(seg_mask){.width = mask->width, .height = mask->height, .label = value},
                                SEG_MASK_GREY);
    }
    free(value);
    free(name);
    return status;
}
