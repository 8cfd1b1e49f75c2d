/* The parts of the method mixture: the choice of starts and weights by held-out constraints (mixture.c), coordinates
 * (mixture_rows.c), and pairs that may be wrong, the choice on part of many samples, the mean of the candidates
 * (mixture_parts.c). */
#ifndef SEG_SELECTION_MIXTURE_CHOOSER_H
#define SEG_SELECTION_MIXTURE_CHOOSER_H

#include "clustering/gaussian_mixture.h"
#include "clustering/linked_samples.h"
#include "constraints/held_out_pairs.h"
#include "graph/laplacian.h"
#include "graph/spectrum/spectrum.h"

#include <segment/methods.h>

typedef enum seg_mixture_start { NCUT, KMEANS, PAIRS, WALK, STARTS } seg_mixture_start;
enum { WEIGHTS = 4, CANDIDATES = STARTS * WEIGHTS };

/* What follows from the pairs that are kept. */
typedef struct seg_mixture_choice {
    unsigned char *left_out; /* of each pair of `all`: 1 if it is considered a mistake */
    seg_held_out held;
    int parts;
    double *same; /* pairs of `all` x CANDIDATES: the probability that they lie together, by candidates that did not
                     know the pair */
    double loss[CANDIDATES];  /* infinite where it is not a candidate */
    double share[CANDIDATES]; /* of the result, relative to the best one; 0 where it is not a candidate */
    int best;                 /* the candidate with the least loss */
} seg_mixture_choice;

typedef struct seg_mixture_chooser {
    const seg_problem *problem; /* of all samples, here and below */
    const double *param;
    struct seg_mixture_chooser *whole; /* the chooser among all samples where this is one on a part of them, else
                                          itself */
    size_t *picked;                    /* such a part: the samples' indices, ascending; NULL: all */
    double stands_for;                 /* how many samples a sample that no constraint names stands for */
    seg_laplacian *laplacian;          /* of the graph, for walks; NULL where there are none */
    seg_constraints all;               /* groups, and pairs in one order; its closure is lent */
    seg_constraints sorted;            /* the kept ones of `all` */
    seg_mixture_choice now;
    seg_mixture_data data;
    seg_matrix Z;
    int32_t *start[STARTS]; /* labels; NULL where there is none */
    double *walked;         /* of the whole: n x k, scores of the walk; NULL where there is none */
} seg_mixture_chooser;

/* Squared errors of the probabilities that held-out constraints get [brier1950]. */
typedef struct seg_mixture_errors {
    double must, cannot, member, must_sum, cannot_sum, member_sum;
} seg_mixture_errors;

/* Add a pair of that sign that is predicted to lie together with probability `same`. */
void seg_mixture_errors_add(seg_mixture_errors *e, int sign, double same);
/* The loss: must-links, cannot-links and members of groups have equal weight, however many there are of each. */
double seg_mixture_errors_loss(const seg_mixture_errors *e, size_t k);

void seg_mixture_chooser_free(seg_mixture_chooser *s);

/* A chooser on part of the samples if constraints do not name more than `most` (>= 1) of them: the named samples and
 * `most` of the others, a random one of each of `most` stretches. It has their rows, the labels of the starts, and the
 * constraints. Its walks use the whole graph. Otherwise out->picked is NULL and nothing is made. SEG_OK,
 * SEG_ERR_MEMORY. */
seg_status seg_mixture_sample(seg_context *ctx, seg_mixture_chooser *whole, size_t most, seg_mixture_chooser *out);
/* The same constraints among all samples, closed. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_mixture_constraints_of_all(seg_context *ctx, const seg_mixture_chooser *s, const seg_constraints *among,
                                          seg_constraints *out);

/* Solve as the method does, with the choice on part of the samples if constraints do not name more than `most`. */
seg_status seg_mixture_solve(seg_context *ctx, const seg_problem *problem, const double *param, size_t most,
                             seg_clustering *out);

/* Set `sorted` to the pairs of `all` that are not left out, closed. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_mixture_kept_pairs(seg_context *ctx, seg_mixture_chooser *s);
/* Hold out parts of `sorted`, and compute the losses, the shares and the predictions for each pair of `all`. */
seg_status seg_mixture_weigh(seg_context *ctx, seg_mixture_chooser *s);
/* Leave out pairs that the others contradict, as long as the rest predicts all pairs at least as well; the results are
 * those of seg_mixture_weigh with the rest. Cost: up to four times that. */
seg_status seg_mixture_leave_out_mistakes(seg_context *ctx, seg_mixture_chooser *s);

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

/* ---- Several soft clusterings as one: their weighted mean, clusters matched to those of the first (mixture_parts.c).
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
 * (seg_link_labels), and score 1 there; all other samples get the label of their largest score. SEG_OK, SEG_ERR_MEMORY.
 */
seg_status seg_joint_end(seg_context *ctx, const seg_joint *joint, const seg_neighbourhoods *near, int32_t *label);

#endif
