/* ENPAKL's sub-kernel: its objective, the descent, and Algorithm 2 as printed. */
#include "kernels/sub_kernels.h"

#include "base/base.h"
#include "base/random.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

/* Armijo's share of the predicted decrease, and how many times a step may be halved. */
#define SUFFICIENT 1e-4
#define HALVINGS   30
/* Limit of the alternating projections, and how close to one the diagonal must be. */
#define PROJECTIONS        50
#define DIAGONAL_TOLERANCE 1e-6
/* Length of the random tilt of the start: no two rows are equal, and all rows of a group stay close. */
#define TILT 0.3

static double csr_trace(const seg_csr *A) {
    double trace = 0;
    for (size_t i = 0; i < A->rows; i++)
        trace += seg_csr_at(A, i, i);
    return trace;
}

typedef struct sums {
    size_t entries;
    double guard, *AV;
    const double *V;
    double *objective, *gradient;
} sums;

/* Add sign * weight * log(<A,K> + guard tr A) to the objective, and its gradient, from AV. */
static void add_term(const sums *s, double weight, double trace) {
    double value = seg_dot(s->entries, s->AV, s->V) + s->guard * trace;
    *s->objective += weight * log(value);
    for (size_t i = 0; s->gradient && i < s->entries; i++)
        s->gradient[i] += 2 * weight / value * s->AV[i];
}

/* Add a term for each cannot-link instead of their sum. */
static void add_each(const seg_links *links, size_t r, double guard, const double *V, double *objective,
                     double *gradient) {
    const double share = 2 / links->cannot_trace; /* 1 / the sum of their weights */
    for (size_t p = 0; p < links->pairs; p++) {
        const seg_pair *pair = &links->pair[p];
        if (pair->sign > 0)
            continue;
        const double *vi = V + (size_t)pair->i * r, *vj = V + (size_t)pair->j * r;
        double distance2 = 2 * guard;
        for (size_t c = 0; c < r; c++)
            distance2 += (vi[c] - vj[c]) * (vi[c] - vj[c]);
        *objective -= share * pair->weight * log(distance2);
        if (!gradient)
            continue;
        double *gi = gradient + (size_t)pair->i * r, *gj = gradient + (size_t)pair->j * r;
        const double pull = 2 * share * pair->weight / distance2;
        for (size_t c = 0; c < r; c++) {
            gi[c] -= pull * (vi[c] - vj[c]);
            gj[c] += pull * (vi[c] - vj[c]);
        }
    }
}

seg_status seg_subkernel_objective(seg_context *ctx, const seg_subkernel_problem *problem, size_t r, const double *V,
                                   double *objective, double *gradient) {
    const seg_links *links = problem->links;
    const size_t entries = links->m * r;
    const double smoother_trace = problem->lambda > 0 ? csr_trace(problem->smoother) : 0;
    SEG_LOCAL(double, AV, seg_alloc(ctx, entries, sizeof *AV));
    const sums s = {entries, problem->guard, AV, V, objective, gradient};
    *objective = 0;
    if (gradient)
        memset(gradient, 0, entries * sizeof *gradient);
    if (links->must_trace > 0) {
        SEG_TRY(seg_links_apply(ctx, links, +1, r, V, AV));
        add_term(&s, 1, links->must_trace);
    }
    if (links->cannot_trace > 0 && problem->each && links->grouped == 0) {
        add_each(links, r, problem->guard, V, objective, gradient);
    } else if (links->cannot_trace > 0) {
        SEG_TRY(seg_links_apply(ctx, links, -1, r, V, AV));
        add_term(&s, -1, links->cannot_trace);
    }
    if (smoother_trace > 0) {
        seg_csr_times_matrix(ctx, problem->smoother, r, V, AV);
        add_term(&s, problem->lambda, smoother_trace);
    }
    return SEG_OK;
}

void seg_subkernel_start(uint64_t seed, uint64_t stream, const seg_links *links, size_t r, double *V) {
    seg_random random = seg_random_seeded(seed, stream);
    for (size_t i = 0; i < links->m; i++) {
        double *v = V + i * r;
        for (size_t c = 0; c < r; c++)
            v[c] = seg_random_normal(&random) * (links->group[i] >= 0 ? TILT / sqrt((double)r) : 1);
        if (links->group[i] >= 0)
            v[(size_t)links->group[i] % r] += 1;
        const double norm = sqrt(seg_dot(r, v, v));
        for (size_t c = 0; c < r; c++)
            v[c] = norm > 0 ? v[c] / norm : c == 0;
    }
}

/* ---- Descent on the sphere. ---- */

/* Project each row of G onto the tangent space of the sphere at the row of V; returns the squared norm. */
static double to_tangent(size_t m, size_t r, const double *V, double *G) {
    double squares = 0;
    for (size_t i = 0; i < m; i++) {
        const double along = seg_dot(r, G + i * r, V + i * r);
        for (size_t c = 0; c < r; c++) {
            G[i * r + c] -= along * V[i * r + c];
            squares += G[i * r + c] * G[i * r + c];
        }
    }
    return squares;
}

/* X = V - step G with rows put back on the sphere. */
static void retract(size_t m, size_t r, const double *V, const double *G, double step, double *X) {
    for (size_t i = 0; i < m; i++) {
        for (size_t c = 0; c < r; c++)
            X[i * r + c] = V[i * r + c] - step * G[i * r + c];
        const double norm = 1 / sqrt(seg_dot(r, X + i * r, X + i * r)); /* >= 1 before: G is tangent */
        for (size_t c = 0; c < r; c++)
            X[i * r + c] *= norm;
    }
}

seg_status seg_subkernel_descend(seg_context *ctx, const seg_subkernel_problem *problem, size_t r, seg_limits limits,
                                 double *V, seg_subkernel_result *result) {
    const size_t m = problem->links->m, entries = m * r;
    double *G, *X, *H, *objective = &result->objective, step;
    memset(result, 0, sizeof *result);
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(G, entries), SEG_ARRAY(X, entries), SEG_ARRAY(H, entries));
    SEG_TRY(seg_subkernel_objective(ctx, problem, r, V, objective, G));
    double squares = to_tangent(m, r, V, G);
    step = squares > 0 ? 0.1 * sqrt((double)m / squares) : 0; /* a row moves about a tenth of its length at first */
    while (!result->converged && result->iterations < limits.iterations) {
        double trial = *objective, moved_moved = 0, moved_turned = 0;
        int halving;
        SEG_TRY(seg_poll(ctx));
        if (!(squares > 0)) {
            result->converged = 1;
            break;
        }
        for (halving = 0; halving < HALVINGS; halving++, step *= 0.5) {
            retract(m, r, V, G, step, X);
            SEG_TRY(seg_subkernel_objective(ctx, problem, r, X, &trial, H));
            if (trial <= *objective - SUFFICIENT * step * squares)
                break;
        }
        result->iterations++;
        if (halving == HALVINGS) { /* no further descent in double precision */
            result->converged = 1;
            break;
        }
        squares = to_tangent(m, r, X, H);
        for (size_t i = 0; i < entries; i++) {
            double moved = X[i] - V[i], turned = H[i] - G[i];
            moved_moved += moved * moved;
            moved_turned += moved * turned;
        }
        memcpy(V, X, entries * sizeof *V);
        memcpy(G, H, entries * sizeof *G);
        step = moved_turned > 0 ? moved_moved / moved_turned : 2 * step;
        result->converged = *objective - trial <= limits.tolerance * (1 + fabs(trial));
        *objective = trial;
    }
    return SEG_OK;
}

/* ---- Algorithm 2. ---- */

/* The dense matrices of Eq. 21: A = L, L^p, S and their guarded weights. */
typedef struct terms {
    int count;
    double *A[3]; /* m x m each */
    double weight[3], offset[3];
} terms;

/* identity: room for m x m zeros. */
static seg_status write_out(seg_context *ctx, const seg_subkernel_problem *problem, double *identity, terms *t) {
    const size_t m = problem->links->m;
    const seg_csr *S = problem->smoother;
    const double trace[] = {problem->links->must_trace, problem->links->cannot_trace,
                            problem->lambda > 0 ? csr_trace(S) : 0};
    const double weight[] = {1, -1, problem->lambda};
    const int wanted[] = {trace[0] > 0, trace[1] > 0, problem->lambda > 0};
    for (size_t i = 0; i < m; i++)
        identity[i * m + i] = 1;
    for (int which = 0; which < 3; which++) {
        double *A = t->A[t->count];
        if (!wanted[which])
            continue;
        if (which < 2)
            SEG_TRY(seg_links_apply(ctx, problem->links, which == 0 ? +1 : -1, m, identity, A));
        for (size_t i = 0; which == 2 && i < m; i++)
            for (size_t e = S->start[i]; e < S->start[i + 1]; e++)
                A[i * m + (size_t)S->column[e]] = S->value[e];
        t->weight[t->count] = weight[which];
        t->offset[t->count++] = problem->guard * trace[which];
    }
    return SEG_OK;
}

static double evaluate(const terms *t, size_t m, const double *K, double *gradient) {
    double objective = 0;
    if (gradient)
        memset(gradient, 0, m * m * sizeof *gradient);
    for (int i = 0; i < t->count; i++) {
        double value = t->offset[i];
        for (size_t e = 0; e < m * m; e++)
            value += t->A[i][e] * K[e];
        objective += t->weight[i] * log(value);
        if (gradient)
            for (size_t e = 0; e < m * m; e++)
                gradient[e] += t->weight[i] / value * t->A[i][e]; /* Eq. 22 */
    }
    return objective;
}

/* Project K on the constraints by Eqs. 24 and 25 in turn; then a congruence keeps K psd and makes its diagonal one. */
static seg_status onto_constraints(seg_context *ctx, size_t m, double *K, double *scale) {
    for (int turn = 0; turn < PROJECTIONS; turn++) {
        double off = 0;
        SEG_TRY(seg_psd_project(ctx, m, K));
        for (size_t i = 0; i < m; i++)
            off = fmax(off, fabs(K[i * m + i] - 1));
        if (off <= DIAGONAL_TOLERANCE)
            break;
        for (size_t i = 0; turn + 1 < PROJECTIONS && i < m; i++)
            K[i * m + i] = 1;
    }
    for (size_t i = 0; i < m; i++)
        scale[i] = K[i * m + i] > 0 ? 1 / sqrt(K[i * m + i]) : 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            K[i * m + j] = i == j ? 1 : K[i * m + j] * scale[i] * scale[j];
    return SEG_OK;
}

seg_status seg_subkernel_project(seg_context *ctx, const seg_subkernel_problem *problem, seg_limits limits, double *K,
                                 seg_subkernel_result *result) {
    const size_t m = problem->links->m;
    terms t = {0};
    double *G, *X, *scale, *identity, *objective = &result->objective, rate;
    memset(result, 0, sizeof *result);
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(G, m, m), SEG_TABLE(X, m, m), SEG_ARRAY(scale, m), SEG_TABLE(identity, m, m),
                     SEG_TABLE(t.A[0], m, m), SEG_TABLE(t.A[1], m, m), SEG_TABLE(t.A[2], m, m));
    SEG_TRY(write_out(ctx, problem, identity, &t));
    SEG_TRY(onto_constraints(ctx, m, K, scale));
    *objective = evaluate(&t, m, K, G);
    const double squares = seg_dot(m * m, G, G);
    rate = squares > 0 ? 0.2 * (double)m / sqrt(squares) : 0; /* the first step is a fifth of the largest K */
    while (!result->converged && result->iterations < limits.iterations) {
        double trial = *objective;
        int halving;
        SEG_TRY(seg_poll(ctx));
        for (halving = 0; halving < HALVINGS; halving++, rate *= 0.5) {
            for (size_t e = 0; e < m * m; e++)
                X[e] = K[e] - rate * G[e]; /* Eq. 23 */
            SEG_TRY(onto_constraints(ctx, m, X, scale));
            if ((trial = evaluate(&t, m, X, NULL)) < *objective)
                break;
        }
        result->iterations++;
        if (halving == HALVINGS) {
            result->converged = 1;
            break;
        }
        memcpy(K, X, m * m * sizeof *K);
        evaluate(&t, m, K, G);
        result->converged = *objective - trial <= limits.tolerance * (1 + fabs(trial));
        *objective = trial;
        rate *= 2;
    }
    return SEG_OK;
}
