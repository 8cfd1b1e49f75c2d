/* The parts of the method mixture: coordinates (mixture_rows.c), and the mean of the candidates (mixture_joint.c). */
#pragma once

#include "clustering/gaussian_mixture.h"
#include "graph/spectrum/spectrum.h"

#include <segment/methods.h>

/* ---- The spaces: the features' principal components and the graph's smoothest coordinates (mixture_rows.c). ---- */

#define SEG_MIXTURE_COLUMNS 1000 /* features of more columns are used through the graph alone */

/* Make Z, whose columns are centred: at most `columns` principal components of the features, if these have at most
 * SEG_MIXTURE_COLUMNS columns; then the smoothest eigenvectors of the random walk on the graph without the first, each
 * scaled to mean square one and multiplied by max(0, 1 - eigenvalue). data: n, k, d, spaces, columns and Z are set.
 * `spectrum`: the problem's smoothest eigenvectors. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(n d^2 + d^3), d
 * columns of features. */
seg_status seg_mixture_rows(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum, size_t columns,
                            seg_matrix *Z, seg_mixture_data *data);

/* A start from the constraints: k-means on the rows projected on the k - 1 directions that solve C v = e (T + mean
 * variance I) v with the largest e, each times the root of e. T are the second moments of Z, C is the mean of z_i z_j'
 * over must-links less that over cannot-links (all pairs of groups, by sums). It is the limit of a metric learned with
 * the largest regularisation [li2009ccsr, Eq. 8]. label: n. constraints: pairs in one order. SEG_OK, SEG_ERR_NUMERIC,
 * SEG_ERR_MEMORY. Cost O(n d k + pairs d + d^3). */
seg_status seg_mixture_pair_start(seg_context *ctx, const seg_mixture_data *data, const seg_constraints *constraints,
                                  int32_t *label);

/* ---- Several soft clusterings as one: their weighted mean, clusters matched to those of the first (mixture_joint.c).
 * ---- */

typedef struct seg_joint {
    size_t n, k;
    int32_t groups;          /* the first clusters, which are the same everywhere */
    const double *reference; /* n x k, the first clustering; rows sum to 1 */
    double *mean;            /* n x k, the sum of all, each times its share */
    double shares;           /* their sum */
} seg_joint;

/* Add `score` (n x k, rows sum to 1) times its share. Its clusters are matched to those of `reference` so that the sum
 * of the products of their columns is largest. SEG_OK, SEG_ERR_MEMORY. Cost O(n k^2 + k^3). */
seg_status seg_joint_add(seg_context *ctx, seg_joint *joint, const double *score, double share);

/* Divide `mean` by the sum of the shares, and make the labels. label: n, on entry labels of the neighbourhoods that
 * keep the cannot-links. Neighbourhoods get labels by the means of their members that keep the cannot-links
 * (seg_link_labels), and score 1 there; other samples get the label of their largest score. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_joint_end(seg_context *ctx, const seg_joint *joint, const seg_neighbourhoods *near, int32_t *label);
