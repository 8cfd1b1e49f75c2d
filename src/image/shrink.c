#include "image/shrink.h"

#include "base/base.h"
#include "base/parallel.h"

#include <string.h>

static unsigned sample(const seg_image *image, size_t at) {
    return image->depth == 16 ? ((const uint16_t *)image->data)[at] : ((const uint8_t *)image->data)[at];
}

static void average(const seg_image *image, int factor, int x, int y, seg_image *out) {
    const int right = (x + 1) * factor < image->width ? (x + 1) * factor : image->width;
    const int below = (y + 1) * factor < image->height ? (y + 1) * factor : image->height;
    uint64_t sum[3] = {0, 0, 0};
    const uint64_t count = (uint64_t)(right - x * factor) * (uint64_t)(below - y * factor);
    for (int v = y * factor; v < below; v++)
        for (int u = x * factor; u < right; u++)
            for (int c = 0; c < 3; c++)
                sum[c] += sample(image, ((size_t)v * (size_t)image->width + (size_t)u) * 3 + (size_t)c);
    for (int c = 0; c < 3; c++) {
        const size_t at = ((size_t)y * (size_t)out->width + (size_t)x) * 3 + (size_t)c;
        const uint64_t mean = (sum[c] + count / 2) / count;
        if (image->depth == 16)
            ((uint16_t *)out->data)[at] = (uint16_t)mean;
        else
            ((uint8_t *)out->data)[at] = (uint8_t)mean;
    }
}

typedef struct shrinking {
    const seg_image *image;
    int factor;
    seg_image *out;
} shrinking;

static void shrink_rows(void *arg, size_t first, size_t last, int worker) {
    const shrinking *s = arg;
    (void)worker;
    for (int y = (int)first; y < (int)last; y++)
        for (int x = 0; x < s->out->width; x++)
            average(s->image, s->factor, x, y, s->out);
}

seg_status seg_image_shrink(seg_context *ctx, const seg_image *image, int factor, seg_image *out) {
    memset(out, 0, sizeof *out);
    out->width = (image->width + factor - 1) / factor;
    out->height = (image->height + factor - 1) / factor;
    out->depth = image->depth;
    out->grey = image->grey;
    out->low = image->low;
    out->high = image->high;
    out->data = seg_alloc(ctx, (size_t)out->width * (size_t)out->height, 3 * (size_t)(image->depth / 8));
    if (!out->data) {
        memset(out, 0, sizeof *out);
        return SEG_ERR_MEMORY;
    }
    seg_parallel(ctx, (size_t)out->height, 0, shrink_rows, &(shrinking){image, factor, out});
    return SEG_OK;
}
