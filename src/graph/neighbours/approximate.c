/* Approximate nearest neighbours: the way through cells, sample and rounds. */
#include "graph/neighbours/nearest.h"

#include "base/base.h"
#include "base/parallel.h"
#include "graph/neighbours/descent.h"
#include "graph/neighbours/pilot.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 8 };
/* What cells are to bring, neighbours of neighbours being cheaper beyond; where to end; a round that gains less is the
 * last. By measurement (docs/history/scale.md). */
static const double BY_CELLS = 0.93, ENOUGH = 0.965, LEAST_GAIN = 0.002;

typedef struct search {
    const seg_cells *cells;
    size_t count, visits;
    seg_cell_scan *scan; /* per worker */
    uint64_t *ranks;     /* per worker: visits */
    int32_t *visited;    /* cells x visits */
    uint64_t *heap;      /* n x count */
} search;

/* The entries of a heap with distances that do not depend on the cell they were found from. */
static void measure(const search *s, size_t row) {
    const size_t d = s->cells->d;
    uint64_t *heap = s->heap + row * s->count;
    size_t filled = 0;
    for (size_t e = 0; e < s->count; e++) {
        const size_t place = seg_near_place(heap[e]);
        const float distance2 = seg_near_square(d, s->cells->row + row * d, s->cells->row + place * d);
        seg_near_push(heap, &filled, s->count, seg_near_make(distance2, place));
    }
}

static void scan_cells(void *arg, size_t first, size_t last, int worker) {
    const search *s = arg;
    seg_cell_scan *scan = &s->scan[worker];
    uint64_t *ranks = s->ranks + (size_t)worker * s->visits;
    for (size_t a = first; a < last; a++) {
        const size_t from = s->cells->start[a], rows = s->cells->start[a + 1] - from;
        seg_cells_nearest(s->cells, a, s->visits, ranks);
        seg_cell_scan_begin(scan, a, from, rows, s->heap + from * s->count);
        for (size_t v = 0; v < s->visits; v++) {
            s->visited[a * s->visits + v] = (int32_t)seg_near_place(ranks[v]);
            seg_cell_scan_visit(scan, seg_near_place(ranks[v]));
        }
        for (size_t row = from; row < from + rows; row++)
            measure(s, row);
    }
}

static seg_status scan_all(seg_context *ctx, search *s) {
    const size_t threads = (size_t)seg_threads(ctx), workers = s->cells->cells < threads ? s->cells->cells : threads;
    s->scan = seg_alloc_zero(ctx, workers, sizeof *s->scan);
    s->ranks = seg_alloc(ctx, workers, s->visits * sizeof *s->ranks);
    s->visited = seg_alloc(ctx, s->cells->cells, s->visits * sizeof *s->visited);
    s->heap = seg_alloc(ctx, s->cells->n, s->count * sizeof *s->heap);
    seg_status status = s->scan && s->ranks && s->visited && s->heap ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t w = 0; status == SEG_OK && w < workers; w++)
        status = seg_cell_scan_create(ctx, s->cells, s->count, &s->scan[w]);
    if (status == SEG_OK)
        status = seg_parallel_polled(ctx, s->cells->cells, 1, scan_cells, s);
    for (size_t w = 0; s->scan && w < workers; w++)
        seg_cell_scan_free(&s->scan[w]);
    free(s->scan);
    free(s->ranks);
    return status;
}

static seg_status refine(seg_context *ctx, const search *s, const seg_pilot *pilot, double *recall, int *rounds) {
    seg_descent descent = {0};
    *recall = seg_pilot_recall(pilot, s->heap);
    *rounds = 0;
    if (*recall >= ENOUGH || s->visits == s->cells->cells)
        return SEG_OK;
    seg_status status = seg_descent_create(ctx, s->cells, s->count, s->heap, s->visited, s->visits, &descent);
    for (double gain = 1; status == SEG_OK && *recall < ENOUGH && gain >= LEAST_GAIN && *rounds < MOST_ROUNDS;) {
        status = seg_descent_round(ctx, &descent);
        gain = seg_pilot_recall(pilot, s->heap) - *recall;
        *recall += gain;
        ++*rounds;
    }
    seg_descent_free(&descent);
    return status;
}

typedef struct writing {
    const search *s;
    const seg_matrix *X;
    int32_t *neighbour;
    double *distance2;
} writing;

/* Rows of the matrix for places, distances in double precision, nearest first. */
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
    seg_cells cells = {0};
    seg_pilot pilot = {0};
    search s = {.cells = &cells, .count = count};
    double found = 0;
    int rounds = 0;
    seg_status status = seg_cells_create(ctx, X, &cells);
    if (status == SEG_OK)
        status = seg_poll(ctx);
    if (status == SEG_OK)
        status = seg_pilot_create(ctx, &cells, count, &pilot);
    if (status != SEG_OK)
        goto done;
    s.visits = seg_pilot_cells(&pilot, BY_CELLS);
    /* Enough rows to fill every heap, whichever cells they are. */
    const size_t least = count / SEG_CELL_LEAST + 2;
    s.visits = s.visits < least ? least : s.visits;
    s.visits = s.visits < cells.cells ? s.visits : cells.cells;
    if ((status = scan_all(ctx, &s)) == SEG_OK)
        status = refine(ctx, &s, &pilot, &found, &rounds);
    if (status == SEG_OK)
        status = seg_parallel_polled(ctx, X->rows, SEG_CELL_ROWS, write_rows, &(writing){&s, X, neighbour, distance2});
    if (status != SEG_OK)
        goto done;
    *recall = found;
    seg_log(ctx, SEG_LOG_INFO,
            "%zu nearest neighbours of %zu rows, approximate: recall %.3f on a sample of %zu rows (%zu of %zu cells "
            "searched a row, %d rounds of neighbours' neighbours)",
            count, X->rows, found, pilot.rows, s.visits, cells.cells, rounds);
done:
    free(s.visited);
    free(s.heap);
    seg_pilot_free(&pilot);
    seg_cells_free(&cells);
    return status;
}
