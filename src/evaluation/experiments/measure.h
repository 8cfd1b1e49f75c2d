/* Steps that protocols share: draw constraints from known classes, run methods, score labellings. */
#pragma once

#include "evaluation/experiments/protocol.h"

/* Draw pairs from classes; the seed is ctx->seed. how: SEG_PAIRS_UNIFORM: `count` different pairs evenly from all pairs
 * of samples, with the signs given by their classes; SEG_PAIRS_BETWEEN: `count` must-links in every class and as many
 * cannot-links between every two classes [chen2011npkl, Sec. 5.2]. Fewer if not enough pairs exist. allowed: NULL, or n
 * flags: both samples of a pair must be flagged. Free `out` in every case. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_draw(seg_context *ctx, const seg_labels *labels, const unsigned char *allowed, seg_pairs_drawn how,
                    size_t count, seg_constraints *out);
/* Put mistakes into drawn pairs, as a person makes them: flip the sign of `share` (0 to 1) of the pairs, rounded,
 * chosen at random by ctx->seed. A flipped pair contradicts none of the others, since readers of pairs refuse
 * contradictions and a person would correct them; if no further pair can be flipped, fewer are. SEG_OK, SEG_ERR_MEMORY.
 * Cost O(pairs (n + pairs)). */
seg_status seg_wrong_pairs_put(seg_context *ctx, double share, seg_constraints *constraints);
/* Set weights as a person's confidences: the larger of two numbers uniform in (0, 1] for a pair that the labels
 * confirm, else the smaller. In 5 of 6 cases a right pair has a larger weight than a wrong one. */
void seg_confidences_draw(seg_context *ctx, const int32_t *label, seg_constraints *constraints);
/* Draw item->size pairs as the protocol does; `out` is freed by the caller in every case. */
seg_status seg_draw_as_asked(seg_context *ctx, const seg_run *run, const seg_item *item, const unsigned char *allowed,
                             seg_constraints *out);

/* Run a variant on the problem and label its samples `restarts` times: k-means on the learned embedding from new starts
 * each time (the papers average over them), or the discretisation of normalized cuts; methods without an embedding run
 * again with another seed. Each labelling is the best of problem->restarts starts by its own objective.
 * label: restarts x n. first: NULL, or gets the method's own result (free it). */
seg_status seg_label_often(seg_context *ctx, const seg_variant *variant, const seg_problem *problem, int restarts,
                           int32_t *label, seg_clustering *first);

/* Mean scores over `restarts` labellings (restarts x n), summed in order; only: NULL, or flags of those that count. */
seg_status seg_mean_scores(seg_context *ctx, const int32_t *label, int restarts, const seg_labels *labels,
                           const unsigned char *only, seg_scores *out);

/* If a method cannot run on this item (numerical failure, too many constraints for it), its values become
 * NAN with a warning, and the status SEG_OK; any other failure is returned. */
seg_status seg_soften(seg_context *ctx, seg_status status, const seg_item *item, double *value, int values);

/* One item with its constraints, as most experiments use it. */
typedef struct seg_trial {
    const seg_run *run;
    const seg_item *item;
    seg_constraints constraints; /* of the realization: the same for all variants */
    seg_problem problem;         /* without constraints if the variant takes none; borrows them */
    int32_t *label;              /* run->restarts x n */
} seg_trial;

/* Draw the item's pairs as the run specifies, and allocate. End it in every case. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_trial_begin(seg_context *ctx, const seg_run *run, const seg_item *item, seg_trial *out);
/* Label the samples run->restarts times and compute the mean scores; first: as in seg_label_often. */
seg_status seg_trial_score(seg_context *ctx, seg_trial *trial, seg_clustering *first, seg_scores *out);
void seg_trial_end(seg_trial *trial);

/* The problem of an item, on the graph its variant works on. */
seg_problem seg_item_problem(const seg_run *run, const seg_item *item, const seg_constraints *constraints);
