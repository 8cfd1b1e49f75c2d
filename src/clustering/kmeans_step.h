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
    char *touched;          /* blocks x k: clusters that rows of the block left or joined */
    int summed;             /* 1: sum and members are of the labels as they are */
} seg_lloyd;

enum {
    SEG_LLOYD_ABREAST = 16, /* distances that seg_lloyd_distances gives at most */
    SEG_LLOYD_MOST = 16     /* runs that go together at most */
};

/* `like`: another run on the same rows, whose measures are taken over; or NULL. */
seg_status seg_lloyd_create(seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options,
                            const seg_lloyd *like, seg_lloyd *out);
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
/* The same for several runs on the same rows, which are then read from memory once for all. changed[r] is what
 * seg_lloyd_assign returns for run r. */
void seg_lloyd_assign_all(seg_lloyd *const *run, size_t count, size_t *changed);
/* Centres become means, with `cosine` of length one; a cluster without rows, or whose mean has no direction, keeps its
 * centre. */
void seg_lloyd_update(seg_lloyd *lloyd);
/* Sum of squared distances to the own centres. */
double seg_lloyd_objective(seg_lloyd *lloyd);
/* |x - c|^2, summed in the order of the columns, of up to SEG_LLOYD_ABREAST centres, `first` and those behind it, which
 * lie by columns: d x padded, a multiple of four. `out` has room for all of them. */
void seg_lloyd_distances(size_t d, size_t padded, const double *x, const double *turned, size_t first, double *out);
/* Set lloyd->centre: groups with rows start at their mean, the others by k-means++ [arthur2007kmeanspp] among the free
 * rows, each drawn in proportion to the squared distance to the nearest centre so far. Overwrites labels and bounds.
 * Cost O(n k d). */
void seg_kmeans_seed(seg_lloyd *lloyd, seg_random *random);
/* The same for several runs on the same rows, each with its own random numbers. */
void seg_kmeans_seed_all(seg_lloyd *const *run, size_t count, seg_random *random);
/* Bytes of a run of n rows, without the rows. */
size_t seg_lloyd_bytes(size_t n, size_t d, size_t k);

#endif
