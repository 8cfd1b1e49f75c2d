/* Which group a sample resembles, learned from the labelled samples alone: a forest of extremely randomised trees
 * [geurts2006]. What it learns has no scale and no shape: colours of several kinds, textures and context features side
 * by side. */
#ifndef SEG_LIKELIHOOD_FOREST_H
#define SEG_LIKELIHOOD_FOREST_H

#include <segment/matrix.h>

typedef struct seg_forest_options {
    int trees;      /* >= 1 */
    int candidates; /* columns tried at each split, 0 = the root of their number, rounded up */
    double floor;   /* > 0: what every group gets before the rows are normalised, so that none is ruled out */
    size_t samples; /* at most so many marked samples are learned from, evenly chosen; 0: 4000 */
} seg_forest_options;

struct seg_tree;

/* A forest that has been grown: for rows of `columns` numbers, each multiplied by its scale. */
typedef struct seg_forest {
    int trees, groups;
    size_t columns;
    double *scale; /* of each column, a power of two: brings the samples' largest magnitude to 1 .. 2 */
    struct seg_tree *tree;
} seg_forest;

/* Grow a forest on the marked rows of F (group -1: not marked), trees until their leaves are pure. Released with
 * seg_forest_free; zeroed on failure. Errors and bytes as below. */
seg_status seg_forest_grow(seg_context *ctx, const seg_matrix *F, const int16_t *group, int groups,
                           const seg_forest_options *options, seg_forest *out);
/* P (rows of F x groups, made here): the share of the trees' votes, floor > 0 as in the options. */
seg_status seg_forest_votes(seg_context *ctx, const seg_forest *forest, const seg_matrix *F, double floor,
                            seg_matrix *P);
/* Zeroed ones are fine. */
void seg_forest_free(seg_forest *forest);

/* P (n x groups, made here): row i holds the share of the trees' votes for each group, positive, with sum one. F: n x d
 * features, group: n numbers, -1 for samples that are not marked. Trees are grown until their leaves are pure, on at
 * most options->samples marked samples, evenly chosen. A group without a marked sample gets the floor. The same bytes
 * for the same context seed and any number of threads. SEG_OK, SEG_ERR_USAGE (nothing is marked, options),
 * SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(trees (m root(d) + n) log m) for m marked samples. */
seg_status seg_forest_posterior(seg_context *ctx, const seg_matrix *F, const int16_t *group, int groups,
                                const seg_forest_options *options, seg_matrix *P);

#endif
