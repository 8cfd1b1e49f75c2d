/* Distances between cells. */
#include "graph/neighbours/cells.h"

#include "base/lanes.h"

static void sink(uint64_t *heap, size_t hole, size_t count, uint64_t entry) {
    for (size_t child; (child = 2 * hole + 1) < count; hole = child) {
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[child] <= entry)
            break;
        heap[hole] = heap[child];
    }
    heap[hole] = entry;
}

/* Push an entry onto a max-heap of `capacity` entries at most; in a full one it replaces the largest, a larger one. */
static void near_push(uint64_t *heap, size_t *count, size_t capacity, uint64_t entry) {
    if (*count == capacity) {
        sink(heap, 0, capacity, entry);
        return;
    }
    size_t at = (*count)++;
    for (; at > 0 && heap[(at - 1) / 2] < entry; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = entry;
}

/* Sort a heap in place, ascending. */
static void near_sort(uint64_t *heap, size_t count) {
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
    out->shifted = seg_arena_alloc(ctx, arena, SEG_CELL_LANES, d * sizeof *out->shifted);
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
        const eight from = {o, o, o, o, o, o, o, o}, *at = (const eight *)(lanes + c * SEG_CELL_LANES);
        const eight t0 = at[0] - from, t1 = at[1] - from;
        eight *to = (eight *)(out + c * SEG_CELL_LANES);
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
        near_push(heap, &scan->filled[i], scan->count, entry);
        if (scan->filled[i] == scan->count)
            scan->limit[i] = 0.5f * (seg_near_distance2(heap[0]) - scan->square[i]);
    }
}

SEG_WIDER_TOO static void visit_block(seg_cell_scan *scan, size_t place, size_t lanes) {
    const size_t d = scan->cells->d;
    float half[SEG_CELL_LANES], v[SEG_CELL_LANES], product[SEG_PRODUCT_ROWS * SEG_CELL_LANES];
    shift(d, scan->cells->lanes + place * d, scan->cells->centre + scan->origin * d, scan->shifted, half);
    for (size_t i = 0; i < scan->rows; i += SEG_PRODUCT_ROWS) {
        const float *x[SEG_PRODUCT_ROWS];
        for (size_t r = 0; r < SEG_PRODUCT_ROWS; r++)
            x[r] = scan->own + (i + r < scan->rows ? i + r : i) * d;
        seg_products_single(d, x, scan->shifted, product);
        for (size_t r = 0; r < SEG_PRODUCT_ROWS && i + r < scan->rows; r++)
            if (below(half, product + r * SEG_CELL_LANES, scan->limit[i + r], v))
                take(scan, i + r, place, lanes, v);
    }
}

void seg_cell_scan_visit(seg_cell_scan *scan, size_t cell) {
    const size_t end = scan->cells->start[cell + 1];
    for (size_t place = scan->cells->start[cell]; place < end; place += SEG_CELL_LANES)
        visit_block(scan, place, end - place < SEG_CELL_LANES ? end - place : SEG_CELL_LANES);
}

void seg_cells_nearest(const seg_cells *cells, size_t cell, size_t count, uint64_t *ranks) {
    const size_t d = cells->d;
    const float *own = cells->centre + cell * d;
    size_t filled = 0;
    near_push(ranks, &filled, count, (uint64_t)cell); /* the cell itself is first, see below */
    for (size_t a = 0; a < cells->cells; a++) {
        if (a == cell)
            continue;
        /* The distance is raised to the next float, so that no other cell with the same centre comes first. */
        const uint64_t entry = seg_near_make(near_square(d, own, cells->centre + a * d), a) + ((uint64_t)1 << 32);
        if (filled < count || entry < ranks[0])
            near_push(ranks, &filled, count, entry);
    }
    near_sort(ranks, count);
}
