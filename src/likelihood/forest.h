/* A classifier of samples into groups, trained on the labelled samples: a forest of extremely randomised trees
 * [geurts2006]. Unless they are in one unit, it does not depend on the scale or distribution of the features: colours
 * of several spaces, textures and context features can be used side by side. */
#pragma once

#include <segment/matrix.h>

typedef struct seg_forest_options {
    int trees;      /* >= 1 */
    int candidates; /* columns tried at each split, 0 = the square root of their number, rounded up */
    double floor;   /* > 0: added to the vote share of every group before rows are normalised, so that none is 0 */
    size_t samples; /* most labelled samples used for training, evenly chosen; 0: 4000 */
    int one_unit;   /* 1: the features are in one unit. Columns are then drawn in proportion to the square root of their
                       standard deviation, of equally pure splits the one of the widest range is taken, and the votes
                       for a sample beyond the ranges of the labelled ones fade towards equal shares */
} seg_forest_options;

struct seg_tree;

/* The range of a column over the labelled samples, and the weight of the distance from it. */
typedef struct seg_forest_range {
    int32_t column;
    double low, high, weight;
} seg_forest_range;

/* A trained forest, for rows of `columns` numbers, each multiplied by its scale. */
typedef struct seg_forest {
    int trees, groups;
    size_t columns;
    double *scale;           /* per column, a power of two that scales the samples' largest magnitude to 1 .. 2 */
    seg_forest_range *range; /* of every column, where they are in one unit; otherwise NULL */
    struct seg_tree *tree;
} seg_forest;

/* Grow a forest on the labelled rows of F (group -1: unlabelled); trees are grown until their leaves are pure. Free
 * with seg_forest_free; zeroed on failure. Errors and reproducibility as below. */
seg_status seg_forest_grow(seg_context *ctx, const seg_matrix *F, const int16_t *group, int groups,
                           const seg_forest_options *options, seg_forest *out);
/* P (rows of F x groups, allocated here): the shares of the trees' votes, floor > 0 as in the options. */
seg_status seg_forest_votes(seg_context *ctx, const seg_forest *forest, const seg_matrix *F, double floor,
                            seg_matrix *P);
/* Accepts zeroed forests. */
void seg_forest_free(seg_forest *forest);

/* P (n x groups, allocated here): row i is the share of the trees' votes for each group, positive, with sum one. F: n x
 * d features, group: n numbers, -1 for unlabelled samples. Trees are grown until their leaves are pure, on at most
 * options->samples labelled samples, evenly chosen. A group without labelled samples gets the floor. The same bytes for
 * the same context seed and any number of threads. SEG_OK, SEG_ERR_USAGE (no labelled sample), SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. Cost O(trees (m sqrt(d) + n) log m) for m labelled samples. */
seg_status seg_forest_posterior(seg_context *ctx, const seg_matrix *F, const int16_t *group, int groups,
                                const seg_forest_options *options, seg_matrix *P);
