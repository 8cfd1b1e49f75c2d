/* Optimality check and slow twin of the quadratic program; nothing here is used by, or uses, the solver. */
#include "solver_checks.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double larger(double a, double b) {
    return a > b ? a : b;
}

double seg_monotone_qp_residual(size_t m, const double *A, const double *b, const double *z) {
    double scale = 1, size = 1, worst = 0;
    long double multiplier = 0; /* of z_i >= z_i+1 (the last: z_m >= 0): the sum of the gradient up to i */
    for (size_t i = 0; i < m; i++) {
        scale = larger(scale, fabs(b[i]));
        size = larger(size, fabs(z[i]));
        for (size_t j = 0; j < m; j++)
            scale = larger(scale, fabs(A[i * m + j]));
    }
    for (size_t i = 0; i < m; i++) {
        double gap = z[i] - (i + 1 < m ? z[i + 1] : 0);
        multiplier += b[i];
        for (size_t j = 0; j < m; j++)
            multiplier += (long double)A[i * m + j] * z[j];
        double relative = (double)multiplier / scale;
        if (!isfinite(gap) || !isfinite(relative))
            return INFINITY;
        worst = larger(worst, -gap / size);
        worst = larger(worst, -relative);
        worst = larger(worst, fabs(relative) * fabs(gap) / size);
    }
    return worst;
}

/* The nearest point of z_1 >= ... >= z_m >= 0: pool adjacent violators, then cut off below zero [barlow1972]. */
static void project(size_t m, double *z, double *mean, size_t *count) {
    size_t pools = 0;
    for (size_t i = 0; i < m; i++) {
        mean[pools] = z[i];
        count[pools++] = 1;
        while (pools > 1 && mean[pools - 2] < mean[pools - 1]) {
            size_t a = count[pools - 2], b = count[pools - 1];
            mean[pools - 2] = (mean[pools - 2] * (double)a + mean[pools - 1] * (double)b) / (double)(a + b);
            count[pools - 2] = a + b;
            pools--;
        }
    }
    for (size_t p = 0, i = 0; p < pools; p++)
        for (size_t c = 0; c < count[p]; c++)
            z[i++] = larger(mean[p], 0);
}

seg_status seg_monotone_qp_slow(seg_context *ctx, size_t m, const double *A, const double *b, int iterations,
                                double *z) {
    double *now = seg_alloc_zero(ctx, m * 3, sizeof *now), bound = 0, momentum = 1;
    size_t *count = seg_alloc_zero(ctx, m, sizeof *count);
    seg_status status = now && count ? SEG_OK : SEG_ERR_MEMORY;
    memset(z, 0, m * sizeof *z);
    if (status != SEG_OK)
        goto done;
    double *ahead = now + m, *mean = now + 2 * m;
    for (size_t i = 0; i < m; i++) { /* the largest row sum bounds the largest eigenvalue */
        double sum = 0;
        for (size_t j = 0; j < m; j++)
            sum += fabs(A[i * m + j]);
        bound = larger(bound, sum);
    }
    double step = bound > 0 ? 1 / bound : 1;
    for (int round = 0; round < iterations; round++) {
        double along = 0; /* accelerated [beck2009]; begun anew where momentum and gradient disagree */
        for (size_t i = 0; i < m; i++) {
            double slope = b[i];
            for (size_t j = 0; j < m; j++)
                slope += A[i * m + j] * ahead[j];
            now[i] = ahead[i] - step * slope;
        }
        project(m, now, mean, count);
        for (size_t i = 0; i < m; i++)
            along += (ahead[i] - now[i]) * (now[i] - z[i]);
        double next = along > 0 ? 1 : 0.5 * (1 + sqrt(1 + 4 * momentum * momentum));
        for (size_t i = 0; i < m; i++) {
            ahead[i] = now[i] + (along > 0 ? 0 : (momentum - 1) / next) * (now[i] - z[i]);
            z[i] = now[i];
        }
        momentum = next;
    }
done:
    free(now);
    free(count);
    return status;
}
