#include "optim/psd_quadratic.h"

#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100, CHECK_EVERY = 10, POWER_STEPS = 12 };

void seg_svec(size_t m, const double *M, double *x) {
    for (size_t a = 0; a < m; a++) {
        *x++ = M[a * m + a];
        for (size_t b = a + 1; b < m; b++)
            *x++ = M_SQRT2 * M[a * m + b];
    }
}

void seg_svec_matrix(size_t m, const double *x, double *M) {
    for (size_t a = 0; a < m; a++) {
        M[a * m + a] = *x++;
        for (size_t b = a + 1; b < m; b++)
            M[a * m + b] = M[b * m + a] = M_SQRT1_2 * *x++;
    }
}

double seg_psd_quadratic_units(size_t m, const double *H, const double *b, double *scale, double *scaled_H,
                               double *scaled_b) {
    const size_t p = seg_svec_length(m);
    double largest = 0, slope = 0;
    for (size_t a = 0, e = 0; a < m; e += m - a, a++)
        largest = fmax(largest, H[e * p + e]);
    for (size_t a = 0, e = 0; a < m; e += m - a, a++) /* what is zero but for rounding is left small */
        scale[a] = largest > 0 ? 1 / sqrt(sqrt(fmax(H[e * p + e], 1e-14 * largest))) : 1;
    for (size_t a = 0, i = 0; a < m; a++)
        for (size_t c = a; c < m; c++, i++) {
            const double both = scale[a] * scale[c];
            scaled_b[i] = both * b[i];
            slope = fmax(slope, fabs(scaled_b[i]));
            for (size_t e = 0, j = 0; e < m; e++)
                for (size_t f = e; f < m; f++, j++)
                    scaled_H[i * p + j] = both * H[i * p + j] * (scale[e] * scale[f]);
        }
    for (size_t i = 0; slope > 0 && i < p; i++)
        scaled_b[i] /= slope;
    return slope;
}

static double dot(size_t n, const double *x, const double *y) {
    double a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        a += x[i] * y[i];
        b += x[i + 1] * y[i + 1];
        c += x[i + 2] * y[i + 2];
        d += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++)
        a += x[i] * y[i];
    return (a + b) + (c + d);
}

/* The problem in units in which its numbers are near one, and the iteration's vectors. */
typedef struct descent {
    seg_context *ctx;
    size_t m, p;
    double *H, *b;                         /* in our units */
    double *scale, slope;                  /* of seg_psd_quadratic_units */
    int flat;                              /* H = 0 */
    double *x, *Hx, *previous, *Hprevious; /* iterates and their products */
    double *y, *Hy, *next, *Hnext;         /* point of extrapolation, step */
    double *HI, *matrix, *value, *vector;  /* H svec(I); m x m, m, m x m */
    double dual_margin;                    /* least eigenvalue of H svec(I) */
    double curvature;                      /* a bound on the largest eigenvalue of H as far as met */
} descent;

static void multiply(const descent *d, const double *x, double *y) {
    for (size_t i = 0; i < d->p; i++)
        y[i] = dot(d->p, d->H + i * d->p, x);
}

static seg_status set_up(descent *d, const double *H, const double *b) {
    size_t m = d->m, p = d->p, cells, room;
    double sum = 0;
    d->flat = 1;
    if (!seg_multiply(p, p, &cells) || cells > SIZE_MAX / 2 || p > 60000)
        return seg_fail(d->ctx, SEG_ERR_MEMORY, "a semidefinite program of order %zu is too large", m);
    room = cells + 10 * p + 2 * m * m + 2 * m;
    d->H = seg_alloc_zero(d->ctx, room, sizeof *d->H);
    if (!d->H)
        return SEG_ERR_MEMORY;
    d->b = d->H + cells;
    d->x = d->b + p;
    d->Hx = d->x + p;
    d->previous = d->Hx + p;
    d->Hprevious = d->previous + p;
    d->y = d->Hprevious + p;
    d->Hy = d->y + p;
    d->next = d->Hy + p;
    d->Hnext = d->next + p;
    d->HI = d->Hnext + p;
    d->matrix = d->HI + p;
    d->vector = d->matrix + m * m;
    d->value = d->vector + m * m;
    d->scale = d->value + m;
    for (size_t e = 0; e < cells; e++)
        sum += H[e] * 0;
    for (size_t e = 0; e < p; e++)
        sum += b[e] * 0;
    if (sum != 0)
        return seg_fail(d->ctx, SEG_ERR_NUMERIC,
                        "a semidefinite program holds numbers that are not finite; check the features and weights");
    d->slope = seg_psd_quadratic_units(m, H, b, d->scale, d->H, d->b);
    for (size_t e = 0; e < cells && d->flat; e++)
        d->flat = H[e] == 0;
    return SEG_OK;
}

/* The least eigenvalue of the matrix x stands for. */
static seg_status least_eigenvalue(descent *d, const double *x, double *least) {
    seg_svec_matrix(d->m, x, d->matrix);
    seg_status status = seg_eigen_dense(d->ctx, d->m, d->matrix, d->value, d->vector);
    *least = d->value[0];
    return status;
}

/* A few steps of the power method: the step length starts from here and is corrected where it proves too long. */
static void estimate_curvature(descent *d) {
    double norm = 1;
    for (size_t e = 0; e < d->p; e++)
        d->y[e] = 1 + 0.1 * (double)(e % 7);
    for (int s = 0; s < POWER_STEPS && norm > 0; s++) {
        multiply(d, d->y, d->Hy);
        norm = sqrt(dot(d->p, d->Hy, d->Hy));
        d->curvature = norm / sqrt(dot(d->p, d->y, d->y));
        for (size_t e = 0; norm > 0 && e < d->p; e++)
            d->y[e] = d->Hy[e] / norm;
    }
}

/* The gap at x: with Z = H x + b and e the least eigenvalue of Z, the point x + t I, t = max(0, -e) / least eigenvalue
 * of H I, is feasible in the dual program: maximise -1/2 y'Hy over the y with H y + b >= 0. */
static seg_status measure_gap(descent *d, double *objective, double *gap) {
    const double quadratic = dot(d->p, d->x, d->Hx);
    double least, shift, trace = 0, corner = 0;
    seg_status status;
    *objective = 0.5 * quadratic + dot(d->p, d->b, d->x);
    for (size_t e = 0; e < d->p; e++)
        d->next[e] = d->Hx[e] + d->b[e];
    if ((status = least_eigenvalue(d, d->next, &least)) != SEG_OK)
        return status;
    shift = least < 0 ? -least / d->dual_margin : 0;
    for (size_t a = 0, e = 0; a < d->m; e += d->m - a, a++) { /* I is one on the diagonal entries */
        trace += d->Hx[e];
        corner += d->HI[e];
    }
    *gap = least < 0 && !(d->dual_margin > 0)
               ? INFINITY
               : *objective + 0.5 * quadratic + shift * trace + 0.5 * shift * shift * corner;
    return SEG_OK;
}

/* next = the projection of y - (H y + b) / curvature on the cone; the curvature grows until the step is safe. */
static seg_status step(descent *d) {
    for (;;) {
        double bend = 0, length = 0;
        seg_status status;
        for (size_t e = 0; e < d->p; e++)
            d->next[e] = d->y[e] - (d->Hy[e] + d->b[e]) / d->curvature;
        seg_svec_matrix(d->m, d->next, d->matrix);
        if ((status = seg_psd_project(d->ctx, d->m, d->matrix)) != SEG_OK)
            return status;
        seg_svec(d->m, d->matrix, d->next);
        multiply(d, d->next, d->Hnext);
        for (size_t e = 0; e < d->p; e++) {
            double along = d->next[e] - d->y[e];
            length += along * along;
            bend += along * (d->Hnext[e] - d->Hy[e]);
        }
        if (bend <= d->curvature * length * (1 + 1e-9) || length < 1e-28)
            return SEG_OK;
        d->curvature = 1.05 * bend / length;
    }
}

static void swap(double **a, double **b) {
    double *t = *a;
    *a = *b;
    *b = t;
}

/* Returns the gap and how the iteration ended. */
static seg_status descend(descent *d, int limit, double tolerance, seg_psd_quadratic_result *result) {
    const size_t p = d->p;
    double momentum = 1;
    seg_status status;
    for (;;) {
        if (result->iterations % CHECK_EVERY == 0) {
            if ((status = measure_gap(d, &result->objective, &result->gap)) != SEG_OK ||
                (status = seg_poll(d->ctx)) != SEG_OK)
                return status;
            result->converged = result->gap <= tolerance * fabs(result->objective);
            if (result->converged || result->iterations >= limit)
                return SEG_OK;
        }
        double next_momentum = 0.5 * (1 + sqrt(1 + 4 * momentum * momentum));
        double share = (momentum - 1) / next_momentum, turn = 0, moved = 0, size = 0;
        for (size_t e = 0; e < p; e++) {
            d->y[e] = d->x[e] + share * (d->x[e] - d->previous[e]);
            d->Hy[e] = d->Hx[e] + share * (d->Hx[e] - d->Hprevious[e]);
        }
        if ((status = step(d)) != SEG_OK)
            return status;
        result->iterations++;
        for (size_t e = 0; e < p; e++) {
            turn += (d->y[e] - d->next[e]) * (d->next[e] - d->x[e]);
            moved += (d->next[e] - d->y[e]) * (d->next[e] - d->y[e]);
            size += d->next[e] * d->next[e];
        }
        momentum = turn > 0 ? 1 : next_momentum;
        swap(&d->previous, &d->x);
        swap(&d->Hprevious, &d->Hx);
        swap(&d->x, &d->next);
        swap(&d->Hx, &d->Hnext);
        if (!(d->dual_margin > 0) && moved <= 1e-24 * size) { /* no dual point: the steps must tell */
            status = measure_gap(d, &result->objective, &result->gap);
            result->converged = 1;
            return status;
        }
    }
}

/* Our units back to the problem's. */
static void deliver(descent *d, double *M, seg_psd_quadratic_result *result) {
    seg_svec_matrix(d->m, d->x, M);
    for (size_t a = 0; a < d->m; a++)
        for (size_t c = 0; c < d->m; c++)
            M[a * d->m + c] *= d->slope * d->scale[a] * d->scale[c];
    result->objective *= d->slope * d->slope;
    result->gap *= d->slope * d->slope;
}

static seg_status solve(descent *d, const seg_psd_quadratic_options *options, double *M,
                        seg_psd_quadratic_result *result) {
    const double tolerance = options && options->tolerance > 0 ? options->tolerance : 1e-9;
    const int limit = options && options->iterations > 0 ? options->iterations : STEPS;
    double objective, gap;
    seg_status status;
    if (d->flat || d->slope == 0) { /* M = 0 is best, or there is no best (then as good as any) */
        result->converged = d->slope == 0;
        return SEG_OK;
    }
    for (size_t a = 0, e = 0; a < d->m; e += d->m - a, a++)
        d->y[e] = 1;
    multiply(d, d->y, d->HI);
    if ((status = least_eigenvalue(d, d->HI, &d->dual_margin)) != SEG_OK)
        return status;
    estimate_curvature(d);
    if ((status = descend(d, limit, tolerance, result)) != SEG_OK)
        return status;
    if (!result->converged || isinf(result->gap)) {
        if ((status = seg_psd_quadratic_newton(d->ctx, d->m, d->H, d->b, tolerance, d->matrix, &result->newton)) !=
            SEG_OK)
            return status;
        swap(&d->previous, &d->x);
        swap(&d->Hprevious, &d->Hx);
        seg_svec(d->m, d->matrix, d->x);
        multiply(d, d->x, d->Hx);
        if ((status = measure_gap(d, &objective, &gap)) != SEG_OK)
            return status;
        if (gap < result->gap) {
            result->objective = objective;
            result->gap = gap;
            result->converged = gap <= tolerance * fabs(objective);
        } else {
            swap(&d->previous, &d->x);
            swap(&d->Hprevious, &d->Hx);
        }
    }
    deliver(d, M, result);
    return SEG_OK;
}

seg_status seg_psd_quadratic(seg_context *ctx, size_t m, const double *H, const double *b,
                             const seg_psd_quadratic_options *options, double *M, seg_psd_quadratic_result *result) {
    descent d = {.ctx = ctx, .m = m, .p = seg_svec_length(m)};
    seg_status status;
    memset(result, 0, sizeof *result);
    memset(M, 0, m * m * sizeof *M);
    status = set_up(&d, H, b);
    if (status == SEG_OK)
        status = solve(&d, options, M, result);
    if (status != SEG_OK) {
        memset(M, 0, m * m * sizeof *M);
        memset(result, 0, sizeof *result);
    }
    free(d.H);
    return status;
}
