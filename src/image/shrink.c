#include "image/shrink.h"

#include "base/base.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS 16 /* columns of reduced pixels per block of parallel work */

seg_status seg_shrinker_create(seg_context *ctx, int width, int height, int depth, int factor, seg_shrinker *out) {
    memset(out, 0, sizeof *out);
    out->factor = factor;
    out->width = width;
    out->height = height;
    out->out.width = (width + factor - 1) / factor;
    out->out.height = (height + factor - 1) / factor;
    out->out.depth = depth;
    out->sum = seg_alloc_zero(ctx, 3 * (size_t)out->out.width, sizeof *out->sum);
    out->out.data = seg_alloc(ctx, (size_t)out->out.width * (size_t)out->out.height, 3 * (size_t)(depth / 8));
    return out->sum && out->out.data ? SEG_OK : SEG_ERR_MEMORY;
}

void seg_shrinker_free(seg_shrinker *shrinker) {
    free(shrinker->sum);
    seg_image_free(&shrinker->out);
    memset(shrinker, 0, sizeof *shrinker);
}

typedef struct adding {
    const seg_image *rows;
    seg_shrinker *s;
} adding;

/* Add pixels from .. to-1 of a row to the sums. */
static void add_pixels(const seg_image *rows, size_t row, int from, int to, uint64_t sum[3]) {
    const size_t first = 3 * (row * (size_t)rows->width + (size_t)from), count = (size_t)(to - from);
    uint32_t red = 0, green = 0, blue = 0; /* sums over at most 262144 8-bit pixels of a row */
    if (rows->depth == 16) {
        const uint16_t *sample = (const uint16_t *)rows->data + first;
        for (size_t i = 0; i < 3 * count; i++)
            sum[i % 3] += sample[i];
        return;
    }
    const uint8_t *sample = (const uint8_t *)rows->data + first;
    for (size_t x = 0; x < count; x++) {
        red += sample[3 * x];
        green += sample[3 * x + 1];
        blue += sample[3 * x + 2];
    }
    sum[0] += red;
    sum[1] += green;
    sum[2] += blue;
}

/* Store the rounded mean of the pixels of cell x, y, and reset its sums. */
static void finish(const seg_shrinker *s, int x, int y, uint64_t sum[3]) {
    const int right = s->width - x * s->factor < s->factor ? s->width : (x + 1) * s->factor;
    const int below = s->height - y * s->factor < s->factor ? s->height : (y + 1) * s->factor;
    const uint64_t count = (uint64_t)(right - x * s->factor) * (uint64_t)(below - y * s->factor);
    for (int c = 0; c < 3; c++) {
        const size_t at = ((size_t)y * (size_t)s->out.width + (size_t)x) * 3 + (size_t)c;
        const uint64_t mean = (sum[c] + count / 2) / count;
        if (s->out.depth == 16)
            ((uint16_t *)s->out.data)[at] = (uint16_t)mean;
        else
            ((uint8_t *)s->out.data)[at] = (uint8_t)mean;
        sum[c] = 0;
    }
}

static void add_columns(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const adding *a = arg;
    const seg_shrinker *s = a->s;
    for (int row = 0; row < a->rows->height; row++) {
        const int y = s->row + row, complete = (y + 1) % s->factor == 0 || y + 1 == s->height;
        for (int x = (int)first; x < (int)last; x++) {
            const int right = s->width - x * s->factor < s->factor ? s->width : (x + 1) * s->factor;
            add_pixels(a->rows, (size_t)row, x * s->factor, right, s->sum + 3 * (size_t)x);
            if (complete)
                finish(s, x, y / s->factor, s->sum + 3 * (size_t)x);
        }
    }
}

void seg_shrinker_add(seg_context *ctx, const seg_image *rows, seg_shrinker *shrinker) {
    seg_parallel(ctx, (size_t)shrinker->out.width, COLUMNS, add_columns, &(adding){rows, shrinker});
    shrinker->row += rows->height;
    shrinker->out.grey = rows->grey;
}

seg_status seg_image_shrink(seg_context *ctx, const seg_image *image, int factor, seg_image *out) {
    SEG_RELEASED(seg_shrinker_free) seg_shrinker s = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_shrinker_create(ctx, image->width, image->height, image->depth, factor, &s));
    seg_shrinker_add(ctx, image, &s);
    *out = s.out;
    out->low = image->low;
    out->high = image->high;
    s.out.data = NULL;
    return SEG_OK;
}
