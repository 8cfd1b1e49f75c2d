/* Semidefinite programs by alternating directions on the dual's augmented Lagrangian [wen2010admm, Algorithm 1]:
 *
 *   y = -(AA*)^-1 (mu (A(X) - b) + A(S - C)),   V = C - A*(y) - mu X,
 *   S = V projected on the cone,   X = (1 - STEP) X + STEP (S - V) / mu.
 *
 * One dense factorisation of AA* and one eigendecomposition per step, no Schur matrix and no interior point: it works
 * where the weights are too unequal for DSDP. It is slow, so it comes last, and its solution is checked like DSDP's.
 * Rows are brought to norm one, b and C to at most one [wen2010admm, Sect. 4]. */
#include "base/base.h"
#include "linalg/dense.h"
#include "optim/sdp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP         1.6 /* of X: the paper's */
#define BALANCE      20  /* steps with one residual the smaller, then mu changes */
#define CHANGE       0.6 /* of mu */
#define LEAST_MU     1e-5
#define MOST_MU      1e5
#define LOOK         10    /* steps from one look at the residuals to the next */
#define MOST_STEPS   20000 /* but no more than MOST_WORK */
#define LEAST_STEPS  200
#define MOST_WORK    1e12
#define MOST_ROWS    3000     /* AA* is dense */
#define MOST_ENTRIES 20000000 /* of the rank-one terms written out */

/* One number of A or C: where in the flat X it stands (the lower triangle; the blocks one behind the other) and how
 * often it counts in a product (2 off the diagonal). */
typedef struct entry {
    int32_t row;
    size_t at;
    double value, times;
} entry;

typedef struct program {
    const seg_sdp *sdp;
    size_t m, size; /* rows; numbers of a flat X */
    size_t *block;  /* where each begins in it */
    size_t *mirror; /* of each place: that of the other triangle */
    entry *list;    /* of the rows 1..m, scaled */
    size_t count;
    double *C, *b, *scale; /* scaled; norm of each row */
    double of_b, of_C;     /* what b and C were divided by */
    double *gram;          /* Cholesky factor of AA*, m x m */
} program;

static void program_free(program *p) {
    free(p->block);
    free(p->list);
    free(p->gram);
}

static int by_place(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static void put(program *p, int row, int block, size_t i, size_t j, double value) {
    const size_t at = p->block[block] + i * (size_t)p->sdp->size[block] + j;
    if (row == SEG_SDP_COST)
        p->C[at] += value;
    else
        p->list[p->count++] = (entry){row - 1, at, value, i == j ? 1 : 2};
}

/* All entries in one list, the rank-one terms written out; C in both triangles. */
static seg_status write_out(seg_context *ctx, program *p) {
    const seg_sdp *sdp = p->sdp;
    size_t all = sdp->entries;
    for (size_t k = 0; k < sdp->terms; k++)
        all += sdp->term[k].count * (sdp->term[k].count + 1) / 2;
    p->m = (size_t)sdp->constraints;
    p->block = seg_alloc(ctx, (size_t)sdp->blocks, sizeof *p->block);
    if (!p->block)
        return SEG_ERR_MEMORY;
    for (int b = 0; b < sdp->blocks; b++) {
        p->block[b] = p->size;
        p->size += (size_t)sdp->size[b] * (size_t)sdp->size[b];
    }
    if (p->m > MOST_ROWS || all > MOST_ENTRIES)
        return seg_fail(ctx, SEG_ERR_NUMERIC, "a semidefinite program of %zu constraints is too large to try again",
                        p->m);
    const seg_status status =
        SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(p->list, all), SEG_ARRAY(p->mirror, p->size), SEG_ARRAY(p->C, p->size),
                         SEG_ARRAY(p->b, p->m), SEG_ARRAY(p->scale, p->m));
    if (status)
        return status;
    for (size_t e = 0; e < p->size; e++)
        p->mirror[e] = e;
    for (int b = 0; b < sdp->blocks; b++)
        for (size_t n = (size_t)sdp->size[b], i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                p->mirror[p->block[b] + i * n + j] = p->block[b] + j * n + i;
    for (size_t e = 0; e < sdp->entries; e++)
        put(p, sdp->entry[e].row, sdp->entry[e].block, (size_t)sdp->entry[e].i, (size_t)sdp->entry[e].j,
            sdp->entry[e].value);
    for (size_t k = 0; k < sdp->terms; k++) {
        const seg_sdp_term *t = &sdp->term[k];
        for (size_t a = t->start; a < t->start + t->count; a++)
            for (size_t c = t->start; c <= a; c++)
                put(p, t->row, t->block, (size_t)sdp->index[a], (size_t)sdp->index[c], t->weight);
    }
    return SEG_OK;
}

/* Entries of one place and row become one; rows, b and C are brought to scale. */
static void bring_to_scale(program *p) {
    size_t kept = 0;
    double squares = 0;
    qsort(p->list, p->count, sizeof *p->list, by_place);
    for (size_t e = 0; e < p->count; e++) {
        entry *last = kept ? &p->list[kept - 1] : NULL;
        if (last && last->at == p->list[e].at && last->row == p->list[e].row)
            last->value += p->list[e].value;
        else
            p->list[kept++] = p->list[e];
    }
    p->count = kept;
    for (size_t e = 0; e < p->count; e++)
        p->scale[p->list[e].row] += p->list[e].times * p->list[e].value * p->list[e].value;
    for (size_t i = 0; i < p->m; i++) {
        p->scale[i] = p->scale[i] > 0 ? sqrt(p->scale[i]) : 1;
        p->b[i] = p->sdp->right[i] / p->scale[i];
        squares += p->b[i] * p->b[i];
    }
    for (size_t e = 0; e < p->count; e++)
        p->list[e].value /= p->scale[p->list[e].row];
    p->of_b = fmax(1, sqrt(squares));
    for (size_t i = 0; i < p->m; i++)
        p->b[i] /= p->of_b;
    squares = 0;
    for (size_t e = 0; e < p->size; e++)
        if (p->mirror[e] < e) /* written below the diagonal */
            p->C[p->mirror[e]] = p->C[e];
    for (size_t e = 0; e < p->size; e++)
        squares += p->C[e] * p->C[e];
    p->of_C = fmax(1, sqrt(squares));
    for (size_t e = 0; e < p->size; e++)
        p->C[e] /= p->of_C;
}

static seg_status factor_gram(seg_context *ctx, program *p) {
    p->gram = seg_alloc_zero(ctx, p->m, p->m * sizeof *p->gram);
    if (!p->gram)
        return SEG_ERR_MEMORY;
    for (size_t e = 0, end; e < p->count; e = end) { /* entries of one place meet */
        for (end = e; end < p->count && p->list[end].at == p->list[e].at;)
            end++;
        for (size_t a = e; a < end; a++)
            for (size_t c = e; c < end; c++)
                p->gram[(size_t)p->list[a].row * p->m + (size_t)p->list[c].row] +=
                    p->list[a].times * p->list[a].value * p->list[c].value;
    }
    return seg_cholesky_dense(ctx, p->m, p->gram);
}

/* out = A(X). */
static void rows_of(const program *p, const double *X, double *out) {
    memset(out, 0, p->m * sizeof *out);
    for (size_t e = 0; e < p->count; e++)
        out[p->list[e].row] += p->list[e].times * p->list[e].value * X[p->list[e].at];
}

/* out = C - A*(y), both triangles. */
static void dual_of(const program *p, const double *y, double *out) {
    memcpy(out, p->C, p->size * sizeof *out);
    for (size_t e = 0; e < p->count; e++) {
        const size_t at = p->list[e].at, other = p->mirror[at];
        const double value = p->list[e].value * y[p->list[e].row];
        out[at] -= value;
        if (other != at)
            out[other] -= value;
    }
}

typedef struct state {
    double *X, *S, *V, *dual; /* flat; V becomes what S leaves of it */
    double *y, *row;
    double mu;
} state;

/* S = V on the cone, V -= S. */
static seg_status project(seg_context *ctx, const program *p, state *s) {
    seg_status status = SEG_OK;
    memcpy(s->S, s->V, p->size * sizeof *s->S);
    for (int b = 0; b < p->sdp->blocks && !status; b++)
        status = seg_psd_project(ctx, (size_t)p->sdp->size[b], s->S + p->block[b]);
    for (size_t e = 0; e < p->size; e++)
        s->V[e] -= s->S[e];
    return status;
}

static seg_status step(seg_context *ctx, const program *p, state *s) {
    rows_of(p, s->X, s->row);
    memcpy(s->y, s->row, p->m * sizeof *s->y);
    for (size_t e = 0; e < p->size; e++)
        s->V[e] = s->S[e] - p->C[e];
    rows_of(p, s->V, s->row);
    for (size_t i = 0; i < p->m; i++)
        s->y[i] = -(s->mu * (s->y[i] - p->b[i]) + s->row[i]);
    seg_cholesky_dense_solve(p->m, p->gram, s->y);
    dual_of(p, s->y, s->dual);
    for (size_t e = 0; e < p->size; e++)
        s->V[e] = s->dual[e] - s->mu * s->X[e];
    seg_status status = project(ctx, p, s);
    for (size_t e = 0; e < p->size && !status; e++)
        s->X[e] = (1 - STEP) * s->X[e] - STEP * s->V[e] / s->mu;
    return status;
}

typedef struct distances {
    double primal, dual; /* in the scaled program, whose b and C have norm one: to balance them */
    double worst;        /* of the program as it was given, no less than what the checker will find */
} distances;

static distances look(const program *p, state *s) {
    distances d = {0};
    double cost = 0, right = 0, off = 0, largest = 0;
    rows_of(p, s->X, s->row);
    for (size_t i = 0; i < p->m; i++) {
        const double away = fabs(s->row[i] - p->b[i]);
        d.primal += away * away;
        off = fmax(off, away * p->of_b * p->scale[i]);
        largest = fmax(largest, fabs(p->sdp->right[i]));
        right += p->b[i] * s->y[i];
    }
    for (size_t e = 0; e < p->size; e++) {
        const double away = s->dual[e] - s->S[e];
        d.dual += away * away;
        cost += p->C[e] * s->X[e];
    }
    d.primal = sqrt(d.primal);
    d.dual = sqrt(d.dual);
    cost *= p->of_b * p->of_C;
    right *= p->of_b * p->of_C;
    d.worst = fmax(fmax(off / (1 + largest), d.dual * p->of_C), fabs(cost - right) / (1 + fabs(cost) + fabs(right)));
    return d;
}

static seg_status iterate(seg_context *ctx, const program *p, double tolerance, state *s, int *steps) {
    double work = (double)p->m * (double)p->m;
    int smaller = 0, larger = 0;
    for (int b = 0; b < p->sdp->blocks; b++)
        work += 10 * pow(p->sdp->size[b], 3);
    const double most = fmin(fmax(MOST_WORK / work, LEAST_STEPS), MOST_STEPS);
    for (*steps = 0; *steps < most;) {
        seg_status status = seg_poll(ctx);
        if (status || (status = step(ctx, p, s)) != SEG_OK)
            return status;
        if (++*steps % LOOK)
            continue;
        const distances d = look(p, s);
        if (!isfinite(d.worst))
            return seg_fail(ctx, SEG_ERR_NUMERIC, "alternating directions diverged");
        if (d.worst <= tolerance)
            break;
        smaller = d.primal < d.dual ? smaller + LOOK : 0;
        larger = d.primal < d.dual ? 0 : larger + LOOK;
        if (smaller >= BALANCE)
            s->mu = fmax(s->mu * CHANGE, LEAST_MU);
        if (larger >= BALANCE)
            s->mu = fmin(s->mu / CHANGE, MOST_MU);
        if (smaller >= BALANCE || larger >= BALANCE)
            smaller = larger = 0;
    }
    return SEG_OK;
}

/* From a solution of another solver, or from the identity. */
static void begin(const program *p, const seg_sdp_solution *from, state *s) {
    const seg_sdp *sdp = p->sdp;
    s->mu = 1;
    for (int b = 0; b < sdp->blocks; b++)
        for (size_t n = (size_t)sdp->size[b], i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                s->X[p->block[b] + i * n + j] = from ? from->X[b].at[i * n + j] / p->of_b : i == j;
}

static seg_status finish(seg_context *ctx, const program *p, const state *s, seg_sdp_solution *out) {
    const seg_sdp *sdp = p->sdp;
    seg_status status = SEG_OK;
    out->X = seg_alloc_zero(ctx, (size_t)sdp->blocks, sizeof *out->X);
    out->y = seg_alloc_zero(ctx, p->m, sizeof *out->y);
    if (!out->X || !out->y)
        return SEG_ERR_MEMORY;
    out->blocks = sdp->blocks;
    /* -V / mu is on the cone; X, which took a longer step, need not be. */
    for (int b = 0; b < sdp->blocks && !status; b++) {
        const size_t n = (size_t)sdp->size[b];
        if ((status = seg_matrix_create(ctx, n, n, &out->X[b])) == SEG_OK)
            for (size_t e = 0; e < n * n; e++)
                out->X[b].at[e] = -s->V[p->block[b] + e] / s->mu * p->of_b;
    }
    for (size_t i = 0; i < p->m; i++) {
        out->y[i] = s->y[i] * p->of_C / p->scale[i];
        out->dual += out->y[i] * sdp->right[i];
    }
    for (size_t e = 0; e < p->size; e++)
        out->primal += -p->C[e] * s->V[e] / s->mu * p->of_b * p->of_C;
    return status;
}

seg_status seg_sdp_by_projection(seg_context *ctx, const seg_sdp *sdp, const seg_sdp_options *options,
                                 const seg_sdp_solution *start, seg_sdp_solution *out) {
    const double wanted = options && options->tolerance > 0 ? options->tolerance : SEG_SDP_TOLERANCE;
    program p = {.sdp = sdp};
    state s = {0};
    memset(out, 0, sizeof *out);
    seg_status status = write_out(ctx, &p);
    if (status)
        goto done;
    bring_to_scale(&p);
    if ((status = SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(s.X, p.size), SEG_ARRAY(s.S, p.size), SEG_ARRAY(s.V, p.size),
                                   SEG_ARRAY(s.dual, p.size), SEG_ARRAY(s.y, p.m), SEG_ARRAY(s.row, p.m))) != SEG_OK ||
        (status = factor_gram(ctx, &p)) != SEG_OK)
        goto done;
    begin(&p, start, &s);
    /* A half: the solution returned is not quite the X that is looked at. */
    status = iterate(ctx, &p, fmax(wanted, SEG_SDP_ROUNDING) / 2, &s, &out->iterations);
    if (!status)
        status = finish(ctx, &p, &s, out);
done:
    program_free(&p);
    free(s.X);
    if (status)
        seg_sdp_solution_free(out);
    return status;
}
