/** @file metrics.h
 *  Agreement of two labellings of the same samples, all computed from one contingency table in O(n + ka*kb) (+ O(k^3)
 *  for the best matching). Label names do not matter except for Dice and the error rate, which compare numbers. */
#pragma once

#include <segment/context.h>
#include <segment/image.h>

/** @addtogroup metrics Metrics
 *  @{ */

/** How many samples have label a in one labelling and label b in the other. */
typedef struct seg_contingency {
    int rows;        /**< labels of the prediction, 0..rows-1 */
    int cols;        /**< labels of the truth, 0..cols-1 */
    uint64_t *count; /**< rows x cols, row by row; owned */
    uint64_t total;  /**< sum of all counts: the samples scored */
} seg_contingency;

/** Count `n` pairs of labels (each >= 0 and < 65536; a negative truth is void and ignored).
 *  @param prediction  n labels
 *  @param truth  n labels
 *  @param n  samples
 *  @param out  free with seg_contingency_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_USAGE (a label out of range, nothing to score), SEG_ERR_MEMORY. */
SEG_API seg_status seg_contingency_count(seg_context *ctx, const int *prediction, const int *truth, size_t n,
                                         seg_contingency *out);

/** Count the pixels of two masks of the same size; truth pixels SEG_VOID are ignored, other labels are
 *  indices (row = label of the prediction, column = label of the truth, both from 0).
 *  @param prediction  the scored mask
 *  @param truth  the ground truth
 *  @param out  free with seg_contingency_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_INPUT (sizes differ, everything void), SEG_ERR_MEMORY. */
SEG_API seg_status seg_contingency_masks(seg_context *ctx, const seg_mask *prediction, const seg_mask *truth,
                                         seg_contingency *out);

/** Release the table and zero it.
 *  @param table  NULL and zeroed ones are fine */
SEG_API void seg_contingency_free(seg_contingency *table);

/** How well a labelling agrees with the truth. */
typedef struct seg_scores {
    double pairwise_accuracy; /**< Rand index: share of the pairs i < j on which both labellings agree whether i and j
                                   belong together [chen2011npkl, Eq. 34]; 1 if there is at most one sample */
    double adjusted_rand;     /**< adjusted Rand index: pairs joined by both, minus their
                                   number by chance with the same cluster sizes, as a share of the maximum [hubert1985].
                                   1: equal, 0: as by chance; may be negative. 1 if nothing can differ */
    double clustering_error;  /**< one minus the share of samples labelled as in the truth under the best one-to-one
                                   matching of labels [li2009ccskl, Eq. 17]; 0..1 */
    double nmi;               /**< normalised mutual information 2 I(A;B) / (H(A) + H(B)) [basu2004active], 0..1;
                                   1 if both have one label */
    double pairwise_f;        /**< F-measure: precision and recall over the joined pairs [basu2004active], 0..1 */
    double mean_dice;         /**< mean over the truth's labels l of 2|P_l & G_l| / (|P_l| + |G_l|), 0..1; equal label
                                   numbers are compared */
    double error_rate;        /**< share of the samples whose label number differs from the truth's, 0..1 */
    uint64_t scored;          /**< scored samples (without void) */
} seg_scores;

/** Compute all scores of a table. Cost O(rows cols), and O(k^3) for the best matching of k labels.
 *  @param table  counts of labels
 *  @param out  every field is set
 *  @return SEG_OK or SEG_ERR_MEMORY */
SEG_API seg_status seg_score(seg_context *ctx, const seg_contingency *table, seg_scores *out);

/** @} */
