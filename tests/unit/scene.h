/* Rendered images with their truth, and strokes on them. */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "toy.h"

typedef struct scene {
    seg_context ctx;
    seg_image photo;
    seg_mask scribbles, truth;
} scene;

/* region(x, y, width, height): label 1.. of a pixel. Every label has a colour of its own, and noise. */
static inline scene scene_make(int width, int height, int grey, int (*region)(int x, int y, int width, int height)) {
    static const int colour[13][3] = {{0, 0, 0},       {200, 80, 60},  {70, 140, 60},  {90, 120, 200}, {210, 190, 80},
                                      {120, 60, 140},  {60, 170, 170}, {160, 120, 90}, {40, 50, 70},   {220, 220, 225},
                                      {230, 120, 170}, {110, 200, 90}, {30, 80, 160}};
    scene made = {.ctx = seg_context_default()};
    seg_random random = seg_random_seeded(8, 8);
    assert_ok(&made.ctx, seg_mask_create(&made.ctx, width, height, &made.scribbles));
    assert_ok(&made.ctx, seg_mask_create(&made.ctx, width, height, &made.truth));
    uint8_t *data = malloc(3 * (size_t)width * (size_t)height);
    for (int p = 0; p < width * height; p++) {
        const int label = region(p % width, p / width, width, height);
        const double same = 7 * seg_random_normal(&random);
        made.truth.label[p] = (uint8_t)label;
        made.truth.labels = label > made.truth.labels ? label : made.truth.labels;
        for (int c = 0; c < 3; c++) {
            const double own = grey ? 20 + 225.0 * (label * 5 % 13) / 12 : colour[label][c];
            const double value = own + (grey ? same : 7 * seg_random_normal(&random));
            data[3 * p + c] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
        }
    }
    made.photo = (seg_image){width, height, 8, grey, data};
    return made;
}

static inline void scene_free(scene *s) {
    seg_image_free(&s->photo);
    seg_mask_free(&s->scribbles);
    seg_mask_free(&s->truth);
    seg_context_end(&s->ctx);
}

static inline void scene_mark(scene *s, int x, int y, int label) {
    s->scribbles.label[y * s->photo.width + x] = (uint8_t)label;
    s->scribbles.labels = label > s->scribbles.labels ? label : s->scribbles.labels;
}

/* A straight line, one pixel wide, every `step`-th pixel of it. */
static inline void scene_stroke(scene *s, int x0, int y0, int x1, int y1, int step, int label) {
    const int dx = abs(x1 - x0), dy = abs(y1 - y0), length = dx > dy ? dx : dy;
    for (int i = 0; i <= length; i += step)
        scene_mark(s, x0 + (x1 - x0) * i / (length ? length : 1), y0 + (y1 - y0) * i / (length ? length : 1), label);
}

static inline void scene_scores(scene *s, const seg_mask *mask, seg_scores *out) {
    SCOPED(seg_contingency) table;
    assert_ok(&s->ctx, seg_contingency_masks(&s->ctx, mask, &s->truth, &table));
    assert_ok(&s->ctx, seg_score(&s->ctx, &table, out));
}

#endif
