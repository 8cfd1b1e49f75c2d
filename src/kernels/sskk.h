/* SS-Kernel-KMeans: graph and kernel clustering objectives with penalties for constraints [kulis2009sskk]. */
#pragma once

#include "clustering/kernel_kmeans.h"

#include <segment/constraints.h>

/* [kulis2009sskk, Eqs. 7-9 and Table 3], and plain weighted kernel k-means. */
typedef enum seg_sskk_objective {
    SEG_SSKK_ASSOCIATION = 0, /* B = A + W, weights one; A a Gram matrix: Kernel-HMRF-KMeans [Algorithm 2] */
    SEG_SSKK_RATIO_CUT,       /* B = A - D + W, weights one */
    SEG_SSKK_NORMALIZED_CUT,  /* B = A + W, weights the degrees */
    SEG_SSKK_WEIGHTED         /* B = D A D + W, weights the degrees: A is the kernel itself */
} seg_sskk_objective;

/* Where the runs start; the best run is the result. */
typedef enum seg_sskk_start {
    SEG_SSKK_BEST = 0, /* the given labels, if there are any, then farthest-first and random in turn */
    SEG_SSKK_FARTHEST, /* Algorithm 3; other runs begin with another component */
    SEG_SSKK_RANDOM,
    SEG_SSKK_GIVEN /* the given labels alone */
} seg_sskk_start;

typedef struct seg_sskk_options {
    int k;
    seg_sskk_objective objective;
    double penalty; /* a violated one of C constraints costs its weight times penalty * n / (k C); 1 in the paper
                       [Sect. 5.2] */
    seg_kernel_shift shift;
    int iterations; /* limit of batch steps */
    int sweeps;     /* of single moves, 0 = none */
    seg_sskk_start start;
    const int32_t *given; /* n labels 0..k-1 to start from, all of them used; may be NULL */
    int restarts;         /* runs from random starts; one if every cluster has a group, where no start is random */
} seg_sskk_options;

typedef struct seg_sskk_result {
    double trace;     /* sum over clusters of z'Bz / z'Dz, which is maximised */
    double objective; /* minimised: Eq. 7, Eq. 8, minus Eq. 9, or Eq. 3 for a Gram matrix */
    double shift;     /* the bound used */
    int iterations, converged;
} seg_sskk_result;

/* The problem that kernel k-means solves. */
typedef struct seg_sskk_model {
    seg_similarities B;
    seg_group_links links;
    double shift;     /* B + shift diag(weight) is positive semidefinite, by bounds of eigenvalues: Gershgorin's for the
                         graph and for the listed pairs, Anderson and Morley's for its Laplacian [anderson1985], the exact
                         least eigenvalue for the groups; a Gram matrix is not checked */
    double *weight;   /* n, or NULL where all are one; owned */
    double *diagonal; /* n or NULL; owned */
    seg_csr pairs;    /* the listed constraints' part of W; owned */
} seg_sskk_model;

static inline double seg_sskk_weight(const seg_sskk_model *model, size_t i) {
    return model->weight ? model->weight[i] : 1;
}

/* What is clustered. */
typedef struct seg_sskk_problem {
    const seg_similarities *similarities; /* A */
    int gram; /* 1 where the similarities are inner products (a kernel or features), 0 for a graph */
    const seg_constraints *constraints;
} seg_sskk_problem;

/* Free `out` always. SEG_OK, SEG_ERR_USAGE (negative degrees), SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_sskk_model_create(seg_context *ctx, const seg_sskk_problem *problem, const seg_sskk_options *options,
                                 seg_sskk_model *out);
void seg_sskk_model_free(seg_sskk_model *model);

typedef struct seg_sskk_found {
    int32_t *label;        /* n */
    double *sum;           /* n x k, the sums of B (see seg_kernel_kmeans) */
    seg_sskk_model *model; /* NULL, or gets the model, which the caller frees */
} seg_sskk_found;

/* Make the model and the starts, run weighted kernel k-means and keep the best run [Algorithms 2 and 4]. */
seg_status seg_sskk(seg_context *ctx, const seg_sskk_problem *problem, const seg_sskk_options *options,
                    seg_sskk_found to, seg_sskk_result *result);
