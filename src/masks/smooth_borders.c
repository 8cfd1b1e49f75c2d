#include "masks/smooth_borders.h"

#include "base/base.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ROWS = 64 };

typedef struct smoothing {
    int width, height, radius;
    int half[2 * SEG_MAX_SMOOTH + 1]; /* of the disc's rows, from the top one, pixels to each side */
    const seg_pixel_scribbles *scribbles;
    const uint8_t *before; /* width * height */
    uint8_t *after;
    uint8_t *room; /* of a worker 3 * width: lowest and highest label of a column, and how alike those before are */
} smoothing;

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* How many columns up to each, itself included and at most 255, have one label only in the rows around y, all the same.
 */
static void find_uniform(const smoothing *s, int y, uint8_t *room, uint8_t *alike) {
    const int width = s->width, top = y > s->radius ? y - s->radius : 0, bottom = smaller(y + s->radius, s->height - 1);
    uint8_t *restrict low = room, *restrict high = room + width;
    memcpy(low, s->before + (size_t)top * (size_t)width, (size_t)width);
    memcpy(high, low, (size_t)width);
    for (int row = top + 1; row <= bottom; row++) {
        const uint8_t *restrict label = s->before + (size_t)row * (size_t)width;
        for (int x = 0; x < width; x++) {
            low[x] = label[x] < low[x] ? label[x] : low[x];
            high[x] = label[x] > high[x] ? label[x] : high[x];
        }
    }
    for (int x = 0; x < width; x++)
        alike[x] = low[x] != high[x]                             ? 0
                   : !x || !alike[x - 1] || low[x] != low[x - 1] ? 1
                                                                 : (uint8_t)smaller(alike[x - 1] + 1, 255);
}

static uint8_t vote(const smoothing *s, int x, int y) {
    uint16_t count[256] = {0};
    const size_t width = (size_t)s->width;
    const uint8_t own = s->before[(size_t)y * width + (size_t)x];
    int best = own;
    for (int dy = -s->radius; dy <= s->radius; dy++) {
        const int row = y + dy, half = s->half[dy + s->radius];
        if (row < 0 || row >= s->height)
            continue;
        const uint8_t *label = s->before + (size_t)row * width;
        for (int u = x > half ? x - half : 0; u <= x + half && u < s->width; u++)
            count[label[u]]++;
    }
    for (int l = 0; l < 256; l++)
        if (count[l] > count[best])
            best = l;
    return (uint8_t)best;
}

static void smooth_rows(void *arg, size_t first, size_t last, int worker) {
    const smoothing *s = arg;
    const int width = s->width;
    uint8_t *room = s->room + 3 * (size_t)worker * (size_t)width, *alike = room + 2 * (size_t)width;
    for (int y = (int)first; y < (int)last; y++) {
        find_uniform(s, y, room, alike);
        for (int x = 0; x < width; x++) {
            const int left = x > s->radius ? x - s->radius : 0, right = smaller(x + s->radius, width - 1);
            const size_t p = (size_t)y * (size_t)width + (size_t)x;
            if (alike[right] < right - left + 1 && seg_mark_at(s->scribbles, p) < 0)
                s->after[p] = vote(s, x, y);
        }
    }
}

seg_status seg_borders_smooth(seg_context *ctx, int width, int height, const seg_pixel_scribbles *scribbles, int radius,
                              uint8_t *label) {
    const size_t pixels = (size_t)width * (size_t)height;
    smoothing s = {.width = width, .height = height, .radius = radius, .scribbles = scribbles, .after = label};
    if (!radius)
        return SEG_OK;
    for (int dy = -radius; dy <= radius; dy++)
        s.half[dy + radius] = (int)sqrt((radius + 0.5) * (radius + 0.5) - dy * dy);
    uint8_t *before = seg_alloc(ctx, pixels, 1);
    s.room = seg_alloc(ctx, 3 * (size_t)seg_threads(ctx), (size_t)width);
    seg_status status = before && s.room ? SEG_OK : SEG_ERR_MEMORY;
    if (status == SEG_OK) {
        memcpy(before, label, pixels);
        s.before = before;
        seg_parallel(ctx, (size_t)height, BLOCK_ROWS, smooth_rows, &s);
        status = seg_poll(ctx);
    }
    free(before);
    free(s.room);
    return status;
}
