/* Rows in cells of neighbours, for approximate search: each cell halves along the direction in which its rows vary
 * most, until it is small. The rows of a cell stand side by side in memory, in single precision. */
#ifndef SEG_GRAPH_NEIGHBOURS_CELLS_H
#define SEG_GRAPH_NEIGHBOURS_CELLS_H

#include "base/base.h"

#include <segment/matrix.h>

#include <stdint.h>
#include <string.h>

enum {
    SEG_CELL_LANES = 16, /* rows a block; every cell but the last is whole blocks */
    SEG_CELL_ROWS = 128, /* of a cell, at most */
    SEG_CELL_LEAST = 32  /* of a cell, at least, unless there are fewer in all */
};

typedef struct seg_cells {
    size_t n, d, cells;
    float *row;      /* n x d, in the order of the cells, less the mean and scaled to about one */
    float *lanes;    /* the same by blocks: coordinate c of lane l of block b is at (b * d + c) * SEG_CELL_LANES + l */
    float *centre;   /* cells x d, means */
    size_t *start;   /* cells + 1: the cell's places, start[a] .. start[a + 1] - 1 */
    int32_t *cell;   /* of each place */
    int32_t *number; /* of each place: which row of X stands there */
    seg_arena arena;
} seg_cells;

/* X: n x d, n >= 1, finite. The same cells for any number of threads. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost
 * O(n d log n); memory 8 n (d + 1) bytes and a little. */
seg_status seg_cells_create(seg_context *ctx, const seg_matrix *X, seg_cells *out);
void seg_cells_free(seg_cells *cells);

/* A squared distance and a place, so that entries are compared as numbers: nearer first, of equals the first place. */
static inline uint64_t seg_near_make(float distance2, size_t place) {
    uint32_t bits;
    const float positive = distance2 > 0 ? distance2 : 0;
    memcpy(&bits, &positive, sizeof bits);
    return (uint64_t)bits << 32 | (uint64_t)place;
}
static inline float seg_near_distance2(uint64_t entry) {
    const uint32_t bits = (uint32_t)(entry >> 32);
    float distance2;
    memcpy(&distance2, &bits, sizeof distance2);
    return distance2;
}
static inline size_t seg_near_place(uint64_t entry) {
    return (size_t)(uint32_t)entry;
}
/* Put an entry into a heap of at most `capacity`, the largest on top, in place of that one where the heap is full: it
 * must then be smaller. */
void seg_near_push(uint64_t *heap, size_t *count, size_t capacity, uint64_t entry);
/* Ascending, in place: from a heap that is full. */
void seg_near_sort(uint64_t *heap, size_t count);

/* All distances from some rows of a cell to the rows of other cells, and the nearest of each kept in a heap:
 * approximate search spends its time here. In single precision, relative to the cell's own centre, so that distances
 * within it keep their digits wherever it lies. */
typedef struct seg_cell_scan {
    const seg_cells *cells;
    size_t count;          /* neighbours, the heaps' capacity */
    size_t origin;         /* the cell */
    size_t first, rows;    /* places first .. first + rows - 1 */
    uint64_t *heap;        /* rows x count; the caller's */
    size_t *filled;        /* entries of each; it and the next have room for SEG_CELL_ROWS rows */
    float *own;            /* rows x d, less the cell's centre */
    float *square, *limit; /* squared length; what |y|^2 / 2 - x'y must stay below */
    float *shifted;        /* a block of another cell, less this one's centre */
} seg_cell_scan;

/* The arrays come from the arena, which says whether there is memory. */
void seg_cell_scan_create(seg_context *ctx, const seg_cells *cells, size_t count, seg_arena *arena, seg_cell_scan *out);
/* Begin with empty heaps. */
void seg_cell_scan_begin(seg_cell_scan *scan, size_t cell, size_t first, size_t rows, uint64_t *heap);
/* Every row of one cell is offered to every heap, but none to its own. A cell must not be visited twice. */
void seg_cell_scan_visit(seg_cell_scan *scan, size_t cell);

/* The `count` cells with the nearest centres, nearest first, its own the first of all. count <= cells. ranks: room for
 * `count` entries. */
void seg_cells_nearest(const seg_cells *cells, size_t cell, size_t count, uint64_t *ranks);

#endif
