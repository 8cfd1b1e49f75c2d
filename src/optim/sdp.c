/* Solving a semidefinite program: DSDP by one way after the other, until the independent checker (sdp_check.c) finds
 * that the conditions of optimality hold, whatever the solver reports. */
#include "optim/sdp.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Putting a program together. ---- */

seg_status seg_sdp_create(seg_context *ctx, int constraints, int blocks, const int *size, seg_sdp *out) {
    memset(out, 0, sizeof *out);
    if (constraints < 1 || constraints > SEG_SDP_ROWS || blocks < 1)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "a semidefinite program of %d constraints and %d blocks: one block or more and 1 to %d "
                        "constraints are possible",
                        constraints, blocks, SEG_SDP_ROWS);
    for (int b = 0; b < blocks; b++)
        if (size[b] < 1 || size[b] > SEG_SDP_LARGEST)
            return seg_fail(ctx, SEG_ERR_USAGE, "a block of %d rows in a semidefinite program: 1 to %d are possible",
                            size[b], SEG_SDP_LARGEST);
    out->constraints = constraints;
    out->blocks = blocks;
    const seg_status status =
        SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->size, (size_t)blocks), SEG_ARRAY(out->right, (size_t)constraints));
    for (int k = 0; k < blocks && !status; k++)
        out->size[k] = size[k];
    return status;
}

void seg_sdp_free(seg_sdp *sdp) {
    if (!sdp)
        return;
    free(sdp->size);
    free(sdp->entry);
    free(sdp->term);
    free(sdp->index);
    memset(sdp, 0, sizeof *sdp);
}

static seg_status check_place(seg_context *ctx, const seg_sdp *sdp, seg_sdp_place place, size_t i) {
    if (place.row < 0 || place.row > sdp->constraints || place.block < 0 || place.block >= sdp->blocks)
        return seg_fail(ctx, SEG_ERR_USAGE, "row %d, block %d is outside the semidefinite program", place.row,
                        place.block);
    if (i >= (size_t)sdp->size[place.block])
        return seg_fail(ctx, SEG_ERR_USAGE, "entry %zu of a block of %d in a semidefinite program", i,
                        sdp->size[place.block]);
    return SEG_OK;
}

seg_status seg_sdp_add(seg_context *ctx, seg_sdp *sdp, seg_sdp_place place, size_t i, size_t j, double value) {
    seg_status status = check_place(ctx, sdp, place, i > j ? i : j);
    if (!status && !isfinite(value))
        status =
            seg_fail(ctx, SEG_ERR_USAGE, "entry (%zu, %zu) = %g of row %d cannot be part of a semidefinite program", i,
                     j, value, place.row);
    if (!status)
        status = seg_grow(ctx, &sdp->entry, sdp->entries, &sdp->entry_room, sizeof *sdp->entry);
    if (!status)
        sdp->entry[sdp->entries++] =
            (seg_sdp_entry){place.row, place.block, (int32_t)(i > j ? i : j), (int32_t)(i > j ? j : i), value};
    return status;
}

seg_status seg_sdp_add_rank_one(seg_context *ctx, seg_sdp *sdp, seg_sdp_place place, double weight, size_t count,
                                const int32_t *index) {
    const size_t start = sdp->numbers;
    seg_status status = SEG_OK;
    if (!isfinite(weight))
        return seg_fail(ctx, SEG_ERR_USAGE, "a rank-one term of weight %g in block %d of a semidefinite program",
                        weight, place.block);
    for (size_t e = 0; e < count; e++) {
        if ((status = check_place(ctx, sdp, place, (size_t)index[e])) != SEG_OK)
            return status;
        if (e > 0 && index[e] <= index[e - 1])
            return seg_fail(ctx, SEG_ERR_USAGE, "entry %zu of a rank-one term of row %d is out of order", e, place.row);
    }
    if (count == 0 || weight == 0)
        return SEG_OK;
    status = seg_grow(ctx, &sdp->term, sdp->terms, &sdp->term_room, sizeof *sdp->term);
    for (size_t e = 0; e < count && !status; e++)
        if ((status = seg_grow(ctx, &sdp->index, sdp->numbers, &sdp->number_room, sizeof *sdp->index)) == SEG_OK)
            sdp->index[sdp->numbers++] = index[e];
    if (!status)
        sdp->term[sdp->terms++] = (seg_sdp_term){place.row, place.block, weight, start, count};
    return status;
}

/* ---- Its solution. ---- */

static seg_status check_range(seg_context *ctx, const seg_sdp *sdp) {
    double largest = 0;
    for (int i = 0; i < sdp->constraints; i++) {
        if (!isfinite(sdp->right[i]))
            return seg_fail(ctx, SEG_ERR_USAGE, "the right side of constraint %d of a semidefinite program is %g",
                            i + 1, sdp->right[i]);
        largest = fmax(largest, fabs(sdp->right[i]));
    }
    for (size_t e = 0; e < sdp->entries; e++)
        largest = fmax(largest, fabs(sdp->entry[e].value));
    for (size_t k = 0; k < sdp->terms; k++)
        largest = fmax(largest, fabs(sdp->term[k].weight));
    if (!(largest <= SEG_SDP_COEFFICIENT))
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "a coefficient of %.2g in a semidefinite program is too large to be solved for (limit %g); "
                        "weights nearer to one help",
                        largest, SEG_SDP_COEFFICIENT);
    return SEG_OK;
}

/* Keep the better of the two in `best` and free the other. */
static void keep_better(seg_sdp_solution *best, seg_sdp_solution *found) {
    if (!best->X || seg_sdp_worst(&found->residuals) < seg_sdp_worst(&best->residuals)) {
        const seg_sdp_solution other = *best;
        *best = *found;
        *found = other;
    }
    seg_sdp_solution_free(found);
}

/* Accept or refuse the best solution found. */
static seg_status judge(seg_context *ctx, const char *why, seg_sdp_solution *out) {
    const double worst = seg_sdp_worst(&out->residuals);
    if (out->converged)
        return SEG_OK;
    if (!(worst <= seg_sdp_accepted))
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "the semidefinite solver gave up after %d steps, since %s; the conditions of "
                        "optimality are met to %.2g only; weights nearer to one or fewer constraints may help",
                        out->iterations, why, worst);
    seg_log(ctx, SEG_LOG_INFO, "semidefinite solver: %s; residual %.2g accepted", why, worst);
    return SEG_OK;
}

/* DSDP allocates by itself: a matrix of the constraints, and some 12 of each block. */
static seg_status reserve(seg_context *ctx, const seg_sdp *sdp) {
    size_t numbers = (size_t)sdp->constraints * (size_t)sdp->constraints;
    for (int b = 0; b < sdp->blocks; b++)
        numbers += 12 * (size_t)sdp->size[b] * (size_t)sdp->size[b];
    return seg_reserve(ctx, numbers * sizeof(double), "a semidefinite program");
}

seg_status seg_sdp_solve(seg_context *ctx, const seg_sdp *sdp, const seg_sdp_options *options, seg_sdp_solution *out) {
    const seg_sdp_options own = options ? *options : (seg_sdp_options){0};
    const double tolerance = own.tolerance > 0 ? own.tolerance : SEG_SDP_TOLERANCE;
    const char *why = "its limit of steps was reached";
    seg_status status;
    memset(out, 0, sizeof *out);
    if ((status = check_range(ctx, sdp)) != SEG_OK || (status = reserve(ctx, sdp)) != SEG_OK)
        return status;
    for (int way = 0; way < SEG_SDP_DSDP_WAYS && !status && !out->converged; way++) {
        seg_sdp_solution found;
        const char *reason = why;
        status = seg_sdp_by_dsdp(ctx, sdp, options, way, &found, &reason);
        if (!status && (status = seg_sdp_check(ctx, sdp, &found, &found.residuals)) != SEG_OK)
            seg_sdp_solution_free(&found);
        if (!status) {
            found.converged = seg_sdp_worst(&found.residuals) <= fmax(tolerance, SEG_SDP_ROUNDING);
            keep_better(out, &found);
        }
        why = way == 0 ? reason : why;
        /* A later way may fail: the program may still have a solution. */
        if (status == SEG_ERR_NUMERIC && out->X)
            status = SEG_OK;
    }
    if (!status)
        status = judge(ctx, why, out);
    if (status)
        seg_sdp_solution_free(out);
    return status;
}

void seg_sdp_solution_free(seg_sdp_solution *solution) {
    if (!solution)
        return;
    for (int b = 0; solution->X && b < solution->blocks; b++)
        seg_matrix_free(&solution->X[b]);
    free(solution->X);
    free(solution->y);
    memset(solution, 0, sizeof *solution);
}
