/* What a method takes of memory: predicted from the size of its problem, before anything is allocated. */
#ifndef SEG_METHODS_BYTES_H
#define SEG_METHODS_BYTES_H

#include <segment/methods.h>

/* The size of a problem. */
typedef struct seg_problem_size {
    size_t n, k;
    size_t columns;    /* of the features, 0 where there are none */
    size_t appearance; /* of the context features, or of the features where there are none */
    size_t entries;    /* of the affinity, both directions; 0 without */
    size_t marked;     /* samples in groups */
    size_t hierarchy;  /* bytes of making the Laplacian's, which methods that solve with it do; 0 where it is there */
    int full;          /* a complete graph that is not listed */
    int kernel;        /* a kernel matrix is given */
    int pairs_alone;   /* constraints are pairs, no groups */
    int threads;
} seg_problem_size;

/* Bytes that a method holds at most besides problem and result: a column of its row (method.h), made of the parts
 * below. */
typedef size_t (*seg_bytes)(const double *param, const seg_problem_size *size);

/* k-means over n samples (clustering/kmeans.c). */
size_t seg_bytes_kmeans(size_t n, size_t k);
/* The smoothest eigenvectors, an embedding of them, k-means. */
size_t seg_bytes_vectors(const seg_problem_size *size, size_t count);
/* Extension over the graph: one column a label or a column of the factor. */
size_t seg_bytes_harmonic(const seg_problem_size *size, size_t columns);
/* One sub-kernel over all marked samples, extended to a factor of `rank` columns for all. */
size_t seg_bytes_sub_kernel(const seg_problem_size *size, size_t rank);
/* A semidefinite program over 600 samples at most. */
size_t seg_bytes_semidefinite(const seg_problem_size *size);
/* Kernel k-means on a similarity, of which `copies` are made. */
size_t seg_bytes_kernel_kmeans(const seg_problem_size *size, int copies);

/* Bytes that seg_cluster holds at most besides the problem, its result included. */
size_t seg_method_bytes(const seg_method *method, const seg_params *params, const seg_problem_size *size);

/* The method's number of smoothest eigenvectors among its parameters (their position), -1 where it has none. */
int seg_method_eigenvectors(const seg_method *method);

#endif
