#include "evaluation/report/rank_statistics.h"

#include <math.h>

#ifndef M_SQRT1_2
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef M_SQRT2
#define M_SQRT2 1.41421356237309504880
#endif

#define ROOT_TWO_PI 2.50662827463100050242

/* -1, 0, 1; NAN is larger than everything and equal to itself. */
static int compare(double a, double b) {
    if (isnan(a) || isnan(b))
        return (isnan(a) != 0) - (isnan(b) != 0);
    return (a > b) - (a < b);
}

void seg_rank_row(const double *value, size_t count, double *rank) {
    for (size_t i = 0; i < count; i++) {
        size_t less = 0, equal = 0;
        for (size_t j = 0; j < count; j++) {
            const int order = compare(value[j], value[i]);
            less += order < 0;
            equal += order == 0;
        }
        rank[i] = (double)less + ((double)equal + 1) / 2;
    }
}

/* 1 - P(a, x), the upper tail of the gamma distribution: the series below a + 1, the continued fraction beyond. */
static double gamma_tail(double a, double x) {
    if (!(x > 0))
        return 1;
    const double front = exp(a * log(x) - x - lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (double n = a + 1; term > 1e-16 * sum; n++)
            sum += term *= x / n;
        return 1 - front * sum;
    }
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (int i = 1; i < 10000; i++) { /* Lentz */
        const double an = -i * (i - a);
        b += 2;
        d = an * d + b;
        d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
        c = b + an / c;
        c = fabs(c) < 1e-300 ? 1e-300 : c;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return front * h;
}

static double normal(double z) {
    return erfc(-z * M_SQRT1_2) / 2;
}

/* Probability that the range of `count` standard normal variables exceeds q: one less count times the integral of the
 * density at the least, times the probability that the others lie within q above it. Trapezoids: the integrand is
 * smooth and vanishes at both ends. */
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
    const double rest = n * (k - 1) - out->chi2;
    out->f = rest > 1e-9 ? (n - 1) * out->chi2 / rest : INFINITY;
    out->p = gamma_tail((k - 1) / 2, out->chi2 / 2);
    out->critical = seg_nemenyi_quantile(methods, 0.05) * sqrt(k * (k + 1) / (6 * n));
}

void seg_holm(const double *p, size_t count, double *adjusted) {
    size_t left = 0, done = 0;
    double last = 0;
    if (adjusted != p)
        for (size_t i = 0; i < count; i++)
            adjusted[i] = p[i];
    for (size_t i = 0; i < count; i++)
        left += !isnan(p[i]);
    /* Values that are done are kept below zero: -1 less what they became. */
    while (done < left) {
        size_t least = count;
        for (size_t i = 0; i < count; i++)
            if (adjusted[i] >= 0 && (least == count || adjusted[i] < adjusted[least]))
                least = i;
        last = fmax(last, fmin(1, adjusted[least] * (double)(left - done)));
        adjusted[least] = -1 - last;
        done++;
    }
    for (size_t i = 0; i < count; i++)
        if (adjusted[i] < 0)
            adjusted[i] = -1 - adjusted[i];
}
