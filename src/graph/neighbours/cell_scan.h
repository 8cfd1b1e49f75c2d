/* All distances from some rows of a cell to the rows of other cells, and the nearest of each kept: what approximate
 * search spends its time on. In single precision, told from the cell's own centre, so that distances within it keep
 * their digits wherever it lies. */
#ifndef SEG_GRAPH_NEIGHBOURS_CELL_SCAN_H
#define SEG_GRAPH_NEIGHBOURS_CELL_SCAN_H

#include "graph/neighbours/cells.h"

#include <stdint.h>
#include <string.h>

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

/* The squared distance of two rows, in an order of additions that does not depend on the processor. */
float seg_near_square(size_t d, const float *a, const float *b);

/* Some rows of one cell and their heaps. */
typedef struct seg_cell_scan {
    const seg_cells *cells;
    size_t count;          /* neighbours, the heaps' capacity */
    size_t origin;         /* the cell */
    size_t first, rows;    /* places first .. first + rows - 1 */
    uint64_t *heap;        /* rows x count; the caller's */
    size_t *filled;        /* entries of each; owned, as are the next four, with room for SEG_CELL_ROWS rows */
    float *own;            /* rows x d, less the cell's centre */
    float *square, *limit; /* squared length; what |y|^2 / 2 - x'y must stay below */
    float *shifted;        /* a block of another cell, less this one's centre */
} seg_cell_scan;

/* SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_cell_scan_create(seg_context *ctx, const seg_cells *cells, size_t count, seg_cell_scan *out);
void seg_cell_scan_free(seg_cell_scan *scan);
/* Begin with empty heaps. */
void seg_cell_scan_begin(seg_cell_scan *scan, size_t cell, size_t first, size_t rows, uint64_t *heap);
/* Every row of one cell is offered to every heap, but none to its own. A cell must not be visited twice. */
void seg_cell_scan_visit(seg_cell_scan *scan, size_t cell);

/* The `count` cells with the nearest centres, nearest first, its own the first of all. count <= cells. ranks: room for
 * `count` entries. */
void seg_cells_nearest(const seg_cells *cells, size_t cell, size_t count, uint64_t *ranks);

#endif
