/* The programs of the spectral kernels: CCSKL, K = F diag(beta) F' nearest to the ideal one [li2009ccskl], and CCSR,
 * the embedding F M^1/2, M positive semidefinite, nearest to an ideal one [li2009ccsr]. */
#pragma once

#include "kernels/links.h"
#include "optim/psd_quadratic.h"

/* ---- CCSKL. ---- */

/* A (m x m) and b (m) of the quadratic program [li2009ccskl, Eqs. 12-16] for the rows y_i of F (n x m):
 *   A = 2 sum c^2 (y_i o y_j)(y_i o y_j)',  b = -2 sum c^2 t (y_i o y_j)
 * over every (i, i) with t = 1 and c^2 = diagonal (1: as printed; see seg_diagonal_weight in kernels/links.h), and over
 * every constraint once (t = 1 for a must-link, 0 for a cannot-link; c its weight). The pairs of groups are summed
 * without listing them: with G_g = sum of y_i y_i' over group g, the pairs between g and h give G_g o G_h, and those
 * within g give half of (G_g o G_g less its i = j part). Cost O(n m^2 + groups^2 m^2 + pairs m^2). */
seg_status seg_ccskl_quadratic(seg_context *ctx, const seg_spectral_problem *problem, double *A, double *b);

/* Learn beta. F's columns are the smoothest eigenvectors. beta: m, non-increasing, >= 0. objective (Eq. 13, constant
 * included) may be NULL. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. */
seg_status seg_ccskl_learn(seg_context *ctx, const seg_spectral_problem *problem, double *beta, double *objective,
                           int *iterations);

/* ---- CCSR. ---- */

/* The quadratic [li2009ccsr, Eqs. 17-19] for the rows y_i of F (n x m) in x = svec(M) (optim/psd_quadratic.h):
 *   sum over (i, i) with t = 1 and over every constraint once of c^2 (y_i'M y_j - t)^2  =  1/2 x'Hx + b'x + constant,
 * t = 1 for must-links, 0 for cannot-links, c the weight; c^2 = diagonal for (i, i) (1: as printed; see
 * seg_diagonal_weight in kernels/links.h). H: p x p, b: p; constant may be NULL.
 * The pairs of groups are summed without listing them. With G the sum of y y' over all grouped samples, the pairs
 * within and between groups together have the quadratic part 1/2 (G (x) G - sum of ss'), s = svec(y y'). Only the
 * linear part depends on which group a sample is in, through the sums s_g of the rows of each group. SEG_OK,
 * SEG_ERR_MEMORY. Cost O((n + pairs) m^4 / 4), in blocks of rows by BLAS. */
seg_status seg_ccsr_quadratic(seg_context *ctx, const seg_spectral_problem *problem, double *H, double *b,
                              double *constant);

/* Learn M. F's columns are the smoothest eigenvectors; M: m x m. The objective is that of Eq. 17, constant included. */
seg_status seg_ccsr_learn(seg_context *ctx, const seg_spectral_problem *problem, double *M,
                          seg_psd_quadratic_result *result);

/* The constant of the objectives: the sum of c^2 t^2. */
double seg_spectral_constant(const seg_spectral_problem *problem);
