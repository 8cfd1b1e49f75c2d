#include "evaluation/sets/simulated_user.h"

#include "base/base.h"
#include "image/mask.h"
#include "masks/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REACH  10  /* a stroke is at most twice the longer side divided by this long */
#define DEEP   0.8 /* of the largest squared depth */
#define RADIUS 3   /* of the brush, pixels, in regions with room for it */

/* Connected pieces (4-neighbourhood) of pixels with a label of `of`; 0 belongs to none. */
typedef struct pieces {
    int32_t *number; /* from 1, in the order of their first pixels; 0 elsewhere */
    size_t *size;    /* of piece n at n */
    uint8_t *label;
    int count;
} pieces;

static void pieces_free(pieces *p) {
    free(p->number);
    free(p->size);
    free(p->label);
    memset(p, 0, sizeof *p);
}

/* `out` is zeroed on failure. */
static seg_status find_pieces(seg_context *ctx, const uint8_t *of, int width, int height, pieces *out) {
    const size_t w = (size_t)width, pixels = w * (size_t)height;
    uint32_t *queue = seg_alloc(ctx, pixels, sizeof *queue);
    memset(out, 0, sizeof *out);
    out->number = seg_alloc_zero(ctx, pixels, sizeof *out->number);
    out->size = seg_alloc_zero(ctx, pixels + 1, sizeof *out->size);
    out->label = seg_alloc_zero(ctx, pixels + 1, 1);
    if (!queue || !out->number || !out->size || !out->label) {
        free(queue);
        pieces_free(out);
        return SEG_ERR_MEMORY;
    }
    for (size_t first = 0; first < pixels; first++) {
        size_t head = 0, tail = 0;
        if (!of[first] || out->number[first])
            continue;
        out->number[first] = ++out->count;
        queue[tail++] = (uint32_t)first;
        while (head < tail) {
            const size_t p = queue[head++], x = p % w;
            const size_t next[4] = {x > 0 ? p - 1 : p, x + 1 < w ? p + 1 : p, p >= w ? p - w : p,
                                    p + w < pixels ? p + w : p};
            for (int n = 0; n < 4; n++)
                if (!out->number[next[n]] && of[next[n]] == of[first]) {
                    out->number[next[n]] = out->count;
                    queue[tail++] = (uint32_t)next[n];
                }
        }
        out->size[out->count] = tail;
        out->label[out->count] = of[first];
    }
    free(queue);
    return SEG_OK;
}

/* The largest piece of the label (0: of any), the first of equals; 0 if there is none. */
static int largest_piece(const pieces *p, uint8_t label) {
    int best = 0;
    for (int n = 1; n <= p->count; n++)
        if ((!label || p->label[n] == label) && (!best || p->size[n] > p->size[best]))
            best = n;
    return best;
}

/* How far one can go from (x, y) in a direction and stay deeper than half the start, in steps of a pixel. */
static int reach(const double *depth2, int width, int height, int x, int y, double angle, int most) {
    const double least = depth2[(size_t)y * (size_t)width + (size_t)x] / 4;
    int gone = 0;
    while (gone < most) {
        const int column = (int)lround(x + (gone + 1) * cos(angle)), row = (int)lround(y + (gone + 1) * sin(angle));
        if (column < 0 || row < 0 || column >= width || row >= height ||
            depth2[(size_t)row * (size_t)width + (size_t)column] <= least)
            break;
        gone++;
    }
    return gone;
}

/* A disc of the brush, never beyond the label's pixels. */
static void dab(const seg_mask *truth, seg_mask *scribbles, double x, double y, double radius, uint8_t label) {
    const int around = (int)ceil(radius);
    for (int row = (int)lround(y) - around; row <= (int)lround(y) + around; row++)
        for (int column = (int)lround(x) - around; column <= (int)lround(x) + around; column++) {
            const size_t p = (size_t)row * (size_t)truth->width + (size_t)column;
            if (row >= 0 && column >= 0 && row < truth->height && column < truth->width && truth->label[p] == label &&
                hypot(column - x, row - y) <= radius)
                scribbles->label[p] = label;
        }
}

/* Of the deep points, the one nearest the piece's centre of mass; the first of equals. */
static size_t middle(const double *depth2, int width, size_t pixels) {
    double most = 0, x = 0, y = 0, count = 0, least = INFINITY;
    size_t best = 0;
    for (size_t p = 0; p < pixels; p++)
        if (depth2[p] > 0) {
            most = fmax(most, depth2[p]);
            x += (double)(p % (size_t)width);
            y += (double)(p / (size_t)width);
            count++;
        }
    for (size_t p = 0; p < pixels; p++) {
        const double away = hypot((double)(p % (size_t)width) - x / count, (double)(p / (size_t)width) - y / count);
        if (depth2[p] >= DEEP * most && away < least) {
            least = away;
            best = p;
        }
    }
    return best;
}

/* A straight stroke through the middle of the piece, the way that it reaches farthest. */
static seg_status draw_stroke(seg_context *ctx, const seg_mask *truth, const pieces *all, int piece,
                              seg_mask *scribbles) {
    const int width = truth->width, height = truth->height, longer = width > height ? width : height;
    const size_t pixels = (size_t)width * (size_t)height;
    static const double turn = 0.39269908169872414; /* pi / 8 */
    uint8_t *inside = seg_alloc(ctx, pixels, 1);
    double *depth2 = seg_alloc(ctx, pixels, sizeof *depth2);
    seg_status status = inside && depth2 ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t p = 0; p < pixels && status == SEG_OK; p++)
        inside[p] = all->number[p] == piece;
    if (status == SEG_OK && (status = seg_distance_inside(ctx, inside, width, height, depth2)) == SEG_OK) {
        const int most = longer / REACH > 1 ? longer / REACH : 1;
        int best = 0, length = -1;
        const size_t deepest = middle(depth2, width, pixels);
        const int x = (int)(deepest % (size_t)width), y = (int)(deepest / (size_t)width);
        for (int d = 0; d < 8; d++) {
            const int both = reach(depth2, width, height, x, y, turn * d, most) +
                             reach(depth2, width, height, x, y, turn * (d + 8), most);
            if (both > length) {
                length = both;
                best = d;
            }
        }
        const double radius = fmax(0.5, fmin(RADIUS, sqrt(depth2[deepest]) / 2));
        const int back = reach(depth2, width, height, x, y, turn * (best + 8), most);
        const int ahead = reach(depth2, width, height, x, y, turn * best, most);
        for (int step = -back; step <= ahead; step++)
            dab(truth, scribbles, x + step * cos(turn * best), y + step * sin(turn * best), radius, all->label[piece]);
    }
    free(inside);
    free(depth2);
    return status;
}

seg_status seg_simulated_user_begin(seg_context *ctx, const seg_mask *truth, seg_mask *out, int *strokes) {
    const size_t pixels = (size_t)truth->width * (size_t)truth->height;
    pieces all = {0};
    seg_status status = seg_mask_create(ctx, truth->width, truth->height, out);
    uint8_t *scored = status == SEG_OK ? seg_alloc(ctx, pixels, 1) : NULL;
    *strokes = 0;
    if (!scored) {
        seg_mask_free(out);
        return SEG_ERR_MEMORY;
    }
    for (size_t p = 0; p < pixels; p++)
        scored[p] = truth->label[p] == SEG_VOID ? 0 : truth->label[p];
    status = find_pieces(ctx, scored, truth->width, truth->height, &all);
    for (int label = 1; label <= SEG_MAX_LABELS && status == SEG_OK; label++) {
        const int piece = largest_piece(&all, (uint8_t)label);
        if (piece) {
            status = draw_stroke(ctx, truth, &all, piece, out);
            ++*strokes;
        }
    }
    out->labels = truth->labels;
    memcpy(out->colour, truth->colour, sizeof out->colour);
    free(scored);
    pieces_free(&all);
    if (status)
        seg_mask_free(out);
    return status;
}

seg_status seg_simulated_user_correct(seg_context *ctx, const seg_mask *mask, const seg_mask *truth,
                                      seg_mask *scribbles, int *found) {
    const size_t pixels = (size_t)truth->width * (size_t)truth->height;
    uint8_t *wrong = seg_alloc(ctx, pixels, 1);
    pieces all = {0};
    *found = 0;
    if (!wrong)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < pixels; p++)
        wrong[p] = truth->label[p] == SEG_VOID || truth->label[p] == mask->label[p] ? 0 : truth->label[p];
    seg_status status = find_pieces(ctx, wrong, truth->width, truth->height, &all);
    const int piece = status == SEG_OK ? largest_piece(&all, 0) : 0;
    if (piece) {
        *found = 1;
        status = draw_stroke(ctx, truth, &all, piece, scribbles);
    }
    free(wrong);
    pieces_free(&all);
    return status;
}
