/* Cross-validation on pairs: pairs are held out in parts, to judge methods by pairs that they have not seen. */
#pragma once

#include <segment/constraints.h>

/* The number of listed cannot-links. */
size_t seg_constraints_cannots(const seg_constraints *constraints);
/* *named: 1 for samples in a group or pair, else 0, freed by the caller; *count: of these. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_constraints_named(seg_context *ctx, const seg_constraints *constraints, unsigned char **named,
                                 size_t *count);

typedef struct seg_held_out {
    const seg_constraints *all; /* borrowed; pairs in the order of seg_pairs_in_order */
    int parts;                  /* held out in turn */
    int *part;                  /* of each pair; owned */
    seg_constraints *others;    /* for each part: all pairs of the other parts, with closure; owned */
} seg_held_out;

/* Sums of the weights of judged and of broken pairs. */
typedef struct seg_judgement {
    double must, must_broken, cannot, cannot_broken;
} seg_judgement;

/* A copy without groups, each pair with i < j, must-links first, sorted by i, j and weight. So the result of a method
 * cannot depend on the order in which the pairs were listed. */
seg_status seg_pairs_in_order(seg_context *ctx, const seg_constraints *constraints, seg_constraints *out);

/* How many of `folds` parts are held out in turn: fewer if there are many samples or pairs. */
int seg_held_out_parts(size_t n, size_t pairs, int folds);

/* Make parts 0 .. parts-1 of `folds`. Must-links and cannot-links are distributed separately, so that every part has
 * its share of both; all listings of a pair are in the same part. */
seg_status seg_held_out_plan(seg_context *ctx, const seg_constraints *sorted, int folds, int parts, seg_held_out *out);
void seg_held_out_free(seg_held_out *held);

/* Judge the pairs of the part that the closure of the others does not imply. */
void seg_held_out_judge(const seg_held_out *held, int part, const int32_t *label, seg_judgement *judged);
/* 1 - F of all pairs, estimated from the shares of broken must-links and cannot-links: k clusters of equal size have k
 * - 1 times as many pairs apart as together, however many of each are listed. */
double seg_pair_loss(double must_broken, double cannot_broken, int k);

/* Judge all pairs. */
void seg_judge_pairs(const seg_constraints *constraints, const int32_t *label, seg_judgement *judged);
