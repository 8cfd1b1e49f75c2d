/* Nearest neighbours, and what the exact methods share. All compute the final squared distances by the same additions
 * in the same order, so that their results agree to the last bit. */
#pragma once

#include <segment/graph.h>

#include <math.h>

#define SEG_LANES 16 /* points per block */

/* A row index and a value to sort by; ties go to the smaller index, so that no two keys are equal. */
typedef struct seg_key {
    double value;
    int32_t number;
} seg_key;
/* Reorder so that the `rank` smallest keys come first, by quickselect. A pivot is the median of three keys at places
 * from a fixed pseudo-random sequence: sorted or similar input is not slow. */
void seg_select_smallest(seg_key *keys, size_t count, size_t rank);

/* The mean of the rows. @return the largest absolute deviation of an entry from it */
double seg_rows_mean(const seg_matrix *X, double *mean);

/* The nearest neighbours of one row found so far: a heap with the farthest on top, in the caller's two output rows. */
typedef struct seg_heap {
    int32_t *number;
    double *distance2;
    size_t count, capacity;
    double worst;         /* INFINITY until full, then the top's distance: farther points need not be offered */
    int32_t worst_number; /* INT32_MAX until full */
} seg_heap;

static inline seg_heap seg_heap_make(int32_t *number, double *distance2, size_t capacity) {
    seg_heap heap = {number, distance2, 0, capacity, INFINITY, INT32_MAX};
    return heap;
}
/* Add an entry if there is room, or if it is nearer than the farthest, which it then replaces. */
void seg_heap_offer(seg_heap *heap, double distance2, int32_t number);
/* Sort: nearest first, ties by row index. */
void seg_heap_sort(seg_heap *heap);

/* The exact methods: a k-d tree over blocks, and candidates found by matrix products. */
seg_status seg_nearest_by_tree(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                               double *distance2);
/* *able 0, and nothing computed, if so many columns or such large or small numbers make single precision useless. */
seg_status seg_nearest_by_products(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                                   double *distance2, int *able);

/* The approximate method: all distances to the rows of the nearest cells. *recall: the share
 * of a sample's exact neighbours that those cells contain. */
seg_status seg_nearest_approximate(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                                   double *distance2, double *recall);

/* The `count` nearest other rows of every row of X (n x d), Euclidean distance, nearest first, ties by row index.
 * distance2: their squares in double precision, summed in the order of the columns. ctx->missed is set to the share of
 * neighbours that an approximate search missed in its sample, 0 for an exact search. Exact: a k-d tree for d <= 32,
 * about O(n log n); O(n^2 d) for larger d, with candidates from matrix products in single precision, without an n x n
 * matrix. Approximate, for many rows: rows are divided into cells, and all distances within and between near cells are
 * computed in single precision. A farther row may take the place of a missed neighbour. So many cells are searched that
 * they contain at least 0.965 of the exact neighbours of about 500 sampled rows. Rows closer than about a millionth of
 * the extent of the data are not distinguished. The same bytes for any number of threads; another processor may find
 * other neighbours. Memory 8 d + 20 count bytes per row while it runs. SEG_OK, SEG_ERR_USAGE (count < 1 or >= n; a
 * number that is not finite), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_nearest_search(seg_context *ctx, const seg_matrix *X, int count, seg_neighbour_search search,
                              int32_t *neighbour, double *distance2);
