/* Approximate nearest neighbours: each row is compared with all rows of the nearest cells. The number of cells searched
 * is derived from a sample of rows, whose exact neighbours are found first. */
#include "graph/neighbours/cells.h"
#include "graph/neighbours/nearest.h"
#include "linalg/dense.h"

enum { SAMPLE_CELLS = 128, SAMPLE_ROWS = SEG_CELL_LANES / 4 }; /* cells sampled; rows sampled per cell */
static const double ENOUGH = 0.965; /* share of the sample's neighbours that must lie in the cells searched */

typedef struct sampling {
    const seg_cells *cells;
    size_t sample, count;
    seg_cell_scan *scan; /* per worker */
    uint64_t *heap;      /* per worker: of SAMPLE_ROWS rows */
    uint64_t *order;     /* per worker: all cells by rank */
    size_t *rank;        /* per worker: rank of each cell */
    size_t *per_rank;    /* per sampled cell: count of neighbours by the rank of their cell */
    size_t *rows;        /* per sampled cell: number of rows sampled */
} sampling;

/* Find the exact neighbours of some rows of each sampled cell, and count them by the rank of their cell. */
static void look(void *arg, size_t begin, size_t end, int worker) {
    const sampling *j = arg;
    const seg_cells *cells = j->cells;
    const size_t all = cells->cells;
    seg_cell_scan *scan = &j->scan[worker];
    uint64_t *order = j->order + (size_t)worker * all, *heap = j->heap + (size_t)worker * SAMPLE_ROWS * j->count;
    size_t *rank = j->rank + (size_t)worker * all;
    for (size_t s = begin; s < end; s++) {
        const size_t own = s * all / j->sample, rows = cells->start[own + 1] - cells->start[own];
        const size_t taken = rows < SAMPLE_ROWS ? rows : SAMPLE_ROWS;
        j->rows[s] = taken;
        seg_cells_nearest(cells, own, all, order);
        seg_cell_scan_begin(scan, own, cells->start[own] + s % (rows - taken + 1), taken, heap);
        for (size_t r = 0; r < all; r++) {
            rank[seg_near_place(order[r])] = r;
            seg_cell_scan_visit(scan, seg_near_place(order[r]));
        }
        for (size_t e = 0; e < taken * j->count; e++)
            j->per_rank[s * all + rank[cells->cell[seg_near_place(heap[e])]]]++;
    }
}

/* Allocate one scan per worker. @return the number of workers */
static size_t scans(seg_context *ctx, const seg_cells *cells, size_t count, size_t jobs, seg_arena *arena,
                    seg_cell_scan **scan) {
    const size_t threads = (size_t)seg_threads(ctx), workers = jobs < threads ? jobs : threads;
    *scan = seg_arena_alloc(ctx, arena, workers, sizeof **scan);
    for (size_t w = 0; *scan && w < workers; w++)
        seg_cell_scan_create(ctx, cells, count, arena, &(*scan)[w]);
    return workers;
}

/* *visits: the smallest number of nearest cells that contain the share ENOUGH of the sample's neighbours, and whose
 * rows always suffice to fill a heap. *share: the share they contain. *rows: the number of rows sampled. */
static seg_status count_visits(seg_context *ctx, const seg_cells *cells, size_t count, size_t *visits, double *share,
                               size_t *rows) {
    const size_t all = cells->cells, fill = count / SEG_CELL_LEAST + 2;
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
    const seg_cells *cells;
    size_t count, visits;
    seg_cell_scan *scan; /* per worker */
    uint64_t *ranks;     /* per worker: visits */
    uint64_t *heap;      /* n x count */
} search;

static void scan_cells(void *arg, size_t first, size_t last, int worker) {
    const search *s = arg;
    seg_cell_scan *scan = &s->scan[worker];
    uint64_t *ranks = s->ranks + (size_t)worker * s->visits;
    for (size_t a = first; a < last; a++) {
        const size_t from = s->cells->start[a], rows = s->cells->start[a + 1] - from;
        seg_cells_nearest(s->cells, a, s->visits, ranks);
        seg_cell_scan_begin(scan, a, from, rows, s->heap + from * s->count);
        for (size_t v = 0; v < s->visits; v++)
            seg_cell_scan_visit(scan, seg_near_place(ranks[v]));
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
            const int32_t number = w->s->cells->number[seg_near_place(w->s->heap[place * count + e])];
            seg_heap_offer(&heap, seg_distance2(d, x, X->at + (size_t)number * d), number);
        }
        seg_heap_sort(&heap);
    }
}

seg_status seg_nearest_approximate(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                                   double *distance2, double *recall) {
    SEG_RELEASED(seg_arena_free) seg_arena arena = {0};
    seg_cells cells;
    search s = {.cells = &cells, .count = count};
    size_t rows;
    SEG_TRY(seg_cells_create(ctx, X, &arena, &cells));
    SEG_TRY(seg_poll(ctx));
    SEG_TRY(count_visits(ctx, &cells, count, &s.visits, recall, &rows));
    const size_t workers = scans(ctx, &cells, count, cells.cells, &arena, &s.scan);
    s.ranks = seg_arena_alloc(ctx, &arena, workers, s.visits * sizeof *s.ranks);
    s.heap = seg_arena_alloc(ctx, &arena, cells.n, count * sizeof *s.heap);
    SEG_TRY(arena.status);
    SEG_TRY(seg_parallel_polled(ctx, cells.cells, 1, scan_cells, &s));
    SEG_TRY(seg_parallel_polled(ctx, X->rows, SEG_CELL_ROWS, write_rows, &(writing){&s, X, neighbour, distance2}));
    seg_log(ctx, SEG_LOG_INFO,
            "%zu nearest neighbours of %zu rows, approximate: recall %.3f on a sample of %zu rows (%zu of %zu cells "
            "searched a row)",
            count, X->rows, *recall, rows, s.visits, cells.cells);
    return SEG_OK;
}
