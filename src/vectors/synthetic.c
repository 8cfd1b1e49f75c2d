#include "vectors/synthetic.h"
#include "base/base.h"
#include "base/random.h"
#include "vectors/table.h"

#define SYNTHETIC_STREAM 0x73796e74u /* "synt" */
enum { CELLS = 4 };

static void place_chessboard(seg_random *random, size_t i, double *x, int32_t *label) {
    const size_t field = i % (CELLS * CELLS), a = field / CELLS, b = field % CELLS;
    x[0] = (double)a + 0.15 + 0.7 * seg_random_uniform(random);
    x[1] = (double)b + 0.15 + 0.7 * seg_random_uniform(random);
    *label = (int32_t)((a + b) % 2);
}

static void place_double_spiral(seg_random *random, size_t i, double *x, int32_t *label) {
    const double turn = sqrt(4 + 93 * (double)(i / 2) / 50), side = i % 2 ? -1 : 1; /* evenly along the arm */
    x[0] = side * turn * cos(turn) + 0.1 * seg_random_normal(random);
    x[1] = side * turn * sin(turn) + 0.1 * seg_random_normal(random);
    *label = (int32_t)(i % 2);
}

static void place_two_circles(seg_random *random, size_t i, double *x, int32_t *label) {
    const double angle = 6.283185307179586 * seg_random_uniform(random);
    const double radius = (i % 2 ? 3 : 1) + 0.1 * seg_random_normal(random);
    x[0] = radius * cos(angle);
    x[1] = radius * sin(angle);
    *label = (int32_t)(i % 2);
}

static void place_gaussians(seg_random *random, size_t i, double *x, int32_t *label) {
    *label = (int32_t)(i % 4);
    x[0] = 3.2 * (double)(*label / 2) + seg_random_normal(random);
    x[1] = 3.2 * (double)(*label % 2) + seg_random_normal(random);
}

static const struct shape {
    const char *name;
    size_t n;
    int classes;
    void (*place)(seg_random *random, size_t i, double *x, int32_t *label);
} shapes[] = {
    {"chessboard", 100, 2, place_chessboard},
    {"double-spiral", 100, 2, place_double_spiral},
    {"two-circles", 200, 2, place_two_circles},
    {"gaussians", 200, 4, place_gaussians},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

seg_status seg_synthetic_make(seg_context *ctx, const char *name, uint64_t seed, seg_matrix *out, seg_labels *labels) {
    static const seg_field number[] = {{"1", 1}, {"2", 1}, {"3", 1}, {"4", 1}}; /* the names of the classes */
    const struct shape *shape = NULL;
    SEG_RELEASED(seg_labels_free) seg_labels made = {0};
    memset(out, 0, sizeof *out);
    memset(labels, 0, sizeof *labels);
    for (int s = 0; s < SHAPES; s++)
        if (strcmp(shapes[s].name, name) == 0)
            shape = &shapes[s];
    if (!shape)
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no synthetic set '%s'", name);
    made.n = shape->n;
    made.classes = shape->classes;
    SEG_TRY(seg_allocated(made.label = seg_alloc(ctx, shape->n, sizeof *made.label)));
    SEG_TRY(seg_allocated(made.name = seg_fields_copy(ctx, number, (size_t)shape->classes)));
    SEG_TRY(seg_matrix_create(ctx, shape->n, 2, out));
    seg_random random = seg_random_seeded(seed, SYNTHETIC_STREAM);
    for (size_t i = 0; i < shape->n; i++)
        shape->place(&random, i, out->at + 2 * i, &made.label[i]);
    return SEG_HANDED_OVER(labels, made);
}
