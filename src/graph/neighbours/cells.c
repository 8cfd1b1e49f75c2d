#include "graph/neighbours/cells.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"
#include "graph/neighbours/nearest.h"
#include "linalg/products.h"

#include <math.h>
#include <string.h>

enum { LANES = SEG_CELL_LANES };
_Static_assert((int)SEG_CELL_LANES == (int)SEG_SINGLE_LANES, "blocks of cells are those of the products");

enum {
    SAMPLE = 400,   /* rows sampled for the direction of a cell */
    TURNS = 6,      /* steps of the power method; a rough direction suffices */
    BLOCK = 1 << 13 /* rows a thread copies at a time */
};

typedef struct halving {
    const seg_matrix *X;
    seg_key *places;
    const size_t *start;
    size_t *middle; /* of each cell: where it is split, 0 if it is not */
    double *room;   /* per worker 3 d numbers */
} halving;

static double dot(size_t d, const double *a, const double *b) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t c = 0;
    for (; c + 4 <= d; c += 4) {
        s0 += a[c] * b[c];
        s1 += a[c + 1] * b[c + 1];
        s2 += a[c + 2] * b[c + 2];
        s3 += a[c + 3] * b[c + 3];
    }
    for (; c < d; c++)
        s0 += a[c] * b[c];
    return (s0 + s1) + (s2 + s3);
}

/* Normalise to length one, scaled so that squares neither underflow nor overflow. 0 if the vector is zero. */
static int to_length_one(size_t d, double *v) {
    double most = 0;
    for (size_t c = 0; c < d; c++)
        most = fmax(most, fabs(v[c]));
    if (!(most > 0))
        return 0;
    for (size_t c = 0; c < d; c++)
        v[c] /= most;
    const double length = sqrt(dot(d, v, v));
    for (size_t c = 0; c < d; c++)
        v[c] /= length;
    return 1;
}

/* The direction in which a sample of a cell's rows varies most, by the power method on their covariance, started at the
 * row farthest from their mean. mean and next: workspace for d numbers each. */
static void find_direction(const halving *h, const seg_key *places, size_t count, double *v, double *mean,
                           double *next) {
    const size_t d = h->X->cols, rows = count < SAMPLE ? count : SAMPLE;
    double most = -1;
    memset(mean, 0, d * sizeof *mean);
    for (size_t i = 0; i < rows; i++) {
        const double *x = h->X->at + (size_t)places[i * count / rows].number * d;
        for (size_t c = 0; c < d; c++)
            mean[c] += x[c] / (double)rows;
    }
    for (size_t i = 0; i < rows; i++) {
        const double *x = h->X->at + (size_t)places[i * count / rows].number * d;
        double away = 0;
        for (size_t c = 0; c < d; c++)
            away += fabs(x[c] - mean[c]);
        if (away > most) {
            most = away;
            for (size_t c = 0; c < d; c++)
                v[c] = x[c] - mean[c];
        }
    }
    for (int turn = 0; to_length_one(d, v) && turn < TURNS; turn++) {
        const double middle = dot(d, mean, v);
        memset(next, 0, d * sizeof *next);
        for (size_t i = 0; i < rows; i++) {
            const double *x = h->X->at + (size_t)places[i * count / rows].number * d;
            const double t = dot(d, x, v) - middle;
            for (size_t c = 0; c < d; c++)
                next[c] += t * (x[c] - mean[c]);
        }
        if (!to_length_one(d, next))
            return;
        memcpy(v, next, d * sizeof *v);
    }
}

static void halve(void *arg, size_t first, size_t last, int worker) {
    const halving *h = arg;
    const size_t d = h->X->cols;
    double *v = h->room + (size_t)worker * 3 * d;
    for (size_t a = first; a < last; a++) {
        const size_t from = h->start[a], count = h->start[a + 1] - from;
        seg_key *places = h->places + from;
        h->middle[a] = 0;
        if (count <= SEG_CELL_ROWS)
            continue;
        const size_t half = ((count + 1) / 2 + SEG_CELL_LANES - 1) / SEG_CELL_LANES * SEG_CELL_LANES;
        find_direction(h, places, count, v, v + d, v + 2 * d);
        const double middle = dot(d, v + d, v); /* mean of the sample: less it, close rows differ in single precision */
        for (size_t i = 0; i < count; i++)
            places[i].value = (double)(float)(dot(d, h->X->at + (size_t)places[i].number * d, v) - middle);
        seg_select_smallest(places, count, half);
        h->middle[a] = from + half;
    }
}

/* Divide the rows into cells, level by level. most: the largest possible number of cells, which out->start has room
 * for. */
static seg_status divide(seg_context *ctx, const seg_matrix *X, seg_key *places, size_t most, seg_cells *out) {
    SEG_FREED size_t *next = seg_alloc(ctx, most + 1, sizeof *next), *middle = seg_alloc(ctx, most, sizeof *middle);
    SEG_FREED double *room = seg_alloc(ctx, (size_t)seg_threads(ctx), 3 * X->cols * sizeof *room);
    if (!next || !middle || !room)
        return SEG_ERR_MEMORY;
    out->cells = 1;
    out->start[0] = 0;
    out->start[1] = X->rows;
    for (size_t before = 0; out->cells != before;) {
        size_t at = 0;
        before = out->cells;
        SEG_TRY(seg_parallel_polled(ctx, before, 1, halve, &(halving){X, places, out->start, middle, room}));
        for (size_t a = 0; a < before; a++) {
            next[at++] = out->start[a];
            if (middle[a] > 0)
                next[at++] = middle[a];
        }
        next[at] = X->rows;
        memcpy(out->start, next, (at + 1) * sizeof *next);
        out->cells = at;
    }
    return SEG_OK;
}

typedef struct copying {
    const seg_matrix *X;
    const double *mean;
    double scale;
    seg_cells *cells;
} copying;

static void copy_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const copying *k = arg;
    const size_t d = k->X->cols;
    for (size_t i = first; i < last; i++) {
        const double *x = k->X->at + (size_t)k->cells->number[i] * d;
        float *row = k->cells->row + i * d;
        float *lane = k->cells->lanes + i / SEG_CELL_LANES * SEG_CELL_LANES * d + i % SEG_CELL_LANES;
        for (size_t c = 0; c < d; c++)
            row[c] = lane[c * SEG_CELL_LANES] = (float)((x[c] - k->mean[c]) * k->scale);
    }
}

static void find_centres(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    seg_cells *cells = arg;
    const size_t d = cells->d;
    for (size_t a = first; a < last; a++) {
        float *centre = cells->centre + a * d;
        const float share = 1 / (float)(cells->start[a + 1] - cells->start[a]);
        for (size_t i = cells->start[a]; i < cells->start[a + 1]; i++) {
            cells->cell[i] = (int32_t)a;
            for (size_t c = 0; c < d; c++)
                centre[c] += share * cells->row[i * d + c];
        }
    }
}

static seg_status make(seg_context *ctx, const seg_matrix *X, seg_cells *out) {
    const size_t n = X->rows, d = X->cols, most = n / SEG_CELL_LEAST + 1;
    const size_t padded = (n + SEG_CELL_LANES - 1) / SEG_CELL_LANES * SEG_CELL_LANES;
    SEG_FREED seg_key *places = seg_alloc(ctx, n, sizeof *places);
    SEG_FREED double *mean = seg_alloc(ctx, d, sizeof *mean);
    out->start = seg_arena_alloc(ctx, &out->arena, most + 1, sizeof *out->start);
    out->cell = seg_arena_alloc(ctx, &out->arena, n, sizeof *out->cell);
    out->number = seg_arena_alloc(ctx, &out->arena, n, sizeof *out->number);
    if (!places || !mean || out->arena.status)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        places[i] = (seg_key){0, (int32_t)i};
    SEG_TRY(divide(ctx, X, places, most, out));
    for (size_t i = 0; i < n; i++)
        out->number[i] = places[i].number;
    out->row = seg_arena_alloc(ctx, &out->arena, n, d * sizeof *out->row); /* half the size of X: no overflow */
    out->lanes = seg_arena_alloc_zero(ctx, &out->arena, padded, d * sizeof *out->lanes);
    out->centre = seg_arena_alloc_zero(ctx, &out->arena, out->cells, d * sizeof *out->centre);
    if (out->arena.status)
        return SEG_ERR_MEMORY;
    const double peak = seg_rows_mean(X, mean), scale = peak > 0 ? ldexp(1, -ilogb(peak)) : 1;
    seg_parallel(ctx, n, BLOCK, copy_rows, &(copying){X, mean, scale, out});
    seg_parallel(ctx, out->cells, 1, find_centres, out);
    return SEG_OK;
}

seg_status seg_cells_create(seg_context *ctx, const seg_matrix *X, seg_cells *out) {
    *out = (seg_cells){.n = X->rows, .d = X->cols};
    const seg_status status = make(ctx, X, out);
    if (status)
        seg_cells_free(out);
    return status;
}

void seg_cells_free(seg_cells *cells) {
    seg_arena_free(&cells->arena);
}

static void sink(uint64_t *heap, size_t hole, size_t count, uint64_t entry) {
    for (;;) {
        size_t child = 2 * hole + 1;
        if (child >= count)
            break;
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[child] <= entry)
            break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = entry;
}

void seg_near_push(uint64_t *heap, size_t *count, size_t capacity, uint64_t entry) {
    if (*count == capacity) {
        sink(heap, 0, capacity, entry);
        return;
    }
    size_t at = (*count)++;
    for (; at > 0 && heap[(at - 1) / 2] < entry; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = entry;
}

void seg_near_sort(uint64_t *heap, size_t count) {
    for (size_t last = count; last-- > 1;) {
        const uint64_t entry = heap[last];
        heap[last] = heap[0];
        sink(heap, 0, last, entry);
    }
}

/* The squared distance of two rows, in an order of additions that does not depend on the processor. */
SEG_WIDER_TOO static float near_square(size_t d, const float *a, const float *b) {
    float sum[8] = {0}, rest = 0;
    size_t c = 0;
    for (; c + 8 <= d; c += 8)
        for (size_t l = 0; l < 8; l++)
            sum[l] += (a[c + l] - b[c + l]) * (a[c + l] - b[c + l]);
    for (; c < d; c++)
        rest += (a[c] - b[c]) * (a[c] - b[c]);
    return (((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]))) + rest;
}

void seg_cell_scan_create(seg_context *ctx, const seg_cells *cells, size_t count, seg_arena *arena,
                          seg_cell_scan *out) {
    const size_t d = cells->d;
    *out = (seg_cell_scan){.cells = cells, .count = count};
    out->filled = seg_arena_alloc(ctx, arena, SEG_CELL_ROWS, sizeof *out->filled);
    out->own = seg_arena_alloc(ctx, arena, SEG_CELL_ROWS, d * sizeof *out->own);
    out->square = seg_arena_alloc(ctx, arena, SEG_CELL_ROWS, sizeof *out->square);
    out->limit = seg_arena_alloc(ctx, arena, SEG_CELL_ROWS, sizeof *out->limit);
    out->shifted = seg_arena_alloc(ctx, arena, LANES, d * sizeof *out->shifted);
}

void seg_cell_scan_begin(seg_cell_scan *scan, size_t cell, size_t first, size_t rows, uint64_t *heap) {
    const size_t d = scan->cells->d;
    const float *centre = scan->cells->centre + cell * d;
    scan->origin = cell;
    scan->first = first;
    scan->rows = rows;
    scan->heap = heap;
    for (size_t i = 0; i < rows; i++) {
        const float *x = scan->cells->row + (first + i) * d;
        float square = 0;
        for (size_t c = 0; c < d; c++) {
            const float t = scan->own[i * d + c] = x[c] - centre[c];
            square += t * t;
        }
        scan->square[i] = square;
        scan->limit[i] = INFINITY;
        scan->filled[i] = 0;
    }
}

typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef int64_t bits __attribute__((vector_size(32)));

/* Subtract the centre from the rows of a block; half: half their squared lengths then. */
static inline __attribute__((always_inline)) void shift(size_t d, const float *lanes, const float *centre, float *out,
                                                        float *half) {
    eight s0 = {0}, s1 = {0};
    for (size_t c = 0; c < d; c++) {
        const float o = centre[c];
        const eight from = {o, o, o, o, o, o, o, o}, *at = (const eight *)(lanes + c * LANES);
        const eight t0 = at[0] - from, t1 = at[1] - from;
        eight *to = (eight *)(out + c * LANES);
        to[0] = t0, to[1] = t1;
        s0 += t0 * t0, s1 += t1 * t1;
    }
    eight *to = (eight *)half;
    to[0] = 0.5f * s0, to[1] = 0.5f * s1;
}

/* v = |y|^2 / 2 - x'y of the rows y of a block. @return whether any v is below the limit */
static inline __attribute__((always_inline)) int below(const float *half, const float *product, float l, float *v) {
    const eight limit = {l, l, l, l, l, l, l, l}, *h = (const eight *)half, *p = (const eight *)product;
    const eight v0 = h[0] - p[0], v1 = h[1] - p[1];
    const bits near = (bits)(v0 < limit) | (bits)(v1 < limit);
    eight *out = (eight *)v;
    out[0] = v0, out[1] = v1;
    return (near[0] | near[1] | near[2] | near[3]) != 0;
}

static void take(seg_cell_scan *scan, size_t i, size_t place, size_t lanes, const float *v) {
    for (size_t l = 0; l < lanes; l++) {
        if (!(v[l] < scan->limit[i]) || place + l == scan->first + i)
            continue;
        uint64_t *heap = scan->heap + i * scan->count;
        const uint64_t entry = seg_near_make(2 * v[l] + scan->square[i], place + l);
        if (scan->filled[i] == scan->count && entry >= heap[0])
            continue;
        seg_near_push(heap, &scan->filled[i], scan->count, entry);
        if (scan->filled[i] == scan->count)
            scan->limit[i] = 0.5f * (seg_near_distance2(heap[0]) - scan->square[i]);
    }
}

SEG_WIDER_TOO static void visit_block(seg_cell_scan *scan, size_t place, size_t lanes) {
    const size_t d = scan->cells->d;
    float half[LANES], v[LANES], product[SEG_PRODUCT_ROWS * LANES];
    shift(d, scan->cells->lanes + place * d, scan->cells->centre + scan->origin * d, scan->shifted, half);
    for (size_t i = 0; i < scan->rows; i += SEG_PRODUCT_ROWS) {
        const float *x[SEG_PRODUCT_ROWS];
        for (size_t r = 0; r < SEG_PRODUCT_ROWS; r++)
            x[r] = scan->own + (i + r < scan->rows ? i + r : i) * d;
        seg_products_single(d, x, scan->shifted, product);
        for (size_t r = 0; r < SEG_PRODUCT_ROWS && i + r < scan->rows; r++)
            if (below(half, product + r * LANES, scan->limit[i + r], v))
                take(scan, i + r, place, lanes, v);
    }
}

void seg_cell_scan_visit(seg_cell_scan *scan, size_t cell) {
    const size_t end = scan->cells->start[cell + 1];
    for (size_t place = scan->cells->start[cell]; place < end; place += LANES)
        visit_block(scan, place, end - place < LANES ? end - place : LANES);
}

void seg_cells_nearest(const seg_cells *cells, size_t cell, size_t count, uint64_t *ranks) {
    const size_t d = cells->d;
    const float *own = cells->centre + cell * d;
    size_t filled = 0;
    seg_near_push(ranks, &filled, count, (uint64_t)cell); /* the cell itself is first, see below */
    for (size_t a = 0; a < cells->cells; a++) {
        if (a == cell)
            continue;
        /* The distance is raised to the next float, so that no other cell with the same centre comes first. */
        const uint64_t entry = seg_near_make(near_square(d, own, cells->centre + a * d), a) + ((uint64_t)1 << 32);
        if (filled < count || entry < ranks[0])
            seg_near_push(ranks, &filled, count, entry);
    }
    seg_near_sort(ranks, count);
}
