#include "paint/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "masks/coffee-mask.png" gives "masks/coffee" and what stands behind it; NULL without memory. */
static char *path_beside(const char *mask, const char *tail) {
    static const char end[] = "-mask.png";
    char *path = NULL;
    return asprintf(&path, "%.*s%s", (int)(strlen(mask) - (sizeof end - 1)), mask, tail) < 0 ? NULL : path;
}

/* The overlay, or with a label the cut-out. */
static seg_status draw(seg_context *ctx, const paint_paths *paths, const seg_mask *mask, int label, const char *path) {
    seg_image photo;
    seg_overlay_style style;
    seg_overlay_style_default(&style);
    seg_status status = seg_image_read(ctx, paths->photo, &photo);
    if (status == SEG_OK && label)
        status = seg_cutout_write_png(ctx, path, &photo, mask, label);
    else if (status == SEG_OK) {
        status = seg_overlay_draw_over(ctx, &photo, mask, &style);
        if (status == SEG_OK)
            status = seg_image_write_png(ctx, path, &photo);
    }
    seg_image_free(&photo);
    return status;
}

int paint_export(paint_work *work, int item, const char *kind, int label, char message[SEG_MESSAGE_SIZE]) {
    const paint_paths *paths = paint_work_paths(work, item);
    const seg_export_format *format = kind ? seg_export_format_find(kind) : NULL;
    const int overlay = kind && strcmp(kind, "overlay") == 0, cutout = kind && strcmp(kind, "cutout") == 0;
    char tail[32];
    if (!format && !overlay && (!cutout || label < 1 || label > SEG_MAX_LABELS)) {
        snprintf(message, SEG_MESSAGE_SIZE, "there is no such format");
        return 400;
    }
    if (format)
        snprintf(tail, sizeof tail, "-mask.%s", format->ending);
    else if (overlay)
        snprintf(tail, sizeof tail, "-overlay.png");
    else
        snprintf(tail, sizeof tail, "-cutout-%d.png", label);
    const seg_labelmap names = paint_work_labelmap(work);
    seg_context *ctx = seg_context_create();
    paint_layer *mask = paint_work_mask(work, item);
    char *path = path_beside(paths->mask, tail);
    seg_status status = ctx && path ? SEG_OK : SEG_ERR_MEMORY;
    const seg_export_about about = {paths->photo, &names};
    if (status == SEG_OK && mask) {
        status = format ? seg_export_write(ctx, format->name, path, &mask->mask, &about)
                        : draw(ctx, paths, &mask->mask, overlay ? 0 : label, path);
    }
    snprintf(message, SEG_MESSAGE_SIZE, "%s",
             !mask              ? "there is no mask of these strokes yet"
             : status == SEG_OK ? path
             : ctx              ? seg_context_message(ctx)
                                : "out of memory");
    const int code = !mask ? 409 : status == SEG_OK ? 200 : 500;
    paint_layer_release(mask);
    free(path);
    seg_context_free(ctx);
    return code;
}
