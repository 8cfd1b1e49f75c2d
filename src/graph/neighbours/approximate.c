/* Approximate nearest neighbours: each row is compared with all rows of the nearest cells. The number of cells searched
 * is derived from a sample of rows, whose exact neighbours are found first. */
#include "graph/neighbours/nearest.h"

#include "base/base.h"
#include "base/lanes.h"
#include "linalg/products.h"

/* ---- Cells of neighbouring rows: each is halved along the direction in which its rows vary most, until it is small.
 * The rows of a cell are contiguous in memory, in single precision. ---- */

enum {
    LANES = SEG_SINGLE_LANES, /* rows per block; every cell but the last consists of whole blocks */
    CELL_ROWS = 128,          /* maximum rows of a cell */
    CELL_LEAST = 32,          /* minimum rows of a cell, unless there are fewer in all */
    SAMPLE = 400,             /* rows sampled for the direction of a cell */
    TURNS = 6,                /* steps of the power method; a rough direction suffices */
    BLOCK = 1 << 13           /* rows a thread copies at a time */
};

typedef struct row_cells {
    size_t n, d, cells;
    float *row;      /* n x d, in the order of the cells, centred and scaled to about one */
    float *lanes;    /* the same by blocks: coordinate c of lane l of block b is at (b * d + c) * LANES + l */
    float *centre;   /* cells x d, means */
    size_t *start;   /* cells + 1: cell a has the places start[a] .. start[a + 1] - 1 */
    int32_t *cell;   /* of each place */
    int32_t *number; /* of each place: the row of X stored there */
} row_cells;

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
        if (count <= CELL_ROWS)
            continue;
        const size_t half = ((count + 1) / 2 + LANES - 1) / LANES * LANES;
        find_direction(h, places, count, v, v + d, v + 2 * d);
        const double middle = dot(d, v + d, v); /* mean of the sample: less it, close rows differ in single precision */
        for (size_t i = 0; i < count; i++)
            places[i].value = (double)(float)(dot(d, h->X->at + (size_t)places[i].number * d, v) - middle);
        seg_select_smallest(places, count, half);
        h->middle[a] = from + half;
    }
}

/* Divide the rows into cells, level by level. most: the largest number of cells, which out->start has room for. */
static seg_status divide(seg_context *ctx, const seg_matrix *X, seg_key *places, size_t most, row_cells *out) {
    SEG_FREED size_t *next = seg_alloc(ctx, most + 1, sizeof *next), *middle = seg_alloc(ctx, most, sizeof *middle);
    SEG_FREED double *room = seg_alloc(ctx, (size_t)seg_threads(ctx), 3 * X->cols * sizeof *room);
    SEG_TRY(seg_allocated(next && middle && room));
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
    row_cells *cells;
} copying;

static void copy_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const copying *k = arg;
    const size_t d = k->X->cols;
    for (size_t i = first; i < last; i++) {
        const double *x = k->X->at + (size_t)k->cells->number[i] * d;
        float *row = k->cells->row + i * d;
        float *lane = k->cells->lanes + i / LANES * LANES * d + i % LANES;
        for (size_t c = 0; c < d; c++)
            row[c] = lane[c * LANES] = (float)((x[c] - k->mean[c]) * k->scale);
    }
}

static void find_centres(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    row_cells *cells = arg;
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

/* X: n x d, n >= 1, finite. The same cells for any number of threads. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost
 * O(n d log n); memory 8 n (d + 1) bytes and a little. */
static seg_status cells_create(seg_context *ctx, const seg_matrix *X, seg_arena *arena, row_cells *out) {
    const size_t n = X->rows, d = X->cols, most = n / CELL_LEAST + 1;
    const size_t padded = (n + LANES - 1) / LANES * LANES;
    SEG_FREED seg_key *places = seg_alloc(ctx, n, sizeof *places);
    SEG_FREED double *mean = seg_alloc(ctx, d, sizeof *mean);
    *out = (row_cells){.n = n, .d = d};
    out->start = seg_arena_alloc(ctx, arena, most + 1, sizeof *out->start);
    out->cell = seg_arena_alloc(ctx, arena, n, sizeof *out->cell);
    out->number = seg_arena_alloc(ctx, arena, n, sizeof *out->number);
    SEG_TRY(seg_allocated(places && mean && !arena->status));
    for (size_t i = 0; i < n; i++)
        places[i] = (seg_key){0, (int32_t)i};
    SEG_TRY(divide(ctx, X, places, most, out));
    for (size_t i = 0; i < n; i++)
        out->number[i] = places[i].number;
    out->row = seg_arena_alloc(ctx, arena, n, d * sizeof *out->row); /* half the size of X: no overflow */
    out->lanes = seg_arena_alloc_zero(ctx, arena, padded, d * sizeof *out->lanes);
    out->centre = seg_arena_alloc_zero(ctx, arena, out->cells, d * sizeof *out->centre);
    SEG_TRY(arena->status);
    const double peak = seg_rows_mean(X, mean), scale = peak > 0 ? ldexp(1, -ilogb(peak)) : 1;
    seg_parallel(ctx, n, BLOCK, copy_rows, &(copying){X, mean, scale, out});
    seg_parallel(ctx, out->cells, 1, find_centres, out);
    return SEG_OK;
}

/* ---- Distances between cells. ---- */

/* A squared distance and a place packed into one integer, which sorts by distance and then by place. */
static inline uint64_t near_make(float distance2, size_t place) {
    uint32_t bits;
    const float positive = distance2 > 0 ? distance2 : 0;
    memcpy(&bits, &positive, sizeof bits);
    return (uint64_t)bits << 32 | (uint64_t)place;
}
static inline float near_distance2(uint64_t entry) {
    const uint32_t bits = (uint32_t)(entry >> 32);
    float distance2;
    memcpy(&distance2, &bits, sizeof distance2);
    return distance2;
}
static inline size_t near_place(uint64_t entry) {
    return (size_t)(uint32_t)entry;
}

/* All distances from some rows of one cell to the rows of other cells; the nearest of each row are kept in a heap.
 * Approximate search spends most of its time here. Single precision, relative to the cell's own centre, so that
 * distances within the cell are accurate wherever it lies. */
typedef struct cell_scan {
    const row_cells *cells;
    size_t count;          /* neighbours per row, the capacity of a heap */
    size_t origin;         /* the cell of these rows */
    size_t first, rows;    /* places first .. first + rows - 1 */
    uint64_t *heap;        /* rows x count; the caller's */
    size_t *filled;        /* entries of each heap; room for CELL_ROWS rows here and below */
    float *own;            /* rows x d, less the cell's centre */
    float *square, *limit; /* squared length; bound on |y|^2 / 2 - x'y of a new neighbour y */
    float *shifted;        /* a block of another cell, less this one's centre */
} cell_scan;

static void sink(uint64_t *heap, size_t hole, size_t count, uint64_t entry) {
    for (size_t child; (child = 2 * hole + 1) < count; hole = child) {
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[child] <= entry)
            break;
        heap[hole] = heap[child];
    }
    heap[hole] = entry;
}

/* Push an entry onto a max-heap of at most `capacity` entries. If the heap is full, the entry replaces the largest one
 * and must be smaller. */
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

/* The arrays are allocated from the arena, whose status tells whether memory sufficed. */
static void scan_create(seg_context *ctx, const row_cells *cells, size_t count, seg_arena *arena, cell_scan *out) {
    const size_t d = cells->d;
    *out = (cell_scan){.cells = cells, .count = count};
    out->filled = seg_arena_alloc(ctx, arena, CELL_ROWS, sizeof *out->filled);
    out->own = seg_arena_alloc(ctx, arena, CELL_ROWS, d * sizeof *out->own);
    out->square = seg_arena_alloc(ctx, arena, CELL_ROWS, sizeof *out->square);
    out->limit = seg_arena_alloc(ctx, arena, CELL_ROWS, sizeof *out->limit);
    out->shifted = seg_arena_alloc(ctx, arena, LANES, d * sizeof *out->shifted);
}

/* Begin with empty heaps. */
static void scan_begin(cell_scan *scan, size_t cell, size_t first, size_t rows, uint64_t *heap) {
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

static void take(cell_scan *scan, size_t i, size_t place, size_t lanes, const float *v) {
    for (size_t l = 0; l < lanes; l++) {
        if (!(v[l] < scan->limit[i]) || place + l == scan->first + i)
            continue;
        uint64_t *heap = scan->heap + i * scan->count;
        const uint64_t entry = near_make(2 * v[l] + scan->square[i], place + l);
        if (scan->filled[i] == scan->count && entry >= heap[0])
            continue;
        near_push(heap, &scan->filled[i], scan->count, entry);
        if (scan->filled[i] == scan->count)
            scan->limit[i] = 0.5f * (near_distance2(heap[0]) - scan->square[i]);
    }
}

SEG_WIDER_TOO static void visit_block(cell_scan *scan, size_t place, size_t lanes) {
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

/* Offer every row of a cell to every heap but its own. A cell must not be visited twice. */
static void scan_visit(cell_scan *scan, size_t cell) {
    const size_t end = scan->cells->start[cell + 1];
    for (size_t place = scan->cells->start[cell]; place < end; place += LANES)
        visit_block(scan, place, end - place < LANES ? end - place : LANES);
}

/* The `count` cells whose centres are nearest to that of `cell`, nearest first, beginning with `cell` itself. count <=
 * cells. ranks: room for `count` entries. */
static void nearest_cells(const row_cells *cells, size_t cell, size_t count, uint64_t *ranks) {
    const size_t d = cells->d;
    const float *own = cells->centre + cell * d;
    size_t filled = 0;
    near_push(ranks, &filled, count, (uint64_t)cell); /* the cell itself is first, see below */
    for (size_t a = 0; a < cells->cells; a++) {
        if (a == cell)
            continue;
        /* The distance is raised to the next float, so that no other cell with the same centre comes first. */
        const uint64_t entry = near_make(near_square(d, own, cells->centre + a * d), a) + ((uint64_t)1 << 32);
        if (filled < count || entry < ranks[0])
            near_push(ranks, &filled, count, entry);
    }
    near_sort(ranks, count);
}

/* ---- The search. ---- */

enum { SAMPLE_CELLS = 128, SAMPLE_ROWS = LANES / 4 }; /* cells sampled; rows sampled per cell */
static const double ENOUGH = 0.965; /* share of the sample's neighbours that must lie in the cells searched */

typedef struct sampling {
    const row_cells *cells;
    size_t sample, count;
    cell_scan *scan;  /* per worker */
    uint64_t *heap;   /* per worker: of SAMPLE_ROWS rows */
    uint64_t *order;  /* per worker: all cells by rank */
    size_t *rank;     /* per worker: rank of each cell */
    size_t *per_rank; /* per sampled cell: count of neighbours by the rank of their cell */
    size_t *rows;     /* per sampled cell: number of rows sampled */
} sampling;

/* Find the exact neighbours of some rows of each sampled cell, and count them by the rank of their cell. */
static void look(void *arg, size_t begin, size_t end, int worker) {
    const sampling *j = arg;
    const row_cells *cells = j->cells;
    const size_t all = cells->cells;
    cell_scan *scan = &j->scan[worker];
    uint64_t *order = j->order + (size_t)worker * all, *heap = j->heap + (size_t)worker * SAMPLE_ROWS * j->count;
    size_t *rank = j->rank + (size_t)worker * all;
    for (size_t s = begin; s < end; s++) {
        const size_t own = s * all / j->sample, rows = cells->start[own + 1] - cells->start[own];
        const size_t taken = rows < SAMPLE_ROWS ? rows : SAMPLE_ROWS;
        j->rows[s] = taken;
        nearest_cells(cells, own, all, order);
        scan_begin(scan, own, cells->start[own] + s % (rows - taken + 1), taken, heap);
        for (size_t r = 0; r < all; r++) {
            rank[near_place(order[r])] = r;
            scan_visit(scan, near_place(order[r]));
        }
        for (size_t e = 0; e < taken * j->count; e++)
            j->per_rank[s * all + rank[cells->cell[near_place(heap[e])]]]++;
    }
}

/* Allocate one scan per worker. @return the number of workers */
static size_t scans(seg_context *ctx, const row_cells *cells, size_t count, size_t jobs, seg_arena *arena,
                    cell_scan **scan) {
    const size_t threads = (size_t)seg_threads(ctx), workers = jobs < threads ? jobs : threads;
    *scan = seg_arena_alloc(ctx, arena, workers, sizeof **scan);
    for (size_t w = 0; *scan && w < workers; w++)
        scan_create(ctx, cells, count, arena, &(*scan)[w]);
    return workers;
}

/* *visits: the smallest number of nearest cells that contain the share ENOUGH of the sample's neighbours, and whose
 * rows always suffice to fill a heap. *share: the share they contain. *rows: the number of rows sampled. */
static seg_status count_visits(seg_context *ctx, const row_cells *cells, size_t count, size_t *visits, double *share,
                               size_t *rows) {
    const size_t all = cells->cells, fill = count / CELL_LEAST + 2;
    SEG_RELEASED(seg_arena_free) seg_arena arena = {0};
    sampling j = {.cells = cells, .sample = all < SAMPLE_CELLS ? all : SAMPLE_CELLS, .count = count};
    const size_t workers = scans(ctx, cells, count, j.sample, &arena, &j.scan);
    j.heap = seg_arena_alloc(ctx, &arena, workers * SAMPLE_ROWS, count * sizeof *j.heap);
    j.order = seg_arena_alloc(ctx, &arena, workers, all * sizeof *j.order);
    j.rank = seg_arena_alloc(ctx, &arena, workers, all * sizeof *j.rank);
    j.per_rank = seg_arena_alloc_zero(ctx, &arena, j.sample, all * sizeof *j.per_rank);
    j.rows = seg_arena_alloc(ctx, &arena, j.sample, sizeof *j.rows);
    SEG_TRY(arena.status);
    SEG_TRY(seg_parallel_polled(ctx, j.sample, 1, look, &j));
    double within = 0;
    *rows = 0;
    for (size_t s = 0; s < j.sample; s++)
        *rows += j.rows[s];
    const double neighbours = (double)(*rows * count);
    for (*visits = 0; *visits < all && (*visits < fill || within < ENOUGH * neighbours); ++*visits)
        for (size_t s = 0; s < j.sample; s++)
            within += (double)j.per_rank[s * all + *visits];
    *share = within / neighbours;
    return SEG_OK;
}

typedef struct search {
    const row_cells *cells;
    size_t count, visits;
    cell_scan *scan; /* per worker */
    uint64_t *ranks; /* per worker: visits */
    uint64_t *heap;  /* n x count */
} search;

static void scan_cells(void *arg, size_t first, size_t last, int worker) {
    const search *s = arg;
    cell_scan *scan = &s->scan[worker];
    uint64_t *ranks = s->ranks + (size_t)worker * s->visits;
    for (size_t a = first; a < last; a++) {
        const size_t from = s->cells->start[a], rows = s->cells->start[a + 1] - from;
        nearest_cells(s->cells, a, s->visits, ranks);
        scan_begin(scan, a, from, rows, s->heap + from * s->count);
        for (size_t v = 0; v < s->visits; v++)
            scan_visit(scan, near_place(ranks[v]));
    }
}

typedef struct writing {
    const search *s;
    const seg_matrix *X;
    int32_t *neighbour;
    double *distance2;
} writing;

/* Replace places by rows of X, recompute distances in double precision, and sort: nearest first. */
static void write_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const writing *w = arg;
    const seg_matrix *X = w->X;
    const size_t count = w->s->count, d = X->cols;
    for (size_t place = first; place < last; place++) {
        const size_t row = (size_t)w->s->cells->number[place];
        const double *x = X->at + row * d;
        seg_heap heap = seg_heap_make(w->neighbour + row * count, w->distance2 + row * count, count);
        for (size_t e = 0; e < count; e++) {
            const int32_t number = w->s->cells->number[near_place(w->s->heap[place * count + e])];
            const double *y = X->at + (size_t)number * d;
            double distance2 = 0;
            for (size_t c = 0; c < d; c++)
                distance2 += (x[c] - y[c]) * (x[c] - y[c]);
            seg_heap_offer(&heap, distance2, number);
        }
        seg_heap_sort(&heap);
    }
}

seg_status seg_nearest_approximate(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                                   double *distance2, double *recall) {
    SEG_RELEASED(seg_arena_free) seg_arena arena = {0};
    row_cells cells;
    search s = {.cells = &cells, .count = count};
    size_t rows;
    seg_status status;
    SEG_TRY(cells_create(ctx, X, &arena, &cells));
    SEG_TRY(seg_poll(ctx));
    SEG_TRY(count_visits(ctx, &cells, count, &s.visits, recall, &rows));
    const size_t workers = scans(ctx, &cells, count, cells.cells, &arena, &s.scan);
    s.ranks = seg_arena_alloc(ctx, &arena, workers, s.visits * sizeof *s.ranks);
    s.heap = seg_arena_alloc(ctx, &arena, cells.n, count * sizeof *s.heap);
    SEG_TRY(arena.status);
    if ((status = seg_parallel_polled(ctx, cells.cells, 1, scan_cells, &s)) ||
        (status = seg_parallel_polled(ctx, X->rows, CELL_ROWS, write_rows, &(writing){&s, X, neighbour, distance2})))
        return status;
    seg_log(ctx, SEG_LOG_INFO,
            "%zu nearest neighbours of %zu rows, approximate: recall %.3f on a sample of %zu rows (%zu of %zu cells "
            "searched a row)",
            count, X->rows, *recall, rows, s.visits, cells.cells);
    return SEG_OK;
}
