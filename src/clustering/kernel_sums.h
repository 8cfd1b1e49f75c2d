/* Sums of similarities from every sample to every cluster, for kernel k-means: sum_ic = sum over j in cluster c of
 * B_ij, where B is a dense matrix, a sparse one, or a function of feature vectors. No n x n matrix is allocated. */
#ifndef SEG_CLUSTERING_KERNEL_SUMS_H
#define SEG_CLUSTERING_KERNEL_SUMS_H

#include <segment/matrix.h>

#include <stdint.h>

/* B = scale_i scale_j S_ij + extra_ij, with exactly one of dense, sparse and features given; all borrowed. */
typedef struct seg_similarities {
    size_t n;
    const seg_matrix *dense;    /* n x n symmetric */
    const seg_csr *sparse;      /* n x n symmetric */
    const seg_matrix *features; /* n x d: S_ij = x_i'x_j, or with width > 0 */
    double width;               /* ... exp(-|x_i - x_j|^2 / (2 width^2)) [kulis2009sskk, Sect. 5.3] */
    const double *half_square;  /* NULL, or |x_i|^2 / 2, n numbers: then exponentials of long vectors use products */
    const double *scale;        /* NULL or n numbers */
    const seg_csr *extra;       /* NULL or n x n symmetric: listed constraints */
    const double *diagonal;     /* NULL or n numbers, added to the diagonal */
} seg_similarities;

/* B_ii. */
double seg_similarities_diagonal(const seg_similarities *B, size_t i);

/* sum (n x k, row-major) for the labels 0..k-1; a sample with label -1 is in no cluster. The same bytes for any number
 * of threads. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(n^2) dense, O(entries) sparse, O(n k d) inner products,
 * O(n^2 d) exponentials. */
seg_status seg_kernel_sums(seg_context *ctx, const seg_similarities *B, const int32_t *label, int k, double *sum);

typedef struct seg_kernel_moves {
    size_t count;
    const int32_t *sample, *from, *to; /* count samples, and the clusters that they left and joined; -1: none */
} seg_kernel_moves;

/* Update the sums after samples moved. Cost per moved sample: O(n) dense, O(n d) for features, O(degree) sparse. */
seg_status seg_kernel_sums_update(seg_context *ctx, const seg_similarities *B, const seg_kernel_moves *moves, int k,
                                  double *sum);

#endif
