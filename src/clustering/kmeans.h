/* k-means on the rows of a matrix, with groups of rows whose labels are known. */
#pragma once

#include "linalg/wide_rows.h"

typedef struct seg_kmeans_options {
    int k;
    int restarts;         /* >= 1; the run with the least objective is kept, the first of equals */
    int iterations;       /* limit of one run */
    uint64_t stream;      /* of the context's seed */
    int cosine;           /* 1: spherical k-means [dhillon2001concept]: rows have length one (seg_sphere_create), and
                             centres are brought to it in every step */
    const int16_t *group; /* NULL, or n entries: -1 free, g = the row stays in cluster g [basu2002seeding:
                             Constrained-KMeans], which starts at the mean of its group's rows; clusters without such
                             rows start by k-means++ [arthur2007kmeanspp] among the free rows, distances to the group
                             centres included */
} seg_kmeans_options;

#define SEG_KMEANS_LARGEST 1e100 /* largest magnitude of an entry, so that squares and their sums are finite */

typedef struct seg_kmeans_result {
    double objective; /* sum of squared distances to the centres; cosine: the sum of 1 - cos; see seg_pckmeans */
    double broken;    /* total weight of the broken constraints */
    int iterations;   /* of the best run */
    int converged;
} seg_kmeans_result;

/* X: n x d rows, doubles or floats; label: n; centre: k x d. Lloyd's iterations. A cluster that becomes empty gets the
 * free row farthest from its centre. Clusters keep their indices. The same bytes for any number of threads. SEG_OK,
 * SEG_ERR_USAGE (a number that is not finite or too large), SEG_ERR_MEMORY. Cost O(n k d) an iteration. */
seg_status seg_kmeans(seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options, int32_t *label,
                      double *centre, seg_kmeans_result *result);

/* The rows of X, each normalised to length one; scaling a row by a power of two gives the same bytes. For such rows and
 * centres of length one |x - c|^2 = 2 (1 - cos), so that the steps of k-means can be used. SEG_OK, SEG_ERR_USAGE (a row
 * of zeros has no direction), SEG_ERR_MEMORY; free `out` in any case. Cost O(n d). */
seg_status seg_sphere_create(seg_context *ctx, const seg_matrix *X, seg_matrix *out);

/* Normalise a centre, or a row, to length one. 0 if it is zero, and is left so. */
int seg_sphere_centre(size_t d, double *centre);
