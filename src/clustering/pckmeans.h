/* k-means with pairwise constraints: Seeded- and Constrained-KMeans [basu2002seeding], PCKMeans [basu2004active, Sec.
 * 3], COP-KMeans [wagstaff2001cop] and HMRF-KMeans with generalised Potts penalties [kulis2009sskk, Eq. 2] are the same
 * iteration with different penalties. */
#pragma once

#include "clustering/kmeans.h"
#include "clustering/linked_samples.h"

typedef enum seg_pckmeans_kind {
    SEG_PCKMEANS_SEEDED,      /* neighbourhoods only start the clusters */
    SEG_PCKMEANS_CONSTRAINED, /* neighbourhoods that started a cluster stay in it */
    SEG_PCKMEANS_SOFT,        /* broken constraints have a penalty */
    SEG_PCKMEANS_HARD         /* no constraint is ever broken */
} seg_pckmeans_kind;

typedef enum seg_pckmeans_unit {
    SEG_PCKMEANS_ONE,         /* w as it is */
    SEG_PCKMEANS_DISTANCE,    /* times the mean squared distance between two samples [basu2004active, Sec. 5] */
    SEG_PCKMEANS_CONSTRAINTS, /* times n / (k C), C constraints [kulis2009sskk, Sec. 5.2] */
    SEG_PCKMEANS_SPREAD       /* the same, times the mean variance of a column, which is 1 for standardised columns */
} seg_pckmeans_unit;

typedef struct seg_pckmeans_options {
    seg_pckmeans_kind kind;
    int k;
    int restarts;         /* >= 1; the run with the least objective is kept, the first of equals */
    int iterations;       /* limit of one run */
    uint64_t stream;      /* of the context's seed */
    int cosine;           /* 1: rows have length one (seg_sphere_create), centres are normalised likewise */
    const int32_t *label; /* NULL, or n labels to start from in place of the rule */
    seg_start_rule start;
    int perturbed; /* 1: clusters without a neighbourhood start at random perturbations of the mean of all rows, as
                      printed; 0: by k-means++ [arthur2007kmeanspp] */
    double w;      /* >= 0, penalty of a broken constraint of weight one; SOFT only */
    seg_pckmeans_unit unit; /* of w */
    int given;              /* 1: C are the constraints as given, 0: those that have a penalty */
    double distortion;      /* factor of the squared distances: 1/2 in basu2004active, 1 in kulis2009sskk */
    int closure;            /* 1: pairs implied by the closure count like listed ones */
    int printed; /* 1: as printed [wagstaff2001cop, Table 1], which fails if no cluster can take a row; HARD only */
    int whole;   /* 1: whole neighbourhoods may move, too; 0: single samples only, as printed */
} seg_pckmeans_options;

/* Output of a clustering. */
typedef struct seg_clusters {
    int32_t *label; /* n */
    double *centre; /* k x d */
} seg_clusters;

/* X: n x d rows, doubles or floats; magnitudes, and weights of constraints, up to SEG_KMEANS_LARGEST. The objective is
 * distortion * sum of squared distances + w * weight of the broken constraints. The same bytes for any number of
 * threads and any order of the listed pairs. SEG_OK, SEG_ERR_USAGE, SEG_ERR_CONTRADICTION (the constraints contradict
 * each other; HARD: no assignment to k clusters keeps them), SEG_ERR_NUMERIC (HARD: none was found), SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. Cost of an iteration O(n k d), samples in constraints one after the other, all others as in
 * seg_kmeans. */
seg_status seg_pckmeans(seg_context *ctx, const seg_matrix *X, const seg_constraints *constraints,
                        const seg_pckmeans_options *options, seg_clusters to, seg_kmeans_result *result);
