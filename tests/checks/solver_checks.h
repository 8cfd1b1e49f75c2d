/* Independent checks of the solvers' optimality, and a slow solver to compare with; they share nothing with them. */
#ifndef TESTS_SOLVER_CHECKS_H
#define TESTS_SOLVER_CHECKS_H

#include "optim/psd_quadratic.h"

/* ---- The quadratic program of CCSKL. ---- */

/* Independent optimality check: the largest violation, relative to max(1, |A|, |b|), of the KKT conditions at z: order
 * and sign of z, sign of the multipliers, complementarity. Shares nothing with the solver. */
double seg_monotone_qp_residual(size_t m, const double *A, const double *b, const double *z);

/* The slow twin: projected gradient with isotonic projection (pool adjacent violators) for comparison. */
seg_status seg_monotone_qp_slow(seg_context *ctx, size_t m, const double *A, const double *b, int iterations,
                                double *z);

/* ---- The quadratic of CCSR over the cone. ---- */

/* What an independent look at a solution finds. */
typedef struct seg_psd_quadratic_report {
    double objective;
    double primal_distance; /* of M from the cone: the norm of its negative part */
    double dual_distance;   /* of the gradient H x + b from the cone */
    double complementarity; /* tr(M (H x + b)) */
    double dual_objective;  /* -1/2 y'Hy of a y with H y + b in the cone; -INFINITY where none was found */
    double gap;             /* objective - dual_objective >= objective - optimum, rounding aside */
} seg_psd_quadratic_report;

/* Independent optimality check: shares nothing with the solvers (Jacobi's rotations for eigenvalues, plain loops).
 * SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_psd_quadratic_check(seg_context *ctx, size_t m, const double *H, const double *b, const double *M,
                                   seg_psd_quadratic_report *out);

#endif
