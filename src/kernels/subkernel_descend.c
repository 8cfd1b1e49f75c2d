#include "kernels/enpakl.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Armijo's share of the predicted decrease, and how many times a step may be halved. */
#define SUFFICIENT 1e-4
#define HALVINGS   30

/* Project each row of G onto the tangent space of the sphere at the row of V; returns the squared norm. */
static double to_tangent(size_t m, size_t r, const double *V, double *G) {
    double squares = 0;
    for (size_t i = 0; i < m; i++) {
        double along = 0;
        for (size_t c = 0; c < r; c++)
            along += G[i * r + c] * V[i * r + c];
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
        double norm = 0;
        for (size_t c = 0; c < r; c++) {
            X[i * r + c] = V[i * r + c] - step * G[i * r + c];
            norm += X[i * r + c] * X[i * r + c];
        }
        norm = 1 / sqrt(norm); /* >= 1 before: G is tangent */
        for (size_t c = 0; c < r; c++)
            X[i * r + c] *= norm;
    }
}

seg_status seg_subkernel_descend(seg_context *ctx, const seg_subkernel_problem *problem, size_t r, int iterations,
                                 double tolerance, double *V, seg_subkernel_result *result) {
    const size_t m = problem->links->m, entries = m * r;
    double *work = seg_alloc(ctx, 3 * entries, sizeof *work);
    double *G = work, *X = work ? work + entries : NULL, *H = work ? work + 2 * entries : NULL;
    double objective, squares, step;
    seg_status status;
    memset(result, 0, sizeof *result);
    if (!work)
        return SEG_ERR_MEMORY;
    if ((status = seg_subkernel_objective(ctx, problem, r, V, &objective, G)) != SEG_OK)
        goto done;
    squares = to_tangent(m, r, V, G);
    step = squares > 0 ? 0.1 * sqrt((double)m / squares) : 0; /* a row moves about a tenth of its length at first */
    while (result->iterations < iterations) {
        double trial = objective, next_squares, moved_moved = 0, moved_turned = 0;
        int halving;
        if ((status = seg_poll(ctx)) != SEG_OK)
            goto done;
        if (!(squares > 0)) {
            result->converged = 1;
            break;
        }
        for (halving = 0; halving < HALVINGS; halving++, step *= 0.5) {
            retract(m, r, V, G, step, X);
            if ((status = seg_subkernel_objective(ctx, problem, r, X, &trial, H)) != SEG_OK)
                goto done;
            if (trial <= objective - SUFFICIENT * step * squares)
                break;
        }
        result->iterations++;
        if (halving == HALVINGS) { /* no further descent in double precision */
            result->converged = 1;
            break;
        }
        next_squares = to_tangent(m, r, X, H);
        for (size_t i = 0; i < entries; i++) {
            double moved = X[i] - V[i], turned = H[i] - G[i];
            moved_moved += moved * moved;
            moved_turned += moved * turned;
        }
        memcpy(V, X, entries * sizeof *V);
        memcpy(G, H, entries * sizeof *G);
        squares = next_squares;
        step = moved_turned > 0 ? moved_moved / moved_turned : 2 * step;
        if (objective - trial <= tolerance * (1 + fabs(trial))) {
            objective = trial;
            result->converged = 1;
            break;
        }
        objective = trial;
    }
    result->objective = objective;
done:
    free(work);
    return status;
}
