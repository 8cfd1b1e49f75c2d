/* Weighted kernel k-means on similarities that may not be positive semidefinite [kulis2009sskk, Algorithms 1, 2, 4]. */
#pragma once

#include <segment/matrix.h>

/* Sums of similarities from every sample to every cluster, for kernel k-means: sum_ic = sum over j in cluster c of
 * B_ij, where B is a dense matrix, a sparse one, or a function of feature vectors. No n x n matrix is allocated. */

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

/* The constraints implied by groups, which are never listed: `weight` for a pair in the same group, -weight for a pair
 * in different groups. group: n entries, -1 = in no group; NULL if there are no groups. */
typedef struct seg_group_links {
    const int16_t *group;
    int groups;
    double weight;
} seg_group_links;

/* How the diagonal shift is used. */
typedef enum seg_kernel_shift {
    SEG_SHIFT_BOUND = 0, /* from the first step on */
    SEG_SHIFT_ADAPTIVE,  /* 0 while the objective rises, then halfway to the bound after each undone step */
    SEG_SHIFT_NONE       /* 0; the run ends before the first step that would not raise the objective */
} seg_kernel_shift;

/* With B and the weights a, the kernel is
 *     K = shift diag(a)^-1 + diag(a)^-1 B diag(a)^-1                                  [kulis2009sskk, Table 3]
 * and the objective, to be maximised, the sum over the clusters of (sum of B_ij, i, j in c) / (sum of a_i, i in c): the
 * trace form of the paper, which the shift only changes by a constant. */
typedef struct seg_kernel_kmeans_options {
    int k;
    const double *weight; /* a: n numbers > 0, NULL = all one */
    double shift;         /* makes K positive semidefinite: then no step lowers the objective */
    seg_kernel_shift use;
    int iterations; /* limit of batch steps */
    int sweeps;     /* limit of later sweeps of single moves, 0 = none [dhillon2007graclus, Sect. 4.3]: a sample moves
                       if the objective rises. A large shift hinders moves in batch steps, but no single moves */
} seg_kernel_kmeans_options;

typedef struct seg_kernel_kmeans_result {
    double objective;
    int iterations; /* batch steps and sweeps */
    int converged;
} seg_kernel_kmeans_result;

/* The input: B = similarities + group links; links may be NULL. */
typedef struct seg_kernel_problem {
    const seg_similarities *similarities;
    const seg_group_links *links;
} seg_kernel_problem;

/* label: in: the start, 0..k-1; out: the clusters, none empty (k <= n). sum: NULL, or n x k: on return the sums of B
 * from samples to clusters, group links included. The objective never decreases, and does not depend on the number of
 * threads. SEG_OK, SEG_ERR_USAGE (labels, k, weights), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_kernel_kmeans(seg_context *ctx, const seg_kernel_problem *problem,
                             const seg_kernel_kmeans_options *options, int32_t *label, double *sum,
                             seg_kernel_kmeans_result *result);
