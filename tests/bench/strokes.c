/* Strokes drawn from a ground truth where no person has drawn any: into each class of some size one stroke, two where
 * it has two parts of some size, two pixels wide, following the ridge of the distance to the region's border from a
 * point deep inside, chosen by a seed. */
#include "bench.h"

#include "base/random.h"
#include "image/mask.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_SHARE 0.02 /* of the scored pixels, of a class or part that gets a stroke */
#define STEP        4.0  /* pixels between two decisions on the way along the ridge */
#define REACH       10   /* half a stroke is at most the longer side divided by this */

static const double turn = 0.39269908169872414; /* pi / 8 */

typedef struct canvas {
    const seg_mask *truth;
    seg_mask *scribbles;
    int32_t *depth; /* three times the distance to the nearest pixel of another label or beyond the border */
    int32_t *part;  /* connected part of the same label, from 0 */
    size_t *size;   /* pixels of each part */
    size_t *queue;
} canvas;

static int32_t depth_at(const canvas *c, double x, double y, uint8_t label) {
    const int column = (int)floor(x), row = (int)floor(y), w = c->truth->width, h = c->truth->height;
    if (column < 0 || row < 0 || column >= w || row >= h)
        return 0;
    const size_t p = (size_t)row * (size_t)w + (size_t)column;
    return c->truth->label[p] == label ? c->depth[p] : 0;
}

/* Chamfer distances 3-4 [borgefors1986], one pass down and one up; neighbours of another label count as distance 0. */
static void measure_depth(canvas *c) {
    const int w = c->truth->width, h = c->truth->height;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < w * h; i++) {
            const int p = pass ? w * h - 1 - i : i, x = p % w, y = p / w, back = pass ? 1 : -1;
            const uint8_t label = c->truth->label[p];
            int32_t least = pass ? c->depth[p] : INT32_MAX;
            const int near[4][3] = {{back, 0, 3}, {-1, back, 4}, {0, back, 3}, {1, back, 4}};
            for (int n = 0; n < 4; n++) {
                const int32_t other = depth_at(c, x + near[n][0], y + near[n][1], label) + near[n][2];
                least = other < least ? other : least;
            }
            c->depth[p] = least;
        }
}

/* Flood every part; returns their number. */
static int find_parts(canvas *c) {
    const size_t w = (size_t)c->truth->width, pixels = w * (size_t)c->truth->height;
    int parts = 0;
    for (size_t p = 0; p < pixels; p++)
        c->part[p] = -1;
    for (size_t first = 0; first < pixels; first++) {
        if (c->part[first] >= 0)
            continue;
        size_t head = 0, tail = 0;
        c->queue[tail++] = first;
        c->part[first] = parts;
        while (head < tail) {
            const size_t p = c->queue[head++], x = p % w;
            const size_t next[4] = {x > 0 ? p - 1 : p, x + 1 < w ? p + 1 : p, p >= w ? p - w : p,
                                    p + w < pixels ? p + w : p};
            for (int n = 0; n < 4; n++)
                if (c->part[next[n]] < 0 && c->truth->label[next[n]] == c->truth->label[first]) {
                    c->part[next[n]] = parts;
                    c->queue[tail++] = next[n];
                }
        }
        c->size[parts++] = tail;
    }
    return parts;
}

/* A line of 2 x 2 dots that never leaves the label. */
static void draw_line(canvas *c, double x0, double y0, double x1, double y1, uint8_t label) {
    for (int s = 0; s <= 8; s++) {
        const double x = x0 + (x1 - x0) * s / 8, y = y0 + (y1 - y0) * s / 8;
        for (int dot = 0; dot < 4; dot++)
            if (depth_at(c, x + dot % 2, y + dot / 2, label) > 0)
                c->scribbles
                    ->label[(size_t)(floor(y) + dot / 2) * (size_t)c->truth->width + (size_t)(floor(x) + dot % 2)] =
                    label;
    }
}

/* Go on to the deepest of the points ahead while it is half as deep as the start; never more than a right angle off the
 * first direction, so that the arm does not curl up at the deepest point. */
static void draw_arm(canvas *c, double x, double y, double angle, uint8_t label) {
    static const int sideways[5] = {0, -1, 1, -2, 2};
    const int longer = c->truth->width > c->truth->height ? c->truth->width : c->truth->height;
    const int32_t floor_depth = depth_at(c, x, y, label) / 2;
    int heading = 0; /* eighths of a half turn off the first direction */
    for (double gone = 0; gone < (double)longer / REACH; gone += STEP) {
        int32_t best = 0;
        int best_heading = heading;
        for (int s = 0; s < 5; s++) {
            const int tried = heading + sideways[s];
            const double a = angle + turn * tried;
            const int32_t depth = depth_at(c, x + STEP * cos(a), y + STEP * sin(a), label);
            if (abs(tried) <= 3 && depth > best) {
                best = depth;
                best_heading = tried;
            }
        }
        if (best == 0 || best < floor_depth)
            return;
        heading = best_heading;
        const double to_x = x + STEP * cos(angle + turn * heading), to_y = y + STEP * sin(angle + turn * heading);
        draw_line(c, x, y, to_x, to_y, label);
        x = to_x;
        y = to_y;
    }
}

static void draw_stroke(canvas *c, int part, uint8_t label, seg_random *random) {
    const size_t w = (size_t)c->truth->width, pixels = w * (size_t)c->truth->height;
    int32_t peak = 0, best = -1;
    uint64_t deep = 0;
    size_t start = 0;
    double angle = 0;
    for (size_t p = 0; p < pixels; p++)
        if (c->part[p] == part && c->depth[p] > peak)
            peak = c->depth[p];
    for (size_t p = 0; p < pixels; p++) /* one of the deep points, each as likely as any other */
        if (c->part[p] == part && 5 * c->depth[p] >= 3 * peak && seg_random_below(random, ++deep) == 0)
            start = p;
    const double x = (double)(start % w) + 0.5, y = (double)(start / w) + 0.5;
    const double first = 2 * turn * (double)seg_random_below(random, 8);
    for (int s = 0; s < 16; s++) {
        const double a = first + turn * s;
        const int32_t depth = depth_at(c, x + 2 * STEP * cos(a), y + 2 * STEP * sin(a), label);
        if (depth > best) {
            best = depth;
            angle = a;
        }
    }
    draw_line(c, x, y, x, y, label);
    draw_arm(c, x, y, angle, label);
    draw_arm(c, x, y, angle + 8 * turn, label);
}

/* The label's largest part and, if it is of some size, the second. */
static void draw_label(canvas *c, int parts, const uint8_t *label_of, uint8_t label, size_t least, seg_random *random) {
    int largest = -1, second = -1;
    for (int part = 0; part < parts; part++) {
        if (label_of[part] != label)
            continue;
        if (largest < 0 || c->size[part] > c->size[largest]) {
            second = largest;
            largest = part;
        } else if (second < 0 || c->size[part] > c->size[second])
            second = part;
    }
    draw_stroke(c, largest, label, random);
    if (second >= 0 && c->size[second] >= least)
        draw_stroke(c, second, label, random);
}

seg_status bench_strokes_draw(seg_context *ctx, const seg_mask *truth, uint64_t seed, seg_mask *out, int *classes) {
    const size_t pixels = (size_t)truth->width * (size_t)truth->height;
    size_t count[256] = {0}, least;
    canvas c = {.truth = truth, .scribbles = out};
    seg_status status = seg_mask_create(ctx, truth->width, truth->height, out);
    if (status)
        return status;
    c.depth = bench_alloc(pixels, sizeof *c.depth);
    c.part = bench_alloc(pixels, sizeof *c.part);
    c.size = bench_alloc(pixels, sizeof *c.size);
    c.queue = bench_alloc(pixels, sizeof *c.queue);
    AUTOFREE uint8_t *label_of = bench_alloc(pixels, 1);
    measure_depth(&c);
    const int parts = find_parts(&c);
    for (size_t p = 0; p < pixels; p++) {
        count[truth->label[p]]++;
        label_of[c.part[p]] = truth->label[p];
    }
    least = (size_t)ceil(LEAST_SHARE * (double)(pixels - count[SEG_VOID]));
    seg_random random = seg_random_seeded(seed, 1);
    *classes = 0;
    for (int label = 1; label <= SEG_MAX_LABELS; label++)
        if (count[label] && count[label] >= least) {
            draw_label(&c, parts, label_of, (uint8_t)label, least, &random);
            out->labels = label;
            ++*classes;
        }
    free(c.depth);
    free(c.part);
    free(c.size);
    free(c.queue);
    return SEG_OK;
}
