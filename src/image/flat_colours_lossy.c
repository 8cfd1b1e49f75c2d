/* The flat colours of JPEG-compressed strokes. Compression smears a stroke's edge but keeps its inside nearly as it
 * was, so only pixels whose eight neighbours look alike have a vote; the flat colours are the densest places of the
 * colour cube, taken one after the other. */
#include "base/base.h"
#include "image/strokes.h"

#include <stdlib.h>
#include <string.h>

#define ALIKE     24  /* neighbours inside a stroke differ at most so much */
#define SHIFT     3   /* boxes of 8 x 8 x 8 colours */
#define SIDE      32  /* boxes along a channel */
#define APART     32  /* flat colours differ by more */
#define CLEAR     64  /* flat colours that differ by more are surely two */
#define LEAST     9   /* votes of a flat colour */
#define RARE_PART 200 /* of the votes: a flat colour has more */
#define EXTREME   12  /* as near to 0 or 255: is 0 or 255, what people paint with and what keeps the order of colours */

typedef struct box {
    uint64_t votes, sum[3];
} box;

/* 1 where the pixel is well inside a stroke. */
static int is_inside(const seg_strokes *strokes, int x, int y) {
    const int width = strokes->raster->width, height = strokes->raster->height;
    const size_t pixel = (size_t)y * (size_t)width + (size_t)x;
    if (x == 0 || y == 0 || x + 1 == width || y + 1 == height)
        return 0;
    const uint32_t colour = seg_raster_colour(strokes->raster, pixel);
    for (int k = 0; k < 9; k++) {
        size_t other = (size_t)(y + k / 3 - 1) * (size_t)width + (size_t)(x + k % 3 - 1);
        if (!strokes->label[other] || seg_colour_distance(seg_raster_colour(strokes->raster, other), colour) > ALIKE)
            return 0;
    }
    return 1;
}

static uint64_t vote(const seg_strokes *strokes, box *boxes) {
    uint64_t votes = 0;
    for (int y = 0; y < strokes->raster->height; y++)
        for (int x = 0; x < strokes->raster->width; x++) {
            size_t pixel = (size_t)y * (size_t)strokes->raster->width + (size_t)x;
            if (!strokes->label[pixel] || !is_inside(strokes, x, y))
                continue;
            uint32_t colour = seg_raster_colour(strokes->raster, pixel);
            size_t place = 0;
            for (int c = 0; c < 3; c++)
                place = place * SIDE + (size_t)(seg_colour_channel(colour, c) >> SHIFT);
            boxes[place].votes++;
            for (int c = 0; c < 3; c++)
                boxes[place].sum[c] += (uint64_t)seg_colour_channel(colour, c);
            votes++;
        }
    return votes;
}

/* The sums over the 3 x 3 x 3 boxes around (r, g, b). */
static box around(const box *boxes, int r, int g, int b) {
    box sum = {0};
    for (int i = r > 0 ? r - 1 : 0; i <= r + 1 && i < SIDE; i++)
        for (int j = g > 0 ? g - 1 : 0; j <= g + 1 && j < SIDE; j++)
            for (int k = b > 0 ? b - 1 : 0; k <= b + 1 && k < SIDE; k++) {
                const box *one = &boxes[(i * SIDE + j) * SIDE + k];
                sum.votes += one->votes;
                for (int c = 0; c < 3; c++)
                    sum.sum[c] += one->sum[c];
            }
    return sum;
}

static box densest(const box *boxes) {
    box best = {0};
    for (int r = 0; r < SIDE; r++)
        for (int g = 0; g < SIDE; g++)
            for (int b = 0; b < SIDE; b++) {
                if (!boxes[(r * SIDE + g) * SIDE + b].votes)
                    continue;
                box here = around(boxes, r, g, b);
                if (here.votes > best.votes)
                    best = here;
            }
    return best;
}

static uint32_t mean_colour(const box *sum) {
    unsigned rgb[3];
    for (int c = 0; c < 3; c++)
        rgb[c] = (unsigned)((sum->sum[c] + sum->votes / 2) / sum->votes);
    return seg_colour_pack(rgb[0], rgb[1], rgb[2]);
}

static uint32_t pull_to_extremes(uint32_t colour) {
    unsigned rgb[3];
    for (int c = 0; c < 3; c++) {
        rgb[c] = (unsigned)seg_colour_channel(colour, c);
        rgb[c] = rgb[c] <= EXTREME ? 0 : rgb[c] >= 255 - EXTREME ? 255 : rgb[c];
    }
    return seg_colour_pack(rgb[0], rgb[1], rgb[2]);
}

/* Take the votes of everything near a flat colour away. */
static void clear_near(box *boxes, uint32_t colour) {
    for (int place = 0; place < SIDE * SIDE * SIDE; place++) {
        box *one = &boxes[place];
        if (!one->votes)
            continue;
        if (seg_colour_distance(mean_colour(one), colour) <= APART)
            memset(one, 0, sizeof *one);
    }
}

/* Two flat colours so alike may be one that JPEG split: better no answer than a label too many. */
static seg_status check_apart(seg_context *ctx, const char *name, const seg_colour_count *flat, size_t flats) {
    for (size_t a = 0; a < flats; a++)
        for (size_t b = a + 1; b < flats; b++) {
            const uint32_t x = flat[a].colour, y = flat[b].colour;
            if (seg_colour_distance(x, y) < CLEAR)
                return seg_fail(ctx, SEG_ERR_INPUT,
                                "%s: the stroke colours (%d,%d,%d) and (%d,%d,%d) are too much alike for a JPEG; save "
                                "the strokes as PNG, or paint in colours that differ more, with a broader brush",
                                name, seg_colour_channel(x, 0), seg_colour_channel(x, 1), seg_colour_channel(x, 2),
                                seg_colour_channel(y, 0), seg_colour_channel(y, 1), seg_colour_channel(y, 2));
        }
    return SEG_OK;
}

static int by_colour(const void *a, const void *b) {
    uint32_t x = ((const seg_colour_count *)a)->colour, y = ((const seg_colour_count *)b)->colour;
    return x < y ? -1 : x > y;
}

seg_status seg_flat_colours_lossy(seg_context *ctx, const seg_strokes *strokes, const char *name,
                                  seg_colour_count **flat, size_t *flats) {
    const size_t room = SEG_MAX_LABELS + 1; /* one too many is enough to refuse */
    box *boxes = seg_alloc_zero(ctx, SIDE * SIDE * SIDE, sizeof *boxes);
    *flats = 0;
    *flat = seg_alloc(ctx, room, sizeof **flat);
    if (!boxes || !*flat) {
        free(boxes);
        free(*flat);
        *flat = NULL;
        return SEG_ERR_MEMORY;
    }
    uint64_t least = vote(strokes, boxes) / RARE_PART;
    least = least < LEAST ? LEAST : least;
    while (*flats < room) {
        box best = densest(boxes);
        if (best.votes < least)
            break;
        uint32_t colour = mean_colour(&best);
        (*flat)[*flats].colour = pull_to_extremes(colour);
        (*flat)[(*flats)++].count = (uint32_t)best.votes;
        clear_near(boxes, colour);
    }
    qsort(*flat, *flats, sizeof **flat, by_colour);
    free(boxes);
    return check_apart(ctx, name, *flat, *flats);
}
