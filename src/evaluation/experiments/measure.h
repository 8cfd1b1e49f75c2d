/* What protocols measure with: constraints drawn from known classes, methods run, labellings scored. */
#ifndef SEG_EVALUATION_EXPERIMENTS_MEASURE_H
#define SEG_EVALUATION_EXPERIMENTS_MEASURE_H

#include "evaluation/experiments/protocol.h"

/* Draw `count` different pairs evenly from all pairs of samples, fewer where there are fewer; the sign is by their
 * classes. allowed: NULL, or n flags, both samples of a pair must have theirs set. Seed: ctx->seed. */
seg_status seg_draw_pairs(seg_context *ctx, const seg_labels *labels, const unsigned char *allowed, size_t count,
                          seg_constraints *out);
/* Draw `each` must-links in every class and `each` cannot-links between every two classes [chen2011npkl, Sec. 5.2],
 * fewer where there are fewer; or, with `of_class`, from every class to all others [chen2011npkl, Sec. 5.5]. */
seg_status seg_draw_class_pairs(seg_context *ctx, const seg_labels *labels, const unsigned char *allowed, size_t each,
                                int of_class, seg_constraints *out);
/* Draw item->size pairs as the run asks (seg_run.pairs). */
seg_status seg_draw_as_asked(seg_context *ctx, const seg_run *run, const seg_item *item, const unsigned char *allowed,
                             seg_constraints *out);

/* Run a variant on the problem and label its samples `restarts` times: k-means on the learned embedding from new starts
 * each time (as the papers average), normalized cuts' discretisation likewise; methods without an embedding are run
 * again with another seed. Of each labelling's problem->restarts
 * starts the best by its own objective is kept.
 * label: restarts x n. first: NULL, or takes the method's own result over (free it). */
seg_status seg_label_often(seg_context *ctx, const seg_variant *variant, const seg_problem *problem, int restarts,
                           int32_t *label, seg_clustering *first);

/* Means of the scores over `restarts` labellings (restarts x n), added one after another; only: NULL, or n flags of the
 * samples that count. */
seg_status seg_mean_scores(seg_context *ctx, const int32_t *label, int restarts, const seg_labels *labels,
                           const unsigned char *only, seg_scores *out);
/* Share of the constraints that the labelling violates; 0 where there are none. */
double seg_violated(const seg_constraints *constraints, const int32_t *label);

/* For solve: a method that cannot be run on this item (numerical failure, too many constraints for it) leaves NAN
 * values and a warning; any other failure stays one. */
seg_status seg_soften(seg_context *ctx, seg_status status, const seg_item *item, double *value, int values);

/* What a method is tried on in most experiments. */
typedef struct seg_trial {
    const seg_run *run;
    const seg_item *item;
    seg_constraints constraints; /* of the realization: the same for all variants */
    seg_problem problem;         /* without constraints where the variant takes none; borrows them */
    int32_t *label;              /* run->restarts x n */
} seg_trial;

/* Draw the item's pairs as the run asks and make room. End it in every case. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_trial_begin(seg_context *ctx, const seg_run *run, const seg_item *item, seg_trial *out);
/* Label the samples run->restarts times and take the mean scores; first: as in seg_label_often. */
seg_status seg_trial_score(seg_context *ctx, seg_trial *trial, seg_clustering *first, seg_scores *out);
/* Free, and soften the status (seg_soften). */
seg_status seg_trial_end(seg_context *ctx, seg_status status, seg_trial *trial, double *value, int values);

/* The candidate graphs that an item's variant is to be tried on. @return how many */
int seg_item_graphs(const seg_item *item, const seg_csr *graph[SEG_CANDIDATES]);

/* The problem of an item, on the graph its variant works on. */
seg_problem seg_item_problem(const seg_run *run, const seg_item *item, const seg_constraints *constraints);

#endif
