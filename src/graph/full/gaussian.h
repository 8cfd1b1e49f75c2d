/* Gaussian weights of pairs of points, one row of the matrix at a time. They are exact, and the fast sums are checked
 * against them. */
#ifndef SEG_GRAPH_FULL_GAUSSIAN_H
#define SEG_GRAPH_FULL_GAUSSIAN_H

#include <segment/matrix.h>

typedef struct seg_gaussian {
    size_t n, d;
    double *at; /* d x n: coordinate c of point i, from the least of all points, over sigma */
} seg_gaussian;

/* The points in units of sigma > 0. SEG_OK, SEG_ERR_USAGE (coordinates that sigma is too small for), SEG_ERR_MEMORY. */
seg_status seg_gaussian_create(seg_context *ctx, const seg_matrix *X, double sigma, seg_gaussian *out);
void seg_gaussian_free(seg_gaussian *points);

/* The longest side of the points' box, in units of sigma. */
double seg_gaussian_extent(const seg_gaussian *points);

#define SEG_GAUSSIAN_RUN 256 /* columns at a time; they stay in the first cache */

/* weight[j - first] = exp(-|x_i - x_j|^2 / 2) for `count` <= SEG_GAUSSIAN_RUN columns, 0 on the diagonal and for
 * weights below 1e-300. Symmetric to the last bit. */
void seg_gaussian_row(const seg_gaussian *points, size_t i, size_t first, size_t count, double *weight);

/* All n of them. */
void seg_gaussian_whole_row(const seg_gaussian *points, size_t i, double *weight);

/* sum_j w_ij v_j; v NULL: of ones. */
double seg_gaussian_row_sum(const seg_gaussian *points, size_t i, const double *v);

#endif
