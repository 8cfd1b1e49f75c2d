/* Summaries and comparisons of measured numbers. Everything is a plain function of its arguments; what is random takes
 * a seed. NAN must not be among the values. */
#ifndef SEG_EVALUATION_REPORT_STATISTICS_H
#define SEG_EVALUATION_REPORT_STATISTICS_H

#include <segment/context.h>

#include <stddef.h>

/* 0 where count is 0. */
double seg_mean(const double *value, size_t count);
/* Sample standard deviation (count - 1); 0 where count < 2. */
double seg_deviation(const double *value, size_t count);

/* Quantiles by linear interpolation between order statistics [hyndman1996quantiles, definition 7]. */
typedef struct seg_summary {
    size_t count;
    double mean, deviation, least, first_quartile, median, third_quartile, most;
    double whisker_low, whisker_high; /* farthest values within 1.5 interquartile ranges of the quartiles */
} seg_summary;

/* All zero where count is 0. SEG_OK or SEG_ERR_MEMORY. Cost O(count log count). */
seg_status seg_summarise(seg_context *ctx, const double *value, size_t count, seg_summary *out);

/* Percentile bootstrap interval of the mean [efron1993bootstrap, Ch. 13]: `resamples` means of count values drawn with
 * replacement; low and high cut off (1 - level) / 2 at either end. The mean itself where count < 2.
 * level in (0, 1), e.g. 0.95; resamples >= 1, e.g. 2000. SEG_OK, SEG_ERR_USAGE, SEG_ERR_MEMORY. Cost O(count *
 * resamples). */
seg_status seg_bootstrap_mean(seg_context *ctx, const double *value, size_t count, double level, size_t resamples,
                              uint64_t seed, double *low, double *high);

typedef struct seg_paired {
    size_t used;               /* pairs with a difference; the others are left out [wilcoxon1945] */
    size_t above, below, tied; /* pairs with a > b, a < b, a = b */
    double rank_sum;           /* the smaller of the sums of ranks of positive and of negative differences */
    double p;                  /* two-sided; 1 where no pair differs */
    int exact;                 /* p was counted over all signs, else by the normal approximation with continuity and tie
                                  corrections */
} seg_paired;

/* Wilcoxon's signed-rank test of paired values [wilcoxon1945]: equal magnitudes get the mean of their ranks; p is exact
 * (ties included) for up to 50 differing pairs. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_wilcoxon(seg_context *ctx, const double *a, const double *b, size_t count, seg_paired *out);

#endif
