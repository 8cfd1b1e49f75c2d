/* What the method mixture chooses among: starts and weights, each judged by constraints that it was not told
 * (mixture.c), pairs that may be wrong (mixture_mistakes.c), and a part of the samples that is enough to choose by
 * where they are many (mixture_sample.c). */
#ifndef SEG_METHODS_MIXTURE_CHOOSER_H
#define SEG_METHODS_MIXTURE_CHOOSER_H

#include "clustering/mixture.h"
#include "graph/laplacian.h"
#include "methods/held_out.h"

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

#endif
