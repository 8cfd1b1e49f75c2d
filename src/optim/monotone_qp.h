/* The quadratic program of CCSKL [li2009ccskl, Eqs. 15-16]: minimise 1/2 z'Az + b'z over z_1 >= ... >= z_m >= 0. */
#ifndef SEG_OPTIM_MONOTONE_QP_H
#define SEG_OPTIM_MONOTONE_QP_H

#include <segment/context.h>

/* A: m x m symmetric positive semidefinite, row-major; b: m; z: m, the solution. With z = U w, U the upper triangle of
 * ones (z_i = sum of w_j, j >= i), it is a non-negative least-squares problem in w, solved exactly by an active-set
 * method (Lawson & Hanson's, on the normal equations, extended to rank-deficient passive sets); finite and
 * deterministic. iterations may be NULL. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(m^3) times a few. */
seg_status seg_monotone_qp(seg_context *ctx, size_t m, const double *A, const double *b, double *z, int *iterations);

#endif
