#include "selection/mixture_chooser.h"

#include "base/base.h"
#include "clustering/link_labels.h"
#include "optim/matching.h"

#include <stdlib.h>
#include <string.h>

#define UNIT  1024                /* scale of sums of products as whole numbers */
#define ALIKE ((uint64_t)1 << 39) /* gain of clusters that must match, more than any sum */

static seg_status match_clusters(seg_context *ctx, size_t n, size_t k, int32_t groups, const double *reference,
                                 const double *score, int32_t *match) {
    uint64_t best, *gain = seg_alloc_zero(ctx, k, k * sizeof *gain);
    double *both = seg_alloc_zero(ctx, k, k * sizeof *both);
    seg_status status = gain && both ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t i = 0; i < n && !status; i++)
        for (size_t a = 0; a < k; a++)
            for (size_t b = 0; score[i * k + a] > 0 && b < k; b++)
                both[a * k + b] += score[i * k + a] * reference[i * k + b];
    for (size_t e = 0; e < k * k && !status; e++)
        gain[e] = (uint64_t)(both[e] * UNIT) + (e % (k + 1) == 0 && e / k < (size_t)groups ? ALIKE : 0);
    if (!status)
        status = seg_matching_best(ctx, gain, k, k, match, &best);
    free(gain);
    free(both);
    return status;
}

seg_status seg_joint_add(seg_context *ctx, size_t n, size_t k, int32_t groups, const double *reference,
                         const double *score, double share, double *mean) {
    int32_t match[SEG_MAX_LABELS];
    const seg_status status = match_clusters(ctx, n, k, groups, reference, score, match);
    for (size_t i = 0; i < n && !status; i++)
        for (size_t c = 0; c < k; c++)
            mean[i * k + (size_t)match[c]] += share * score[i * k + c];
    return status;
}

static int32_t largest(const double *score, size_t k) {
    size_t best = 0;
    for (size_t c = 1; c < k; c++)
        if (score[c] > score[best])
            best = c;
    return (int32_t)best;
}

seg_status seg_joint_end(seg_context *ctx, const seg_neighbourhoods *near, size_t k, double shares, double *mean,
                         int32_t *label) {
    const size_t n = near->n, count = (size_t)near->count;
    double *links = seg_alloc_zero(ctx, count + 1, k * sizeof *links);
    int32_t *of = seg_alloc_zero(ctx, count + 1, sizeof *of);
    seg_status status = links && of ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t e = 0; e < n * k && !status; e++)
        mean[e] /= shares;
    for (size_t g = 0; g < count && !status; g++) {
        of[g] = label[near->member[near->start[g]]];
        for (size_t m = near->start[g]; m < near->start[g + 1]; m++)
            for (size_t c = 0; c < k; c++)
                links[g * k + c] += mean[(size_t)near->member[m] * k + c];
    }
    if (!status)
        status = seg_link_labels(ctx, near, k, links, 1, of, NULL);
    for (size_t i = 0; i < n && !status; i++) {
        double *row = mean + i * k;
        if (near->of[i] >= 0)
            for (size_t c = 0; c < k; c++)
                row[c] = (int32_t)c == of[near->of[i]];
        label[i] = largest(row, k);
    }
    free(links);
    free(of);
    return status;
}
