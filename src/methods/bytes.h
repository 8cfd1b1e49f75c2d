/* What a method takes of memory: predicted from the size of its problem, before anything is allocated. */
#ifndef SEG_METHODS_BYTES_H
#define SEG_METHODS_BYTES_H

#include <segment/methods.h>

/* The size of a problem. */
typedef struct seg_extent {
    size_t n, k;
    size_t columns; /* of the features, 0 where there are none */
    size_t looks;   /* of the surroundings, or of the features where there are none */
    size_t entries; /* of the affinity, both directions; 0 without */
    size_t marked;  /* things in groups */
    int full;       /* a complete graph that is not listed */
    int kernel;     /* a kernel matrix is given */
    int threads;
} seg_extent;

/* Bytes that seg_cluster holds at most besides the problem, its result included. */
size_t seg_method_bytes(const seg_method *method, const seg_params *params, const seg_extent *extent);

/* The method's number of smoothest eigenvectors among its parameters (their position), -1 where it has none. */
int seg_method_eigenvectors(const seg_method *method);

#endif
