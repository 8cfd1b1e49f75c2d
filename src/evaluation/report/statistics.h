/* Summaries and comparisons of measured numbers, and methods ranked over many data sets [demsar2006]. Functions with
 * random choices take a seed. Values are not NAN unless a function says so. */
#pragma once

#include <segment/context.h>

/* 0 if count is 0. */
double seg_mean(const double *value, size_t count);
/* Sample standard deviation (count - 1); 0 if count < 2. */
double seg_deviation(const double *value, size_t count);

/* Quantiles by linear interpolation between order statistics [hyndman1996quantiles, definition 7]. */
typedef struct seg_summary {
    double deviation, least, first_quartile, median, third_quartile;
} seg_summary;

/* All zero if count is 0. SEG_OK or SEG_ERR_MEMORY. Cost O(count log count). */
seg_status seg_summarise(seg_context *ctx, const double *value, size_t count, seg_summary *out);

typedef struct seg_interval {
    double mean, low, high;
} seg_interval;

/* Percentile bootstrap interval of the mean [efron1993bootstrap, Ch. 13] of level 95 %, from 2000 means of `count`
 * values drawn with replacement; the mean if count is 1, NAN if 0. SEG_OK, SEG_ERR_MEMORY. Cost O(2000 count). */
seg_status seg_bootstrap_mean(seg_context *ctx, const double *value, size_t count, uint64_t seed, seg_interval *out);

typedef struct seg_paired {
    size_t used;               /* pairs with a difference; the others are left out [wilcoxon1945] */
    size_t above, below, tied; /* pairs with a > b, a < b, a = b */
    double rank_sum;           /* the smaller of the sums of ranks of positive and of negative differences */
    double p;                  /* two-sided; 1 if no pair differs */
    int exact; /* 1: p is counted over all signs; 0: by the normal approximation with continuity and tie corrections */
} seg_paired;

/* Wilcoxon's signed-rank test of paired values [wilcoxon1945]: equal magnitudes get the mean of their ranks; p is exact
 * (ties included) for up to 50 differing pairs. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_wilcoxon(seg_context *ctx, const double *a, const double *b, size_t count, seg_paired *out);

/* Ranks of `count` values, 1 for the least; equal values share the mean of their ranks. NAN, for a method that failed,
 * ranks last; several share the mean of their ranks. rank: count. */
void seg_rank_row(const double *value, size_t count, double *rank);

typedef struct seg_friedman {
    double chi2;     /* Friedman's statistic, `methods` - 1 degrees of freedom */
    double p;        /* of chi2 */
    double critical; /* difference of two mean ranks that is significant at level 0.05 by Nemenyi's test */
} seg_friedman;

/* mean: mean ranks of `methods` >= 2 over `blocks` >= 1 [demsar2006, Sec. 3.2.2]; no correction for ties. */
void seg_friedman_test(const double *mean, size_t methods, size_t blocks, seg_friedman *out);

/* Quantile of the studentized range of `count` >= 2 normal variables, infinitely many degrees of freedom, divided by
 * the root of two; level in (0, 1), 0.05 for the usual q. Correct to 1e-4. */
double seg_nemenyi_quantile(size_t count, double level);

/* p values of `count` comparisons, adjusted so that the probability of any wrong rejection stays below the level
 * [holm1979]: the smallest times count, the next times count - 1 and so on, each at least the one before and at most 1.
 * NAN, for a comparison that could not be made, stays and is not counted. adjusted: count, may be p. */
void seg_holm(const double *p, size_t count, double *adjusted);
