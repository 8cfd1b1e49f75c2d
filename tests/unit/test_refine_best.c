/* The exact refinement: the border lies on the edge, scores sum to one, scribbles hold, its system is solved. */
#include "check.h"

#include "features/grid.h"
#include "masks/refine.h"

#include <segment/segment.h>

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 30, HIGH = 20, EDGE = 13, PIXELS = WIDTH * HIGH };

typedef struct fixture {
    seg_context ctx;
    uint8_t data[3 * PIXELS], label[PIXELS], marked[PIXELS];
    float probability[2 * PIXELS];
    double score[2 * 24];
    seg_edges edges;
    seg_pixel_scribbles scribbles;
} fixture;

static fixture given, *const f = &given; /* of each test */

/* Dark left of EDGE, which runs through the third column of patches; those patches do not know. */
BEFORE_EACH {
    const seg_patch_grid grid = seg_patch_grid_make(WIDTH, HIGH, 5);
    memset(f, 0, sizeof *f);
    seg_context_init(&f->ctx);
    for (int p = 0; p < 3 * PIXELS; p++)
        f->data[p] = p / 3 % WIDTH < EDGE ? 60 : 190;
    for (int i = 0; i < 24; i++) {
        f->score[2 * i] = i % 6 < 2 ? 0.9 : i % 6 == 2 ? 0.5 : 0.1;
        f->score[2 * i + 1] = 1 - f->score[2 * i];
    }
    for (int label = 0; label < 256; label++)
        f->scribbles.column[label] = label == 1 || label == 2 ? (int16_t)(label - 1) : -1;
    f->scribbles.label = f->marked;
    assert_ok(&f->ctx, seg_edges_create(&f->ctx, &grid, &f->edges));
}

AFTER_EACH {
    seg_edges_free(&f->edges);
}

static void run(fixture *f) {
    const seg_image image = {WIDTH, HIGH, 8, 0, f->data};
    const seg_matrix score = {24, 2, f->score};
    assert_ok(&f->ctx,
              seg_refine_best(
                  &f->ctx, &(seg_refining){&image, NULL, &f->edges, &score, &f->scribbles, 0, {f->probability, NULL}},
                  f->label));
}

TEST(border_lies_on_the_edge) {
    run(f);
    for (int p = 0; p < PIXELS; p++) {
        assert_int_equal(f->label[p], p % WIDTH >= EDGE);
        assert_near(f->probability[2 * p] + f->probability[2 * p + 1], 1, 1e-6);
    }
}

TEST(scribbles_hold_and_pull) {
    run(f);
    const float before = f->probability[2 * (10 * WIDTH + 3)];
    f->marked[10 * WIDTH + 2] = 2;
    run(f);
    assert_int_equal(f->label[10 * WIDTH + 2], 1);
    assert_true(f->probability[2 * (10 * WIDTH + 3)] < before);
}

/* Each unmarked pixel is the mean of its patch's score and its neighbours, weighted by confidence and likeness. */
TEST(system_is_solved) {
    run(f);
    for (int y = 1; y < HIGH - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            const int p = y * WIDTH + x, patch = y / 5 * 6 + x / 5, to[4] = {p - 1, p + 1, p - WIDTH, p + WIDTH};
            double weight = f->edges.confidence[patch], sum = weight * f->score[2 * patch];
            for (int s = 0; s < 4; s++) {
                double step = 0; /* the same in L, a, b only for L: the image is grey */
                const int a = f->data[3 * p], b = f->data[3 * to[s]];
                if (a != b)
                    step = 53; /* of CIELAB's L between the two greys, roughly: the tie is next to nothing */
                const double w = SEG_REFINE_STRENGTH * seg_alike((float)(step * step), 1 / 16.0f);
                weight += w;
                sum += w * f->probability[2 * to[s]];
            }
            assert_near(f->probability[2 * p], sum / weight, 2e-3);
        }
}

TEST(same_bytes_and_limits) {
    float *first = malloc(sizeof f->probability);
    f->ctx.threads = 1;
    run(f);
    memcpy(first, f->probability, sizeof f->probability);
    f->ctx.threads = 4;
    run(f);
    assert_memory_equal(first, f->probability, sizeof f->probability);
    free(first);
    const seg_image huge = {2001, 2000, 8, 0, f->data};
    const seg_matrix score = {24, 2, f->score};
    assert_fails(&f->ctx,
                 seg_refine_best(&f->ctx,
                                 &(seg_refining){&huge, NULL, &f->edges, &score, &f->scribbles, 0, {NULL, NULL}},
                                 f->label),
                 SEG_ERR_USAGE, "refine fast");
}
