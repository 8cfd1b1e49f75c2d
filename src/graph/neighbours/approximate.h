/* The parts of approximate search: a sample of rows with their exact neighbours, and neighbours of neighbours. */
#ifndef SEG_GRAPH_NEIGHBOURS_APPROXIMATE_H
#define SEG_GRAPH_NEIGHBOURS_APPROXIMATE_H

#include "graph/neighbours/cells.h"

/* The sample, which tells how many cells a search must look at, and what it has found. */
typedef struct seg_pilot {
    size_t cells, rows; /* of the sample */
    size_t count;       /* neighbours */
    size_t *first;      /* per cell of the sample: the first of its rows' places; they follow each other */
    size_t *taken;      /* ... how many rows */
    float *farthest;    /* rows: squared distance of the last exact neighbour */
    size_t *within;     /* per rank of a cell: exact neighbours in the cells up to that rank */
    size_t ranks;       /* all cells */
    seg_arena arena;
} seg_pilot;

/* SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost: some 500 n distances. */
seg_status seg_pilot_create(seg_context *ctx, const seg_cells *cells, size_t count, seg_pilot *out);
void seg_pilot_free(seg_pilot *pilot);
/* The fewest nearest cells that hold the share of the sample's neighbours. */
size_t seg_pilot_cells(const seg_pilot *pilot, double share);
/* The share of them that the heaps (n x count) hold, or others as near. */
double seg_pilot_recall(const seg_pilot *pilot, const uint64_t *heap);

/* Neighbours of neighbours [dong2011nndescent]: who is near a near one is likely to be near. */
typedef struct seg_descent {
    const seg_cells *cells;
    size_t count;           /* neighbours */
    uint64_t *heap;         /* n x count, full; borrowed */
    const int32_t *visited; /* cells x visits: cells whose rows a cell's heaps were offered; borrowed */
    size_t visits;
    size_t joined;  /* the nearest neighbours, through which others are found */
    uint32_t *link; /* n x joined: the nearest, and whether they are new since the last round */
    uint32_t *back; /* n x joined: rows that have this one among their nearest, some of them */
    uint8_t *backs; /* how many */
    struct seg_descent_worker *worker;
    size_t workers;
    seg_arena arena;
} seg_descent;

/* The first five fields are given. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_descent_create(seg_context *ctx, seg_descent *descent);
void seg_descent_free(seg_descent *descent);
/* Offer every row the neighbours of its neighbours, as all lists were before the round: the same for any number of
 * threads. SEG_OK, SEG_ERR_CANCELLED. Cost: up to 2 joined^2 distances a row in the first round, fewer in others. */
seg_status seg_descent_round(seg_context *ctx, seg_descent *descent);

#endif
