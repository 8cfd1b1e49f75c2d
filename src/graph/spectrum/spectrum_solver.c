#include "base/base.h"
#include "graph/spectrum/spectrum.h"
#include "linalg/blas_threads.h"
#include "linalg/dense.h"

enum {
    DENSE_NODES = 200, /* up to here LAPACK's solver is as fast and finds every multiplicity */
    GUARD_PAIRS = 4,   /* pairs computed at a time once one was missed */
    /* For graphs with more than MANY_EDGES edges per node, as between neighbours of vectors, whose factor fills in: */
    MANY_EDGES = 24,
    MANY_NODES = 50000,     /* nodes or */
    MANY_ENTRIES = 5000000, /* weights, above which a factor is not even analysed at first */
    FEW_RESTARTS = 30,      /* of the plain operator, before a factor of fair cost is tried */
    PLAIN_RESTARTS = 300,   /* of the plain operator, before a costly factor is tried */
    LARGEST_NODES = 200000, /* nodes up to which a costly factor is tried */
};
/* A factor of CHEAP_OPERATIONS takes a few tenths of a second, one of FAIR_OPERATIONS a few seconds; on a nearly
 * disconnected graph the plain operator needs tens of seconds. */
static const double CHEAP_OPERATIONS = 1e10, FAIR_OPERATIONS = 2e11;
static const double CHEAP_ENTRIES = 1e8, LARGEST_ENTRIES = 2e8;
/* Of ARPACK, relative to the operator's eigenvalues. The residual of L is then at most 2 (inverse) or 3 (plain) times
 * as large, which is below its bound of 1e-6. */
static const double TOLERANCE = 2e-7;
/* A Ritz value is never above the eigenvalue that it approximates: a rough one is enough to show that one is missed. */
static const double GUARD_TOLERANCE = 1e-3, PLAIN_GUARD_TOLERANCE = 1e-6;
static const double SAME = 1e-9; /* eigenvalues closer than this may be exchanged */

/* ---- The operator. ---- */

/* The operator whose largest eigenvalues belong to the smoothest eigenvectors. With L = I - S, S = D^-1/2 W D^-1/2, and
 * P the projection onto the complement of the known eigenvectors of L, it is the inverse P (L + shift I)^-1 P, by a
 * sparse Cholesky factor, or the plain P (S + 2 I) P without one. Both are zero on the known vectors, which are not
 * found again, and positive on the others. The inverse spreads the small eigenvalues over orders of magnitude and
 * clusters all others, which suits the Lanczos method. */
typedef struct smooth_operator {
    seg_context *ctx;
    const seg_csr *S;
    const seg_components *components;
    seg_cholesky *factor;           /* NULL: plain */
    size_t known;                   /* columns of `vector` */
    const double *vector;           /* n x known, row-major, orthonormal; not owned */
    double *along;                  /* components */
    double *share;                  /* the most that `known` becomes */
    double *work;                   /* n */
    seg_status status;              /* of the first product or solution that failed */
    char message[SEG_MESSAGE_SIZE]; /* its message, which the solver that stops because of it overwrites */
} smooth_operator;

/* Small compared with any eigenvalue that matters, so that these stay separate; large compared with the rounding of the
 * factor. Between 1e-7 and 1e-4 it does not change the number of solves. */
static const double SHIFT = 1e-6;

/* L + shift I. */
static seg_status shifted_laplacian(seg_context *ctx, const seg_csr *S, seg_csr *A) {
    const size_t n = S->rows;
    seg_row_writer w = {.A = A};
    SEG_TRY(seg_csr_create(ctx, n, n, S->start[n] + n, A));
    for (size_t i = 0; i < n; i++) {
        double loop = 0;
        for (size_t e = S->start[i]; e < S->start[i + 1]; e++)
            if ((size_t)S->column[e] == i)
                loop = S->value[e];
            else
                seg_row_put(&w, S->column[e], -S->value[e]);
        seg_row_end(&w, 1 + SHIFT - loop);
    }
    return SEG_OK;
}

/* Make it inverse; it stays plain where this would take more than `operations`, or a factor of more than `entries`. */
static seg_status operator_invert(smooth_operator *op, double operations, double entries) {
    SEG_RELEASED(seg_csr_free) seg_csr A = {0};
    SEG_TRY(shifted_laplacian(op->ctx, op->S, &A));
    return seg_cholesky_create_within(op->ctx, &A, operations, entries, &op->factor);
}

static void project(const smooth_operator *op, double *x) {
    const size_t n = op->S->rows, known = op->known;
    seg_components_take_away(op->components, 1, op->along, x);
    if (known == 0)
        return;
    seg_gemv((seg_shape){.transpose_a = 1, .m = n, .n = known}, 1, op->vector, x, 0, op->share);
    seg_gemv((seg_shape){.m = n, .n = known}, -1, op->vector, op->share, 1, x);
}

/* y = operator times x (seg_operator of linalg/sparse.h). */
static void operator_apply(void *user, const double *x, double *y) {
    smooth_operator *op = user;
    size_t n = op->S->rows;
    int before = seg_blas_begin();
    memcpy(op->work, x, n * sizeof *x);
    project(op, op->work);
    seg_status status = SEG_OK;
    if (op->factor)
        status = seg_cholesky_solve(op->ctx, op->factor, 1, op->work, y);
    else
        seg_csr_times_vector(op->ctx, op->S, op->work, y);
    for (size_t i = 0; !op->factor && i < n; i++)
        y[i] += 2 * op->work[i];
    project(op, y);
    if (status != SEG_OK && op->status == SEG_OK) {
        op->status = status;
        if (op->ctx)
            memcpy(op->message, op->ctx->message, sizeof op->message);
    }
    if (op->status != SEG_OK)
        y[0] = NAN; /* ends the iteration */
    seg_blas_end(before);
}

/* ---- The search. ---- */

/* The search for the `count` smoothest pairs. */
typedef struct search {
    seg_context *ctx;
    smooth_operator op;
    seg_close_pairs pairs; /* of the same matrix, for when `op` does not suffice */
    size_t n, count;
    double *X;     /* n x count: vectors found, not owned */
    double *more;  /* n x GUARD_PAIRS */
    double *theta; /* eigenvalues of the operator, room for both */
    double *ritz;  /* Ritz values of S */
    double *residual;
    int products;
} search;

static void search_free(search *s) {
    seg_cholesky_free(s->op.factor);
    free(s->more); /* with all up to the residuals, and those of the operator */
}

static seg_status lanczos(search *s, const seg_lanczos_options *options, double *vector) {
    const seg_operator op = {s->n, operator_apply, &s->op};
    int products = 0;
    const seg_status status = seg_lanczos(s->ctx, &op, options, s->theta, vector, &products);
    s->products = products < INT32_MAX - s->products ? s->products + products : INT32_MAX;
    return s->op.status != SEG_OK ? seg_fail(s->ctx, s->op.status, "%s", s->op.message) : status;
}

/* Turn pairs of the operator into pairs of S by a Rayleigh-Ritz step: orthonormal vectors with known residuals. */
static seg_status settle(search *s, size_t cols, double *X) {
    return seg_close_pairs_settle(s->ctx, &s->pairs, cols, X, s->ritz, s->residual);
}

/* Find the first `count` pairs. The inverse needs hardly more than two products per pair, with or without a restart;
 * with few Lanczos vectors a small count ends early (but below eight, restarts in a cluster of equal eigenvalues can
 * stall). */
static seg_status find_first(search *s, int restarts) {
    int count = (int)s->count, few = 2 * count + 6, many = s->op.factor ? count + 12 : 2 * count + 20;
    seg_lanczos_options options = {.count = count, .largest = 1, .tolerance = TOLERANCE};
    options.basis = s->op.factor && few < many ? few : many;
    options.restarts = s->op.factor ? 0 : restarts;
    options.crowd = s->op.factor ? 0.99 / SHIFT : 0; /* eigenvalues of L negligible beside the shift */
    s->op.known = 0;
    SEG_TRY(lanczos(s, &options, s->X));
    return settle(s, s->count, s->X);
}

/* How many of the `pairs` pairs found last belong before the last known one. */
static size_t missed(const search *s, size_t pairs) {
    double last = 1 - s->ritz[s->count - 1], below = last - SAME - 1e-6 * last;
    size_t found = 0;
    while (found < pairs && (s->op.factor ? 1 / s->theta[found] - SHIFT : 3 - s->theta[found]) < below)
        found++; /* the eigenvalue of L that belongs to one of the operator */
    return found;
}

/* Keep the best `count` pairs of the known ones and the first `fresh` columns of `more`. */
static seg_status insert(search *s, size_t fresh) {
    const size_t both = s->count + fresh;
    SEG_LOCAL(double, block, seg_alloc(s->ctx, s->n, both * sizeof *block));
    for (size_t i = 0; i < s->n; i++) {
        memcpy(block + i * both, s->X + i * s->count, s->count * sizeof *block);
        memcpy(block + i * both + s->count, s->more + i * GUARD_PAIRS, fresh * sizeof *block);
    }
    SEG_TRY(settle(s, both, block));
    for (size_t i = 0; i < s->n; i++)
        memcpy(s->X + i * s->count, block + i * both, s->count * sizeof *block);
    return SEG_OK;
}

/* The Krylov space of one start vector contains one vector of each eigenspace, and ARPACK may stop before rounding has
 * brought in the others of a multiple eigenvalue, or of a cluster. So the pairs found are projected out of the
 * operator, and another start vector shows whether a pair that belongs before the last one was missed. */
static seg_status find_missed(search *s) {
    double tolerance = s->op.factor ? GUARD_TOLERANCE : PLAIN_GUARD_TOLERANCE;
    int basis = s->op.factor ? 12 : 40, limit = (int)s->count + 20;
    s->op.known = s->count;
    s->op.vector = s->X;
    for (int start = 1; start <= limit; start++) {
        seg_lanczos_options options = {.count = 1, .largest = 1, .basis = basis, .tolerance = tolerance};
        options.start = start;
        seg_status status = lanczos(s, &options, s->more);
        if (status != SEG_OK || missed(s, 1) == 0)
            return status;
        options.count = GUARD_PAIRS;
        options.basis = basis + 2 * GUARD_PAIRS;
        options.tolerance = TOLERANCE;
        status = lanczos(s, &options, s->more);
        size_t fresh = status == SEG_OK ? missed(s, GUARD_PAIRS) : 0;
        if (fresh == 0)
            return status;
        SEG_TRY(insert(s, fresh));
    }
    return seg_fail(s->ctx, SEG_ERR_NUMERIC,
                    "the graph has so many nearly equal eigenvalues that %d searches did not find them all; "
                    "ask for fewer eigenvectors or raise sigma",
                    limit);
}

/* Make the operator the inverse one; SEG_ERR_NUMERIC, with the message of the last attempt, if it stays plain. */
static seg_status must_invert(search *s, double entries) {
    const seg_status status = s->op.factor ? SEG_OK : operator_invert(&s->op, INFINITY, entries);
    return status || s->op.factor ? status : SEG_ERR_NUMERIC;
}

/* The plain operator is slow if the graph is nearly disconnected into many parts, a factor if it fills in. Where it
 * will, only a cheap factor or a few restarts of the plain operator come before a factor of fair cost; the last resort
 * is any factor of up to LARGEST_ENTRIES numbers. */
static seg_status find_by_some_way(search *s) {
    const size_t entries = s->op.S->start[s->n];
    const int fills = entries / s->n > MANY_EDGES, beyond = fills && (s->n > MANY_NODES || entries > MANY_ENTRIES);
    seg_status status = SEG_OK;
    if (!beyond)
        status = operator_invert(&s->op, fills ? CHEAP_OPERATIONS : FAIR_OPERATIONS, CHEAP_ENTRIES);
    if (status != SEG_OK || s->op.factor)
        return status ? status : find_first(s, 0);
    status = find_first(s, fills && !beyond ? FEW_RESTARTS : PLAIN_RESTARTS);
    if (status == SEG_ERR_NUMERIC && fills && !beyond) {
        status = operator_invert(&s->op, FAIR_OPERATIONS, CHEAP_ENTRIES);
        if (status == SEG_OK)
            status = find_first(s, PLAIN_RESTARTS);
    }
    if (status != SEG_ERR_NUMERIC || s->op.factor)
        return status;
    SEG_TRY(must_invert(s, s->n <= LARGEST_NODES ? LARGEST_ENTRIES : 0));
    return find_first(s, 0);
}

/* A factor of up to LARGEST_ENTRIES numbers, whatever it costs, made when it is first needed. */
static seg_status invert(void *user, size_t cols, double *X) {
    search *s = user;
    SEG_TRY(must_invert(s, LARGEST_ENTRIES));
    return seg_cholesky_solve(s->ctx, s->op.factor, cols, X, X);
}

static seg_status find(search *s) {
    seg_status status = find_by_some_way(s);
    if (status == SEG_OK)
        status = find_missed(s);
    if (status == SEG_ERR_NUMERIC)
        status = seg_close_pairs_solve(s->ctx, &s->pairs, s->count, s->ritz, s->X, s->residual);
    return status == SEG_OK ? seg_close_pairs_check(s->ctx, s->count, s->residual) : status;
}

static seg_status solve_sparse(seg_context *ctx, const seg_symmetric *S, const seg_components *components,
                               seg_spectrum *out) {
    const size_t n = S->n, count = (size_t)out->count, room = count + GUARD_PAIRS;
    SEG_RELEASED(search_free)
    search s = {.ctx = ctx, .op = {ctx, S->sparse, components}, .n = n, .count = count, .X = out->vector};
    s.pairs = (seg_close_pairs){S, components, invert, &s, &s.products};
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(s.more, n, GUARD_PAIRS), SEG_ARRAY(s.theta, room), SEG_ARRAY(s.ritz, room),
                             SEG_ARRAY(s.residual, room), SEG_ARRAY(s.op.along, (size_t)components->count),
                             SEG_ARRAY(s.op.share, count), SEG_ARRAY(s.op.work, n)));
    SEG_TRY(find(&s));
    memcpy(out->value, s.ritz, count * sizeof *out->value);
    out->iterations = s.products;
    return SEG_OK;
}

seg_status seg_spectrum_solve(seg_context *ctx, const seg_csr *S, const seg_components *components, seg_spectrum *out) {
    const size_t n = S->rows, count = (size_t)out->count;
    const seg_symmetric symmetric = {.n = n, .sparse = S};
    const seg_close_pairs pairs = {.S = &symmetric, .components = components};
    const seg_status status = n <= DENSE_NODES || count > n / 3
                                  ? seg_close_pairs_dense(ctx, &pairs, count, out->value, out->vector)
                                  : solve_sparse(ctx, &symmetric, components, out);
    for (size_t c = 0; !status && c < count; c++)
        out->value[c] = fmin(fmax(1 - out->value[c], 0), 2); /* rounding may leave the range */
    return status;
}
