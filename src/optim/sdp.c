/* Semidefinite programs and their solution by DSDP. A solution is accepted if the independent checker (sdp_check.c)
 * finds that the optimality conditions hold, whatever the solver reports. The only file that calls DSDP. DSDP keeps
 * pointers to the data arrays, so these must live until it is destroyed. It has static variables, so one program is
 * solved at a time (the lock). It prints only if it runs out of memory, or if a data matrix is so small that its square
 * is 0. Therefore coefficients that are negligible beside the largest of their row are left out, and rows of very small
 * coefficients are scaled to the order of one. */
#include "optim/sdp.h"
#include "base/base.h"
#include "linalg/blas_threads.h"

#include <dsdp/dsdp5.h>

#include <pthread.h>

#define ITERATIONS 200
/* Parameter of the potential, and how often a factorised Schur matrix is reused. The manual of DSDP advises 3 to 5 for
 * the former and a small number for large programs for the latter; these values save TRAGEK a third of the time. */
#define POTENTIAL 5
#define REUSE     4
/* Larger coefficients conflict with DSDP's bounds on the dual variables (1e7); with far larger ones it hangs. */
#define LARGEST_COEFFICIENT 1e7
/* Residuals need not be smaller than this, whatever the tolerance. */
#define ROUNDING 1e-6

/* A coefficient below this fraction of the largest of its row is left out; a row whose largest is below this is scaled
 * to 1 .. 2. */
#define NOTHING 1e-30

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* ---- Building a program. ---- */

seg_status seg_sdp_create(seg_context *ctx, int constraints, int blocks, const int *size, seg_sdp *out) {
    *out = (seg_sdp){.constraints = constraints, .blocks = blocks};
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->size, (size_t)blocks), SEG_ARRAY(out->right, (size_t)constraints)));
    memcpy(out->size, size, (size_t)blocks * sizeof *size);
    return SEG_OK;
}

void seg_sdp_free(seg_sdp *sdp) {
    SEG_CLEAR(sdp, sdp->size, sdp->entry, sdp->term, sdp->index);
}

seg_status seg_sdp_add(seg_context *ctx, seg_sdp *sdp, seg_sdp_place place, size_t i, size_t j, double value) {
    SEG_TRY(seg_extend(ctx, &sdp->entry, sdp->entries, sizeof *sdp->entry));
    sdp->entry[sdp->entries++] =
        (seg_sdp_entry){place.row, place.block, (int32_t)(i > j ? i : j), (int32_t)(i > j ? j : i), value};
    return SEG_OK;
}

seg_status seg_sdp_add_rank_one(seg_context *ctx, seg_sdp *sdp, seg_sdp_place place, double weight, size_t count,
                                const int32_t *index) {
    if (count == 0 || weight == 0)
        return SEG_OK;
    SEG_TRY(seg_extend(ctx, &sdp->term, sdp->terms, sizeof *sdp->term));
    sdp->term[sdp->terms++] = (seg_sdp_term){place.row, place.block, weight, sdp->numbers, count};
    for (size_t e = 0; e < count; e++) {
        SEG_TRY(seg_extend(ctx, &sdp->index, sdp->numbers, sizeof *sdp->index));
        sdp->index[sdp->numbers++] = index[e];
    }
    return SEG_OK;
}

/* ---- Conversion to DSDP. ---- */

/* A program as DSDP wants it: unique entries, sorted by row, block and place in packed lower triangles. */
typedef struct packed {
    seg_sdp_entry *entry;
    size_t entries;
    int *place;
    double *value, *ones; /* values of the entries; ones for the rank-one terms */
    double *least;        /* per row: smaller magnitudes are left out */
    int *shift;           /* per row: its data are multiplied by 2^shift */
} packed;

static void packed_free(packed *p) {
    free(p->entry);
}

static int by_place(const void *a, const void *b) {
    const seg_sdp_entry *x = a, *y = b;
    SEG_ORDER_BY(x->row, y->row);
    SEG_ORDER_BY(x->block, y->block);
    SEG_ORDER_BY(x->i, y->i);
    return (x->j > y->j) - (x->j < y->j);
}

/* Entries at the same place are added by value, so that the sum does not depend on the order that qsort leaves. */
static int by_place_and_value(const void *a, const void *b) {
    const double x = ((const seg_sdp_entry *)a)->value, y = ((const seg_sdp_entry *)b)->value;
    const int order = by_place(a, b);
    return order ? order : (x > y) - (x < y);
}

/* Set least and shift of the rows, after checking the range of their coefficients. */
static seg_status weigh_rows(seg_context *ctx, const seg_sdp *sdp, packed *out) {
    const size_t rows = (size_t)sdp->constraints + 1;
    double largest = 0;
    for (size_t e = 0; e < sdp->entries; e++)
        out->least[sdp->entry[e].row] = fmax(out->least[sdp->entry[e].row], fabs(sdp->entry[e].value));
    for (size_t k = 0; k < sdp->terms; k++)
        out->least[sdp->term[k].row] = fmax(out->least[sdp->term[k].row], fabs(sdp->term[k].weight));
    for (size_t r = 0; r < rows; r++)
        largest = fmax(largest, fmax(out->least[r], r > 0 ? fabs(sdp->right[r - 1]) : 0));
    if (largest > LARGEST_COEFFICIENT)
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "a coefficient of %.2g in a semidefinite program is too large to be solved for (limit %g); "
                        "weights nearer to one help",
                        largest, LARGEST_COEFFICIENT);
    for (size_t r = 0; r < rows; r++) {
        if (out->least[r] > 0 && out->least[r] < NOTHING)
            out->shift[r] = -ilogb(out->least[r]);
        out->least[r] *= NOTHING;
        if (r > 0 && fabs(ldexp(sdp->right[r - 1], out->shift[r])) > LARGEST_COEFFICIENT)
            return seg_fail(ctx, SEG_ERR_NUMERIC,
                            "constraint %zu of a semidefinite program has the right side %.2g and coefficients of at "
                            "most %.2g; weights nearer to one help",
                            r, sdp->right[r - 1], out->least[r] / NOTHING);
    }
    return SEG_OK;
}

static seg_status pack(seg_context *ctx, const seg_sdp *sdp, packed *out) {
    const size_t rows = (size_t)sdp->constraints + 1;
    char *filled;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->entry, sdp->entries), SEG_ARRAY(out->place, sdp->entries),
                             SEG_ARRAY(out->value, sdp->entries), SEG_ARRAY(out->ones, sdp->numbers),
                             SEG_ARRAY(out->least, rows), SEG_ARRAY(out->shift, rows), SEG_ARRAY(filled, rows)));
    SEG_TRY(weigh_rows(ctx, sdp, out));
    for (size_t e = 0; e < sdp->numbers; e++)
        out->ones[e] = 1;
    if (sdp->entries)
        memcpy(out->entry, sdp->entry, sdp->entries * sizeof *out->entry);
    qsort(out->entry, sdp->entries, sizeof *out->entry, by_place_and_value);
    for (size_t e = 0; e < sdp->entries; e++) {
        if (!(fabs(out->entry[e].value) > out->least[out->entry[e].row]))
            continue;
        seg_sdp_entry *last = out->entries ? &out->entry[out->entries - 1] : NULL;
        if (last && by_place(last, &out->entry[e]) == 0)
            last->value += out->entry[e].value;
        else
            out->entry[out->entries++] = out->entry[e];
    }
    for (size_t e = 0; e < out->entries; e++) {
        const seg_sdp_entry *entry = &out->entry[e];
        filled[entry->row] |= entry->value != 0;
        out->place[e] = entry->i * (entry->i + 1) / 2 + entry->j; /* fits an int for a few thousand rows */
        out->value[e] = ldexp(entry->value, out->shift[entry->row]);
    }
    for (size_t k = 0; k < sdp->terms; k++)
        filled[sdp->term[k].row] = 1;
    for (size_t r = 1; r < rows; r++)
        if (!filled[r])
            return seg_fail(ctx, SEG_ERR_USAGE, "constraint %zu of a semidefinite program has no coefficients", r);
    return SEG_OK;
}

typedef struct solver {
    DSDP dsdp;
    SDPCone cone;
    seg_context *ctx;
    seg_status cancelled;
} solver;

/* Called by DSDP at every step. */
static int check_for_cancellation(DSDP dsdp, void *user) {
    solver *s = user;
    if (!s->cancelled && (s->cancelled = seg_poll(s->ctx)) != SEG_OK)
        return DSDPSetConvergenceFlag(dsdp, DSDP_USER_TERMINATION);
    return 0;
}

/* Pass the program to DSDP. @return the combination of DSDP's codes, 0 for success */
static int load(const seg_sdp *sdp, const packed *p, double tolerance, solver *s) {
    int bad = DSDPCreate(sdp->constraints, &s->dsdp);
    if (bad)
        return bad;
    if ((bad = DSDPCreateSDPCone(s->dsdp, sdp->blocks, &s->cone)) != 0)
        return bad;
    for (int b = 0; b < sdp->blocks; b++)
        bad |= SDPConeSetBlockSize(s->cone, b, sdp->size[b]) | SDPConeSetStorageFormat(s->cone, b, 'P');
    for (size_t e = 0, end; e < p->entries && !bad; e = end) { /* a run: one row, one block */
        const seg_sdp_entry *first = &p->entry[e];
        for (end = e; end < p->entries && p->entry[end].row == first->row && p->entry[end].block == first->block;)
            end++;
        bad |= SDPConeAddASparseVecMat(s->cone, first->block, first->row, sdp->size[first->block], 1.0, 0, p->place + e,
                                       p->value + e, (int)(end - e));
    }
    for (size_t k = 0; k < sdp->terms && !bad; k++) {
        const seg_sdp_term *t = &sdp->term[k];
        if (fabs(t->weight) > p->least[t->row])
            bad |= SDPConeAddARankOneMat(s->cone, t->block, t->row, sdp->size[t->block],
                                         ldexp(t->weight, p->shift[t->row]), 0, sdp->index + t->start, p->ones,
                                         (int)t->count);
    }
    for (int i = 0; i < sdp->constraints && !bad; i++)
        bad |= DSDPSetDualObjective(s->dsdp, i + 1, ldexp(sdp->right[i], p->shift[i + 1]));
    return bad ? bad
               : DSDPSetGapTolerance(s->dsdp, tolerance) | DSDPSetMaxIts(s->dsdp, ITERATIONS) |
                     DSDPSetPotentialParameter(s->dsdp, POTENTIAL) | DSDPReuseMatrix(s->dsdp, REUSE) |
                     DSDPSetMonitor(s->dsdp, check_for_cancellation, s);
}

static seg_status fetch(seg_context *ctx, const seg_sdp *sdp, const packed *p, const solver *s, seg_sdp_solution *out) {
    double *from = NULL;
    int count = 0, bad = 0;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->X, (size_t)sdp->blocks), SEG_ARRAY(out->y, (size_t)sdp->constraints)));
    out->blocks = sdp->blocks;
    for (int b = 0; b < sdp->blocks && !bad; b++) {
        const size_t n = (size_t)sdp->size[b];
        SEG_TRY(seg_matrix_create(ctx, n, n, &out->X[b]));
        bad = SDPConeGetXArray(s->cone, b, &from, &count);
        for (size_t i = 0; i < n && !bad; i++)
            for (size_t j = 0; j <= i; j++)
                out->X[b].at[i * n + j] = out->X[b].at[j * n + i] = from[i * (i + 1) / 2 + j];
    }
    bad |= DSDPGetY(s->dsdp, out->y, sdp->constraints) | DSDPGetPObjective(s->dsdp, &out->primal) |
           DSDPGetDObjective(s->dsdp, &out->dual) | DSDPGetIts(s->dsdp, &out->iterations);
    for (int i = 0; i < sdp->constraints; i++)
        out->y[i] = ldexp(out->y[i], p->shift[i + 1] - p->shift[SEG_SDP_COST]);
    out->primal = ldexp(out->primal, -p->shift[SEG_SDP_COST]);
    out->dual = ldexp(out->dual, -p->shift[SEG_SDP_COST]);
    return bad ? seg_fail(ctx, SEG_ERR_NUMERIC, "the semidefinite solver does not return its solution (code %d)", bad)
               : SEG_OK;
}

/* Why the solver ended. */
static const seg_code_text reasons[] = {
    {DSDP_CONVERGED, "converged"},
    {DSDP_INFEASIBLE_START, "its start is not positive definite"},
    {DSDP_SMALL_STEPS, "its steps became too short"},
    {DSDP_INDEFINITE_SCHUR_MATRIX, "its linear system lost definiteness; the constraints may depend on each other"},
    {DSDP_MAX_IT, "its limit of steps was reached"},
    {DSDP_NUMERICAL_ERROR, "its numbers lost all precision"},
    {DSDP_UPPERBOUND, "its objective passed every bound"},
    {DSDP_USER_TERMINATION, "it was told to stop"},
    {0}};

/* *why: the reason why the solver ended. SEG_OK also if it ended early. */
static seg_status run(seg_context *ctx, const seg_sdp *sdp, double tolerance, seg_sdp_solution *out, const char **why) {
    SEG_RELEASED(packed_free) packed p = {0};
    solver s = {.ctx = ctx};
    DSDPTerminationReason reason = CONTINUE_ITERATING;
    DSDPSolutionType type = DSDP_PDUNKNOWN;
    SEG_TRY(pack(ctx, sdp, &p));
    pthread_mutex_lock(&one_at_a_time);
    const int blas = seg_blas_begin();
    int bad = load(sdp, &p, tolerance, &s);
    if (!bad)
        bad = DSDPSetup(s.dsdp);
    if (!bad)
        bad = DSDPSolve(s.dsdp);
    seg_status status = s.cancelled;
    if (!status && !bad)
        bad = DSDPStopReason(s.dsdp, &reason) | DSDPComputeX(s.dsdp) | DSDPGetSolutionType(s.dsdp, &type);
    if (bad && !status)
        status = seg_fail(ctx, SEG_ERR_NUMERIC,
                          "the semidefinite solver failed with code %d (its memory, or data it cannot factor); use "
                          "fewer samples or constraints",
                          bad);
    if (!status)
        status = fetch(ctx, sdp, &p, &s, out);
    if (s.dsdp)
        DSDPDestroy(s.dsdp);
    seg_blas_end(blas);
    pthread_mutex_unlock(&one_at_a_time);
    *why = seg_text_of_code(reason, reasons, "of an unknown reason");
    if (!status && type == DSDP_UNBOUNDED)
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "the semidefinite program has no solution: its constraints cannot hold together");
    if (!status && type == DSDP_INFEASIBLE)
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "the semidefinite program has no solution: its objective has no bound (or coefficients are "
                        "too unequal to tell; weights nearer to one help)");
    return status;
}

/* ---- Solution. ---- */

seg_status seg_sdp_solve(seg_context *ctx, const seg_sdp *sdp, double tolerance, seg_sdp_solution *out) {
    SEG_RELEASED(seg_sdp_solution_free) seg_sdp_solution found = {0};
    const char *why;
    memset(out, 0, sizeof *out);
    /* DSDP's own memory: one matrix of the size of the constraints, and about 12 of the size of each block. */
    size_t numbers = (size_t)sdp->constraints * (size_t)sdp->constraints;
    for (int b = 0; b < sdp->blocks; b++)
        numbers += 12 * (size_t)sdp->size[b] * (size_t)sdp->size[b];
    SEG_TRY(seg_reserve(ctx, numbers * sizeof(double), "a semidefinite program"));
    SEG_TRY(run(ctx, sdp, tolerance, &found, &why));
    SEG_TRY(seg_sdp_check(ctx, sdp, &found, &found.residuals));
    const double worst = seg_sdp_worst(&found.residuals);
    found.converged = worst <= fmax(tolerance, ROUNDING);
    if (!found.converged && !(worst <= seg_sdp_accepted))
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "the semidefinite solver gave up after %d steps, since %s; the conditions of "
                        "optimality are met to %.2g only; weights nearer to one or fewer constraints may help",
                        found.iterations, why, worst);
    if (!found.converged)
        seg_log(ctx, SEG_LOG_INFO, "semidefinite solver: %s; residual %.2g accepted", why, worst);
    return SEG_HANDED_OVER(out, found);
}

void seg_sdp_solution_free(seg_sdp_solution *solution) {
    for (int b = 0; solution->X && b < solution->blocks; b++)
        seg_matrix_free(&solution->X[b]);
    SEG_CLEAR(solution, solution->X);
}
