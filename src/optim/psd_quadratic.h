/* A convex quadratic over the cone of positive semidefinite matrices, the program of CCSR [li2009ccsr, Eqs. 17-20]:
 * minimise 1/2 x'Hx + b'x, x = svec(M), M >= 0. svec lists the upper triangle row by row, off-diagonal entries times
 * sqrt(2), so that svec(A)'svec(B) = tr(AB); its length is p = m (m + 1) / 2. */
#pragma once

#include <segment/context.h>

/* Length of svec of an m x m matrix. */
static inline size_t seg_svec_length(size_t m) {
    return m * (m + 1) / 2;
}
/* x = svec(M) of the symmetric M (its upper triangle is read), and back (both triangles are written). */
void seg_svec(size_t m, const double *M, double *x);
void seg_svec_matrix(size_t m, const double *x, double *M);

typedef struct seg_psd_quadratic_result {
    double objective; /* 1/2 x'Hx + b'x */
    double gap;       /* objective minus a dual value: a bound on its distance to the optimum; infinite if no dual point
                         is known (H I is not positive definite) */
    int iterations;
    int converged; /* 1: gap <= 1e-9 |objective|, or no dual point is known */
} seg_psd_quadratic_result;

/* H: p x p symmetric positive semidefinite, row-major; b: p; M: m x m, the solution (positive semidefinite, of full
 * rank: its small eigenvalues are of the order of the tolerance). A primal-dual interior-point method with
 * Nesterov-Todd scaling [toh2007qsdp]: a dozen or two steps whatever the conditioning, each with a Cholesky
 * factorisation of order p. SEG_OK, SEG_ERR_NUMERIC (H or b not finite), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(p^3)
 * per step. */
seg_status seg_psd_quadratic(seg_context *ctx, size_t m, const double *H, const double *b, double *M,
                             seg_psd_quadratic_result *result);

/* The quadratic program of CCSKL [li2009ccskl, Eqs. 15-16]: minimise 1/2 z'Az + b'z over z_1 >= ... >= z_m >= 0. */

/* A: m x m symmetric positive semidefinite, row-major; b: m; z: m, the solution. With z = U w, U the upper triangle of
 * ones (z_i = sum of w_j, j >= i), it is a non-negative least-squares problem in w, solved exactly by an active-set
 * method (Lawson & Hanson's, on the normal equations, extended to rank-deficient passive sets); finite and
 * deterministic. iterations may be NULL. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(m^3) times a few. */
seg_status seg_monotone_qp(seg_context *ctx, size_t m, const double *A, const double *b, double *z, int *iterations);
