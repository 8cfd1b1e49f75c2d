#include "graph/full/fast_sum.h"

#include "base/base.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>

static double span(const seg_gaussian *points, size_t axis) {
    double most = 0;
    for (size_t i = 0; i < points->n; i++)
        most = fmax(most, points->at[axis * points->n + i]);
    return most;
}

/* Cells along an axis: the points' span, and the seam behind them. */
static double axis_cells(const seg_fast_level *level, double extent) {
    return ceil(extent * level->cells_per_sigma) + ceil(level->seam * level->cells_per_sigma);
}

double seg_fast_sum_cells(const seg_gaussian *points, int level) {
    double cells = 1;
    for (size_t c = 0; c < points->d; c++)
        cells *= 1.1 * axis_cells(&seg_fast_level_table[level], span(points, c)) + 8; /* up to a good length */
    return cells;
}

/* Which of the grid's axes a coordinate goes along: planes first, then the contiguous rows. */
static size_t axis_of(size_t d, size_t c) {
    return d == 2 && c == 1 ? 2 : c;
}

typedef struct sort_entry {
    uint64_t key;
    int32_t point;
} sort_entry;

static int compare(const void *a, const void *b) {
    const sort_entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->point < y->point ? -1 : x->point > y->point;
}

static int32_t first_cell(double u, double cells_per_sigma) {
    return (int32_t)ceil(u * cells_per_sigma);
}

static seg_status sort_points(seg_context *ctx, const seg_gaussian *points, const int32_t *member,
                              double cells_per_sigma, seg_fast_sum *out) {
    const size_t *size = out->grid.size;
    SEG_FREED sort_entry *entry = seg_alloc(ctx, out->n, sizeof *entry);
    if (!entry)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < out->n; p++) {
        uint64_t cell[3] = {0};
        for (size_t c = 0; c < out->d; c++)
            cell[axis_of(out->d, c)] =
                (uint64_t)first_cell(points->at[c * points->n + (size_t)member[p]], cells_per_sigma);
        entry[p] = (sort_entry){(cell[0] * size[1] + cell[1]) * size[2] + cell[2], member[p]};
    }
    qsort(entry, out->n, sizeof *entry, compare);
    for (size_t p = 0; p < out->n; p++) {
        out->point[p] = entry[p].point;
        out->cell[3 * p + 2] = (int32_t)(entry[p].key % size[2]);
        out->cell[3 * p + 1] = (int32_t)(entry[p].key / size[2] % size[1]);
        out->cell[3 * p] = (int32_t)(entry[p].key / size[2] / size[1]);
    }
    for (size_t p = 0, plane = 0; plane <= size[0]; plane++) {
        while (p < out->n && (size_t)out->cell[3 * p] < plane)
            p++;
        out->plane[plane] = p;
    }
    return SEG_OK;
}

typedef struct evaluating {
    const seg_gaussian *points;
    double fine;
    const double *polynomial;
    seg_fast_sum *out;
} evaluating;

static void evaluate_windows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const evaluating *e = arg;
    const seg_gaussian *points = e->points;
    seg_fast_sum *out = e->out;
    for (size_t p = first; p < last; p++)
        for (size_t c = 0; c < points->d; c++) {
            const double u = points->at[c * points->n + (size_t)out->point[p]];
            seg_window_values(out->width, e->polynomial, first_cell(u, e->fine) - u * e->fine,
                              out->window + (p * points->d + c) * out->stride);
        }
}

seg_status seg_fast_sum_create(seg_context *ctx, const seg_gaussian *points, const int32_t *member, size_t count,
                               int number, seg_fast_sum *out) {
    const seg_fast_level *level = &seg_fast_level_table[number];
    const double fine = level->cells_per_sigma;
    size_t size[3] = {1, 1, 1};
    double polynomial[SEG_WINDOW_TERMS * SEG_WINDOW_MOST];
    *out =
        (seg_fast_sum){.n = count, .d = points->d, .width = level->width, .stride = ((size_t)level->width + 3) / 4 * 4};
    for (size_t c = 0; c < points->d; c++)
        size[axis_of(points->d, c)] = seg_fft_good_length((size_t)axis_cells(level, span(points, c)));
    seg_status status = seg_grid_fft_create(ctx, size, &out->grid);
    if (status)
        return status;
    out->point = seg_arena_alloc(ctx, &out->arena, count, sizeof *out->point);
    out->cell = seg_arena_alloc(ctx, &out->arena, count, 3 * sizeof *out->cell);
    out->plane = seg_arena_alloc(ctx, &out->arena, size[0] + 1, sizeof *out->plane);
    out->window = seg_arena_alloc_zero(ctx, &out->arena, count, points->d * out->stride * sizeof *out->window);
    out->value = seg_arena_alloc(ctx, &out->arena, count, sizeof *out->value);
    for (int axis = 0; axis < 3; axis++)
        if ((out->factor[axis] = seg_arena_alloc(ctx, &out->arena, size[axis], sizeof(double))))
            seg_window_factors(level, size[axis], out->factor[axis]);
    if ((status = out->arena.status) || (status = sort_points(ctx, points, member, fine, out))) {
        seg_fast_sum_free(out);
        return status;
    }
    seg_window_polynomial(level, polynomial);
    seg_parallel(ctx, count, 0, evaluate_windows, &(evaluating){points, fine, polynomial, out});
    return SEG_OK;
}

void seg_fast_sum_free(seg_fast_sum *sum) {
    seg_grid_fft_free(&sum->grid);
    seg_arena_free(&sum->arena);
    sum->n = 0;
}
