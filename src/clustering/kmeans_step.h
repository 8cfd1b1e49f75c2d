/* The two steps of Lloyd's iteration, with Hamerly's bounds [hamerly2010]: a row whose centre is nearer than any other
 * can have come is not looked at. The bounds carry a margin for rounding, so labels and centres are those of the plain
 * iteration, byte for byte. */
#ifndef SEG_CLUSTERING_KMEANS_STEP_H
#define SEG_CLUSTERING_KMEANS_STEP_H

#include "base/random.h"
#include "clustering/kmeans.h"

typedef struct seg_lloyd {
    seg_context *ctx;
    size_t n, d, k;
    seg_matrix x;         /* n x d, borrowed */
    double *room;         /* where floats become doubles: of each thread */
    const int16_t *group; /* borrowed; may be NULL */
    int threads;
    int cosine;                /* rows have length one, and so have centres */
    size_t blocks, block_rows; /* fixed partition of the rows: sums are added in block order */
    int32_t *label;
    double *centre; /* k x d */
    double *turned; /* d x padded k: centres by columns, for distances to several at once */
    size_t padded;
    double *upper, *lower;            /* of a row: distance to its own centre at most, to any other at least */
    double slack;                     /* margin of the bounds */
    double *moved;                    /* k: how far each centre went */
    double *sum;                      /* blocks x k x d */
    size_t *members, *size, *changed; /* blocks x k, k, blocks */
    double farthest, other; /* of one assignment: the longest move of a centre, and the longest of the others */
    size_t farthest_at;     /* the centre that moved farthest */
} seg_lloyd;

seg_status seg_lloyd_create(seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options, seg_lloyd *out);
void seg_lloyd_free(seg_lloyd *lloyd);
/* Row i, until the next is asked for; outside of parallel loops. */
static inline const double *seg_lloyd_row(const seg_lloyd *lloyd, size_t i) {
    return seg_rows_at(&lloyd->x, i, 1, lloyd->room);
}
/* Forget labels and bounds: the centres have been set anew. */
void seg_lloyd_begin(seg_lloyd *lloyd);
/* Every free row goes to the nearest centre (it stays where none is strictly nearer; else the first of equals); empty
 * clusters are then filled. Returns how many labels changed. */
size_t seg_lloyd_assign(seg_lloyd *lloyd);
/* Centres become means, with `cosine` of length one; a cluster without rows, or whose mean has no direction, keeps its
 * centre. */
void seg_lloyd_update(seg_lloyd *lloyd);
/* Sum of squared distances to the own centres. */
double seg_lloyd_objective(seg_lloyd *lloyd);
/* |x - c|^2, summed in the order of the columns. */
double seg_lloyd_distance2(size_t d, const double *x, const double *centre);
/* Set lloyd->centre: groups with rows start at their mean, the others by k-means++ [arthur2007kmeanspp] among the free
 * rows, each drawn in proportion to the squared distance to the nearest centre so far. Overwrites labels and bounds.
 * Cost O(n k d). */
void seg_kmeans_seed(seg_lloyd *lloyd, seg_random *random);

#endif
