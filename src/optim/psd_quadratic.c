/* Minimises a quadratic over the semidefinite cone by a primal-dual interior-point method. Its optimality conditions
 * are H X + b = Z, X Z = 0, X and Z in the cone; the path X Z = mu I is followed to mu = 0. With the scaling matrix W
 * of Nesterov and Todd (W Z W = X) the linearised conditions become
 *     (H + W^-1 (x) W^-1) dX = target - Z - (H X + b - Z),   dZ = H dX + (H X + b - Z),
 * (x) the symmetric Kronecker product and target = mu X^-1 [toh2007qsdp, Sect. 2 and 3]. */
#include "optim/psd_quadratic.h"
#include "base/base.h"
#include "linalg/dense.h"

enum { LIMIT = 100, LARGEST = 60000 };
#define TOLERANCE 1e-9 /* of the relative duality gap */

typedef struct interior {
    seg_context *ctx;
    size_t m, p;
    double *H, *b, *scale, slope;                              /* scaled by set_units */
    double *X, *Z, *Xinv, *Winv, *L, *R, *U, *V, *T, *dX, *dZ; /* m x m each */
    double *value;                                             /* m */
    double *A;                                                 /* p x p: system matrix, then its Cholesky factor */
    double *x, *z, *residual, *right, *dx, *dz;                /* p each */
} interior;

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

/* Scale the problem: M = slope T M' T with T = diag(scale) maps the cone to itself; for M', the entries of H at the
 * squares of diagonal entries are one, and so is the largest entry of b. */
static void set_units(interior *s, const double *H, const double *b) {
    const size_t m = s->m, p = s->p;
    double *scale = s->scale, *scaled_H = s->H, *scaled_b = s->b;
    double largest = 0, slope = 0;
    for (size_t a = 0, e = 0; a < m; e += m - a, a++)
        largest = fmax(largest, H[e * p + e]);
    for (size_t a = 0, e = 0; a < m; e += m - a, a++) /* entries that are zero up to rounding stay small */
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
    s->slope = slope;
}

/* Replace A by its lower Cholesky factor; 0 if it is not positive definite. */
static int factor(seg_context *ctx, size_t n, double *A) {
    if (seg_cholesky_dense(ctx, n, A) != SEG_OK)
        return 0;
    for (size_t i = 0; i < n; i++) /* LAPACK's columns are rows here */
        for (size_t j = 0; j < i; j++) {
            A[i * n + j] = A[j * n + i];
            A[j * n + i] = 0;
        }
    return 1;
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

/* L = chol X, R = chol Z, X^-1, and W^-1 = P P' with P = L^-T V D^1/2, R'L = U D V'. */
static seg_status take_scaling(interior *s, int *inside) {
    const size_t m = s->m;
    memcpy(s->L, s->X, m * m * sizeof *s->L);
    memcpy(s->R, s->Z, m * m * sizeof *s->R);
    *inside = factor(s->ctx, m, s->L) && factor(s->ctx, m, s->R);
    if (!*inside)
        return SEG_OK;
    seg_gemm((seg_shape){1, 0, m, m, m}, 1, s->R, s->L, 0, s->T);
    SEG_TRY(seg_svd_dense(s->ctx, m, s->T, s->U, s->value, s->V));
    invert_lower(m, s->L, s->T);
    seg_gemm((seg_shape){1, 0, m, m, m}, 1, s->T, s->T, 0, s->Xinv);
    for (size_t i = 0; i < m; i++)
        for (size_t c = 0; c < m; c++)
            s->V[i * m + c] *= sqrt(s->value[c]);
    seg_gemm((seg_shape){1, 0, m, m, m}, 1, s->T, s->V, 0, s->U);
    seg_gemm((seg_shape){0, 1, m, m, m}, 1, s->U, s->U, 0, s->Winv);
    return SEG_OK;
}

/* A = H + Winv (x) Winv (the triangle that seg_cholesky_dense reads). */
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
                    s->A[column * p + row] =
                        s->H[row * p + column] +
                        outer * (c == e ? M_SQRT1_2 : 1) * (W[a * m + c] * W[b * m + e] + W[a * m + e] * W[b * m + c]);
        }
}

/* The step: `share` of the largest t that keeps M + t D in the cone, at most 1. cholesky: the Cholesky factor of M. */
static seg_status longest(interior *s, const double *cholesky, const double *D, double share, double *step) {
    const size_t m = s->m;
    invert_lower(m, cholesky, s->T);
    seg_gemm((seg_shape){0, 0, m, m, m}, 1, s->T, D, 0, s->U);
    seg_gemm((seg_shape){0, 1, m, m, m}, 1, s->U, s->T, 0, s->V);
    seg_symmetrise(m, s->V);
    SEG_TRY(seg_eigen_dense(s->ctx, m, s->V, s->value, s->U));
    *step = s->value[0] < 0 ? fmin(1, -share / s->value[0]) : 1;
    return SEG_OK;
}

/* The step towards X Z = target I, and its lengths. */
static seg_status direction(interior *s, double target, double share, double *primal, double *dual) {
    const size_t m = s->m, p = s->p;
    for (size_t e = 0; e < m * m; e++)
        s->T[e] = target * s->Xinv[e];
    seg_svec(m, s->T, s->right);
    for (size_t e = 0; e < p; e++)
        s->dx[e] = s->right[e] - s->z[e] - s->residual[e];
    seg_cholesky_dense_solve(p, s->A, s->dx);
    for (size_t i = 0; i < p; i++) {
        s->dz[i] = s->residual[i];
        for (size_t j = 0; j < p; j++)
            s->dz[i] += s->H[i * p + j] * s->dx[j];
    }
    seg_svec_matrix(m, s->dx, s->dX);
    seg_svec_matrix(m, s->dz, s->dZ);
    SEG_TRY(longest(s, s->L, s->dX, share, primal));
    return longest(s, s->R, s->dZ, share, dual);
}

static seg_status iterate(interior *s, double tolerance, double *M, int *steps) {
    const size_t m = s->m, p = s->p;
    double best = INFINITY;
    for (*steps = 0; *steps < LIMIT; ++*steps) {
        double objective, mu, left, primal, dual, after;
        int inside;
        SEG_TRY(seg_poll(s->ctx));
        seg_svec(m, s->X, s->x);
        seg_svec(m, s->Z, s->z);
        for (size_t i = 0; i < p; i++)
            s->right[i] = seg_dot(p, s->H + i * p, s->x);
        objective = 0.5 * seg_dot(p, s->x, s->right) + seg_dot(p, s->b, s->x);
        for (size_t i = 0; i < p; i++)
            s->residual[i] = s->right[i] + s->b[i] - s->z[i];
        mu = seg_dot(p, s->x, s->z) / (double)m;
        left = (double)m * mu + sqrt(seg_dot(p, s->residual, s->residual) * seg_dot(p, s->x, s->x));
        if (left < best) {
            best = left;
            memcpy(M, s->X, m * m * sizeof *M);
        }
        if (left <= 0.1 * tolerance * fabs(objective))
            return SEG_OK;
        SEG_TRY(take_scaling(s, &inside));
        assemble(s);
        if (!inside || seg_cholesky_dense(s->ctx, p, s->A) != SEG_OK) /* as accurate as rounding allows */
            return SEG_OK;
        SEG_TRY(direction(s, 0, 1, &primal, &dual)); /* how far the predictor step reduces mu ... */
        after = seg_dot(p, s->x, s->z) + primal * seg_dot(p, s->dx, s->z) + dual * seg_dot(p, s->x, s->dz) +
                primal * dual * seg_dot(p, s->dx, s->dz);
        after = fmin(fmax(after / ((double)m * mu), 1e-6), 1);
        SEG_TRY(direction(s, after * after * mu, 0.95, &primal, &dual)); /* ... sets the target of the step */
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

/* The objective and the gap at x. With Z = H x + b, e the least eigenvalue of Z and t = max(0, -e) / (least eigenvalue
 * of H I), the point x + t I is feasible for the dual program: maximise -1/2 y'Hy over the y with H y + b >= 0. */
static seg_status measure(interior *s, const double *M, seg_psd_quadratic_result *result) {
    const size_t m = s->m, p = s->p;
    double least, trace = 0, corner = 0, margin;
    double *Hx = s->right, *HI = s->dz;
    seg_svec(m, M, s->x);
    for (size_t i = 0; i < p; i++) {
        Hx[i] = seg_dot(p, s->H + i * p, s->x);
        HI[i] = 0;
        for (size_t a = 0, e = 0; a < m; e += m - a, a++) /* svec(I) is one at the diagonal entries */
            HI[i] += s->H[i * p + e];
        s->z[i] = Hx[i] + s->b[i];
    }
    for (size_t a = 0, e = 0; a < m; e += m - a, a++) {
        trace += Hx[e];
        corner += HI[e];
    }
    seg_svec_matrix(m, HI, s->T);
    SEG_TRY(seg_eigen_dense(s->ctx, m, s->T, s->value, s->U));
    margin = s->value[0];
    seg_svec_matrix(m, s->z, s->T);
    SEG_TRY(seg_eigen_dense(s->ctx, m, s->T, s->value, s->U));
    least = s->value[0];
    const double quadratic = seg_dot(p, s->x, Hx), shift = least < 0 ? -least / margin : 0;
    result->objective = 0.5 * quadratic + seg_dot(p, s->b, s->x);
    result->gap = least < 0 && !(margin > 0)
                      ? INFINITY
                      : result->objective + 0.5 * quadratic + shift * trace + 0.5 * shift * shift * corner;
    result->converged = result->gap <= TOLERANCE * fabs(result->objective) || !(margin > 0);
    return SEG_OK;
}

static seg_status solve(interior *s, double *M, seg_psd_quadratic_result *result) {
    const size_t m = s->m;
    int flat = 1; /* H = 0: M = 0 is optimal, or the objective is unbounded (then any M serves) */
    for (size_t e = 0; e < s->p * s->p && flat; e++)
        flat = s->H[e] == 0;
    result->converged = s->slope == 0;
    if (flat || s->slope == 0)
        return SEG_OK;
    for (size_t i = 0; i < m; i++)
        s->X[i * m + i] = s->Z[i * m + i] = 1;
    SEG_TRY(iterate(s, TOLERANCE, M, &result->iterations));
    SEG_TRY(measure(s, M, result));
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            M[i * m + j] *= s->slope * s->scale[i] * s->scale[j];
    result->objective *= s->slope * s->slope;
    result->gap *= s->slope * s->slope;
    return SEG_OK;
}

seg_status seg_psd_quadratic(seg_context *ctx, size_t m, const double *H, const double *b, double *M,
                             seg_psd_quadratic_result *result) {
    const size_t p = seg_svec_length(m), cells = m * m;
    interior s = {.ctx = ctx, .m = m, .p = p};
    memset(result, 0, sizeof *result);
    memset(M, 0, cells * sizeof *M);
    if (p > LARGEST)
        return seg_fail(ctx, SEG_ERR_MEMORY, "a semidefinite program of order %zu is too large", m);
    if (!seg_all_finite(p * p, H) || !seg_all_finite(p, b))
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "a semidefinite program holds numbers that are not finite; check the features and weights");
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(s.H, p, p), SEG_TABLE(s.A, p, p), SEG_ARRAY(s.b, p), SEG_ARRAY(s.scale, m),
                     SEG_ARRAY(s.X, cells), SEG_ARRAY(s.Z, cells), SEG_ARRAY(s.Xinv, cells), SEG_ARRAY(s.Winv, cells),
                     SEG_ARRAY(s.L, cells), SEG_ARRAY(s.R, cells), SEG_ARRAY(s.U, cells), SEG_ARRAY(s.V, cells),
                     SEG_ARRAY(s.T, cells), SEG_ARRAY(s.dX, cells), SEG_ARRAY(s.dZ, cells), SEG_ARRAY(s.value, m),
                     SEG_ARRAY(s.x, p), SEG_ARRAY(s.z, p), SEG_ARRAY(s.residual, p), SEG_ARRAY(s.right, p),
                     SEG_ARRAY(s.dx, p), SEG_ARRAY(s.dz, p));
    set_units(&s, H, b);
    return solve(&s, M, result);
}
