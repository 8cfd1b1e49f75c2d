/* The quadratic over the semidefinite cone by a primal-dual interior-point method. Its optimality conditions are
 * H X + b = Z, X Z = 0, X and Z in the cone; the path X Z = mu I is followed to mu = 0. With the scaling matrix W of
 * Nesterov and Todd (W Z W = X) the linearised conditions become
 *     (H + W^-1 (x) W^-1) dX = target - Z - (H X + b - Z),   dZ = H dX + (H X + b - Z),
 * (x) the symmetric Kronecker product and target = mu X^-1 [toh2007qsdp, Sect. 2 and 3]. */
#include "optim/psd_quadratic.h"

#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 100 };

typedef struct interior {
    seg_context *ctx;
    size_t m, p;
    const double *H, *b;
    double *X, *Z, *Xinv, *Winv, *L, *R, *U, *V, *T, *dX, *dZ; /* m x m each */
    double *value;                                             /* m */
    double *A;                                                 /* p x p: the system and its Cholesky factor */
    double *x, *z, *residual, *right, *dx, *dz;                /* p each */
} interior;

/* Lower Cholesky factor in place (rows), upper triangle left; 0 where the matrix is not positive definite. */
static int factor(size_t n, double *A) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            const double *x = A + i * n, *y = A + j * n;
            double a = 0, b = 0, c = 0, d = 0;
            size_t l = 0;
            for (; l + 4 <= j; l += 4) {
                a += x[l] * y[l];
                b += x[l + 1] * y[l + 1];
                c += x[l + 2] * y[l + 2];
                d += x[l + 3] * y[l + 3];
            }
            for (; l < j; l++)
                a += x[l] * y[l];
            double rest = A[i * n + j] - ((a + b) + (c + d));
            if (i > j)
                A[i * n + j] = rest / A[j * n + j];
            else if (rest > 0)
                A[i * n + i] = sqrt(rest);
            else
                return 0;
        }
    return 1;
}

static void solve(size_t n, const double *L, double *x) {
    for (size_t i = 0; i < n; i++) {
        double sum = x[i];
        for (size_t j = 0; j < i; j++)
            sum -= L[i * n + j] * x[j];
        x[i] = sum / L[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        double entry = x[i] /= L[i * n + i];
        for (size_t j = 0; j < i; j++)
            x[j] -= L[i * n + j] * entry;
    }
}

/* out = the inverse of the lower triangle L. */
static void invert_lower(size_t n, const double *L, double *out) {
    memset(out, 0, n * n * sizeof *out);
    for (size_t c = 0; c < n; c++)
        for (size_t i = c; i < n; i++) {
            double sum = i == c;
            for (size_t j = c; j < i; j++)
                sum -= L[i * n + j] * out[j * n + c];
            out[i * n + c] = sum / L[i * n + i];
        }
}

static void keep_lower(size_t n, double *A) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            A[i * n + j] = 0;
}

/* L = chol X, R = chol Z, X^-1, and W^-1 = P P' with P = L^-T V D^1/2, R'L = U D V'. */
static seg_status scale(interior *s, int *inside) {
    const size_t m = s->m;
    memcpy(s->L, s->X, m * m * sizeof *s->L);
    memcpy(s->R, s->Z, m * m * sizeof *s->R);
    *inside = factor(m, s->L) && factor(m, s->R);
    if (!*inside)
        return SEG_OK;
    keep_lower(m, s->L);
    keep_lower(m, s->R);
    seg_gemm((seg_shape){1, 0, m, m, m}, 1, s->R, s->L, 0, s->T);
    seg_status status = seg_svd_dense(s->ctx, m, s->T, s->U, s->value, s->V);
    if (status)
        return status;
    invert_lower(m, s->L, s->T);
    seg_gemm((seg_shape){1, 0, m, m, m}, 1, s->T, s->T, 0, s->Xinv);
    for (size_t i = 0; i < m; i++)
        for (size_t c = 0; c < m; c++)
            s->V[i * m + c] *= sqrt(s->value[c]);
    seg_gemm((seg_shape){1, 0, m, m, m}, 1, s->T, s->V, 0, s->U);
    seg_gemm((seg_shape){0, 1, m, m, m}, 1, s->U, s->U, 0, s->Winv);
    return SEG_OK;
}

/* A = H + Winv (x) Winv (lower triangle). */
static void assemble(interior *s) {
    const size_t m = s->m, p = s->p;
    const double *W = s->Winv;
    size_t row = 0;
    for (size_t a = 0; a < m; a++)
        for (size_t b = a; b < m; b++, row++) {
            const double outer = a == b ? M_SQRT1_2 : 1;
            size_t column = 0;
            for (size_t c = 0; c <= a; c++)
                for (size_t e = c; e < m && column <= row; e++, column++)
                    s->A[row * p + column] =
                        s->H[row * p + column] +
                        outer * (c == e ? M_SQRT1_2 : 1) * (W[a * m + c] * W[b * m + e] + W[a * m + e] * W[b * m + c]);
        }
}

/* The largest step t <= 1 that keeps M + t D in the cone, times `share`; inverse: of the Cholesky factor of M. */
static seg_status longest(interior *s, const double *cholesky, const double *D, double share, double *step) {
    const size_t m = s->m;
    invert_lower(m, cholesky, s->T);
    seg_gemm((seg_shape){0, 0, m, m, m}, 1, s->T, D, 0, s->U);
    seg_gemm((seg_shape){0, 1, m, m, m}, 1, s->U, s->T, 0, s->V);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++)
            s->V[i * m + j] = s->V[j * m + i] = 0.5 * (s->V[i * m + j] + s->V[j * m + i]);
    seg_status status = seg_eigen_dense(s->ctx, m, s->V, s->value, s->U);
    *step = s->value[0] < 0 ? fmin(1, -share / s->value[0]) : 1;
    return status;
}

/* The step towards X Z = target I. */
static seg_status direction(interior *s, double target, double share, double *primal, double *dual) {
    const size_t m = s->m, p = s->p;
    seg_status status;
    for (size_t e = 0; e < m * m; e++)
        s->T[e] = target * s->Xinv[e];
    seg_svec(m, s->T, s->right);
    for (size_t e = 0; e < p; e++)
        s->dx[e] = s->right[e] - s->z[e] - s->residual[e];
    solve(p, s->A, s->dx);
    for (size_t i = 0; i < p; i++) {
        double sum = s->residual[i];
        for (size_t j = 0; j < p; j++)
            sum += s->H[i * p + j] * s->dx[j];
        s->dz[i] = sum;
    }
    seg_svec_matrix(m, s->dx, s->dX);
    seg_svec_matrix(m, s->dz, s->dZ);
    if ((status = longest(s, s->L, s->dX, share, primal)) != SEG_OK)
        return status;
    return longest(s, s->R, s->dZ, share, dual);
}

static double inner(size_t n, const double *x, const double *y) {
    double sum = 0;
    for (size_t e = 0; e < n; e++)
        sum += x[e] * y[e];
    return sum;
}

static seg_status iterate(interior *s, double tolerance, double *M, int *steps) {
    const size_t m = s->m, p = s->p;
    double best = INFINITY;
    for (*steps = 0; *steps < LIMIT; ++*steps) {
        double objective, mu, left, primal, dual, after;
        int inside;
        seg_status status = seg_poll(s->ctx);
        if (status)
            return status;
        seg_svec(m, s->X, s->x);
        seg_svec(m, s->Z, s->z);
        for (size_t i = 0; i < p; i++)
            s->right[i] = inner(p, s->H + i * p, s->x);
        objective = 0.5 * inner(p, s->x, s->right) + inner(p, s->b, s->x);
        for (size_t i = 0; i < p; i++)
            s->residual[i] = s->right[i] + s->b[i] - s->z[i];
        mu = inner(p, s->x, s->z) / (double)m;
        left = (double)m * mu + sqrt(inner(p, s->residual, s->residual) * inner(p, s->x, s->x));
        if (left < best) {
            best = left;
            memcpy(M, s->X, m * m * sizeof *M);
        }
        if (left <= 0.1 * tolerance * fabs(objective))
            return SEG_OK;
        if ((status = scale(s, &inside)) != SEG_OK)
            return status;
        assemble(s);
        if (!inside || !factor(p, s->A)) /* as near as rounding allows */
            return SEG_OK;
        if ((status = direction(s, 0, 1, &primal, &dual)) != SEG_OK) /* how far a plain step would come ... */
            return status;
        after = inner(p, s->x, s->z) + primal * inner(p, s->dx, s->z) + dual * inner(p, s->x, s->dz) +
                primal * dual * inner(p, s->dx, s->dz);
        after = fmin(fmax(after / ((double)m * mu), 1e-6), 1);
        if ((status = direction(s, after * after * mu, 0.95, &primal, &dual)) != SEG_OK) /* ... sets the aim */
            return status;
        primal = dual = fmin(primal, dual);
        if (primal < 1e-10)
            return SEG_OK;
        for (size_t e = 0; e < m * m; e++) {
            s->X[e] += primal * s->dX[e];
            s->Z[e] += dual * s->dZ[e];
        }
    }
    return SEG_OK;
}

seg_status seg_psd_quadratic_newton(seg_context *ctx, size_t m, const double *H, const double *b, double tolerance,
                                    double *M, int *steps) {
    const size_t p = seg_svec_length(m);
    interior s = {.ctx = ctx, .m = m, .p = p};
    double **square[] = {&s.X, &s.Z, &s.Xinv, &s.Winv, &s.L, &s.R, &s.U, &s.V, &s.T, &s.dX, &s.dZ};
    double **column[] = {&s.x, &s.z, &s.residual, &s.right, &s.dx, &s.dz};
    int used = 0;
    double *work = seg_alloc_zero(ctx, 11 * m * m + 2 * m + 7 * p, sizeof *work), *at = work, *scale, *scaled_b;
    double *scaled_H = seg_alloc(ctx, p, p * sizeof *scaled_H), slope;
    seg_status status = SEG_ERR_MEMORY;
    memset(M, 0, m * m * sizeof *M);
    s.A = seg_alloc(ctx, p, p * sizeof *s.A);
    if (!work || !s.A || !scaled_H)
        goto done;
    for (size_t i = 0; i < sizeof square / sizeof square[0]; i++, at += m * m)
        *square[i] = at;
    for (size_t i = 0; i < sizeof column / sizeof column[0]; i++, at += p)
        *column[i] = at;
    s.value = at;
    scale = at + m;
    scaled_b = at + 2 * m;
    slope = seg_psd_quadratic_units(m, H, b, scale, scaled_H, scaled_b);
    s.H = scaled_H;
    s.b = scaled_b;
    for (size_t i = 0; i < m; i++)
        s.X[i * m + i] = s.Z[i * m + i] = 1;
    status = iterate(&s, tolerance, M, &used);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            M[i * m + j] *= slope * scale[i] * scale[j];
done:
    if (status)
        memset(M, 0, m * m * sizeof *M);
    if (steps)
        *steps = used;
    free(work);
    free(scaled_H);
    free(s.A);
    return status;
}
