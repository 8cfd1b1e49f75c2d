/** @file metrics.h
 *  Agreement of two labellings of the same samples, all computed from one contingency table in O(n + ka*kb) (+ O(k^3)
 *  for the best matching). Label names do not matter except for Dice and IoU, which compare equal numbers. */
#ifndef SEGMENT_METRICS_H
#define SEGMENT_METRICS_H

#include <segment/context.h>
#include <segment/image.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup metrics Metrics
 *  @{ */

/** How often label a of one labelling met label b of the other. */
typedef struct seg_contingency {
    int rows;        /**< labels of the prediction, 0..rows-1 */
    int cols;        /**< labels of the truth, 0..cols-1 */
    uint64_t *count; /**< rows x cols, row by row; owned */
    uint64_t total;  /**< sum of all counts: the samples scored */
} seg_contingency;

/** Count `n` pairs of labels (each >= 0 and < 65536; a negative truth is void and left out).
 *  @param ctx  the call's context
 *  @param prediction  n labels
 *  @param truth  n labels
 *  @param n  samples
 *  @param out  free with seg_contingency_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_USAGE (a label out of range, nothing to score), SEG_ERR_MEMORY. */
SEG_API seg_status seg_contingency_count(seg_context *ctx, const int *prediction, const int *truth, size_t n,
                                         seg_contingency *out);

/** Count the pixels of two masks of the same size; truth pixels SEG_VOID are left out, other labels stand for
 *  themselves (row = label of the prediction, column = label of the truth, both from 0).
 *  @param ctx  the call's context
 *  @param prediction  the mask that is judged
 *  @param truth  what it should be
 *  @param out  free with seg_contingency_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_INPUT (sizes differ, everything void), SEG_ERR_MEMORY. */
SEG_API seg_status seg_contingency_masks(seg_context *ctx, const seg_mask *prediction, const seg_mask *truth,
                                         seg_contingency *out);

/** Release the table and zero it.
 *  @param table  NULL and zeroed ones are fine */
SEG_API void seg_contingency_free(seg_contingency *table);

/** Pairwise accuracy (Rand index): the share of the pairs i < j on which both labellings agree whether i and j belong
 *  together. [chen2011npkl, Eq. 34] 1 where there is at most one sample.
 *  @param table  counts of labels
 *  @return 0..1 */
SEG_API double seg_pairwise_accuracy(const seg_contingency *table);

/** Adjusted Rand index: pairs placed together by both, less what chance would give with the same sizes of clusters, as
 * a share of the most there could be. 1 = the same, 0 = as by chance; may be negative. 1 where nothing can differ.
 * [hubert1985]
 *  @param table  counts of labels
 *  @return -1..1 */
SEG_API double seg_adjusted_rand(const seg_contingency *table);

/** Clustering error: one minus the share of samples labelled as in the truth under the best one-to-one matching of
 *  labels (Hungarian method on the table). [li2009ccskl, Eq. 17]
 *  @param ctx  the call's context
 *  @param table  counts of labels
 *  @param error  0..1
 *  @return SEG_OK or SEG_ERR_MEMORY; the error in 0..1 in *error. */
SEG_API seg_status seg_clustering_error(seg_context *ctx, const seg_contingency *table, double *error);

/** Normalised mutual information 2 I(A;B) / (H(A) + H(B)), 0..1; 1 where both have one label. [basu2004active]
 *  @param table  counts of labels
 *  @return 0..1 */
SEG_API double seg_nmi(const seg_contingency *table);

/** Pairwise F-measure: precision and recall over the pairs placed together. [basu2004active]
 *  @param table  counts of labels
 *  @return 0..1 */
SEG_API double seg_pairwise_f(const seg_contingency *table);

/** Mean over the truth's labels l of 2|P_l & G_l| / (|P_l| + |G_l|); equal label numbers are compared.
 *  @param table  counts of labels
 *  @return 0..1 */
SEG_API double seg_mean_dice(const seg_contingency *table);

/** |P_l & G_l| / |P_l | G_l| of one label, 0 where neither has it.
 *  @param table  counts of labels
 *  @param label  from 0, as rows and columns are
 *  @return 0..1 */
SEG_API double seg_iou(const seg_contingency *table, int label);

/** Share of the scored samples whose label number differs from the truth's, 0..1.
 *  @param table  counts of labels
 *  @return 0..1 */
SEG_API double seg_error_rate(const seg_contingency *table);

/** All of the above at once, for reports. */
typedef struct seg_scores {
    double pairwise_accuracy; /**< seg_pairwise_accuracy */
    double adjusted_rand;     /**< seg_adjusted_rand */
    double clustering_error;  /**< seg_clustering_error */
    double nmi;               /**< seg_nmi */
    double pairwise_f;        /**< seg_pairwise_f */
    double mean_dice;         /**< seg_mean_dice */
    double error_rate;        /**< seg_error_rate */
    uint64_t scored;          /**< samples scored (void left out) */
} seg_scores;

/** Compute all of them.
 *  @param ctx  the call's context
 *  @param table  counts of labels
 *  @param out  every field is set
 *  @return SEG_OK or SEG_ERR_MEMORY */
SEG_API seg_status seg_score(seg_context *ctx, const seg_contingency *table, seg_scores *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
