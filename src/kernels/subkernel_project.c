#include "kernels/enpakl.h"

#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limit of the alternating projections, and how close to one the diagonal must be. */
#define PROJECTIONS        50
#define DIAGONAL_TOLERANCE 1e-6
#define HALVINGS           30

/* The dense matrices of Eq. 21: A = L, L^p, S and their guarded weights. */
typedef struct terms {
    int count;
    double *A[3]; /* m x m each */
    double weight[3], offset[3];
} terms;

static void free_terms(terms *t) {
    for (int i = 0; i < 3; i++)
        free(t->A[i]);
}

static seg_status write_out(seg_context *ctx, const seg_subkernel_problem *problem, terms *t) {
    const size_t m = problem->links->m;
    double *identity = seg_alloc_zero(ctx, m * m, sizeof *identity);
    seg_status status = SEG_OK;
    memset(t, 0, sizeof *t);
    if (!identity)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < m; i++)
        identity[i * m + i] = 1;
    for (int which = 0; which < 3 && !status; which++) {
        double trace = which == 0 ? problem->links->must_trace : which == 1 ? problem->links->cannot_trace : 0;
        double *A;
        if (which == 2 ? !(problem->lambda > 0) : !(trace > 0))
            continue;
        A = t->A[t->count] = seg_alloc_zero(ctx, m * m, sizeof *A);
        if (!A) {
            status = SEG_ERR_MEMORY;
            break;
        }
        if (which < 2)
            status = seg_links_apply(ctx, problem->links, which == 0 ? +1 : -1, m, identity, A);
        else
            for (size_t i = 0; i < m; i++)
                for (size_t e = problem->smoother->start[i]; e < problem->smoother->start[i + 1]; e++) {
                    A[i * m + (size_t)problem->smoother->column[e]] = problem->smoother->value[e];
                    if ((size_t)problem->smoother->column[e] == i)
                        trace += problem->smoother->value[e];
                }
        t->weight[t->count] = which == 0 ? 1 : which == 1 ? -1 : problem->lambda;
        t->offset[t->count++] = problem->guard * trace;
    }
    free(identity);
    return status;
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

/* Project K on the constraints by Eqs. 24 and 25 in turn. At the end a congruence makes the diagonal exactly one and
 * keeps K positive semidefinite. */
static seg_status onto_constraints(seg_context *ctx, size_t m, double *K, double *scale) {
    for (int turn = 0; turn < PROJECTIONS; turn++) {
        double off = 0;
        seg_status status = seg_psd_project(ctx, m, K);
        if (status)
            return status;
        for (size_t i = 0; i < m; i++)
            off = fmax(off, fabs(K[i * m + i] - 1));
        if (off <= DIAGONAL_TOLERANCE)
            break;
        if (turn + 1 < PROJECTIONS)
            for (size_t i = 0; i < m; i++)
                K[i * m + i] = 1;
    }
    for (size_t i = 0; i < m; i++)
        scale[i] = K[i * m + i] > 0 ? 1 / sqrt(K[i * m + i]) : 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            K[i * m + j] = i == j ? 1 : K[i * m + j] * scale[i] * scale[j];
    return SEG_OK;
}

seg_status seg_subkernel_project(seg_context *ctx, const seg_subkernel_problem *problem, int iterations,
                                 double tolerance, double *K, seg_subkernel_result *result) {
    const size_t m = problem->links->m;
    terms t;
    double *work = seg_alloc(ctx, 2 * m * m + m, sizeof *work);
    double *G = work, *X = work ? work + m * m : NULL, *scale = work ? work + 2 * m * m : NULL;
    double objective, squares = 0, rate;
    seg_status status = work ? write_out(ctx, problem, &t) : SEG_ERR_MEMORY;
    memset(result, 0, sizeof *result);
    if (!work)
        return SEG_ERR_MEMORY;
    if (status || (status = onto_constraints(ctx, m, K, scale)) != SEG_OK)
        goto done;
    objective = evaluate(&t, m, K, G);
    for (size_t e = 0; e < m * m; e++)
        squares += G[e] * G[e];
    rate = squares > 0 ? 0.2 * (double)m / sqrt(squares) : 0; /* the first step is a fifth of the largest K */
    while (result->iterations < iterations) {
        double trial = objective;
        int halving;
        if ((status = seg_poll(ctx)) != SEG_OK)
            goto done;
        for (halving = 0; halving < HALVINGS; halving++, rate *= 0.5) {
            for (size_t e = 0; e < m * m; e++)
                X[e] = K[e] - rate * G[e]; /* Eq. 23 */
            if ((status = onto_constraints(ctx, m, X, scale)) != SEG_OK)
                goto done;
            if ((trial = evaluate(&t, m, X, NULL)) < objective)
                break;
        }
        result->iterations++;
        if (halving == HALVINGS) {
            result->converged = 1;
            break;
        }
        memcpy(K, X, m * m * sizeof *K);
        evaluate(&t, m, K, G);
        result->converged = objective - trial <= tolerance * (1 + fabs(trial));
        objective = trial;
        if (result->converged)
            break;
        rate *= 2;
    }
    result->objective = objective;
done:
    free_terms(&t);
    free(work);
    return status;
}
