/* Pairs held out in parts, to judge methods by what they were not told. */
#ifndef SEG_METHODS_HELD_OUT_H
#define SEG_METHODS_HELD_OUT_H

#include <segment/constraints.h>

typedef struct seg_held_out {
    const seg_constraints *all; /* borrowed; pairs in the order of seg_pairs_in_order */
    int parts;                  /* that are held out in turn */
    int *part;                  /* of each pair; owned */
    seg_constraints *others;    /* of each part: all pairs but its own, closed; owned */
} seg_held_out;

/* Weights. */
typedef struct seg_judgement {
    double must, must_broken, cannot, cannot_broken;
} seg_judgement;

/* A copy without groups, each pair with i < j, must-links first, sorted by i, j and weight: what a method makes of it
 * cannot depend on the order in which they were listed. */
seg_status seg_pairs_in_order(seg_context *ctx, const seg_constraints *constraints, seg_constraints *out);

/* Parts 0 .. parts-1 of `folds`. Must-links and cannot-links are dealt out one after the other, so that every part has
 * its share of both; a pair that is listed twice is in one part. */
seg_status seg_held_out_plan(seg_context *ctx, const seg_constraints *sorted, int folds, int parts, seg_held_out *out);
void seg_held_out_free(seg_held_out *held);

/* Add those of the part's pairs that the closure of the others does not imply. */
void seg_held_out_judge(const seg_held_out *held, int part, const int32_t *label, seg_judgement *judged);
/* 1 - F of the pairs, estimated from the shares of broken must-links and cannot-links: of all pairs of k clusters as
 * large as each other, k - 1 times as many lie apart as together, however many of each are listed. */
double seg_pair_loss(double must_broken, double cannot_broken, int k);

/* Add all pairs. */
void seg_judge_pairs(const seg_constraints *constraints, const int32_t *label, seg_judgement *judged);

#endif
