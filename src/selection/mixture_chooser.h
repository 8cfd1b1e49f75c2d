/* What the method mixture chooses among: starts and weights, each judged by constraints that it was not told
 * (mixture.c), pairs that may be wrong (mixture_mistakes.c), and a part of the samples that is enough to choose by
 * where they are many (mixture_sample.c). */
#ifndef SEG_SELECTION_MIXTURE_CHOOSER_H
#define SEG_SELECTION_MIXTURE_CHOOSER_H

#include "clustering/mixture.h"
#include "clustering/neighbourhoods.h"
#include "constraints/held_out.h"
#include "graph/laplacian.h"

#include <segment/methods.h>

typedef enum seg_mixture_start { NCUT, KMEANS, PAIRS, WALK, STARTS } seg_mixture_start;
enum { WEIGHTS = 4, CANDIDATES = STARTS * WEIGHTS };

typedef struct seg_mixture_chooser {
    const seg_problem *problem; /* of all samples, here and below */
    const double *param;
    struct seg_mixture_chooser *whole; /* the chooser among all samples where this is one on a part of them, else
                                          itself */
    size_t *picked;                    /* such a part: the samples' indices, ascending; NULL: all */
    double stands_for;                 /* how many samples one counts for that no constraint names */
    seg_laplacian *laplacian;          /* of the graph, for walks; NULL where there are none */
    seg_constraints all;               /* groups, and pairs in one order; its closure is lent */
    seg_constraints sorted;            /* those of them that are kept, as `all` where none is left out */
    unsigned char *left_out;           /* of each pair of `all`: 1 where it is taken for a mistake */
    seg_mixture_data data;
    seg_matrix Z;
    int32_t *start[STARTS]; /* labels; NULL where there is none */
    seg_held_out held;
    int parts;
    double *same;   /* pairs of `all` x CANDIDATES: the probability that they lie together, by those who did not know */
    double *walked; /* of the whole: n x k, scores of the walk; NULL where there is none */
    double loss[CANDIDATES];  /* infinite where it is none */
    double share[CANDIDATES]; /* in the result, relative to the best one's; 0 where it is none */
} seg_mixture_chooser;

/* Squared errors of the probabilities that held-out constraints get [brier1950]. */
typedef struct seg_mixture_errors {
    double must, cannot, member, must_sum, cannot_sum, member_sum;
} seg_mixture_errors;

/* Of a pair of that sign that was foretold to lie together with probability `same`. */
void seg_mixture_errors_add(seg_mixture_errors *e, int sign, double same);
/* Must-links, cannot-links and members of groups count alike, however many of each there are. */
double seg_mixture_errors_loss(const seg_mixture_errors *e, size_t k);

void seg_mixture_chooser_free(seg_mixture_chooser *s);

/* A chooser on part of the samples where more than `most` (>= 1) are not named by a constraint: those that are named,
 * and `most` of the others, one at random of each stretch of as many. It has their rows, the starts' labels, and the
 * constraints. Its walks go through the whole graph. Where there are not so many, out->picked is NULL and nothing is
 * made. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_mixture_sample(seg_context *ctx, seg_mixture_chooser *whole, size_t most, seg_mixture_chooser *out);
/* The same constraints among all samples, closed. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_mixture_constraints_of_all(seg_context *ctx, const seg_mixture_chooser *s, const seg_constraints *among,
                                          seg_constraints *out);

/* Solve as the method does, choosing on part of the samples where more than `most` are not named by a constraint. */
seg_status seg_mixture_solve(seg_context *ctx, const seg_problem *problem, const double *param, size_t most,
                             seg_clustering *out);

/* Fill in `sorted` with what is not left out of `all`, closed. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_mixture_kept_pairs(seg_context *ctx, seg_mixture_chooser *s);
/* Hold out parts of `sorted`: loss, share and what is foretold of each pair of `all`. best: the candidate that loses
 * least. */
seg_status seg_mixture_weigh(seg_context *ctx, seg_mixture_chooser *s, int *best);
/* Leave out pairs that the others contradict, as long as what is left foretells all of them as well or better; then all
 * is as seg_mixture_weigh leaves it. Cost: up to four times that. */
seg_status seg_mixture_leave_out_mistakes(seg_context *ctx, seg_mixture_chooser *s, int *best);

/* ---- The spaces: the features' principal components and the graph's smoothest coordinates (mixture_rows.c). ---- */

#define SEG_MIXTURE_COLUMNS 1000 /* features of more columns are left to the graph */

/* Z, its columns centred: at most `columns` principal components of the features, where there are features of at most
 * SEG_MIXTURE_COLUMNS columns; then the smoothest eigenvectors of the random walk on the graph but the first, each with
 * mean square one times max(0, 1 - eigenvalue). data: n, k, d, spaces, columns and Z are set. `spectrum`: the problem's
 * smoothest eigenvectors. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(n d^2 + d^3), d columns of features. */
seg_status seg_mixture_rows(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum, size_t columns,
                            seg_matrix *Z, seg_mixture_data *data);

/* A start from the constraints. With T the second moments of Z and C the mean of z_i z_j' over pairs that must link
 * less that over pairs that cannot (of groups all pairs, by sums), the k - 1 directions that solve C v = e (T + mean
 * variance I) v with the largest e, each times the root of e: k-means of the rows seen along them. It is what a
 * metric learned with the largest regularisation shows [li2009ccsr, Eq. 8, in its limit]. label: n.
 * constraints: pairs in one order. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(n d k + pairs d + d^3). */
seg_status seg_mixture_pair_start(seg_context *ctx, const seg_mixture_data *data, const seg_constraints *constraints,
                                  int32_t *label);

/* ---- Several soft clusterings as one: their weighted mean, clusters matched to those of the first (mixture_joint.c).
 * ---- */

/* mean: n x k, `score` times its share is added to it. Cluster c of `score` counts as that of `reference` (n x k) which
 * the matching of clusters with the largest sum of products of their columns says; the first `groups` are the same in
 * both. Rows of score and reference sum to 1. SEG_OK, SEG_ERR_MEMORY. Cost O(n k^2 + k^3). */
seg_status seg_joint_add(seg_context *ctx, size_t n, size_t k, int32_t groups, const double *reference,
                         const double *score, double share, double *mean);

/* mean: n x k, divided by `shares`, their sum. label: n, labels of neighbourhoods that keep the cannot-links, and their
 * labels now: by the means of their members, the cannot-links kept (seg_link_labels); their rows of `mean` are 1 there.
 * All others get the label of their largest score. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_joint_end(seg_context *ctx, const seg_neighbourhoods *near, size_t k, double shares, double *mean,
                         int32_t *label);

#endif
