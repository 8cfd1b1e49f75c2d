/* A convex quadratic over the cone of positive semidefinite matrices, the program of CCSR [li2009ccsr, Eqs. 17-20]:
 * minimise 1/2 x'Hx + b'x, x = svec(M), M >= 0. svec lists the upper triangle row by row, off-diagonal entries times
 * sqrt(2), so that svec(A)'svec(B) = tr(AB); its length is p = m (m + 1) / 2. */
#ifndef SEG_OPTIM_PSD_QUADRATIC_H
#define SEG_OPTIM_PSD_QUADRATIC_H

#include <segment/context.h>

/* Length of svec of an m x m matrix. */
static inline size_t seg_svec_length(size_t m) {
    return m * (m + 1) / 2;
}
/* x = svec(M) of the symmetric M (its upper triangle is read), and back (both triangles are written). */
void seg_svec(size_t m, const double *M, double *x);
void seg_svec_matrix(size_t m, const double *x, double *M);

typedef struct seg_psd_quadratic_options {
    int iterations;   /* limit of projected gradient steps, 0 = 100; what is then left goes to Newton's method */
    double tolerance; /* of the relative duality gap, 0 = 1e-9 */
} seg_psd_quadratic_options;

typedef struct seg_psd_quadratic_result {
    double objective; /* 1/2 x'Hx + b'x */
    double gap;       /* objective less a dual value: no matrix of the cone is better by more */
    int iterations;   /* projected gradient steps */
    int newton;       /* steps of the interior-point method, 0 where the projected gradient sufficed */
    int converged;    /* gap <= tolerance * |objective| */
} seg_psd_quadratic_result;

/* H: p x p symmetric positive semidefinite, row-major; b: p; M: m x m, the solution (positive semidefinite).
 * Accelerated projected gradient [beck2009] with restarts where it overshoots [odonoghue2015restart], one
 * eigendecomposition of order m a step; it stops by the duality gap. Problems too badly conditioned for it end in
 * seg_psd_quadratic_newton, and so do those where no dual point is at hand otherwise (H I is not positive definite).
 * options may be NULL. SEG_OK, SEG_ERR_NUMERIC (H or b not finite), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost
 * O(p^2 + m^3) per step. */
seg_status seg_psd_quadratic(seg_context *ctx, size_t m, const double *H, const double *b,
                             const seg_psd_quadratic_options *options, double *M, seg_psd_quadratic_result *result);

/* The same by a primal-dual interior-point method with Nesterov and Todd's scaling [toh2007qsdp]: a dozen or two steps
 * whatever the conditioning, each with a Cholesky factorisation of order p. M has full rank, its small eigenvalues are
 * of the order of the tolerance. steps may be NULL. */
seg_status seg_psd_quadratic_newton(seg_context *ctx, size_t m, const double *H, const double *b, double tolerance,
                                    double *M, int *steps);

/* The units both work in: M = slope T M' T with T = diag(scale) maps the cone to itself; in M' H has ones at the
 * squares of the diagonal entries and b's largest entry is one. Returns slope. */
double seg_psd_quadratic_units(size_t m, const double *H, const double *b, double *scale, double *scaled_H,
                               double *scaled_b);

#endif
