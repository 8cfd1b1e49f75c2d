/* A sample of rows with their exact neighbours: how many cells a search must look at, and what it has found. */
#ifndef SEG_GRAPH_NEIGHBOURS_PILOT_H
#define SEG_GRAPH_NEIGHBOURS_PILOT_H

#include "graph/neighbours/cell_scan.h"

typedef struct seg_pilot {
    size_t cells, rows; /* of the sample */
    size_t count;       /* neighbours */
    size_t *first;      /* per cell of the sample: the first of its rows' places; they follow each other; owned */
    size_t *taken;      /* ... how many rows */
    float *farthest;    /* rows: squared distance of the last exact neighbour; owned */
    size_t *within;     /* per rank of a cell: exact neighbours in the cells up to that rank; owned */
    size_t ranks;       /* all cells */
} seg_pilot;

/* SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost: some 500 n distances. */
seg_status seg_pilot_create(seg_context *ctx, const seg_cells *cells, size_t count, seg_pilot *out);
void seg_pilot_free(seg_pilot *pilot);
/* The fewest nearest cells that hold the share of the sample's neighbours. */
size_t seg_pilot_cells(const seg_pilot *pilot, double share);
/* The share of them that the heaps (n x count) hold, or others as near. */
double seg_pilot_recall(const seg_pilot *pilot, const uint64_t *heap);

#endif
