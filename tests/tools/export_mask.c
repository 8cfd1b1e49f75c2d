/* export_mask MASK.png FOLDER: every export format of a mask as it is stored (palette index = label, 0 and 255
 * included), for readers of other makes. */
#include "image/raster.h"

#include "base/context.h"
#include "image/mask.h"

#include <segment/segment.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    seg_raster raster = {0};
    seg_mask mask = {0};
    const seg_export_about about = {"photo.jpg", NULL};
    char path[4096];
    seg_context ctx = seg_context_default();
    if (argc != 3)
        return 2;
    seg_status status = seg_raster_read(&ctx, argv[1], &raster);
    if (status == SEG_OK && !raster.sample8)
        return 3;
    if (status == SEG_OK)
        status = seg_mask_create(&ctx, raster.width, raster.height, &mask);
    if (status == SEG_OK) {
        memcpy(mask.label, raster.sample8, (size_t)mask.width * (size_t)mask.height);
        mask.labels = SEG_MAX_LABELS;
        if (raster.kind == SEG_RASTER_PALETTE)
            memcpy(mask.colour, raster.palette, sizeof mask.colour);
    }
    for (int f = 0; seg_export_format_at(f) && status == SEG_OK; f++) {
        const seg_export_format *format = seg_export_format_at(f);
        snprintf(path, sizeof path, "%s/m.%s", argv[2], format->ending);
        status = seg_export_write(&ctx, format->name, path, &mask, &about);
    }
    if (status != SEG_OK)
        fprintf(stderr, "%s\n", ctx.message);
    seg_raster_free(&raster);
    seg_mask_free(&mask);
    seg_context_end(&ctx);
    return status != SEG_OK;
}
