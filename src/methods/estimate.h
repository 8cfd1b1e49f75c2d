/* What clustering takes of memory, about: enough to choose a plan. It is never relied upon: every allocation is counted
 * against the limit (base/memory.c). */
#ifndef SEG_METHODS_ESTIMATE_H
#define SEG_METHODS_ESTIMATE_H

#include <segment/methods.h>

/* The size of a problem. */
typedef struct seg_problem_size {
    size_t n, k;
    size_t columns;             /* of the features, 0 where there are none */
    const seg_graph_spec *spec; /* of a graph that is built of them, or NULL */
    size_t entries;             /* of a graph that is given, both directions */
    int kernel;                 /* 1: a kernel matrix is given */
    int pairs_alone;            /* 1: constraints are pairs, no groups */
} seg_problem_size;

/* Bytes that features, graph and clustering hold together at most. By what the method needs and its parameter `m`, the
 * number of eigenvectors; a new method has nothing to add. */
size_t seg_estimate_clustering(const seg_method *method, const seg_params *params, const seg_problem_size *size);
#endif
