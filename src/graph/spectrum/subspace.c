#include "graph/spectrum/subspace.h"

#include "base/base.h"
#include "base/random.h"
#include "graph/spectrum/chebyshev.h"
#include "graph/spectrum/numbering.h"
#include "linalg/dense.h"
#include "linalg/rayleigh_ritz.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STREAM = 0x5b5ace, /* of the context's seed */
    LEAST_SPARE = 8,   /* columns beyond the pairs */
    FRESH = 4,         /* of them, drawn again before the last passes */
    BOUND_STEPS = 12,  /* of Lanczos' method, for the other end of the spectrum */
    LEAST_DEGREE = 4,
    MOST_DEGREE = 60,
    ROUGH_PASSES = 2, /* whose pairs do not yet show where the spectrum begins */
    MOST_PASSES = 60
};
/* Within a pass the smoothest column may grow so much more than the last one that is wanted: rounding along the former
 * then stays a small part of the latter. */
static const double MOST_SPREAD = 1e5;
static const double MOST_ROUNDING = 1e6; /* the factor by which rounding may grow along what is known */
static const double SINGLE_UNTIL = 3e-6; /* residual that single precision surely reaches */
static const double LEAST_GAP = 1e-6;    /* between the first column and the damped ones */

typedef struct subspace {
    seg_context *ctx;
    seg_symmetric S;
    seg_chebyshev filter;
    seg_numbering numbering; /* order NULL: as given */
    const seg_components *components;
    seg_random random;
    size_t n, count, cols;
    double *X;              /* n x cols */
    double *value;          /* cols */
    double *residual;       /* cols */
    size_t *active, *known; /* cols each */
    size_t actives, knowns;
    double low; /* no eigenvalue of S is below */
    int fresh;  /* whether random vectors have been put in */
    double products;
    seg_arena arena;
} subspace;

static void subspace_free(subspace *s) {
    seg_chebyshev_free(&s->filter);
    seg_numbering_free(&s->numbering);
    free(s->X);
    seg_arena_free(&s->arena);
}

size_t seg_subspace_columns(size_t count) {
    const size_t cols = (count + LEAST_SPARE + SEG_FILTER_LANES - 1) / SEG_FILTER_LANES * SEG_FILTER_LANES;
    return cols <= SEG_TALL_MOST_COLUMNS ? cols : 0;
}

static void draw(subspace *s, size_t first) {
    for (size_t i = 0; i < s->n; i++)
        for (size_t c = first; c < s->cols; c++)
            s->X[i * s->cols + c] = seg_random_uniform(&s->random) - 0.5;
}

static double scaled_norm(size_t n, double *x) {
    double square = 0;
    for (size_t i = 0; i < n; i++)
        square += x[i] * x[i];
    const double norm = sqrt(square);
    for (size_t i = 0; norm > 0 && i < n; i++)
        x[i] /= norm;
    return norm;
}

/* A bound on the smallest eigenvalue of S: Ritz value less the residual's norm [zhou2011bound]. Where it fails by a
 * little, a few columns of the block are wasted on that end. */
static seg_status bound_spectrum(subspace *s) {
    enum { K = BOUND_STEPS };
    double T[K * K] = {0}, ritz[K], turn[K * K], beta = 0;
    SEG_RELEASED(seg_arena_free) seg_arena arena = {0};
    double *x = seg_arena_alloc(s->ctx, &arena, s->n, sizeof *x);
    double *y = seg_arena_alloc_zero(s->ctx, &arena, s->n, sizeof *y); /* the vector before x */
    double *z = seg_arena_alloc(s->ctx, &arena, s->n, sizeof *z);
    size_t steps = 0;
    if (arena.status)
        return arena.status;
    for (size_t i = 0; i < s->n; i++)
        x[i] = seg_random_uniform(&s->random) - 0.5;
    scaled_norm(s->n, x);
    while (steps < K) {
        double alpha = 0;
        seg_csr_times_vector(s->ctx, s->S.sparse, x, z);
        for (size_t i = 0; i < s->n; i++)
            alpha += x[i] * z[i];
        for (size_t i = 0; i < s->n; i++)
            z[i] -= alpha * x[i] + beta * y[i];
        T[steps * K + steps] = alpha;
        beta = scaled_norm(s->n, z);
        if (++steps == K || !(beta > 0))
            break;
        T[(steps - 1) * K + steps] = T[steps * K + steps - 1] = beta;
        double *oldest = y;
        y = x;
        x = z;
        z = oldest;
    }
    for (size_t i = steps; i < K; i++)
        T[i * K + i] = 1; /* not reached: above all others */
    s->products += (double)steps;
    const seg_status status = seg_eigen_dense(s->ctx, K, T, ritz, turn);
    if (status)
        return status;
    if (!(fabs(ritz[0]) <= 2))
        return seg_fail(s->ctx, SEG_ERR_NUMERIC, "the normalised weights of a graph are not finite; check them");
    s->low = fmax(ritz[0] - fabs(beta), -1);
    return SEG_OK;
}

/* Which columns the next pass filters, and which it keeps out of them. @return the largest residual of a wanted one */
static double choose_columns(subspace *s, double tolerance) {
    double worst = 0;
    s->actives = s->knowns = 0;
    for (size_t c = 0; c < s->cols; c++) {
        if (c < s->count && s->residual[c] <= tolerance)
            s->known[s->knowns++] = c;
        else
            s->active[s->actives++] = c;
        if (c < s->count)
            worst = fmax(worst, s->residual[c]);
    }
    return worst;
}

static double growth(const seg_chebyshev_terms *terms, double value) {
    const double centre = (terms->high + terms->low) / 2, half = (terms->high - terms->low) / 2;
    return acosh(fmax((value - centre) / half, 1));
}

/* needed: the factor by which the last wanted column must be raised over the damped ones. */
static seg_chebyshev_terms plan(const subspace *s, int pass, double needed) {
    const size_t last = s->fresh == 1 ? s->cols - FRESH - 1 : s->cols - 1;
    seg_chebyshev_terms terms = {.low = s->low, .high = pass == 0 ? 0 : s->value[last], .top = 1};
    if (pass >= ROUGH_PASSES)
        terms.top = s->value[s->active[0]];
    terms.high = fmax(terms.high, terms.low + LEAST_GAP);
    terms.top = fmax(terms.top, terms.high + LEAST_GAP);
    const double top = growth(&terms, terms.top);
    const double wanted = pass == 0 ? 0 : growth(&terms, s->value[s->count - 1]);
    double degree = fmin(log(MOST_SPREAD) / fmax(top - wanted, 1e-3), MOST_DEGREE);
    if (pass > 0 && wanted > 0)
        degree = fmin(degree, 1 + log(needed) / wanted);
    terms.degree = (int)fmax(degree, LEAST_DEGREE);
    terms.clean = (int)fmax(log(MOST_ROUNDING) / fmax(growth(&terms, 1) - wanted, 1e-3), 1);
    return terms;
}

static seg_status filter(subspace *s, const seg_chebyshev_terms *terms, int single) {
    const size_t lanes = single ? SEG_FILTER_LANES : SEG_FILTER_LANES / 2;
    const double wanted = growth(terms, s->value[s->count - 1]);
    size_t knowns = 0;
    seg_status status = SEG_OK;
    while (knowns < s->knowns &&
           (growth(terms, s->value[s->known[knowns]]) - wanted) * terms->degree > log(MOST_ROUNDING))
        knowns++; /* the others stay small enough for the best pairs of the span to tell apart */
    for (size_t first = 0; !status && first < s->actives; first += lanes) {
        const size_t count = s->actives - first < lanes ? s->actives - first : lanes;
        const seg_chebyshev_columns columns = {s->cols, s->X, s->active + first, count, s->known, knowns, single};
        status = seg_chebyshev_filter(&s->filter, terms, &columns);
    }
    s->products += (double)terms->degree * (double)s->actives;
    return status;
}

/* By the smoother half of the pairs: parts of a graph that hang together loosely show in them first. */
static seg_status number_anew(subspace *s) {
    const seg_matrix X = {s->n, s->cols, s->X, NULL};
    SEG_FREED int32_t *order = seg_alloc(s->ctx, s->n, sizeof *order);
    double *moved = seg_alloc(s->ctx, s->n, s->cols * sizeof *moved);
    seg_status status = order && moved ? SEG_OK : SEG_ERR_MEMORY;
    if (!status)
        status = seg_numbering_by_columns(s->ctx, &X, (s->count + 1) / 2, s->components->root, order);
    if (!status)
        status = seg_numbering_create(s->ctx, s->S.sparse, s->components, seg_taken(&order), &s->numbering);
    if (status) {
        free(moved);
        return status;
    }
    for (size_t k = 0; k < s->n; k++)
        memcpy(moved + k * s->cols, s->X + (size_t)s->numbering.order[k] * s->cols, s->cols * sizeof *moved);
    free(s->X);
    s->X = moved;
    s->S.sparse = &s->numbering.S;
    seg_chebyshev_free(&s->filter);
    return seg_chebyshev_create(s->ctx, s->S.sparse, &s->numbering.components, &s->filter);
}

static seg_status iterate(subspace *s, const seg_subspace_options *options) {
    const double tolerance = options->tolerance;
    for (size_t c = 0; c < s->cols; c++)
        s->residual[c] = 1;
    draw(s, 0);
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        if (pass == ROUGH_PASSES && options->numbered_from > 0 && s->n >= options->numbered_from) {
            const seg_status numbered = number_anew(s);
            if (numbered)
                return numbered;
        }
        const double worst = choose_columns(s, tolerance);
        const int single = worst > SINGLE_UNTIL;
        if (worst <= tolerance && s->fresh)
            return SEG_OK;
        if (!single && s->fresh < 2 && ++s->fresh == 1)
            draw(s, s->cols - FRESH);
        const seg_chebyshev_terms terms = plan(s, pass, 2 * worst / tolerance + 2);
        seg_status status = filter(s, &terms, single);
        if (!status)
            status = seg_rayleigh_ritz(s->ctx, &s->S, s->cols, s->X, s->value, s->residual);
        s->products += (double)s->cols;
        if (status)
            return status;
        seg_log(s->ctx, SEG_LOG_DEBUG, "subspace: pass %d, degree %d, %zu columns, worst residual %.2g", pass,
                terms.degree, s->actives, worst);
    }
    return seg_fail(s->ctx, SEG_ERR_NUMERIC,
                    "%zu eigenvectors of a graph of %zu nodes did not converge in %d passes; ask for fewer", s->count,
                    s->n, MOST_PASSES);
}

seg_status seg_subspace_solve(seg_context *ctx, const seg_csr *S, const seg_components *components,
                              const seg_subspace_options *options, double *value, double *X) {
    const size_t n = S->rows, count = options->count, cols = seg_subspace_columns(count);
    SEG_RELEASED(subspace_free)
    subspace s = {.ctx = ctx, .S = {.n = n, .sparse = S}, .components = components, .n = n, .count = count};
    s.cols = cols;
    *options->products = 0;
    if (cols == 0 || n < 2 * cols)
        return seg_fail(ctx, SEG_ERR_NUMERIC, "%zu eigenvectors of a graph of %zu nodes are too many for a subspace",
                        count, n);
    seg_random_seed(&s.random, ctx ? ctx->seed : 1, STREAM);
    s.X = seg_alloc(ctx, n, cols * sizeof *s.X);
    s.value = seg_arena_alloc_zero(ctx, &s.arena, cols, sizeof *s.value);
    s.residual = seg_arena_alloc(ctx, &s.arena, cols, sizeof *s.residual);
    s.active = seg_arena_alloc(ctx, &s.arena, cols, sizeof *s.active);
    s.known = seg_arena_alloc(ctx, &s.arena, cols, sizeof *s.known);
    seg_status status = s.X ? s.arena.status : SEG_ERR_MEMORY;
    if (!status)
        status = seg_chebyshev_create(ctx, S, components, &s.filter);
    if (!status)
        status = bound_spectrum(&s);
    if (!status)
        status = iterate(&s, options);
    *options->products = (int)fmin(s.products, INT32_MAX);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        memcpy(X + (s.numbering.order ? (size_t)s.numbering.order[i] : i) * count, s.X + i * cols, count * sizeof *X);
    memcpy(value, s.value, count * sizeof *value);
    return SEG_OK;
}
