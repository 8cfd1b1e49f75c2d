#include "clustering/kernel_sums.h"

#include "base/base.h"
#include "base/parallel.h"
#include "clustering/kernel_tile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 16,         /* times ... */
    TILE = 256,        /* similarities are computed at a time */
    CHUNK = 512,       /* rows between two cancellation checks */
    SMALL_WORK = 20000 /* products; below it waking threads costs more than it saves */
};

static double csr_at(const seg_csr *A, size_t i, size_t j) {
    for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
        if ((size_t)A->column[e] == j)
            return A->value[e];
    return 0;
}

double seg_similarities_diagonal(const seg_similarities *B, size_t i) {
    double own;
    if (B->dense)
        own = B->dense->at[i * B->n + i];
    else if (B->sparse)
        own = csr_at(B->sparse, i, i);
    else if (B->width > 0)
        own = 1;
    else {
        const double *x = B->features->at + i * B->features->cols;
        own = 0;
        for (size_t t = 0; t < B->features->cols; t++)
            own += x[t] * x[t];
    }
    if (B->scale)
        own *= B->scale[i] * B->scale[i];
    return own + (B->extra ? csr_at(B->extra, i, i) : 0) + (B->diagonal ? B->diagonal[i] : 0);
}

static double total(size_t count, const double *x) {
    double a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        a += x[i];
        b += x[i + 1];
        c += x[i + 2];
        d += x[i + 3];
    }
    for (; i < count; i++)
        a += x[i];
    return (a + b) + (c + d);
}

static void add_sparse_row(const seg_csr *A, const double *scale, size_t i, const int32_t *label, double *sum) {
    for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
        const size_t j = (size_t)A->column[e];
        if (label[j] >= 0)
            sum[label[j]] += scale ? A->value[e] * scale[i] * scale[j] : A->value[e];
    }
}

/* Samples ordered by cluster: those of cluster c are sample[first[c]] .. sample[first[c + 1] - 1]. */
static void order_by_cluster(size_t n, const int32_t *label, int k, int32_t *sample, size_t *first) {
    memset(first, 0, ((size_t)k + 1) * sizeof *first);
    for (size_t i = 0; i < n; i++)
        if (label[i] >= 0)
            first[label[i] + 1]++;
    for (int c = 0; c < k; c++)
        first[c + 1] += first[c];
    for (size_t i = 0; i < n; i++)
        if (label[i] >= 0)
            sample[first[label[i]]++] = (int32_t)i;
    for (int c = k; c > 0; c--)
        first[c] = first[c - 1];
    first[0] = 0;
}

/* What the blocks of rows share; each kind of similarities uses what it needs. */
typedef struct rows_job {
    const seg_similarities *B;
    const int32_t *label, *from, *to;
    const seg_kernel_list *samples;
    const size_t *first;
    const double *centre;
    size_t k, begin; /* row of item 0 */
    double *sum;     /* of row 0 */
} rows_job;

static void linear_rows(void *arg, size_t begin, size_t end, int worker) {
    const rows_job *j = arg;
    const seg_similarities *B = j->B;
    const size_t d = B->features->cols;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        for (size_t c = 0; c < j->k; c++) {
            double dot = 0;
            for (size_t t = 0; t < d; t++)
                dot += B->features->at[i * d + t] * j->centre[c * d + t];
            j->sum[i * j->k + c] = (B->scale ? B->scale[i] : 1) * dot;
        }
}

/* Inner products: x_i'(sum of the x_j in c). */
static seg_status linear_sums(seg_context *ctx, const seg_similarities *B, const int32_t *label, int k, double *sum) {
    const size_t n = B->n, d = B->features->cols;
    double *centre = seg_alloc_zero(ctx, (size_t)k, d * sizeof *centre);
    const int threads = n * d < SMALL_WORK / (size_t)k ? 1 : seg_threads(ctx);
    if (!centre)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; label[i] >= 0 && t < d; t++)
            centre[(size_t)label[i] * d + t] += (B->scale ? B->scale[i] : 1) * B->features->at[i * d + t];
    seg_parallel_on(ctx, threads, n, 0, linear_rows, &(rows_job){.B = B, .centre = centre, .k = (size_t)k, .sum = sum});
    free(centre);
    return SEG_OK;
}

/* Some rows of the dense or exponential part. The samples are ordered by cluster, so a tile's columns are too. */
static void ordered_rows(const seg_similarities *B, const seg_kernel_list *samples, const size_t *first, size_t k,
                         size_t row, size_t rows, double *sum) {
    double tile[ROWS * TILE];
    memset(sum, 0, rows * k * sizeof *sum);
    for (size_t at = 0, cluster = 0; at < samples->count; at += TILE) {
        const size_t count = samples->count - at < TILE ? samples->count - at : TILE;
        seg_kernel_tile(B, samples, row, rows, at, count, tile);
        while (first[cluster + 1] <= at)
            cluster++;
        for (size_t c = cluster; c < k && first[c] < at + count; c++) {
            const size_t from = first[c] > at ? first[c] - at : 0;
            const size_t to = first[c + 1] < at + count ? first[c + 1] - at : count;
            for (size_t i = 0; i < rows && from < to; i++)
                sum[i * k + c] += total(to - from, tile + i * count + from);
        }
    }
}

static void ordered_block(void *arg, size_t begin, size_t end, int worker) {
    const rows_job *j = arg;
    const size_t row = j->begin + begin;
    (void)worker;
    ordered_rows(j->B, j->samples, j->first, j->k, row, end - begin, j->sum + row * j->k);
}

static seg_status ordered_sums(seg_context *ctx, const seg_similarities *B, const int32_t *label, int k, double *sum) {
    const size_t n = B->n;
    int32_t *sample = seg_alloc(ctx, n, sizeof *sample);
    size_t *first = seg_alloc(ctx, (size_t)k + 1, sizeof *first);
    seg_kernel_list samples = {0};
    const int threads = n < SMALL_WORK / n ? 1 : seg_threads(ctx);
    seg_status status = sample && first ? SEG_OK : SEG_ERR_MEMORY;
    if (!status)
        order_by_cluster(n, label, k, sample, first);
    if (!status)
        status = seg_kernel_list_create(ctx, B, first[k], sample, &samples);
    for (size_t begin = 0; !status && begin < n; begin += CHUNK) {
        const size_t end = n - begin < CHUNK ? n : begin + CHUNK;
        seg_parallel_on(
            ctx, threads, end - begin, ROWS, ordered_block,
            &(rows_job){.B = B, .samples = &samples, .first = first, .k = (size_t)k, .begin = begin, .sum = sum});
        status = seg_poll(ctx);
    }
    free(sample);
    free(first);
    seg_kernel_list_free(&samples);
    return status;
}

static void sparse_rows(void *arg, size_t begin, size_t end, int worker) {
    const rows_job *j = arg;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        memset(j->sum + i * j->k, 0, j->k * sizeof *j->sum);
        add_sparse_row(j->B->sparse, j->B->scale, i, j->label, j->sum + i * j->k);
    }
}

seg_status seg_kernel_sums(seg_context *ctx, const seg_similarities *B, const int32_t *label, int k, double *sum) {
    const size_t n = B->n, clusters = (size_t)k;
    seg_status status = SEG_OK;
    if (B->sparse) {
        const int threads = B->sparse->start[n] < SMALL_WORK ? 1 : seg_threads(ctx);
        seg_parallel_on(ctx, threads, n, 0, sparse_rows,
                        &(rows_job){.B = B, .label = label, .k = clusters, .sum = sum});
    } else if (B->features && !(B->width > 0))
        status = linear_sums(ctx, B, label, k, sum);
    else
        status = ordered_sums(ctx, B, label, k, sum);
    for (size_t i = 0; !status && i < n; i++) {
        if (B->extra)
            add_sparse_row(B->extra, NULL, i, label, sum + i * clusters);
        if (B->diagonal && label[i] >= 0)
            sum[i * clusters + (size_t)label[i]] += B->diagonal[i];
    }
    return status;
}

/* The share of one sample that left a cluster for another, in every row it has an entry in. */
static void move_sparse(const seg_csr *A, const double *scale, size_t j, int32_t from, int32_t to, size_t k,
                        double *sum) {
    for (size_t e = A->start[j]; e < A->start[j + 1]; e++) {
        const size_t i = (size_t)A->column[e];
        const double value = scale ? A->value[e] * scale[i] * scale[j] : A->value[e];
        if (from >= 0)
            sum[i * k + (size_t)from] -= value;
        if (to >= 0)
            sum[i * k + (size_t)to] += value;
    }
}

static void moved_rows(const seg_similarities *B, const seg_kernel_list *moved, const int32_t *from, const int32_t *to,
                       size_t k, size_t row, size_t rows, double *sum) {
    double tile[ROWS * TILE];
    for (size_t at = 0; at < moved->count; at += TILE) {
        const size_t count = moved->count - at < TILE ? moved->count - at : TILE;
        seg_kernel_tile(B, moved, row, rows, at, count, tile);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < count; j++) {
                if (from[at + j] >= 0)
                    sum[i * k + (size_t)from[at + j]] -= tile[i * count + j];
                if (to[at + j] >= 0)
                    sum[i * k + (size_t)to[at + j]] += tile[i * count + j];
            }
    }
}

static void moved_block(void *arg, size_t begin, size_t end, int worker) {
    const rows_job *j = arg;
    const size_t row = j->begin + begin;
    (void)worker;
    moved_rows(j->B, j->samples, j->from, j->to, j->k, row, end - begin, j->sum + row * j->k);
}

seg_status seg_kernel_sums_update(seg_context *ctx, const seg_similarities *B, size_t count, const int32_t *moved,
                                  const int32_t *from, const int32_t *to, int k, double *sum) {
    const size_t n = B->n, clusters = (size_t)k;
    seg_status status = SEG_OK;
    for (size_t j = 0; j < count; j++) {
        const size_t own = (size_t)moved[j];
        if (B->sparse)
            move_sparse(B->sparse, B->scale, own, from[j], to[j], clusters, sum);
        if (B->extra)
            move_sparse(B->extra, NULL, own, from[j], to[j], clusters, sum);
        if (B->diagonal && from[j] >= 0)
            sum[own * clusters + (size_t)from[j]] -= B->diagonal[own];
        if (B->diagonal && to[j] >= 0)
            sum[own * clusters + (size_t)to[j]] += B->diagonal[own];
    }
    if (B->sparse || count == 0)
        return SEG_OK;
    seg_kernel_list list;
    if ((status = seg_kernel_list_create(ctx, B, count, moved, &list)) != SEG_OK)
        return status;
    const int threads = n < SMALL_WORK / count ? 1 : seg_threads(ctx);
    for (size_t begin = 0; !status && begin < n; begin += 16 * CHUNK) {
        const size_t end = n - begin < 16 * CHUNK ? n : begin + 16 * CHUNK;
        seg_parallel_on(
            ctx, threads, end - begin, ROWS, moved_block,
            &(rows_job){.B = B, .samples = &list, .from = from, .to = to, .k = clusters, .begin = begin, .sum = sum});
        status = count > TILE ? seg_poll(ctx) : SEG_OK;
    }
    seg_kernel_list_free(&list);
    return status;
}
