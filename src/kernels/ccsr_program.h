/* CCSR: the spectral embedding F M^1/2, M positive semidefinite, nearest to an ideal one [li2009ccsr]. */
#ifndef SEG_KERNELS_CCSR_PROGRAM_H
#define SEG_KERNELS_CCSR_PROGRAM_H

#include "kernels/links.h"
#include "optim/psd_quadratic.h"

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

#endif
