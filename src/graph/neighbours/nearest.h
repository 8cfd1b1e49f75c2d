/* Nearest neighbours, and what the exact ways of finding them share. All compute the squared distances that decide by
 * the same additions in the same order, so that they agree to the last bit. */
#ifndef SEG_GRAPH_NEIGHBOURS_NEAREST_H
#define SEG_GRAPH_NEIGHBOURS_NEAREST_H

#include <segment/graph.h>

#include <math.h>

#define SEG_LANES 16 /* points a block */

/* The number of a row and a value to sort by; ties go to the smaller number, so that no two keys are equal. */
typedef struct seg_key {
    double value;
    int32_t number;
} seg_key;
/* Reorder so that the `rank` smallest come first, by quickselect. Pivots are the median of three places drawn from a
 * fixed sequence of pseudo-random numbers: no order of the input makes it slow by accident. */
void seg_select_smallest(seg_key *keys, size_t count, size_t rank);

/* The mean of the rows. @return the largest deviation from it */
double seg_rows_mean(const seg_matrix *X, double *mean);

/* Points in blocks: coordinate c of the point in lane l of block b is at[(b * d + c) * SEG_LANES + l]. Lanes behind the
 * last point repeat it, and are never looked at. */
typedef struct seg_blocks {
    size_t n, d, blocks;
    double *at;     /* owned */
    int32_t *point; /* row number of each lane, n entries; owned */
} seg_blocks;

/* Room for n points of d coordinates, point[] = 0, 1, ... SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_blocks_create(seg_context *ctx, size_t n, size_t d, seg_blocks *out);
/* Copy the rows of X in the order of point[]. */
void seg_blocks_fill(seg_blocks *blocks, const seg_matrix *X);
void seg_blocks_free(seg_blocks *blocks);

/* The nearest so far of one row: a heap whose top is the farthest, kept in the caller's two output rows. */
typedef struct seg_heap {
    int32_t *number;
    double *distance2;
    size_t count, capacity;
    double worst;         /* INFINITY until full, then the top's distance: what is farther need not be offered */
    int32_t worst_number; /* INT32_MAX until full */
} seg_heap;

static inline seg_heap seg_heap_make(int32_t *number, double *distance2, size_t capacity) {
    seg_heap heap = {number, distance2, 0, capacity, INFINITY, INT32_MAX};
    return heap;
}
/* Take an entry in, where it is nearer than the farthest or there is room. */
void seg_heap_offer(seg_heap *heap, double distance2, int32_t number);
/* Nearest first, equal distances by number. */
void seg_heap_sort(seg_heap *heap);

/* Offer all points of one block, except row `self`, to the heap of the point q. */
void seg_block_offer(const seg_blocks *blocks, size_t block, const double *q, int32_t self, seg_heap *heap);

/* The exact ways: a tree over blocks, and candidates by products of matrices. */
seg_status seg_nearest_by_tree(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                               double *distance2);
/* *able 0, and nothing done, where the vectors are so long or so large or small that single precision tells nothing. */
seg_status seg_nearest_by_products(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                                   double *distance2, int *able);

/* Approximately: cells of rows, all distances to the rows of the nearest cells (graph/neighbours/cells.h). *recall: the
 * share of a sample's exact neighbours that those cells hold. */
seg_status seg_nearest_approximate(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                                   double *distance2, double *recall);

/* The `count` nearest other rows of every row of X (n x d), Euclidean distance, nearest first, equal distances by
 * number. The distances are those of double precision, summed in the order of the columns. ctx->missed is set to the
 * share of neighbours that an approximate search missed in its sample, 0 of an exact one. Exactly: a k-d tree for d <=
 * 32, about O(n log n); O(n^2 d) beyond, by products of matrices in single precision that find the candidates, without
 * an n x n matrix. Approximately, for many rows: cells of rows that lie together, all distances within and between near
 * cells in single precision. Another row may stand where a nearer one was missed. How many cells are searched follows
 * from some 500 rows whose neighbours are found exactly, of which 0.965 or more are in those cells. Rows whose
 * distances are below about a millionth of the extent of all are not told apart. The same bytes for any number of
 * threads; another processor may find others. Memory 8 d + 20 count bytes a row while it runs. SEG_OK, SEG_ERR_USAGE
 * (count < 1 or >= n; a number that is not finite), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_nearest_search(seg_context *ctx, const seg_matrix *X, int count, seg_neighbour_search search,
                              int32_t *neighbour, double *distance2);

#endif
