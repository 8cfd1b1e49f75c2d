#include "evaluation/report/statistics.h"

#include "base/base.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BOOTSTRAP_STREAM 0x626f6f74u /* "boot" */
enum { EXACT_PAIRS = 50 };

double seg_mean(const double *value, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += value[i];
    return count ? sum / (double)count : 0;
}

double seg_deviation(const double *value, size_t count) {
    const double mean = seg_mean(value, count);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (value[i] - mean) * (value[i] - mean);
    return count > 1 ? sqrt(sum / (double)(count - 1)) : 0;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t count, double share) {
    const double at = share * (double)(count - 1);
    const size_t below = (size_t)at;
    return below + 1 < count ? sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below])
                             : sorted[count - 1];
}

static double *sorted_copy(seg_context *ctx, const double *value, size_t count) {
    double *copy = seg_alloc(ctx, count, sizeof *copy);
    if (copy) {
        memcpy(copy, value, count * sizeof *copy);
        qsort(copy, count, sizeof *copy, ascending);
    }
    return copy;
}

seg_status seg_summarise(seg_context *ctx, const double *value, size_t count, seg_summary *out) {
    memset(out, 0, sizeof *out);
    if (count == 0)
        return SEG_OK;
    double *sorted = sorted_copy(ctx, value, count);
    if (!sorted)
        return SEG_ERR_MEMORY;
    out->count = count;
    out->mean = seg_mean(value, count);
    out->deviation = seg_deviation(value, count);
    out->least = sorted[0];
    out->first_quartile = quantile(sorted, count, 0.25);
    out->median = quantile(sorted, count, 0.5);
    out->third_quartile = quantile(sorted, count, 0.75);
    out->most = sorted[count - 1];
    const double reach = 1.5 * (out->third_quartile - out->first_quartile);
    out->whisker_low = out->most;
    out->whisker_high = out->least;
    for (size_t i = 0; i < count; i++) {
        if (sorted[i] >= out->first_quartile - reach)
            out->whisker_low = fmin(out->whisker_low, sorted[i]);
        if (sorted[i] <= out->third_quartile + reach)
            out->whisker_high = fmax(out->whisker_high, sorted[i]);
    }
    free(sorted);
    return SEG_OK;
}

seg_status seg_bootstrap_mean(seg_context *ctx, const double *value, size_t count, double level, size_t resamples,
                              uint64_t seed, double *low, double *high) {
    seg_random random;
    *low = *high = seg_mean(value, count);
    if (!(level > 0 && level < 1) || resamples < 1)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "a bootstrap interval of level %g from %zu resamples; the level lies "
                        "between 0 and 1, and one resample is the least",
                        level, resamples);
    if (count < 2)
        return SEG_OK;
    double *mean = seg_alloc(ctx, resamples, sizeof *mean);
    if (!mean)
        return SEG_ERR_MEMORY;
    seg_random_seed(&random, seed, BOOTSTRAP_STREAM);
    for (size_t r = 0; r < resamples; r++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += value[seg_random_below(&random, count)];
        mean[r] = sum / (double)count;
    }
    qsort(mean, resamples, sizeof *mean, ascending);
    *low = quantile(mean, resamples, (1 - level) / 2);
    *high = quantile(mean, resamples, (1 + level) / 2);
    free(mean);
    return SEG_OK;
}

typedef struct difference {
    double magnitude;
    int positive;
} difference;

static int by_magnitude(const void *a, const void *b) {
    return ascending(&((const difference *)a)->magnitude, &((const difference *)b)->magnitude);
}

/* Share of the 2^n signs whose doubled sum of positive ranks is at most `bound`. Doubled ranks are whole with ties, so
 * the sums can be counted one rank after another. */
static seg_status exact_tail(seg_context *ctx, const size_t *doubled, size_t n, size_t bound, double *share) {
    double *ways = seg_alloc_zero(ctx, bound + 1, sizeof *ways);
    if (!ways)
        return SEG_ERR_MEMORY;
    ways[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t sum = bound + 1; sum-- > 0;)
            ways[sum] = 0.5 * (ways[sum] + (sum >= doubled[i] ? ways[sum - doubled[i]] : 0));
    *share = 0;
    for (size_t sum = 0; sum <= bound; sum++)
        *share += ways[sum];
    free(ways);
    return SEG_OK;
}

seg_status seg_wilcoxon(seg_context *ctx, const double *a, const double *b, size_t count, seg_paired *out) {
    memset(out, 0, sizeof *out);
    out->p = 1;
    difference *differ = seg_alloc(ctx, count, sizeof *differ);
    size_t *doubled = seg_alloc(ctx, count, sizeof *doubled);
    seg_status status = differ && doubled ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t i = 0; !status && i < count; i++) {
        out->above += a[i] > b[i];
        out->below += a[i] < b[i];
        out->tied += a[i] == b[i];
        if (a[i] != b[i])
            differ[out->used++] = (difference){fabs(a[i] - b[i]), a[i] > b[i]};
    }
    const size_t n = out->used;
    if (status || n == 0)
        goto done;
    qsort(differ, n, sizeof *differ, by_magnitude);
    double positive = 0, ties = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && differ[end].magnitude == differ[i].magnitude; end++)
            ;
        const double size = (double)(end - i);
        ties += size * size * size - size;
        for (size_t j = i; j < end; j++) {
            doubled[j] = i + 1 + end; /* twice the mean of the ranks i+1 .. end */
            positive += differ[j].positive ? 0.5 * (double)doubled[j] : 0;
        }
    }
    const double total = 0.5 * (double)n * (double)(n + 1);
    out->rank_sum = fmin(positive, total - positive);
    out->exact = n <= EXACT_PAIRS;
    if (out->exact) {
        status = exact_tail(ctx, doubled, n, (size_t)lround(2 * out->rank_sum), &out->p);
        out->p = fmin(1, 2 * out->p);
    } else {
        const double variance = (double)n * (double)(n + 1) * (double)(2 * n + 1) / 24 - ties / 48;
        const double z = fmax(0, total / 2 - out->rank_sum - 0.5) / sqrt(variance);
        out->p = erfc(z / sqrt(2));
    }
done:
    free(differ);
    free(doubled);
    return status;
}
