#include "clustering/discretise.h"
#include "base/base.h"
#include "base/random.h"
#include "linalg/dense.h"

enum { LIMIT = 200, MOST_BLOCKS = 64, LEAST_ROWS = 256, SMALL_WORK = 200000 };

typedef struct rotation {
    seg_context *ctx;
    size_t n, k, blocks, block_rows; /* fixed partition of the rows: sums are added in block order */
    int threads;
    int32_t *label;
    double *x;      /* n x k, rows of length one (zero rows stay) */
    double *R;      /* k x k: the rotation */
    double *turned; /* n x k: x R */
    double *sum;    /* blocks x k x k: rows of x by label */
    double *M, *U, *V, *singular;
    double *taken; /* n: sum of |cosines| to the columns chosen so far */
} rotation;

static seg_status normalise(rotation *r, const double *Z) {
    for (size_t i = 0; i < r->n; i++) {
        double largest = 0, squares = 0;
        for (size_t c = 0; c < r->k; c++) {
            if (!isfinite(Z[i * r->k + c]))
                return seg_fail(r->ctx, SEG_ERR_USAGE, "row %zu of an embedding holds a number that is not finite", i);
            largest = fmax(largest, fabs(Z[i * r->k + c]));
        }
        for (size_t c = 0; c < r->k; c++) {
            double entry = largest > 0 ? Z[i * r->k + c] / largest : 0; /* so that no square overflows or vanishes */
            r->x[i * r->k + c] = entry;
            squares += entry * entry;
        }
        for (size_t c = 0; largest > 0 && c < r->k; c++)
            r->x[i * r->k + c] /= sqrt(squares);
    }
    return SEG_OK;
}

/* Columns of R: a random row of x, then repeatedly the row with the least sum of |cosines| to those chosen.
 * [yu2003multiclass, initialisation of the rotation] */
static void start(rotation *r, uint64_t stream) {
    size_t n = r->n, k = r->k, chosen;
    seg_random random = seg_random_seeded(r->ctx ? r->ctx->seed : 1, stream);
    chosen = (size_t)seg_random_below(&random, n);
    for (size_t c = 0; c < k; c++) {
        for (size_t t = 0; t < k; t++)
            r->R[t * k + c] = r->x[chosen * k + t];
        size_t least = 0;
        for (size_t i = 0; i < n; i++) {
            double cosine = 0;
            for (size_t t = 0; t < k; t++)
                cosine += r->x[i * k + t] * r->R[t * k + c];
            r->taken[i] += fabs(cosine);
            if (r->taken[i] < r->taken[least])
                least = i;
        }
        chosen = least;
    }
}

static void assign_blocks(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    rotation *r = arg;
    const size_t k = r->k;
    for (size_t b = first; b < last; b++) {
        size_t end = (b + 1) * r->block_rows;
        double *sum = r->sum + b * k * k;
        memset(sum, 0, k * k * sizeof *sum);
        for (size_t i = b * r->block_rows; i < end && i < r->n; i++) {
            const double *x = r->x + i * k;
            double *y = r->turned + i * k;
            memset(y, 0, k * sizeof *y);
            for (size_t t = 0; t < k; t++)
                for (size_t c = 0; c < k; c++)
                    y[c] += x[t] * r->R[t * k + c];
            const size_t best = seg_largest_of(k, y);
            r->label[i] = (int32_t)best;
            for (size_t t = 0; t < k; t++)
                sum[best * k + t] += x[t];
        }
    }
}

/* Set the labels to the nearest indicators of x R, and M to the sums of the rows of x by label, in block order. */
static void assign(rotation *r) {
    size_t k = r->k;
    seg_parallel_on(r->ctx, r->threads, r->blocks, 1, assign_blocks, r);
    memset(r->M, 0, k * k * sizeof *r->M);
    for (size_t b = 0; b < r->blocks; b++)
        for (size_t e = 0; e < k * k; e++)
            r->M[e] += r->sum[b * k * k + e];
}

/* R = V U' of M = U S V', M = X'Z; *total is the sum of the singular values. */
static seg_status rotate(rotation *r, double *total) {
    size_t k = r->k;
    SEG_TRY(seg_svd_dense(r->ctx, k, r->M, r->U, r->singular, r->V));
    for (size_t t = 0; t < k; t++)
        for (size_t c = 0; c < k; c++)
            r->R[t * k + c] = seg_dot(k, r->V + t * k, r->U + c * k);
    *total = seg_sum(k, r->singular);
    return SEG_OK;
}

seg_status seg_discretise(seg_context *ctx, const seg_matrix *Z, uint64_t stream, int32_t *label, double *score,
                          int *iterations) {
    const size_t n = Z->rows, k = Z->cols;
    rotation r = {.ctx = ctx, .n = n, .k = k, .label = label};
    double best = -INFINITY, total = 0;
    int round = 0;
    r.block_rows = seg_larger((n + MOST_BLOCKS - 1) / MOST_BLOCKS, LEAST_ROWS);
    r.blocks = (n + r.block_rows - 1) / r.block_rows;
    r.threads = r.blocks > 1 && k * k >= SMALL_WORK / n ? seg_threads(ctx) : 1;
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(r.x, n, k), SEG_TABLE(r.R, k, k), SEG_TABLE(r.turned, n, k),
                     SEG_TABLE(r.sum, r.blocks, k * k), SEG_TABLE(r.M, k, k), SEG_TABLE(r.U, k, k),
                     SEG_TABLE(r.V, k, k), SEG_ARRAY(r.singular, k), SEG_ARRAY(r.taken, n));
    SEG_TRY(normalise(&r, Z->at));
    start(&r, stream);
    for (;;) {
        assign(&r);
        if (++round == LIMIT)
            break;
        SEG_TRY(rotate(&r, &total));
        if (total <= best * (1 + 1e-12))
            break;
        best = total;
    }
    if (score)
        memcpy(score, r.turned, n * k * sizeof *score);
    if (iterations)
        *iterations = round;
    return SEG_OK;
}
