/* The two steps of Lloyd's iteration, with Hamerly's bounds [hamerly2010]: a row is skipped if its centre is certainly
 * nearer than any other. The bounds have a margin for rounding, so that labels and centres equal those of the plain
 * iteration, byte for byte. */
#pragma once

#include "base/random.h"
#include "clustering/kmeans.h"

typedef struct seg_lloyd {
    seg_context *ctx;
    size_t n, d, k;
    seg_matrix x;         /* n x d, borrowed */
    double *room;         /* per thread: floats converted to doubles */
    const int16_t *group; /* borrowed; may be NULL */
    int threads;
    int cosine;                /* 1: rows and centres have length one */
    size_t blocks, block_rows; /* fixed partition of the rows: sums are added in block order */
    int32_t *label;
    double *centre; /* k x d */
    double *turned; /* d x padded: centres by columns, for distances to several at once */
    size_t padded;
    double *upper, *lower;            /* n: bounds on a row's distance to its own centre and to any other */
    double slack;                     /* rounding margin of the bounds */
    double *moved;                    /* k: how far each centre went */
    double *sum;                      /* blocks x k x d */
    size_t *members, *size, *changed; /* blocks x k, k, blocks */
    double farthest, other;           /* the longest and second longest move of a centre */
    size_t farthest_at;               /* the centre that moved farthest */
    char *touched;                    /* blocks x k: 1 if rows of the block left or joined the cluster */
    int summed;                       /* 1: sum and members match the labels */
} seg_lloyd;

enum {
    SEG_LLOYD_ABREAST = 16, /* most distances that seg_lloyd_distances computes */
    SEG_LLOYD_MOST = 16     /* most runs that go together */
};

/* `like`: another run on the same rows, whose rounding margin is reused; or NULL. */
seg_status seg_lloyd_create(seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options,
                            const seg_lloyd *like, seg_lloyd *out);
void seg_lloyd_free(seg_lloyd *lloyd);
/* Row i, valid until the next call; not for use in parallel loops. */
static inline const double *seg_lloyd_row(const seg_lloyd *lloyd, size_t i) {
    return seg_rows_at(&lloyd->x, i, 1, lloyd->room);
}
/* Reset labels and bounds after new centres have been set. */
void seg_lloyd_begin(seg_lloyd *lloyd);
/* Assign every free row to the nearest centre (it keeps its own unless another is strictly nearer; then the first of
 * equals), then fill empty clusters. Returns how many labels changed. */
size_t seg_lloyd_assign(seg_lloyd *lloyd);
/* The same for several runs on the same rows, which are read from memory once for all runs. changed[r] is what
 * seg_lloyd_assign returns for run r. */
void seg_lloyd_assign_all(seg_lloyd *const *run, size_t count, size_t *changed);
/* Set the centres to means, with `cosine` of length one; a cluster without rows, or with mean zero, keeps its own. */
void seg_lloyd_update(seg_lloyd *lloyd);
/* Sum of the squared distances of rows to their centres. */
double seg_lloyd_objective(seg_lloyd *lloyd);
/* |x - c|^2, summed in the order of the columns, of up to SEG_LLOYD_ABREAST centres from `first` on, stored by columns:
 * d x padded, a multiple of four. `out` has room for all of them. */
void seg_lloyd_distances(size_t d, size_t padded, const double *x, const double *turned, size_t first, double *out);
/* Set lloyd->centre: clusters of groups with rows start at the group's mean, the others by k-means++
 * [arthur2007kmeanspp] among the free rows, each drawn in proportion to the squared distance to the nearest centre so
 * far. Overwrites labels and bounds. Cost O(n k d). */
void seg_kmeans_seed(seg_lloyd *lloyd, seg_random *random);
/* Memory of a run on n rows in bytes, without the rows. */
size_t seg_lloyd_bytes(size_t n, size_t d, size_t k);
