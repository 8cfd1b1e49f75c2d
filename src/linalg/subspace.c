#include "linalg/subspace.h"

#include "base/base.h"
#include "base/random.h"
#include "linalg/blas_threads.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SUBSPACE_STREAM = 0x5ab5ace,
    BOUND_STEPS = 12,     /* of Lanczos' method for the lower end of the spectrum */
    LARGEST_DEGREE = 120, /* of one filter */
    SLOW = 500            /* a filter of this degree left to do: see whether inverse iteration is shorter */
};
/* Columns may grow apart by this factor in one filter; its square must leave digits in the Gram matrix. */
static const double LARGEST_GROWTH = 1e6, SAFETY = 4;

typedef struct iteration {
    seg_context *ctx;
    const seg_csr *S;
    const seg_subspace_options *options;
    size_t n, p;              /* unknowns, vectors of the block */
    size_t locked;            /* leading columns that have converged and are not filtered any more */
    double lower;             /* of the interval to be damped */
    double *X, *SX, *work[3]; /* n x p each; work: filter */
    double *G, *H, *T, *ritz, *residual;
    seg_cholesky *factor; /* of (upper + shift) I - S, where inverse iteration has taken over */
    double shift;
    int no_inverse; /* it was tried and failed */
    size_t products;
} iteration;

/* In the plane the k-th eigenvalue grows like k, which makes a quarter as many again a cheap block; whole tiles of the
 * sparse product cost no more. */
size_t seg_subspace_block(int count) {
    size_t wanted = (size_t)count;
    return (wanted + (wanted + 3) / 4 + 4 + 7) / 8 * 8;
}

static seg_status allocate(iteration *it) {
    size_t cells, small = it->p * it->p;
    if (!seg_multiply(it->n, it->p, &cells) || it->p > 20000)
        return seg_fail(it->ctx, SEG_ERR_MEMORY, "%d eigenvectors are too many; ask for fewer", it->options->count);
    it->X = seg_alloc(it->ctx, cells, sizeof(double));
    it->SX = seg_alloc(it->ctx, cells, sizeof(double));
    for (int i = 0; i < 3; i++)
        it->work[i] = seg_alloc(it->ctx, cells, sizeof(double));
    it->G = seg_alloc(it->ctx, small, sizeof(double));
    it->H = seg_alloc(it->ctx, small, sizeof(double));
    it->T = seg_alloc(it->ctx, small, sizeof(double));
    it->ritz = seg_alloc_zero(it->ctx, it->p, sizeof(double));
    it->residual = seg_alloc_zero(it->ctx, it->p, sizeof(double));
    return it->X && it->SX && it->work[0] && it->work[1] && it->work[2] && it->G && it->H && it->T && it->ritz &&
                   it->residual
               ? SEG_OK
               : SEG_ERR_MEMORY;
}

static void release(iteration *it) {
    free(it->X);
    free(it->SX);
    for (int i = 0; i < 3; i++)
        free(it->work[i]);
    free(it->G);
    free(it->H);
    free(it->T);
    free(it->ritz);
    free(it->residual);
    seg_cholesky_free(it->factor);
}

static double dot(size_t n, const double *x, const double *y) {
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int t = 0; t < 4; t++)
            sum[t] += x[i + (size_t)t] * y[i + (size_t)t];
    for (; i < n; i++)
        sum[0] += x[i] * y[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* A few steps of Lanczos' method: the lowest Ritz value less the last residual is below the spectrum, nearly always; if
 * not, the filter is weaker for a round, and the Ritz values tell. */
static void find_lower(iteration *it) {
    double alpha[BOUND_STEPS], beta[BOUND_STEPS] = {0};
    double *v = it->work[0], *before = it->work[1], *next = it->work[2];
    size_t n = it->n;
    int steps = 0;
    for (size_t i = 0; i < n; i++) {
        v[i] = it->X[i * it->p];
        before[i] = 0;
    }
    double norm = sqrt(dot(n, v, v));
    while (steps < BOUND_STEPS && norm > 1e-8) {
        for (size_t i = 0; i < n; i++)
            v[i] /= norm;
        seg_csr_times_vector(it->ctx, it->S, v, next);
        it->products++;
        alpha[steps] = dot(n, v, next);
        for (size_t i = 0; i < n; i++)
            next[i] -= alpha[steps] * v[i] + (steps ? norm * before[i] : 0);
        norm = sqrt(dot(n, next, next));
        beta[steps++] = norm;
        double *swap = before;
        before = v;
        v = next;
        next = swap;
    }
    it->lower = it->options->lower;
    if (steps > 0 && LAPACKE_dsterf(steps, alpha, beta) == 0 && alpha[0] - norm > it->lower)
        it->lower = alpha[0] - norm;
}

/* Y (n x cols) = polynomial of S times X, in place of X's columns from `locked` on. [zhou2006, Sec. 3.2: scaled
 * recurrence] */
static void filter(iteration *it, double cut, int degree) {
    size_t n = it->n, p = it->p, cols = p - it->locked, cells = n * cols;
    double *x = it->work[0], *y = it->work[1], *z = it->work[2];
    double half = (cut - it->lower) / 2, centre = (cut + it->lower) / 2;
    double sigma = half / (it->options->upper - centre), first = sigma;
    for (size_t i = 0; i < n; i++)
        memcpy(x + i * cols, it->X + i * p + it->locked, cols * sizeof *x);
    seg_csr_times_matrix(it->ctx, it->S, cols, x, y);
    for (size_t e = 0; e < cells; e++)
        y[e] = (y[e] - centre * x[e]) * (sigma / half);
    for (int k = 2; k <= degree; k++) {
        double next = 1 / (2 / first - sigma), a = 2 * next / half, b = sigma * next;
        seg_csr_times_matrix(it->ctx, it->S, cols, y, z);
        for (size_t e = 0; e < cells; e++)
            x[e] = a * (z[e] - centre * y[e]) - b * x[e];
        double *swap = x;
        x = y;
        y = swap;
        sigma = next;
    }
    for (size_t i = 0; i < n; i++)
        memcpy(it->X + i * p + it->locked, y + i * cols, cols * sizeof *x);
    it->products += cols * (size_t)degree;
}

/* X <- orthonormal Ritz vectors in its span, ritz descending, residual norms. 0 where the columns were dependent. */
static seg_status rayleigh_ritz(iteration *it, int *independent) {
    size_t n = it->n, p = it->p;
    int order = (int)p;
    if (it->options->project)
        it->options->project(it->options->user, p, it->X);
    seg_csr_times_matrix(it->ctx, it->S, p, it->X, it->SX);
    it->products += p;
    seg_gemm(1, 0, p, p, n, 1, it->X, it->X, 0, it->G);
    seg_gemm(1, 0, p, p, n, -1, it->X, it->SX, 0, it->H); /* minus: LAPACK's ascending order is descending for S */
    for (size_t i = 0; i < p * p; i++)
        if (!isfinite(it->G[i]) || !isfinite(it->H[i]))
            return seg_fail(it->ctx, SEG_ERR_NUMERIC,
                            "the matrix of an eigenproblem of %zu unknowns gave numbers that are not finite; check the "
                            "weights",
                            n);
    /* H v = theta G v by G = LL' (row-major lower): H <- L^-1 H L^-T, symmetrised. */
    *independent = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', order, it->G, order) == 0;
    for (size_t i = 0; *independent && i < p; i++)
        *independent = it->G[i * p + i] > 0;
    if (!*independent)
        return SEG_OK;
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, order, order, 1, it->G, order, it->H,
                order);
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, order, order, 1, it->G, order, it->H,
                order);
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < i; j++)
            it->H[i * p + j] = it->H[j * p + i] = 0.5 * (it->H[i * p + j] + it->H[j * p + i]);
    seg_status status = seg_eigen_dense(it->ctx, p, it->H, it->ritz, it->T);
    if (status != SEG_OK)
        return status;
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, order, order, 1, it->G, order, it->T,
                order);
    seg_gemm(0, 0, n, p, p, 1, it->X, it->T, 0, it->work[0]);
    seg_gemm(0, 0, n, p, p, 1, it->SX, it->T, 0, it->work[1]);
    double *swap = it->X;
    it->X = it->work[0];
    it->work[0] = swap;
    memset(it->residual, 0, p * sizeof *it->residual);
    for (size_t c = 0; c < p; c++)
        it->ritz[c] = -it->ritz[c];
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < p; c++) {
            double r = it->work[1][i * p + c] - it->ritz[c] * it->X[i * p + c];
            it->residual[c] += r * r;
        }
    for (size_t c = 0; c < p; c++)
        it->residual[c] = sqrt(it->residual[c]);
    return SEG_OK;
}

/* Pairs at the head of the block whose residuals are below the tolerance. */
static size_t converged_head(const iteration *it, double tolerance) {
    size_t head = 0;
    while (head < it->p && it->residual[head] <= tolerance)
        head++;
    return head;
}

/* acosh of where the filter sees `mu`: a degree m makes it grow like exp(m * this) over what is at the cut. */
static double growth_rate(const iteration *it, double cut, double mu) {
    double x = (2 * mu - (cut + it->lower)) / (cut - it->lower);
    return x > 1 ? acosh(x) : 0;
}

/* Of the filter, until every wanted pair converges. */
static double needed_degree(const iteration *it, double cut) {
    double needed = 2;
    for (size_t c = it->locked; c < (size_t)it->options->count; c++)
        needed = fmax(needed,
                      log(2 * SAFETY * it->residual[c] / it->options->tolerance) / growth_rate(it, cut, it->ritz[c]));
    return needed;
}

/* No higher than the largest eigenvalue may grow. */
static int suitable_degree(const iteration *it, double cut) {
    double highest = log(2 * LARGEST_GROWTH) / growth_rate(it, cut, it->options->upper);
    double degree = ceil(fmin(fmin(highest, needed_degree(it, cut)), LARGEST_DEGREE));
    return degree >= 2 ? (int)degree : 2;
}

/* Where the wanted eigenvalues crowd at the upper bound, far closer to it than those at the cut, a polynomial cannot
 * part them but the inverse of upper - S can: there their ratios count, not their differences. */
static int inverse_is_shorter(const iteration *it) {
    double at_cut = it->options->upper - it->ritz[it->p - 1], needed = needed_degree(it, it->ritz[it->p - 1]),
           steps = 1;
    if (it->no_inverse || !(needed > SLOW))
        return 0;
    for (size_t c = it->locked; c < (size_t)it->options->count; c++) {
        double distance = fmax(it->options->upper - it->ritz[c], 1e-10);
        steps = fmax(steps, log(SAFETY * it->residual[c] / it->options->tolerance) / log(fmax(at_cut / distance, 1)));
    }
    return needed > 40 * steps; /* a step is worth some forty products */
}

static seg_status prepare_inverse(iteration *it) {
    const seg_csr *S = it->S;
    seg_csr A;
    size_t at = 0;
    seg_status status = seg_csr_create(it->ctx, it->n, it->n, S->start[it->n] + it->n, &A);
    if (status != SEG_OK)
        return status;
    it->shift = fmax(1e-10, (it->options->upper - it->ritz[it->p - 1]) / LARGEST_GROWTH);
    for (size_t i = 0; i < it->n; i++) {
        size_t e = S->start[i], end = S->start[i + 1];
        double own = it->options->upper + it->shift;
        for (; e < end && (size_t)S->column[e] < i; e++) {
            A.column[at] = S->column[e];
            A.value[at++] = -S->value[e];
        }
        if (e < end && (size_t)S->column[e] == i)
            own -= S->value[e++];
        A.column[at] = (int32_t)i;
        A.value[at++] = own;
        for (; e < end; e++) {
            A.column[at] = S->column[e];
            A.value[at++] = -S->value[e];
        }
        A.start[i + 1] = at;
    }
    status = seg_cholesky_create(it->ctx, &A, &it->factor);
    seg_csr_free(&A);
    return status;
}

/* One step towards larger eigenvalues: the filter, or the inverse where that is shorter. */
static seg_status advance(iteration *it) {
    double width = it->options->upper - it->options->lower, cut = it->ritz[it->p - 1];
    if (cut < it->lower)
        it->lower = it->options->lower;
    if (cut - it->lower < 1e-3 * width) /* the block lies at the lower end still */
        cut = it->lower + 1e-3 * width;
    if (!it->factor && inverse_is_shorter(it) && prepare_inverse(it) != SEG_OK)
        it->no_inverse = 1; /* too large, or not quite symmetric: the filter goes on */
    if (it->factor)
        return seg_cholesky_solve(it->ctx, it->factor, it->p, it->X, it->X);
    filter(it, cut, suitable_degree(it, cut));
    return SEG_OK;
}

static seg_status iterate(iteration *it, int *converged) {
    size_t count = (size_t)it->options->count;
    int independent = 1;
    find_lower(it);
    for (int round = 0;; round++) {
        seg_status status = rayleigh_ritz(it, &independent);
        if (status != SEG_OK || !independent)
            return status;
        *converged = converged_head(it, it->options->tolerance) >= count;
        if (*converged || round == it->options->rounds)
            return SEG_OK;
        size_t head = converged_head(it, 0.1 * it->options->tolerance);
        it->locked = head < count ? head : count;
        status = advance(it);
        if (status != SEG_OK)
            return status;
    }
}

seg_status seg_subspace_largest(seg_context *ctx, const seg_csr *S, const seg_subspace_options *options, double *value,
                                double *vector, int *products, int *converged) {
    size_t count = (size_t)options->count;
    iteration it = {.ctx = ctx, .S = S, .options = options, .n = S->rows};
    seg_random random;
    *products = *converged = 0;
    it.p = seg_subspace_block(options->count);
    if (it.p > it.n)
        it.p = it.n;
    seg_status status = allocate(&it);
    if (status == SEG_OK) {
        seg_random_seed(&random, ctx ? ctx->seed : 1, SUBSPACE_STREAM);
        for (size_t e = 0; e < it.n * it.p; e++)
            it.X[e] = seg_random_uniform(&random) - 0.5;
        int before = seg_blas_begin();
        status = iterate(&it, converged);
        seg_blas_end(before);
    }
    for (size_t c = 0; status == SEG_OK && *converged && c < count; c++) {
        value[c] = it.ritz[c];
        for (size_t i = 0; i < it.n; i++)
            vector[i * count + c] = it.X[i * it.p + c];
    }
    *products = it.products < INT32_MAX ? (int)it.products : INT32_MAX;
    release(&it);
    return status;
}
