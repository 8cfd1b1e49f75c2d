#include "base/base.h"
#include "features/columns.h"
#include "features/grid.h"
#include "image/slices.h"

#include <limits.h>

#define REACH     10  /* pixels on each side that a patch may move from slice to slice */
#define STILLNESS 16  /* a 256th of a grey level that a longer way by a pixel costs: what has no texture stays */
#define POOR      1.6 /* times the mean difference, and */
#define POOR_MORE 128 /* 256ths of a grey level more: not the same */

/* Where a patch was in the slice before, and the mean difference in 256ths of a grey level. */
typedef struct move {
    float x, y;
    unsigned difference;
} move;

typedef struct matching {
    const seg_patch_grid *grid;
    const uint8_t *grey;
    move *move; /* of each patch */
} matching;

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

/* Patch p and half a patch on each side, against what is (dx, dy) away in the slice before; no pixels outside. */
static unsigned difference(const matching *m, size_t p, int dx, int dy) {
    const seg_patch_grid *grid = m->grid;
    const int width = grid->width, height = grid->height / grid->slices, more = grid->side / 2;
    const int c = (int)(p % (size_t)grid->columns), r = (int)(p / (size_t)grid->columns);
    const int above = seg_patch_top(grid, r) / height * height;
    const int left = clamp(seg_patch_left(grid, c) - more, dx < 0 ? -dx : 0, width);
    const int right = clamp(seg_patch_right(grid, c) + more, 0, dx > 0 ? width - dx : width);
    const int top = clamp(seg_patch_top(grid, r) - above - more, dy < 0 ? -dy : 0, height);
    const int bottom = clamp(seg_patch_bottom(grid, r) - above + more, 0, dy > 0 ? height - dy : height);
    unsigned sum = 0;
    for (int y = top; y < bottom; y++) {
        const uint8_t *a = m->grey + (size_t)(above + y) * (size_t)width;
        const uint8_t *b = m->grey + (size_t)(above - height + y + dy) * (size_t)width;
        for (int x = left; x < right; x++)
            sum += (unsigned)abs(a[x] - b[x + dx]);
    }
    return bottom > top && right > left ? (unsigned)(sum * 256ull / (unsigned)((bottom - top) * (right - left)))
                                        : UINT_MAX / 2;
}

/* Between pixels: the lowest point of the parabola through three differences. */
static float between(unsigned before, unsigned at, unsigned behind) {
    const double bend = (double)before + behind - 2.0 * at;
    return bend > 0 ? (float)fmax(-0.5, fmin(0.5, 0.5 * ((double)before - behind) / bend)) : 0;
}

static void match_slices(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const matching *m = arg;
    const size_t slice = (size_t)m->grid->columns * (size_t)(m->grid->rows / m->grid->slices);
    for (size_t p = first * slice; p < last * slice; p++) {
        unsigned least = UINT_MAX;
        int x = 0, y = 0;
        for (int dy = -REACH; dy <= REACH && p >= slice; dy++)
            for (int dx = -REACH; dx <= REACH; dx++) {
                const unsigned d = difference(m, p, dx, dy) + (unsigned)(STILLNESS * (abs(dx) + abs(dy)));
                x = d < least ? dx : x;
                y = d < least ? dy : y;
                least = d < least ? d : least;
            }
        m->move[p] = (move){0, 0, UINT_MAX};
        if (p < slice)
            continue;
        const unsigned at = difference(m, p, x, y);
        m->move[p].x = (float)x + between(difference(m, p, x - 1, y), at, difference(m, p, x + 1, y));
        m->move[p].y = (float)y + between(difference(m, p, x, y - 1), at, difference(m, p, x, y + 1));
        m->move[p].difference = at;
    }
}

/* How far each pixel of a slice is from its place, by those of the slice before; what was not there is as far as they
 * are on average. place: x, y and count of pixels of each patch, summed. */
static void track(const matching *m, int s, double most, const float *before, float *own, float *place) {
    const int width = m->grid->width, height = m->grid->height / m->grid->slices, pixels = width * height;
    const double golden = 0.6180339887, shift = golden * s - floor(golden * s);
    double usual[2] = {0, 0};
    for (int i = 0; i < 2 * pixels; i++)
        usual[i % 2] += before[i] / pixels;
    for (int i = 0; i < pixels; i++) {
        const int x = i % width, y = i / width;
        const size_t p = seg_patch_of_pixel(m->grid, x, y + s * height);
        const move *to = &m->move[p];
        /* Which of the pixels that it came from between is taken changes from slice to slice, so that borders stay. */
        const int from_x = (int)floor(x + to->x + shift), from_y = (int)floor(y + to->y + shift);
        const int is = to->difference <= most && from_x >= 0 && from_y >= 0 && from_x < width && from_y < height;
        const size_t from = is ? 2 * ((size_t)from_y * (size_t)width + (size_t)from_x) : 0;
        own[2 * i] = is ? before[from] + to->x : (float)usual[0];
        own[2 * i + 1] = is ? before[from + 1] + to->y : (float)usual[1];
        place[3 * p] += own[2 * i] + (float)x;
        place[3 * p + 1] += own[2 * i + 1] + (float)y;
        place[3 * p + 2]++;
    }
}

seg_status seg_motion_find(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid, float **place) {
    const size_t all = (size_t)grid->columns * (size_t)grid->rows, pixels = (size_t)grid->width * (size_t)grid->height;
    const size_t frame = pixels / (size_t)grid->slices, slice = all / (size_t)grid->slices;
    SEG_LOCAL(uint8_t, grey, seg_alloc(ctx, pixels, 1));
    SEG_LOCAL(move, moves, seg_alloc(ctx, all, sizeof *moves));
    SEG_LOCAL(float, off, seg_alloc_zero(ctx, frame, 4 * sizeof *off)); /* of a slice and of the one before */
    SEG_LOCAL(float, mean, seg_alloc_zero(ctx, all, 3 * sizeof *mean));
    const matching m = {grid, grey, moves};
    double most = POOR_MORE;
    for (size_t p = 0; p < pixels; p++) {
        const unsigned red = seg_image_sample(image, 3 * p), green = seg_image_sample(image, 3 * p + 1);
        grey[p] = (uint8_t)((red + 2 * green + seg_image_sample(image, 3 * p + 2)) >> (image->depth - 6));
    }
    SEG_TRY(seg_parallel_polled(ctx, (size_t)grid->slices, 1, match_slices, (void *)&m));
    for (size_t p = slice; p < all; p++)
        most += POOR * moves[p].difference / (double)(all - slice);
    for (int s = 0; s < grid->slices; s++) {
        track(&m, s, most, off + (s % 2 ? 0 : 2 * frame), off + (s % 2 ? 2 * frame : 0), mean);
        SEG_TRY(seg_poll(ctx));
    }
    for (size_t p = 0; p < all; p++) {
        const float x = mean[3 * p], y = mean[3 * p + 1], count = mean[3 * p + 2];
        mean[2 * p] = x / count;
        mean[2 * p + 1] = y / count;
    }
    *place = seg_taken(&mean);
    return SEG_OK;
}
