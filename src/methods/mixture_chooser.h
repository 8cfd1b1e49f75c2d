/* What the method mixture chooses among: starts and weights, each judged by constraints that it was not told
 * (mixture.c), and pairs that may be wrong (mixture_mistakes.c). */
#ifndef SEG_METHODS_MIXTURE_CHOOSER_H
#define SEG_METHODS_MIXTURE_CHOOSER_H

#include "clustering/mixture.h"
#include "methods/held_out.h"

#include <segment/methods.h>

typedef enum seg_mixture_start { NCUT, KMEANS, PAIRS, WALK, STARTS } seg_mixture_start;
enum { WEIGHTS = 4, CANDIDATES = STARTS * WEIGHTS };

typedef struct seg_mixture_chooser {
    const seg_problem *problem;
    const double *param;
    seg_constraints all;     /* groups, and pairs in one order; its closure is lent */
    seg_constraints sorted;  /* those of them that are kept, as `all` where none is left out */
    unsigned char *left_out; /* of each pair of `all`: 1 where it is taken for a mistake */
    seg_mixture_data data;
    seg_matrix Z;
    int32_t *start[STARTS]; /* labels; NULL where there is none */
    seg_held_out held;
    int parts;
    double *same;   /* pairs of `all` x CANDIDATES: the probability that they lie together, by those who did not know */
    double *walked; /* n x k, scores of the walk; NULL where there is none */
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

/* Fill in `sorted` with what is not left out of `all`, closed. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_mixture_kept_pairs(seg_context *ctx, seg_mixture_chooser *s);
/* Hold out parts of `sorted`: loss, share and what is foretold of each pair of `all`. best: the candidate that loses
 * least. */
seg_status seg_mixture_weigh(seg_context *ctx, seg_mixture_chooser *s, int *best);
/* Leave out pairs that the others contradict, as long as what is left foretells all of them as well or better; then all
 * is as seg_mixture_weigh leaves it. Cost: up to four times that. */
seg_status seg_mixture_leave_out_mistakes(seg_context *ctx, seg_mixture_chooser *s, int *best);

#endif
