/* Several soft clusterings as one: their weighted mean. */
#include "methods/mixture.h"

#include "base/base.h"
#include "clustering/link_labels.h"
#include "optim/matching.h"

#define UNIT  1024                /* scale of sums of products as whole numbers */
#define ALIKE ((uint64_t)1 << 39) /* gain of clusters that must match, more than any sum */

static seg_status match_clusters(seg_context *ctx, const seg_joint *j, const double *score, int32_t *match) {
    const size_t k = j->k;
    uint64_t best, *gain;
    double *both;
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(gain, k, k), SEG_TABLE(both, k, k));
    for (size_t i = 0; i < j->n; i++)
        for (size_t a = 0; a < k; a++)
            for (size_t b = 0; score[i * k + a] > 0 && b < k; b++)
                both[a * k + b] += score[i * k + a] * j->reference[i * k + b];
    for (size_t e = 0; e < k * k; e++)
        gain[e] = (uint64_t)(both[e] * UNIT) + (e % (k + 1) == 0 && e / k < (size_t)j->groups ? ALIKE : 0);
    return seg_matching_best(ctx, gain, k, k, match, &best);
}

seg_status seg_joint_add(seg_context *ctx, seg_joint *j, const double *score, double share) {
    int32_t match[SEG_MAX_LABELS];
    SEG_TRY(match_clusters(ctx, j, score, match));
    for (size_t i = 0; i < j->n; i++)
        for (size_t c = 0; c < j->k; c++)
            j->mean[i * j->k + (size_t)match[c]] += share * score[i * j->k + c];
    j->shares += share;
    return SEG_OK;
}

seg_status seg_joint_end(seg_context *ctx, const seg_joint *j, const seg_neighbourhoods *near, int32_t *label) {
    const size_t n = j->n, k = j->k, count = (size_t)near->count;
    double *links, *mean = j->mean;
    int32_t *of;
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(links, count, k), SEG_ARRAY(of, count));
    for (size_t e = 0; e < n * k; e++)
        mean[e] /= j->shares;
    for (size_t g = 0; g < count; g++) {
        of[g] = label[near->member[near->start[g]]];
        for (size_t m = near->start[g]; m < near->start[g + 1]; m++)
            for (size_t c = 0; c < k; c++)
                links[g * k + c] += mean[(size_t)near->member[m] * k + c];
    }
    SEG_TRY(seg_link_labels(ctx, &(seg_link_scores){near, k, links, 1}, of, NULL));
    for (size_t i = 0; i < n; i++) {
        double *row = mean + i * k;
        for (size_t c = 0; near->of[i] >= 0 && c < k; c++)
            row[c] = (int32_t)c == of[near->of[i]];
        label[i] = (int32_t)seg_largest_of(k, row);
    }
    return SEG_OK;
}
