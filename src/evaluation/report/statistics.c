#include "evaluation/report/statistics.h"
#include "base/base.h"
#include "base/random.h"

#define BOOTSTRAP_STREAM 0x626f6f74u /* "boot" */
#define ROOT_TWO_PI      2.50662827463100050242
enum { EXACT_PAIRS = 50, RESAMPLES = 2000 };

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

static double quantile(const double *sorted, size_t count, double share) {
    const double at = share * (double)(count - 1);
    const size_t below = (size_t)at;
    return below + 1 < count ? sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below])
                             : sorted[count - 1];
}

seg_status seg_summarise(seg_context *ctx, const double *value, size_t count, seg_summary *out) {
    memset(out, 0, sizeof *out);
    if (count == 0)
        return SEG_OK;
    SEG_LOCAL(double, sorted, seg_alloc(ctx, count, sizeof *sorted));
    memcpy(sorted, value, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, seg_by_value);
    out->deviation = seg_deviation(value, count);
    out->least = sorted[0];
    out->first_quartile = quantile(sorted, count, 0.25);
    out->median = quantile(sorted, count, 0.5);
    out->third_quartile = quantile(sorted, count, 0.75);
    return SEG_OK;
}

seg_status seg_bootstrap_mean(seg_context *ctx, const double *value, size_t count, uint64_t seed, seg_interval *out) {
    const double level = 0.95;
    out->mean = out->low = out->high = count ? seg_mean(value, count) : NAN;
    if (count < 2)
        return SEG_OK;
    SEG_LOCAL(double, mean, seg_alloc(ctx, RESAMPLES, sizeof *mean));
    seg_random random = seg_random_seeded(seed, BOOTSTRAP_STREAM);
    for (size_t r = 0; r < RESAMPLES; r++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += value[seg_random_below(&random, count)];
        mean[r] = sum / (double)count;
    }
    qsort(mean, RESAMPLES, sizeof *mean, seg_by_value);
    out->low = quantile(mean, RESAMPLES, (1 - level) / 2);
    out->high = quantile(mean, RESAMPLES, (1 + level) / 2);
    return SEG_OK;
}

typedef struct difference {
    double magnitude; /* first, for seg_by_value */
    int positive;
} difference;

/* Share of the 2^n assignments of signs whose doubled sum of positive ranks is at most `bound`. Doubled ranks are whole
 * numbers even with ties, so the sums can be counted rank by rank. */
static seg_status exact_tail(seg_context *ctx, const size_t *doubled, size_t n, size_t bound, double *share) {
    SEG_LOCAL(double, ways, seg_alloc_zero(ctx, bound + 1, sizeof *ways));
    ways[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t sum = bound + 1; sum-- > 0;)
            ways[sum] = 0.5 * (ways[sum] + (sum >= doubled[i] ? ways[sum - doubled[i]] : 0));
    *share = 0;
    for (size_t sum = 0; sum <= bound; sum++)
        *share += ways[sum];
    return SEG_OK;
}

seg_status seg_wilcoxon(seg_context *ctx, const double *a, const double *b, size_t count, seg_paired *out) {
    memset(out, 0, sizeof *out);
    out->p = 1;
    SEG_LOCAL(difference, differ, seg_alloc(ctx, count, sizeof *differ));
    SEG_LOCAL(size_t, doubled, seg_alloc(ctx, count, sizeof *doubled));
    for (size_t i = 0; i < count; i++) {
        out->above += a[i] > b[i];
        out->below += a[i] < b[i];
        out->tied += a[i] == b[i];
        if (a[i] != b[i])
            differ[out->used++] = (difference){fabs(a[i] - b[i]), a[i] > b[i]};
    }
    const size_t n = out->used;
    if (n == 0)
        return SEG_OK;
    qsort(differ, n, sizeof *differ, seg_by_value);
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
        SEG_TRY(exact_tail(ctx, doubled, n, (size_t)lround(2 * out->rank_sum), &out->p));
        out->p = fmin(1, 2 * out->p);
    } else {
        const double variance = (double)n * (double)(n + 1) * (double)(2 * n + 1) / 24 - ties / 48;
        const double z = fmax(0, total / 2 - out->rank_sum - 0.5) / sqrt(variance);
        out->p = erfc(z / sqrt(2));
    }
    return SEG_OK;
}

void seg_rank_row(const double *value, size_t count, double *rank) {
    for (size_t i = 0; i < count; i++) {
        size_t less = 0, equal = 0;
        for (size_t j = 0; j < count; j++) {
            less += isnan(value[i]) ? !isnan(value[j]) : value[j] < value[i];
            equal += isnan(value[i]) ? isnan(value[j]) : value[j] == value[i];
        }
        rank[i] = (double)less + ((double)equal + 1) / 2;
    }
}

/* Probability that chi squared with `freedom` degrees of freedom exceeds 2 x: the upper tail Q(a, x) of the gamma
 * distribution, by recurrence from a = 1/2 or 1 in steps of one to a = freedom / 2. */
static double chi2_tail(int freedom, double x) {
    double a = freedom % 2 ? 0.5 : 1;
    if (!(x > 0))
        return 1;
    double tail = freedom % 2 ? erfc(sqrt(x)) : exp(-x);
    for (; 2 * a < freedom; a++)
        tail += exp(a * log(x) - x - lgamma(a + 1));
    return tail;
}

static double normal(double z) {
    return erfc(-z * M_SQRT1_2) / 2;
}

/* Probability that the range of `count` standard normal variables exceeds q: 1 - count times the integral over z of the
 * density of the smallest at z times the probability that the others lie in z .. z + q. The trapezoidal rule is
 * accurate, since the integrand is smooth and vanishes at both ends. */
static double range_tail(double q, size_t count) {
    const double step = 1.0 / 64;
    double sum = 0;
    for (double z = -9 - q; z <= 9; z += step)
        sum += exp(-z * z / 2) / ROOT_TWO_PI * pow(normal(z + q) - normal(z), (double)count - 1);
    return 1 - (double)count * sum * step;
}

double seg_nemenyi_quantile(size_t count, double level) {
    double low = 0, high = 50;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (range_tail(middle, count) > level)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2 / M_SQRT2;
}

void seg_friedman_test(const double *mean, size_t methods, size_t blocks, seg_friedman *out) {
    const double k = (double)methods, n = (double)blocks;
    double squares = 0;
    for (size_t m = 0; m < methods; m++)
        squares += mean[m] * mean[m];
    out->chi2 = 12 * n / (k * (k + 1)) * (squares - k * (k + 1) * (k + 1) / 4);
    out->p = chi2_tail((int)methods - 1, out->chi2 / 2);
    out->critical = seg_nemenyi_quantile(methods, 0.05) * sqrt(k * (k + 1) / (6 * n));
}

void seg_holm(const double *p, size_t count, double *adjusted) {
    size_t left = 0, done = 0;
    double last = 0;
    for (size_t i = 0; i < count; i++) {
        adjusted[i] = p[i];
        left += !isnan(p[i]);
    }
    for (; done < left; done++) { /* a finished value is stored as -1 - (adjusted value), which is negative */
        size_t least = count;
        for (size_t i = 0; i < count; i++)
            if (adjusted[i] >= 0 && (least == count || adjusted[i] < adjusted[least]))
                least = i;
        last = fmax(last, fmin(1, adjusted[least] * (double)(left - done)));
        adjusted[least] = -1 - last;
    }
    for (size_t i = 0; i < count; i++)
        if (adjusted[i] < 0)
            adjusted[i] = -1 - adjusted[i];
}
