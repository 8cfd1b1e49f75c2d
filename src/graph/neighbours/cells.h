/* Rows in cells of neighbours, for approximate search: each cell halves along the direction in which its rows vary
 * most, until it is small. The rows of a cell stand side by side in memory, in single precision. */
#ifndef SEG_GRAPH_NEIGHBOURS_CELLS_H
#define SEG_GRAPH_NEIGHBOURS_CELLS_H

#include <segment/matrix.h>

enum {
    SEG_CELL_LANES = 16, /* rows a block; every cell but the last is whole blocks */
    SEG_CELL_ROWS = 128, /* of a cell, at most */
    SEG_CELL_LEAST = 32  /* fewer has none but where there are fewer */
};

typedef struct seg_cells {
    size_t n, d, cells;
    float *row;      /* n x d, in the order of the cells, less the mean and scaled to about one; owned, as all below */
    float *lanes;    /* the same by blocks: coordinate c of lane l of block b is at (b * d + c) * SEG_CELL_LANES + l */
    float *centre;   /* cells x d, means */
    size_t *start;   /* cells + 1: the cell's places, start[a] .. start[a + 1] - 1 */
    int32_t *cell;   /* of each place */
    int32_t *number; /* of each place: which row of X stands there */
} seg_cells;

/* X: n x d, n >= 1, finite. The same cells for any number of threads. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost
 * O(n d log n); memory 8 n (d + 1) bytes and a little. */
seg_status seg_cells_create(seg_context *ctx, const seg_matrix *X, seg_cells *out);
void seg_cells_free(seg_cells *cells);

#endif
