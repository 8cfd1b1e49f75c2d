#include "graph/neighbours/pilot.h"

#include "base/base.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 128, ROWS = SEG_CELL_LANES / 4 }; /* of the sample; rows of a cell */
static const float AS_NEAR = 1.00001f;           /* rounding in single precision */

void seg_pilot_free(seg_pilot *pilot) {
    free(pilot->first);
    free(pilot->taken);
    free(pilot->farthest);
    free(pilot->within);
    memset(pilot, 0, sizeof *pilot);
}

typedef struct job {
    const seg_cells *cells;
    seg_pilot *pilot;
    seg_cell_scan *scan; /* per worker */
    uint64_t *heap;      /* per row of the sample */
    uint64_t *order;     /* per worker: all cells by rank */
    size_t *rank;        /* per worker: of each cell */
    size_t *per_rank;    /* per cell of the sample: neighbours by rank of their cell */
} job;

/* The exact neighbours of a cell's rows, their largest distance, and the ranks of the cells that hold them. */
static void look(void *arg, size_t begin, size_t end, int worker) {
    const job *j = arg;
    const seg_cells *cells = j->cells;
    seg_pilot *p = j->pilot;
    seg_cell_scan *scan = &j->scan[worker];
    uint64_t *order = j->order + (size_t)worker * cells->cells;
    size_t *rank = j->rank + (size_t)worker * cells->cells;
    for (size_t s = begin; s < end; s++) {
        const size_t own = (size_t)cells->cell[p->first[s]];
        uint64_t *heap = j->heap + s * ROWS * p->count;
        seg_cells_nearest(cells, own, cells->cells, order);
        seg_cell_scan_begin(scan, own, p->first[s], p->taken[s], heap);
        for (size_t r = 0; r < cells->cells; r++) {
            rank[seg_near_place(order[r])] = r;
            seg_cell_scan_visit(scan, seg_near_place(order[r]));
        }
        for (size_t i = 0; i < p->taken[s]; i++) {
            const float *x = cells->row + (p->first[s] + i) * cells->d;
            float most = 0;
            for (size_t e = 0; e < p->count; e++) {
                const size_t place = seg_near_place(heap[i * p->count + e]);
                const float distance2 = seg_near_square(cells->d, x, cells->row + place * cells->d);
                most = distance2 > most ? distance2 : most;
                j->per_rank[s * cells->cells + rank[cells->cell[place]]]++;
            }
            p->farthest[s * ROWS + i] = most;
        }
    }
}

seg_status seg_pilot_create(seg_context *ctx, const seg_cells *cells, size_t count, seg_pilot *out) {
    const size_t sample = cells->cells < CELLS ? cells->cells : CELLS, all = cells->cells;
    const size_t threads = (size_t)seg_threads(ctx), workers = sample < threads ? sample : threads;
    *out = (seg_pilot){.cells = sample, .count = count, .ranks = all};
    job j = {.cells = cells, .pilot = out};
    out->first = seg_alloc(ctx, sample, sizeof *out->first);
    out->taken = seg_alloc(ctx, sample, sizeof *out->taken);
    out->farthest = seg_alloc(ctx, sample, ROWS * sizeof *out->farthest);
    out->within = seg_alloc_zero(ctx, all, sizeof *out->within);
    j.scan = seg_alloc_zero(ctx, workers, sizeof *j.scan);
    j.heap = seg_alloc(ctx, sample * ROWS, count * sizeof *j.heap);
    j.order = seg_alloc(ctx, workers, all * sizeof *j.order);
    j.rank = seg_alloc(ctx, workers, all * sizeof *j.rank);
    j.per_rank = seg_alloc_zero(ctx, sample, all * sizeof *j.per_rank);
    seg_status status =
        out->first && out->taken && out->farthest && out->within && j.scan && j.heap && j.order && j.rank && j.per_rank
            ? SEG_OK
            : SEG_ERR_MEMORY;
    for (size_t w = 0; status == SEG_OK && w < workers; w++)
        status = seg_cell_scan_create(ctx, cells, count, &j.scan[w]);
    for (size_t s = 0; status == SEG_OK && s < sample; s++) {
        const size_t cell = s * all / sample, rows = cells->start[cell + 1] - cells->start[cell];
        out->taken[s] = rows < ROWS ? rows : ROWS;
        out->first[s] = cells->start[cell] + s % (rows - out->taken[s] + 1);
        out->rows += out->taken[s];
    }
    if (status == SEG_OK)
        status = seg_parallel_polled(ctx, sample, 1, look, &j);
    for (size_t s = 0; status == SEG_OK && s < sample; s++)
        for (size_t r = 0; r < all; r++)
            out->within[r] += j.per_rank[s * all + r];
    for (size_t r = 1; status == SEG_OK && r < all; r++)
        out->within[r] += out->within[r - 1];
    for (size_t w = 0; j.scan && w < workers; w++)
        seg_cell_scan_free(&j.scan[w]);
    free(j.scan);
    free(j.heap);
    free(j.order);
    free(j.rank);
    free(j.per_rank);
    if (status != SEG_OK)
        seg_pilot_free(out);
    return status;
}

size_t seg_pilot_cells(const seg_pilot *pilot, double share) {
    const double wanted = share * (double)(pilot->rows * pilot->count);
    size_t cells = 1;
    while (cells < pilot->ranks && (double)pilot->within[cells - 1] < wanted)
        cells++;
    return cells;
}

double seg_pilot_recall(const seg_pilot *pilot, const uint64_t *heap) {
    size_t found = 0;
    for (size_t s = 0; s < pilot->cells; s++)
        for (size_t i = 0; i < pilot->taken[s]; i++)
            for (size_t e = 0; e < pilot->count; e++)
                found += seg_near_distance2(heap[(pilot->first[s] + i) * pilot->count + e]) <=
                         AS_NEAR * pilot->farthest[s * ROWS + i];
    return (double)found / (double)(pilot->rows * pilot->count);
}
