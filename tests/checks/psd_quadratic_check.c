/* The independent look at a solution of the quadratic over the semidefinite cone. */
#include "solver_checks.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 60 };

/* Eigenvalues of the symmetric A (destroyed) by Jacobi's rotations, on its diagonal. */
static void jacobi(size_t m, double *A) {
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0, all = 0;
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++) {
                all += A[i * m + j] * A[i * m + j];
                off += i == j ? 0 : A[i * m + j] * A[i * m + j];
            }
        if (off <= 1e-32 * all)
            return;
        for (size_t i = 0; i + 1 < m; i++)
            for (size_t j = i + 1; j < m; j++) {
                double a = A[i * m + j];
                if (a == 0)
                    continue;
                double theta = (A[j * m + j] - A[i * m + i]) / (2 * a);
                double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (size_t l = 0; l < m; l++) {
                    double x = A[l * m + i], y = A[l * m + j];
                    A[l * m + i] = c * x - s * y;
                    A[l * m + j] = s * x + c * y;
                }
                for (size_t l = 0; l < m; l++) {
                    double x = A[i * m + l], y = A[j * m + l];
                    A[i * m + l] = c * x - s * y;
                    A[j * m + l] = s * x + c * y;
                }
            }
    }
}

/* The least eigenvalue, and the norm of the negative part. */
static double negative_part(size_t m, double *A, double *least) {
    double squares = 0;
    jacobi(m, A);
    *least = INFINITY;
    for (size_t i = 0; i < m; i++) {
        *least = fmin(*least, A[i * m + i]);
        squares += A[i * m + i] < 0 ? A[i * m + i] * A[i * m + i] : 0;
    }
    return sqrt(squares);
}

/* A = T A T. */
static void congruence(size_t m, const double *t, double *A) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            A[i * m + j] *= t[i] * t[j];
}

seg_status seg_psd_quadratic_check(seg_context *ctx, size_t m, const double *H, const double *b, const double *M,
                                   seg_psd_quadratic_report *out) {
    const size_t p = seg_svec_length(m);
    double *work = seg_alloc(ctx, m * m + 4 * p + m, sizeof *work);
    double least, margin, lift, largest = 0, dual = 0, quadratic = 0, linear = 0;
    memset(out, 0, sizeof *out);
    if (!work)
        return SEG_ERR_MEMORY;
    double *A = work, *x = A + m * m, *Hx = x + p, *one = Hx + p, *Hone = one + p, *t = Hone + p;
    memcpy(A, M, m * m * sizeof *A);
    out->primal_distance = negative_part(m, A, &least);
    seg_svec(m, M, x);
    /* Dual points are sought along T^2, T diagonal, looked at in the units in which T^2 is I: the bound then does not
     * depend on how the rows are scaled. */
    for (size_t a = 0, e = 0; a < m; e += m - a, a++)
        largest = fmax(largest, H[e * p + e]);
    for (size_t a = 0, e = 0; a < m; e += m - a, a++)
        t[a] = largest > 0 ? 1 / sqrt(sqrt(fmax(H[e * p + e], 1e-14 * largest))) : 1;
    for (size_t i = 0; i < m * m; i++)
        A[i] = i % (m + 1) == 0 ? t[i / m] * t[i / m] : 0;
    seg_svec(m, A, one);
    for (size_t i = 0; i < p; i++) {
        Hx[i] = Hone[i] = 0;
        for (size_t j = 0; j < p; j++) {
            Hx[i] += H[i * p + j] * x[j];
            Hone[i] += H[i * p + j] * one[j];
        }
        quadratic += x[i] * Hx[i];
        linear += b[i] * x[i];
    }
    out->objective = 0.5 * quadratic + linear;
    out->complementarity = quadratic + linear;
    seg_svec_matrix(m, Hone, A);
    congruence(m, t, A);
    negative_part(m, A, &margin);
    for (size_t i = 0; i < p; i++)
        Hx[i] += b[i];
    seg_svec_matrix(m, Hx, A);
    out->dual_distance = negative_part(m, A, &least);
    seg_svec_matrix(m, Hx, A);
    congruence(m, t, A);
    negative_part(m, A, &least);
    /* y = x + lift T^2: H y + b is in the cone; a rounding error more than what is needed. */
    lift = least < 0 ? -least * (1 + 1e-12) / margin : 0;
    out->dual_objective = out->gap = INFINITY;
    if (least < 0 && !(margin > 0))
        out->dual_objective = -INFINITY;
    else {
        for (size_t i = 0; i < p; i++)
            dual += (x[i] + lift * one[i]) * (Hx[i] - b[i] + lift * Hone[i]);
        out->dual_objective = -0.5 * dual;
        out->gap = out->objective - out->dual_objective;
    }
    free(work);
    return SEG_OK;
}
