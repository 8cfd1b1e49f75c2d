/* All metrics of one table. */
#include "metrics/margins.h"

#include <segment/metrics.h>

#include <string.h>

seg_status seg_score(seg_context *ctx, const seg_contingency *table, seg_scores *out) {
    memset(out, 0, sizeof *out);
    double clustering_error = 0;
    seg_status status = seg_clustering_error(ctx, table, &clustering_error);
    if (status != SEG_OK)
        return status;
    out->pairwise_accuracy = seg_pairwise_accuracy(table);
    out->adjusted_rand = seg_adjusted_rand(table);
    out->clustering_error = clustering_error;
    out->nmi = seg_nmi(table);
    out->pairwise_f = seg_pairwise_f(table);
    out->mean_dice = seg_mean_dice(table);
    out->error_rate = seg_error_rate(table);
    out->scored = table->total;
    return SEG_OK;
}
