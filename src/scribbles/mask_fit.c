#include "scribbles/mask_fit.h"

#include "base/base.h"

#include <stdlib.h>

int seg_sizes_in_proportion(int width, int height, int other_width, int other_height) {
    const int64_t w = width, h = height, u = other_width, v = other_height;
    const int64_t across = llabs(w * v - h * u); /* 0 without rounding */
    const int64_t larger = w > u ? w : u, smaller = w > u ? u : w;
    return 2 * across <= (w > u ? u + v : w + h) && 20 * (larger - smaller) > larger;
}

static void note_labels(const seg_mask *mask, int found[256]) {
    const size_t pixels = (size_t)mask->width * (size_t)mask->height;
    for (int label = 0; label < 256; label++)
        found[label] = 0;
    for (size_t i = 0; i < pixels; i++)
        found[mask->label[i]] = 1;
}

seg_status seg_mask_fit(seg_context *ctx, const char *name, const seg_image *photo, seg_mask *mask) {
    const size_t width = (size_t)photo->width, height = (size_t)photo->height;
    int before[256], after[256];
    if (mask->width == photo->width && mask->height == photo->height)
        return SEG_OK;
    if (!seg_sizes_in_proportion(mask->width, mask->height, photo->width, photo->height))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s has %d x %d pixels, the image %d x %d; draw on an image of the image's size or proportions",
                        name, mask->width, mask->height, photo->width, photo->height);
    uint8_t *label = seg_alloc(ctx, width, height);
    if (!label)
        return SEG_ERR_MEMORY;
    for (size_t y = 0; y < height; y++) {
        const size_t from_y = (2 * y + 1) * (size_t)mask->height / (2 * height);
        for (size_t x = 0; x < width; x++)
            label[y * width + x] =
                mask->label[from_y * (size_t)mask->width + (2 * x + 1) * (size_t)mask->width / (2 * width)];
    }
    note_labels(mask, before);
    const int from_width = mask->width, from_height = mask->height;
    free(mask->label);
    mask->label = label;
    mask->width = photo->width;
    mask->height = photo->height;
    note_labels(mask, after);
    for (int k = 1; k <= SEG_MAX_LABELS; k++)
        if (before[k] && !after[k])
            return seg_fail(
                ctx, SEG_ERR_INPUT,
                "%s has %d x %d pixels, the image %d x %d, and nothing of label %d would be left at its size; "
                "draw on an image of the image's size",
                name, from_width, from_height, photo->width, photo->height, k);
    seg_log(ctx, SEG_LOG_WARNING, "%s has %d x %d pixels and was scaled to the image's %d x %d", name, from_width,
            from_height, photo->width, photo->height);
    return SEG_OK;
}
