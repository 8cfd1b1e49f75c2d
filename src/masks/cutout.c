/* The opacity of a cut-out. */
#include "base/base.h"

#include <segment/overlay.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACROSS = 3, ASKEW = 4, MOST = 255 }; /* distances in thirds of a pixel: the chamfer metric */

#define REACH        4.0 /* pixels on either side of a border, up to USUAL_PIXELS */
#define MOST_REACH   80.0
#define USUAL_PIXELS 0.3e6
#define SLOPE        2.0 /* of the opacity over the labels' share of the scores: 0 at 1/4, 1 at 3/4 */

typedef struct cutting {
    const seg_mask *mask;
    const seg_region_scores *scores;
    uint8_t is_in[256];
    uint8_t *far; /* distance of each pixel to the nearest one on the other side, in thirds of a pixel */
} cutting;

/* Update the distance of pixel p from that of its neighbour q, `step` away. */
static void learn(const cutting *c, size_t p, size_t q, int step) {
    const int other = c->is_in[c->mask->label[p]] != c->is_in[c->mask->label[q]];
    const int far = step + (other ? 0 : c->far[q]);
    if (far < c->far[p])
        c->far[p] = (uint8_t)far;
}

/* Update a pixel from its neighbours before it in reading order (`back` 1), or after it. */
static void learn_from(const cutting *c, int x, int y, int back) {
    const size_t width = (size_t)c->mask->width, p = (size_t)y * width + (size_t)x;
    const int row = back ? y > 0 : y + 1 < c->mask->height, west = x > 0, east = x + 1 < c->mask->width;
    const size_t beyond = back ? p - width : p + width;
    if (back ? west : east)
        learn(c, p, back ? p - 1 : p + 1, ACROSS);
    if (!row)
        return;
    learn(c, p, beyond, ACROSS);
    if (west)
        learn(c, p, beyond - 1, ASKEW);
    if (east)
        learn(c, p, beyond + 1, ASKEW);
}

static seg_status find_distances(seg_context *ctx, const cutting *c) {
    const int width = c->mask->width, height = c->mask->height;
    memset(c->far, MOST, (size_t)width * (size_t)height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            learn_from(c, x, y, 1);
        SEG_TRY(y % 64 == 0 ? seg_poll(ctx) : SEG_OK);
    }
    for (int y = height - 1; y >= 0; y--) {
        for (int x = width - 1; x >= 0; x--)
            learn_from(c, x, y, 0);
        SEG_TRY(y % 64 == 0 ? seg_poll(ctx) : SEG_OK);
    }
    return SEG_OK;
}

/* The evidence of the scores that a pixel belongs to the labels, -1 to 1. */
static double evidence(const cutting *c, size_t p) {
    const float *score = c->scores->probability + p * (size_t)c->scores->columns;
    double best[2] = {0, 0};
    for (int s = 0; s < c->scores->columns; s++) {
        const int in = c->is_in[c->scores->column_label[s]];
        best[in] = (double)score[s] > best[in] ? (double)score[s] : best[in];
    }
    const double both = best[0] + best[1];
    return both > 0 ? SLOPE * (best[1] / both - 0.5) : 0;
}

seg_status seg_cutout_alpha(seg_context *ctx, const seg_mask *mask, const seg_region_scores *scores,
                            const uint8_t labels[32], uint8_t *alpha) {
    const size_t pixels = (size_t)mask->width * (size_t)mask->height;
    const double scale = sqrt((double)pixels / USUAL_PIXELS), wide = REACH * (scale > 1 ? scale : 1);
    const double reach = wide < MOST_REACH ? wide : MOST_REACH;
    cutting c = {.mask = mask, .scores = scores};
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        c.is_in[l] = labels[l / 8] >> l % 8 & 1;
    if (!scores) {
        for (size_t p = 0; p < pixels; p++)
            alpha[p] = c.is_in[mask->label[p]] ? 255 : 0;
        return SEG_OK;
    }
    SEG_FREED uint8_t *far_off = c.far = seg_alloc(ctx, pixels, 1);
    if (!far_off)
        return SEG_ERR_MEMORY;
    SEG_TRY(find_distances(ctx, &c));
    for (size_t p = 0; p < pixels; p++) {
        const int in = c.is_in[mask->label[p]];
        const double far = (double)c.far[p] / ACROSS - 0.5; /* the border runs between the pixels */
        const double least = c.far[p] == MOST || far > reach ? 0.5 : far / (2 * reach);
        const double t = in ? evidence(&c, p) : -evidence(&c, p), sure = t < least ? least : t > 0.5 ? 0.5 : t;
        const long value = lround(255 * (in ? 0.5 + sure : 0.5 - sure));
        alpha[p] = (uint8_t)(in && value < 128 ? 128 : !in && value > 127 ? 127 : value);
    }
    return SEG_OK;
}
