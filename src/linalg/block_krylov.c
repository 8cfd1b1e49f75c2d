#include "linalg/block_krylov.h"

#include "base/base.h"
#include "base/random.h"
#include "linalg/blas_threads.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

enum { BLOCK = SEG_KRYLOV_BLOCK, STREAM = 0x4b72796c };

/* Of a block's vectors, what is left of one beside what the space already had: below, the space cannot grow. */
static const double EXHAUSTED = 1e-10;

/* The space: `used` orthonormal vectors, one after the other, and T = Q'AQ of all but the last block. */
typedef struct krylov {
    seg_block_operator *op;
    size_t n, count, most, used;
    double *Q;     /* (most + BLOCK) x n */
    double *T;     /* most x most */
    double *share; /* BLOCK x (most + BLOCK) */
    double *small, *theta, *turn;
    double next[BLOCK * BLOCK]; /* lower: what the product of the last block had beside the space, over the new block */
    seg_arena arena;
} krylov;

size_t seg_krylov_most(size_t count) {
    const size_t most = 5 * count + 8 * BLOCK;
    return most - most % BLOCK;
}

static double dot(size_t n, const double *x, const double *y) {
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t j = 0; j < 4; j++)
            sum[j] += x[i + j] * y[i + j];
    for (; i < n; i++)
        sum[0] += x[i] * y[i];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

/* The rows of W less their parts along rows from .. used - 1 of the space, which are added to `share` (BLOCK x used).
 */
static void take_away(const krylov *k, size_t from, double *W, double *share) {
    const size_t count = k->used - from;
    double part[BLOCK * 2 * BLOCK], *along = count <= 2 * BLOCK ? part : k->share;
    const double *Q = k->Q + from * k->n;
    seg_gemm((seg_shape){0, 1, BLOCK, count, k->n}, 1, W, Q, 0, along);
    seg_gemm((seg_shape){0, 0, BLOCK, k->n, count}, -1, along, Q, 1, W);
    for (size_t r = 0; r < BLOCK; r++)
        for (size_t c = 0; share && c < count; c++)
            share[r * k->most + from + c] += along[r * count + c];
}

/* The rows of W orthonormal, R (lower) what they were over them. 0 where they depend on each other. */
static int orthonormal(size_t n, double *W, double *R) {
    memset(R, 0, BLOCK * BLOCK * sizeof *R);
    for (size_t r = 0; r < BLOCK; r++) {
        double *w = W + r * n;
        const double before = sqrt(dot(n, w, w));
        for (int pass = 0; pass < 2; pass++)
            for (size_t c = 0; c < r; c++) {
                const double *q = W + c * n, along = dot(n, w, q);
                for (size_t i = 0; i < n; i++)
                    w[i] -= along * q[i];
                R[r * BLOCK + c] += along;
            }
        const double left = sqrt(dot(n, w, w));
        if (!(left > EXHAUSTED * before)) /* also what is not a number */
            return 0;
        R[r * BLOCK + r] = left;
        for (size_t i = 0; i < n; i++)
            w[i] /= left;
    }
    return 1;
}

static seg_status exhausted(seg_context *ctx) {
    return seg_fail(ctx, SEG_ERR_NUMERIC,
                    "a matrix has too few different eigenvalues, or numbers that are not finite, for a block of %d "
                    "vectors; check the weights",
                    BLOCK);
}

/* One more block: the product of the last one less its parts along the space, twice, as rounding asks for; the first
 * time along the last two blocks, which is all there is but for rounding. */
static seg_status grow(seg_context *ctx, krylov *k) {
    const size_t last = k->used - BLOCK;
    double *W = k->Q + k->used * k->n, *column = k->T + last * k->most;
    double size = 0, left = 0;
    seg_status status = k->op->apply(k->op->user, k->Q + last * k->n, W);
    k->op->products += BLOCK;
    if (status)
        return status;
    for (size_t r = 0; r < BLOCK; r++)
        size += dot(k->n, W + r * k->n, W + r * k->n);
    take_away(k, last >= BLOCK ? last - BLOCK : 0, W, column);
    take_away(k, 0, W, column);
    for (size_t r = 0; r < BLOCK; r++)
        left += dot(k->n, W + r * k->n, W + r * k->n);
    if (!isfinite(size) || !(left > EXHAUSTED * EXHAUSTED * size) || !orthonormal(k->n, W, k->next))
        return exhausted(ctx);
    k->used += BLOCK;
    return SEG_OK;
}

/* Eigenpairs of T, ascending; *arrived 1 where the last `count` are accurate enough. */
static seg_status judge(seg_context *ctx, krylov *k, double tolerance, int *arrived) {
    const size_t m = k->used - BLOCK;
    for (size_t r = 0; r < m; r++)
        for (size_t c = 0; c <= r; c++)
            k->small[r * m + c] = k->small[c * m + r] = k->T[r * k->most + c];
    seg_status status = seg_eigen_dense(ctx, m, k->small, k->theta, k->turn);
    *arrived = status == SEG_OK;
    for (size_t p = m - k->count; p < m && *arrived; p++) {
        double square = 0;
        for (size_t c = 0; c < BLOCK; c++) { /* entry c of next' times the last block of the small vector */
            double sum = 0;
            for (size_t r = c; r < BLOCK; r++)
                sum += k->next[r * BLOCK + c] * k->turn[(m - BLOCK + r) * m + p];
            square += sum * sum;
        }
        *arrived = k->theta[p] > 0 && sqrt(square) <= tolerance * k->theta[p];
    }
    return status;
}

static void deliver(const krylov *k, double *value, double *vector) {
    const size_t m = k->used - BLOCK, count = k->count;
    for (size_t r = 0; r < m; r++)
        for (size_t c = 0; c < count; c++)
            k->small[r * count + c] = k->turn[r * m + (m - 1 - c)];
    seg_gemm((seg_shape){1, 0, k->n, count, m}, 1, k->Q, k->small, 0, vector);
    for (size_t c = 0; c < count; c++)
        value[c] = k->theta[m - 1 - c];
}

static seg_status run(seg_context *ctx, krylov *k, double tolerance) {
    seg_random random;
    int arrived = 0;
    seg_random_seed(&random, ctx ? ctx->seed : 1, STREAM);
    double *drawn = k->Q + BLOCK * k->n; /* products of it are in the subspace that `apply` restricts to */
    for (size_t i = 0; i < BLOCK * k->n; i++)
        drawn[i] = seg_random_normal(&random);
    seg_status status = k->op->apply(k->op->user, drawn, k->Q);
    k->op->products += BLOCK;
    if (status == SEG_OK && !orthonormal(k->n, k->Q, k->next))
        status = exhausted(ctx);
    k->used = BLOCK;
    while (status == SEG_OK && !arrived) {
        if ((status = seg_poll(ctx)) != SEG_OK)
            break;
        if (k->used > k->most)
            return seg_fail(ctx, SEG_ERR_NUMERIC, "%zu eigenvectors did not converge in a space of %zu vectors",
                            k->count, k->most);
        status = grow(ctx, k);
        if (status == SEG_OK && k->used - BLOCK >= 3 * k->count) /* it was never enough before */
            status = judge(ctx, k, tolerance, &arrived);
    }
    return status;
}

seg_status seg_block_krylov(seg_context *ctx, seg_block_operator *op, size_t count, double tolerance, double *value,
                            double *vector) {
    const size_t n = op->n, most = seg_krylov_most(count);
    krylov k = {.op = op, .n = n, .count = count, .most = most};
    size_t small;
    op->products = 0;
    if (n < most || !seg_multiply(most, most, &small))
        return seg_fail(ctx, SEG_ERR_USAGE, "%zu eigenpairs of a matrix of %zu x %zu are too many for a Krylov space",
                        count, n, n);
    k.Q = seg_arena_alloc(ctx, &k.arena, n, (most + BLOCK) * sizeof *k.Q);
    k.T = seg_arena_alloc_zero(ctx, &k.arena, small, sizeof *k.T);
    k.small = seg_arena_alloc(ctx, &k.arena, small, sizeof *k.small);
    k.turn = seg_arena_alloc(ctx, &k.arena, small, sizeof *k.turn);
    k.theta = seg_arena_alloc(ctx, &k.arena, most, sizeof *k.theta);
    k.share = seg_arena_alloc(ctx, &k.arena, BLOCK * (most + BLOCK), sizeof *k.share);
    seg_status status = k.arena.status;
    if (!status) {
        const int before = seg_blas_begin();
        status = run(ctx, &k, tolerance);
        if (status == SEG_OK)
            deliver(&k, value, vector);
        seg_blas_end(before);
    }
    seg_arena_free(&k.arena);
    return status;
}
