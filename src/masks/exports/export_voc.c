/* A palette PNG in the colours of PASCAL VOC. */
#include "masks/exports/export.h"

#include <string.h>

/* The bits of a number, three by three from the lowest, are the highest bits of red, green and blue. */
static void voc_colours(uint8_t colour[256][3]) {
    memset(colour, 0, 256 * sizeof colour[0]);
    for (int label = 0; label < 256; label++)
        for (int bit = 0; bit < 8; bit++)
            colour[label][bit % 3] |= (uint8_t)((label >> bit & 1) << (7 - bit / 3));
}

seg_status seg_export_voc(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    seg_mask coloured = *mask;
    (void)about;
    voc_colours(coloured.colour);
    return seg_mask_write(ctx, path, &coloured, SEG_MASK_PNG);
}
