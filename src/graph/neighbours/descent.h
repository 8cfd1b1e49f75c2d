/* Neighbours of neighbours [dong2011nndescent]: who is near a near one is likely to be near. */
#ifndef SEG_GRAPH_NEIGHBOURS_DESCENT_H
#define SEG_GRAPH_NEIGHBOURS_DESCENT_H

#include "graph/neighbours/cell_scan.h"

typedef struct seg_descent {
    const seg_cells *cells;
    size_t count;           /* neighbours */
    size_t joined;          /* the nearest of them, through which others are found */
    uint64_t *heap;         /* n x count, full; borrowed */
    const int32_t *visited; /* cells x visits: cells whose rows a cell's heaps were offered; borrowed */
    size_t visits;
    uint32_t *link; /* n x joined: the nearest, and whether they are new since the last round; owned, as the next */
    uint32_t *back; /* n x joined: rows that have this one among their nearest, some of them */
    uint8_t *backs; /* how many */
    struct seg_descent_worker *worker;
    size_t workers;
} seg_descent;

/* SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_descent_create(seg_context *ctx, const seg_cells *cells, size_t count, uint64_t *heap,
                              const int32_t *visited, size_t visits, seg_descent *out);
void seg_descent_free(seg_descent *descent);
/* Offer every row the neighbours of its neighbours, as all lists were before the round: the same for any number of
 * threads. SEG_OK, SEG_ERR_CANCELLED. Cost: up to 2 joined^2 distances a row in the first round, fewer in others. */
seg_status seg_descent_round(seg_context *ctx, seg_descent *descent);

#endif
