/* CCSKL: the spectral kernel K = F diag(beta) F' nearest to the ideal one [li2009ccskl]. */
#ifndef SEG_KERNELS_CCSKL_PROGRAM_H
#define SEG_KERNELS_CCSKL_PROGRAM_H

#include "kernels/links.h"

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

#endif
