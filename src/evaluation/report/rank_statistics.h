/* Methods ranked over many data sets [demsar2006]. Plain functions of their arguments. */
#ifndef SEG_EVALUATION_REPORT_RANK_STATISTICS_H
#define SEG_EVALUATION_REPORT_RANK_STATISTICS_H

#include <stddef.h>

/* Ranks of `count` values, 1 the least; equal ones share the mean of their ranks. NAN, a method that failed, ranks
 * last, several share. rank: count. */
void seg_rank_row(const double *value, size_t count, double *rank);

typedef struct seg_friedman {
    double chi2;     /* Friedman's statistic, `methods` - 1 degrees of freedom */
    double p;        /* of chi2 */
    double f;        /* Iman and Davenport's, INFINITY where all blocks agree */
    double critical; /* difference of two mean ranks that is significant at level 0.05 by Nemenyi's test */
} seg_friedman;

/* mean: mean ranks of `methods` >= 2 over `blocks` >= 1 [demsar2006, Sec. 3.2.2]; no correction for ties. */
void seg_friedman_test(const double *mean, size_t methods, size_t blocks, seg_friedman *out);

/* Quantile of the studentized range of `count` >= 2 normal variables, infinitely many degrees of freedom, divided by
 * the root of two; level in (0, 1), 0.05 for the usual q. Correct to 1e-4. */
double seg_nemenyi_quantile(size_t count, double level);

/* p values of `count` comparisons, adjusted so that the chance of one wrong rejection among all stays below the level
 * [holm1979]: the least times count, the next times count - 1 and so on, none below the one before it, at most 1.
 * NAN, a comparison that could not be made, stays and is not counted. adjusted: count, may be p. */
void seg_holm(const double *p, size_t count, double *adjusted);

#endif
