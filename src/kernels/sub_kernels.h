/* ENPAKL's sub-kernel [chen2011npkl, Sec. 4.1]: over m constrained samples,
 *   minimise  log <L,K> - log <L^p,K> + lambda log <S,K>   over K >= 0 with unit diagonal   (Eq. 21),
 * with L and L^p of the links and S the normalized Laplacian of a Gaussian graph (Eqs. 14-15; printed as l in Eq. 21).
 * As printed the objective has no lower bound: log <L,K> falls without bound as the must-links collapse. So each term
 * has a guard: log(<A,K> + guard tr A). A term with A = 0 (no such links) is left out. */
#pragma once

#include "graph/laplacian.h"
#include "kernels/links.h"

typedef struct seg_subkernel_problem {
    const seg_links *links;
    const seg_csr *smoother; /* S, m x m symmetric */
    double lambda;           /* >= 0 */
    double guard;            /* > 0 */
    int each;                /* 1: listed cannot-links have a term each (seg_subkernel_objective) */
} seg_subkernel_problem;

typedef struct seg_subkernel_result {
    double objective;
    int iterations, converged;
} seg_subkernel_result;

/* If `each` is set and there are no groups, the mean over the cannot-links of log(|v_i - v_j|^2 + 2 guard) replaces the
 * logarithm of their sum, <L^p,K>. The sum is largest if the classes' rows add up to zero: at two opposite poles, where
 * two classes may share a pole, as well as at a simplex. The sum of the logarithms is largest if all distances are
 * equal, and its slope is unbounded for a merged pair.
 *
 * The value of the guarded objective at K = V V', V m x r; gradient (m x r, may be NULL) is the Euclidean one in V, 2
 * (dF/dK) V. */
seg_status seg_subkernel_objective(seg_context *ctx, const seg_subkernel_problem *problem, size_t r, const double *V,
                                   double *objective, double *gradient);

typedef struct seg_limits {
    int iterations;
    double tolerance; /* relative change of the objective */
} seg_limits;

/* Descent on the manifold K = V V' of rank r, rows of V on the unit sphere: tangent gradients, Barzilai-Borwein steps
 * with backtracking, and rows normalised after each step (a retraction). The objective never rises. V (m x r) holds the
 * start on entry, rows of norm one. Cost O((edges of S + m + pairs) r) per step. */
seg_status seg_subkernel_descend(seg_context *ctx, const seg_subkernel_problem *problem, size_t r, seg_limits limits,
                                 double *V, seg_subkernel_result *result);

/* Algorithm 2 as printed: a gradient step on K, then alternating projections onto the positive semidefinite cone
 * (Theorem 3) and the unit diagonal (Theorem 4) until both hold; the learning rate is halved if the objective does not
 * fall. It is the reference for the descent. K (m x m) holds the start on entry; on return it is positive semidefinite
 * with a diagonal of exactly one. Cost O(m^3) per step. */
seg_status seg_subkernel_project(seg_context *ctx, const seg_subkernel_problem *problem, seg_limits limits, double *K,
                                 seg_subkernel_result *result);

/* The start of both: each group has a unit vector, and its rows are that vector with a random tilt by the context's
 * seed; samples without a group are random. V is m x r, r >= 1. */
void seg_subkernel_start(uint64_t seed, uint64_t stream, const seg_links *links, size_t r, double *V);

/* ---- The constrained samples that each sub-kernel is learned from [chen2011npkl, Algorithm 3]. ---- */

typedef struct seg_subsets {
    size_t count;    /* subsets */
    size_t *start;   /* count + 1 offsets into member; owned */
    int32_t *member; /* sample indices; owned */
    double *degree;  /* count: total number of constraints of each subset's samples; owned */
} seg_subsets;

/* The constrained samples, sorted by decreasing degree (with equal degrees the groups take turns, so that every subset
 * has every label). The first `landmarks` (B) are in every subset; each subset has `portion` (R) of the rest. landmarks
 * = 0: one subset of all. */
seg_status seg_subsets_pick(seg_context *ctx, const seg_constraints *constraints, size_t landmarks, size_t portion,
                            seg_subsets *out);
void seg_subsets_free(seg_subsets *subsets);

/* ---- From a sub-kernel to all samples: phi(x_i) = sum_j w_ij phi(x_j), j in the subset [chen2011npkl, Eqs. 30-32].
 * Only the factor W V is formed, not W or K. ---- */

typedef struct seg_extension {
    const seg_matrix *X; /* features, n rows */
    const seg_constraints *constraints;
    const int32_t *member; /* the m samples of the subset */
    size_t m;
    const double *V; /* m x r */
    uint8_t *known;  /* n: 1 where a row is known */
} seg_extension;

/* The rows of constrained samples: samples of the subset get their row of V; samples outside it that must link to some
 * inside get the mean of these (case 1 of Eq. 31's weights). known[i] is set to 1 for both, else 0. F: n x r zeros. */
seg_status seg_extension_known(seg_context *ctx, const seg_extension *extension, seg_matrix *F);

/* Case 2 by Eq. 30 as printed: each other row is reconstructed from its `neighbours` nearest samples of the subset in
 * feature space, without those that it cannot link to. The weights w have least squared error and sum one (local Gram
 * matrix, ridge 1e-3 of its trace [roweis2000lle]), and are divided by sqrt(w'Kw) so that the row lies on the sphere
 * (footnote 5, printed without the root). Cost O(n m d). */
seg_status seg_extension_lle(seg_context *ctx, const seg_extension *extension, int neighbours, seg_matrix *F);

/* ---- The kernel: sub-kernels, their extension to all samples, their weighted sum [chen2011npkl, Sec. 4.2]. ---- */

/* How a sub-kernel is learned: the two solvers of Eq. 21, or PCP in their place (ENPAKL1). */
typedef enum seg_enpakl_solver { SEG_ENPAKL_DESCEND = 0, SEG_ENPAKL_PROJECT, SEG_ENPAKL_PCP } seg_enpakl_solver;
typedef enum seg_enpakl_weights { SEG_ENPAKL_HARMONIC = 0, SEG_ENPAKL_LLE } seg_enpakl_weights;

typedef struct seg_enpakl_options {
    seg_enpakl_solver solver;
    seg_enpakl_weights weights;
    int rank;                   /* columns of a sub-kernel's factor, >= 1 */
    double lambda, guard;       /* of the objective */
    int each;                   /* of the objective; only the descent uses it */
    int smoother_neighbours;    /* of the smoother's graph, 0 = all pairs */
    double sigma_scale;         /* of its Gaussian, times the mean distance */
    int whole_sigma;            /* of all samples [chen2011npkl, Sec. 5]; 0: of the sub-kernel's */
    size_t landmarks, portion;  /* B and R of Algorithm 3; landmarks 0 = one sub-kernel over all constrained samples */
    double extension_tolerance; /* of the harmonic weights (graph/harmonic.h), > 0 */
    int lle_neighbours;
    const seg_laplacian *laplacian; /* of W, for the harmonic weights; NULL: made here */
    int equal_alpha;                /* 1: equal weights alpha; 0: proportional to the subset's degree (Eq. 33) */
    int iterations;
    double tolerance;
} seg_enpakl_options;

typedef struct seg_enpakl_result {
    seg_matrix factor;         /* Z, n x r: K = Z Z' = sum alpha_i W_i K_i W_i'; owned */
    double objective;          /* mean of the sub-kernels' objectives */
    int iterations, converged; /* sum; all */
} seg_enpakl_result;

/* X: n x d features; W: n x n affinities (needed by the harmonic weights). At least one constraint. Free `out` in any
 * case. SEG_OK, SEG_ERR_USAGE (no constraint), SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_enpakl_learn(seg_context *ctx, const seg_matrix *X, const seg_csr *W, const seg_constraints *constraints,
                            const seg_enpakl_options *options, seg_enpakl_result *out);
void seg_enpakl_result_free(seg_enpakl_result *result);
