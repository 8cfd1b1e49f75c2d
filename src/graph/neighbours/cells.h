/* Cells of neighbouring rows, for approximate search: each is halved along the direction in which its rows vary most,
 * until it is small. The rows of a cell are contiguous in memory, in single precision. */
#pragma once

#include "base/base.h"
#include "linalg/products.h"

#include <segment/matrix.h>

enum {
    SEG_CELL_LANES = SEG_SINGLE_LANES, /* rows per block; every cell but the last consists of whole blocks */
    SEG_CELL_ROWS = 128,               /* maximum rows of a cell */
    SEG_CELL_LEAST = 32                /* minimum rows of a cell, unless there are fewer in all */
};

typedef struct seg_cells {
    size_t n, d, cells;
    float *row;      /* n x d, in the order of the cells, centred and scaled to about one */
    float *lanes;    /* the same by blocks: coordinate c of lane l of block b is at (b * d + c) * SEG_CELL_LANES + l */
    float *centre;   /* cells x d, means */
    size_t *start;   /* cells + 1: cell a has the places start[a] .. start[a + 1] - 1 */
    int32_t *cell;   /* of each place */
    int32_t *number; /* of each place: the row of X stored there */
} seg_cells;

/* X: n x d, n >= 1, finite. The same cells for any number of threads. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost
 * O(n d log n); memory 8 n (d + 1) bytes and a little. */
seg_status seg_cells_create(seg_context *ctx, const seg_matrix *X, seg_arena *arena, seg_cells *out);

/* A squared distance and a place packed into one integer, which sorts by distance and then by place. */
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

/* All distances from some rows of one cell to the rows of other cells; the nearest of each row are kept in a heap.
 * Approximate search spends most of its time here. Single precision, relative to the cell's own centre, so that
 * distances within the cell are accurate wherever it lies. */
typedef struct seg_cell_scan {
    const seg_cells *cells;
    size_t count;          /* neighbours per row, the capacity of a heap */
    size_t origin;         /* the cell of these rows */
    size_t first, rows;    /* places first .. first + rows - 1 */
    uint64_t *heap;        /* rows x count; the caller's */
    size_t *filled;        /* entries of each heap; room for SEG_CELL_ROWS rows here and below */
    float *own;            /* rows x d, less the cell's centre */
    float *square, *limit; /* squared length; bound on |y|^2 / 2 - x'y of a new neighbour y */
    float *shifted;        /* a block of another cell, less this one's centre */
} seg_cell_scan;

/* The arrays are allocated from the arena, whose status tells whether memory sufficed. */
void seg_cell_scan_create(seg_context *ctx, const seg_cells *cells, size_t count, seg_arena *arena, seg_cell_scan *out);
/* Begin with empty heaps. */
void seg_cell_scan_begin(seg_cell_scan *scan, size_t cell, size_t first, size_t rows, uint64_t *heap);
/* Offer every row of a cell to every heap but its own. A cell must not be visited twice. */
void seg_cell_scan_visit(seg_cell_scan *scan, size_t cell);

/* The `count` cells whose centres are nearest to that of `cell`, nearest first, beginning with `cell` itself. count <=
 * cells. ranks: room for `count` entries. */
void seg_cells_nearest(const seg_cells *cells, size_t cell, size_t count, uint64_t *ranks);
