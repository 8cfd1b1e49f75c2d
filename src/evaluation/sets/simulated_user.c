#include "evaluation/sets/simulated_user.h"

#include "base/base.h"
#include "evaluation/sets/photo_set.h"
#include "image/mask.h"
#include "masks/distance.h"

#include <segment/metrics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REACH  10  /* a stroke is at most twice the longer side divided by this long */
#define DEEP   0.8 /* of the largest squared depth */
#define RADIUS 3   /* of the brush, pixels: of clicks, and of strokes in regions with room for it */

typedef struct simulation {
    seg_simulated_user user;
    const seg_mask *truth;
    seg_mask *scribbles;
} simulation;

/* Leave only the largest connected piece (4-neighbourhood) of pixels of one label, the first of equals, and set the
 * rest to 0. */
static seg_status keep_largest_piece(seg_context *ctx, uint8_t *of, int width, int height) {
    const size_t w = (size_t)width, pixels = w * (size_t)height;
    uint32_t *queue = seg_alloc(ctx, pixels, sizeof *queue);
    int32_t *number = seg_alloc_zero(ctx, pixels, sizeof *number), count = 0, best = 0;
    size_t largest = 0;
    const seg_status status = queue && number ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t first = 0; first < pixels && status == SEG_OK; first++) {
        size_t head = 0, tail = 0;
        if (!of[first] || number[first])
            continue;
        number[first] = ++count;
        queue[tail++] = (uint32_t)first;
        while (head < tail) {
            const size_t p = queue[head++], x = p % w;
            const size_t next[4] = {x > 0 ? p - 1 : p, x + 1 < w ? p + 1 : p, p >= w ? p - w : p,
                                    p + w < pixels ? p + w : p};
            for (int n = 0; n < 4; n++)
                if (!number[next[n]] && of[next[n]] == of[first]) {
                    number[next[n]] = count;
                    queue[tail++] = (uint32_t)next[n];
                }
        }
        if (tail > largest) {
            largest = tail;
            best = count;
        }
    }
    for (size_t p = 0; p < pixels && status == SEG_OK; p++)
        of[p] = number[p] == best ? of[p] : 0;
    free(queue);
    free(number);
    return status;
}

/* Where a stroke begins, and how deep its piece is. */
typedef struct start {
    const double *depth2;
    int width, height, x, y;
    int most; /* pixels that the stroke may reach */
} start;

/* How far one can go in a direction and stay deeper than half the start, in steps of a pixel. */
static int reach(const start *s, double angle) {
    const double least = s->depth2[(size_t)s->y * (size_t)s->width + (size_t)s->x] / 4;
    int gone = 0;
    while (gone < s->most) {
        const int column = (int)lround(s->x + (gone + 1) * cos(angle)),
                  row = (int)lround(s->y + (gone + 1) * sin(angle));
        if (column < 0 || row < 0 || column >= s->width || row >= s->height ||
            s->depth2[(size_t)row * (size_t)s->width + (size_t)column] <= least)
            break;
        gone++;
    }
    return gone;
}

/* A disc of the brush: of a stroke never beyond the label's pixels, of a click wherever nothing is marked. */
static void dab(const simulation *s, double x, double y, double radius, uint8_t label) {
    const int around = (int)ceil(radius), width = s->truth->width, height = s->truth->height;
    for (int row = (int)lround(y) - around; row <= (int)lround(y) + around; row++)
        for (int column = (int)lround(x) - around; column <= (int)lround(x) + around; column++) {
            const size_t p = (size_t)row * (size_t)width + (size_t)column;
            if (row < 0 || column < 0 || row >= height || column >= width || hypot(column - x, row - y) > radius)
                continue;
            if (s->user == SEG_USER_STROKES ? s->truth->label[p] == label
                                            : !s->scribbles->label[p] || (column == x && row == y))
                s->scribbles->label[p] = label;
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

/* A straight stroke through the middle of the only piece, the way that it reaches farthest. */
static void draw_stroke(const simulation *s, const double *depth2, uint8_t label) {
    static const double turn = 0.39269908169872414; /* pi / 8 */
    const int width = s->truth->width, height = s->truth->height, longer = width > height ? width : height;
    const size_t at = middle(depth2, width, (size_t)width * (size_t)height);
    const start from = {.depth2 = depth2,
                        .width = width,
                        .height = height,
                        .x = (int)(at % (size_t)width),
                        .y = (int)(at / (size_t)width),
                        .most = longer / REACH > 1 ? longer / REACH : 1};
    int best = 0, length = -1;
    for (int d = 0; d < 8; d++) {
        const int both = reach(&from, turn * d) + reach(&from, turn * (d + 8));
        if (both > length) {
            length = both;
            best = d;
        }
    }
    const double radius = fmax(0.5, fmin(RADIUS, sqrt(depth2[at]) / 2));
    const int back = reach(&from, turn * (best + 8));
    const int ahead = reach(&from, turn * best);
    for (int step = -back; step <= ahead; step++)
        dab(s, from.x + step * cos(turn * best), from.y + step * sin(turn * best), radius, label);
}

/* One stroke or click where pixels are wrong: `wrong` has their true labels, 0 elsewhere, and is changed. *found: 0
 * where there are none. */
static seg_status mark(seg_context *ctx, const simulation *s, uint8_t *wrong, int *found) {
    const int width = s->truth->width, height = s->truth->height;
    const size_t pixels = (size_t)width * (size_t)height;
    uint8_t *inside = seg_alloc(ctx, pixels, 1), at_label = 0;
    double *depth2 = seg_alloc(ctx, pixels, sizeof *depth2), deepest = 0;
    size_t at = 0;
    seg_status status = inside && depth2 ? SEG_OK : SEG_ERR_MEMORY;
    if (status == SEG_OK && s->user == SEG_USER_STROKES)
        status = keep_largest_piece(ctx, wrong, width, height);
    for (int label = 1; label <= SEG_MAX_LABELS && status == SEG_OK; label++) {
        if (!memchr(wrong, label, pixels))
            continue;
        for (size_t p = 0; p < pixels; p++)
            inside[p] = wrong[p] == label;
        status = seg_distance_inside(ctx, inside, width, height, depth2);
        for (size_t p = 0; p < pixels && status == SEG_OK; p++)
            if (depth2[p] > deepest) {
                deepest = depth2[p];
                at = p;
                at_label = (uint8_t)label;
            }
    }
    *found = status == SEG_OK && at_label;
    if (*found && s->user == SEG_USER_STROKES)
        draw_stroke(s, depth2, at_label);
    else if (*found)
        dab(s, (double)(at % (size_t)width), (double)(at / (size_t)width), RADIUS, at_label);
    free(inside);
    free(depth2);
    return status;
}

seg_status seg_simulated_user_begin(seg_context *ctx, seg_simulated_user user, const seg_mask *truth, seg_mask *out,
                                    int *strokes) {
    const size_t pixels = (size_t)truth->width * (size_t)truth->height;
    const simulation s = {user, truth, out};
    seg_status status = seg_mask_create(ctx, truth->width, truth->height, out);
    uint8_t *region = status == SEG_OK ? seg_alloc(ctx, pixels, 1) : NULL;
    *strokes = 0;
    status = region ? SEG_OK : SEG_ERR_MEMORY;
    for (int label = 1, found; label <= SEG_MAX_LABELS && status == SEG_OK; label++) {
        for (size_t p = 0; p < pixels; p++)
            region[p] = truth->label[p] == label ? (uint8_t)label : 0;
        status = mark(ctx, &s, region, &found);
        *strokes += found;
        if (*strokes && user == SEG_USER_CLICKS_OBJECT)
            break;
    }
    out->labels = truth->labels;
    memcpy(out->colour, truth->colour, sizeof out->colour);
    free(region);
    if (status)
        seg_mask_free(out);
    return status;
}

seg_status seg_simulated_user_correct(seg_context *ctx, seg_simulated_user user, const seg_mask *mask,
                                      const seg_mask *truth, seg_mask *scribbles, int *found) {
    const size_t pixels = (size_t)truth->width * (size_t)truth->height;
    const simulation s = {user, truth, scribbles};
    uint8_t *wrong = seg_alloc(ctx, pixels, 1);
    *found = 0;
    if (!wrong)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < pixels; p++)
        wrong[p] = truth->label[p] == SEG_VOID || truth->label[p] == mask->label[p] ||
                           (user != SEG_USER_STROKES && scribbles->label[p])
                       ? 0
                       : truth->label[p];
    seg_status status = mark(ctx, &s, wrong, found);
    free(wrong);
    return status;
}

/* Of the object, where there are two labels: it is the lower one. Otherwise the mean over the labels. */
static seg_status truth_iou(seg_context *ctx, const seg_mask *mask, const seg_mask *truth, double *iou) {
    seg_contingency met;
    const seg_status status = seg_contingency_masks(ctx, mask, truth, &met);
    const int classes = seg_truth_classes(truth);
    *iou = 0;
    for (int label = 1, left = classes == 2 ? 1 : classes; label < met.cols && left && status == SEG_OK; label++) {
        uint64_t of_truth = 0, of_mask = 0, both = label < met.rows ? met.count[label * met.cols + label] : 0;
        for (int row = 0; row < met.rows; row++)
            of_truth += met.count[row * met.cols + label];
        for (int col = 0; col < met.cols && label < met.rows; col++)
            of_mask += met.count[label * met.cols + col];
        if (!of_truth)
            continue;
        *iou += (double)both / (double)(of_truth + of_mask - both) / (classes == 2 ? 1 : classes);
        left--;
    }
    seg_contingency_free(&met);
    return status;
}

seg_status seg_simulated_user_run(seg_context *ctx, const seg_simulation *how, seg_mask *mask, int *strokes,
                                  double *curve, int *count) {
    const int clicks = how->user != SEG_USER_STROKES, most = how->most + !clicks;
    const int classes = seg_truth_classes(how->truth);
    seg_mask scribbles = {0};
    double value = 0;
    int found = 1;
    *count = *strokes = 0;
    if (classes < 2)
        return seg_fail(ctx, SEG_ERR_INPUT, "its truth has %d label%s; at least two are needed", classes,
                        classes == 1 ? "" : "s");
    if (how->user == SEG_USER_CLICKS_OBJECT && how->truth->labels != 2)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the first click marks the object alone, so the truth must have the labels 1, object, and 2, "
                        "rest; this one has %d labels up to %d",
                        classes, how->truth->labels);
    if (clicks && how->user != SEG_USER_CLICKS_OBJECT && classes > most)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "its truth has %d labels, and each of them gets a click before the first mask: allow more than "
                        "%d click%s",
                        classes, most, most == 1 ? "" : "s");
    seg_status status = seg_simulated_user_begin(ctx, how->user, how->truth, &scribbles, strokes);
    const int first = clicks ? *strokes - 1 : 0;
    for (; *count < first && status == SEG_OK; ++*count)
        curve[*count] = 0; /* no mask yet */
    while (*count < most && status == SEG_OK) {
        if (*count > first && found)
            status = seg_simulated_user_correct(ctx, how->user, mask, how->truth, &scribbles, &found);
        if (clicks && !found)
            break;
        if (status == SEG_OK && found) { /* else nothing changes */
            seg_mask_free(mask);
            status = how->segment(ctx, how->data, &scribbles, mask, &value);
            if (status == SEG_OK && clicks)
                status = truth_iou(ctx, mask, how->truth, &value);
        }
        if (status == SEG_OK)
            curve[(*count)++] = value;
    }
    seg_mask_free(&scribbles);
    return status;
}
