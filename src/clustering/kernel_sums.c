#include "clustering/kernel_kmeans.h"

#include "base/base.h"
#include "base/lanes.h"
#include "linalg/dense.h"
#include "linalg/products.h"
#include "linalg/sparse.h"

enum {
    LANES = SEG_DOUBLE_LANES,
    ROWS = 16,         /* rows and ... */
    TILE = 256,        /* ... columns of a tile of similarities */
    CHUNK = 512,       /* rows between two cancellation checks */
    SMALL_WORK = 20000 /* products; below it waking threads costs more than it saves */
};

double seg_similarities_diagonal(const seg_similarities *B, size_t i) {
    const size_t d = B->features ? B->features->cols : 0;
    double own = B->dense       ? B->dense->at[i * B->n + i]
                 : B->sparse    ? seg_csr_at(B->sparse, i, i)
                 : B->width > 0 ? 1
                                : seg_dot(d, B->features->at + i * d, B->features->at + i * d);
    if (B->scale)
        own *= B->scale[i] * B->scale[i];
    return own + (B->extra ? seg_csr_at(B->extra, i, i) : 0) + (B->diagonal ? B->diagonal[i] : 0);
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

/* ---- Similarities of a block of rows to listed samples: inner products, or exp(-|x - y|^2 / 2 width^2), for many
 * pairs at once. Short vectors are subtracted; for long ones the squared distance is computed as |x|^2 + |y|^2 - 2 x'y
 * from inner products of blocks, which is several times faster. ---- */

/* Listed samples, with their vectors in a layout for fast similarities. */
typedef struct sample_list {
    size_t count, columns;
    const int32_t *sample; /* borrowed */
    double *at; /* feature vectors, in blocks of LANES if by_products, else by columns; NULL if dense; owned */
} sample_list;

static void list_free(sample_list *list) {
    free(list->at);
}

/* Whether similarities use products: inner products do, and exponentials of long vectors whose norms are known. */
static int by_products(const seg_similarities *B) {
    enum { COLUMNS = 16 };
    return !(B->width > 0) || (B->half_square && B->features->cols >= COLUMNS);
}

static seg_status list_create(seg_context *ctx, const seg_similarities *B, size_t count, const int32_t *sample,
                              sample_list *out) {
    *out = (sample_list){.count = count, .sample = sample, .columns = B->dense ? 0 : B->features->cols};
    if (B->dense)
        return SEG_OK;
    const int products = by_products(B);
    const size_t d = B->features->cols;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(out->at, (count + LANES - 1) / LANES * LANES, d)));
    for (size_t j = 0; j < count; j++) {
        const double *x = B->features->at + (size_t)sample[j] * d;
        double *lane = products ? out->at + j / LANES * LANES * d + j % LANES : out->at + j;
        for (size_t t = 0; t < d; t++, lane += products ? LANES : count)
            *lane = x[t];
    }
    return SEG_OK;
}

/* Similarities of `rows` rows from `row` on to `count` listed samples from `first` on, a multiple of LANES. */
typedef struct tile {
    size_t row, rows, first, count;
    double *at; /* rows x count: scale_i scale_j S_ij, of a dense matrix or of vectors */
} tile;

SEG_WIDER_TOO static void by_differences(const sample_list *list, double scale, const double *x, const tile *t,
                                         double *out) {
    memset(out, 0, t->count * sizeof *out);
    for (size_t c = 0, d = list->columns; c < d; c++) {
        const double *y = list->at + c * list->count + t->first;
        for (size_t j = 0; j < t->count; j++)
            out[j] += (x[c] - y[j]) * (x[c] - y[j]);
    }
    for (size_t j = 0; j < t->count; j++)
        out[j] *= scale;
    seg_exponentials(t->count, out);
}

/* Turn the inner products of sample i in `out` into similarities. */
SEG_WIDER_TOO static void of_products(const seg_similarities *B, size_t i, const int32_t *sample, double scale,
                                      size_t count, double *out) {
    const double own = B->half_square[i];
    for (size_t j = 0; j < count; j++) {
        const double half = own + B->half_square[sample[j]] - out[j];
        out[j] = half > 0 && (size_t)sample[j] != i ? 2 * half * scale : 0; /* exactly 0 to itself */
    }
    seg_exponentials(count, out);
}

static void inner_products(const seg_similarities *B, const sample_list *list, tile *t) {
    const size_t d = B->features->cols;
    for (size_t j = 0; j < t->count; j += LANES)
        for (size_t i = 0; i < t->rows; i += SEG_PRODUCT_ROWS) {
            const double *x[SEG_PRODUCT_ROWS];
            double product[SEG_PRODUCT_ROWS * LANES];
            for (size_t r = 0; r < SEG_PRODUCT_ROWS; r++)
                x[r] = B->features->at + (t->row + (i + r < t->rows ? i + r : i)) * d;
            seg_products_double(d, x, list->at + (t->first + j) * d, product);
            for (size_t r = 0; r < SEG_PRODUCT_ROWS && i + r < t->rows; r++)
                memcpy(t->at + (i + r) * t->count + j, product + r * LANES,
                       (t->count - j < LANES ? t->count - j : LANES) * sizeof *t->at);
        }
}

static void vectors_tile(const seg_similarities *B, const sample_list *list, tile *t) {
    const size_t d = B->features->cols;
    const double *x = B->features->at + t->row * d, scale = B->width > 0 ? 0.5 / (B->width * B->width) : 0;
    const int products = by_products(B);
    if (products)
        inner_products(B, list, t);
    for (size_t i = 0; i < t->rows && B->width > 0; i++)
        if (products)
            of_products(B, t->row + i, list->sample + t->first, scale, t->count, t->at + i * t->count);
        else
            by_differences(list, scale, x + i * d, t, t->at + i * t->count);
}

/* Fill the tile for its rows and the listed samples from `first` on. */
static void fill_tile(const seg_similarities *B, const sample_list *list, size_t first, tile *t) {
    t->first = first;
    t->count = list->count - first < TILE ? list->count - first : TILE;
    if (!B->dense)
        vectors_tile(B, list, t);
    for (size_t i = 0; i < t->rows; i++) {
        double *line = t->at + i * t->count;
        const int32_t *sample = list->sample + first;
        for (size_t j = 0; B->dense && j < t->count; j++)
            line[j] = B->dense->at[(t->row + i) * B->n + (size_t)sample[j]];
        for (size_t j = 0; B->scale && j < t->count; j++)
            line[j] *= B->scale[t->row + i] * B->scale[sample[j]];
    }
}

/* Arguments shared by all blocks of rows; each kind of similarities uses some of them. */
typedef struct rows_job {
    const seg_similarities *B;
    const int32_t *label;
    const seg_kernel_moves *moves;
    const sample_list *samples;
    const size_t *first;
    const double *centre;
    size_t k, begin; /* row of item 0 */
    double *sum;     /* of row 0 */
} rows_job;

static void linear_rows(void *arg, size_t begin, size_t end, SEG_UNUSED int worker) {
    const rows_job *j = arg;
    const seg_similarities *B = j->B;
    const size_t d = B->features->cols;
    for (size_t i = begin; i < end; i++)
        for (size_t c = 0; c < j->k; c++) {
            const double dot = seg_dot(d, B->features->at + i * d, j->centre + c * d);
            j->sum[i * j->k + c] = (B->scale ? B->scale[i] : 1) * dot;
        }
}

/* Inner products: x_i'(sum of the x_j in c). */
static seg_status linear_sums(seg_context *ctx, const seg_similarities *B, const int32_t *label, int k, double *sum) {
    const size_t n = B->n, d = B->features->cols;
    const int threads = n * d < SMALL_WORK / (size_t)k ? 1 : seg_threads(ctx);
    SEG_LOCAL(double, centre, seg_alloc_zero(ctx, (size_t)k, d * sizeof *centre));
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; label[i] >= 0 && t < d; t++)
            centre[(size_t)label[i] * d + t] += (B->scale ? B->scale[i] : 1) * B->features->at[i * d + t];
    seg_parallel_on(ctx, threads, n, 0, linear_rows, &(rows_job){.B = B, .centre = centre, .k = (size_t)k, .sum = sum});
    return SEG_OK;
}

/* Run `body` over all rows in chunks, with a cancellation check after each if `poll`. */
static seg_status in_chunks(seg_context *ctx, rows_job *job, int threads, size_t chunk, int poll, seg_body body) {
    const size_t n = job->B->n;
    for (job->begin = 0; job->begin < n; job->begin += chunk) {
        seg_parallel_on(ctx, threads, n - job->begin < chunk ? n - job->begin : chunk, ROWS, body, job);
        SEG_TRY(poll ? seg_poll(ctx) : SEG_OK);
    }
    return SEG_OK;
}

/* Sums of some rows, dense or exponential. The samples are ordered by cluster, so the columns of a tile are too. */
static void ordered_rows(void *arg, size_t begin, size_t end, SEG_UNUSED int worker) {
    const rows_job *j = arg;
    const size_t *first = j->first, k = j->k;
    double room[ROWS * TILE];
    tile t = {.row = j->begin + begin, .rows = end - begin, .at = room};
    double *sum = j->sum + t.row * k;
    memset(sum, 0, t.rows * k * sizeof *sum);
    for (size_t at = 0, cluster = 0; at < j->samples->count; at += TILE) {
        fill_tile(j->B, j->samples, at, &t);
        while (first[cluster + 1] <= at)
            cluster++;
        for (size_t c = cluster; c < k && first[c] < at + t.count; c++) {
            const size_t from = first[c] > at ? first[c] - at : 0;
            const size_t to = first[c + 1] < at + t.count ? first[c + 1] - at : t.count;
            for (size_t i = 0; i < t.rows && from < to; i++)
                sum[i * k + c] += total(to - from, t.at + i * t.count + from);
        }
    }
}

static seg_status ordered_sums(seg_context *ctx, const seg_similarities *B, const int32_t *label, int k, double *sum) {
    const size_t n = B->n;
    const int threads = n < SMALL_WORK / n ? 1 : seg_threads(ctx);
    SEG_FREED int32_t *sample = NULL;
    size_t *first;
    SEG_RELEASED(list_free) sample_list samples = {0};
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(sample, n), SEG_ARRAY(first, (size_t)k + 1)));
    seg_list_by_key(n, label, (size_t)k, first, sample);
    SEG_TRY(list_create(ctx, B, first[k], sample, &samples));
    rows_job job = {.B = B, .samples = &samples, .first = first, .k = (size_t)k, .sum = sum};
    return in_chunks(ctx, &job, threads, CHUNK, 1, ordered_rows);
}

static void sparse_rows(void *arg, size_t begin, size_t end, SEG_UNUSED int worker) {
    const rows_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        memset(j->sum + i * j->k, 0, j->k * sizeof *j->sum);
        add_sparse_row(j->B->sparse, j->B->scale, i, j->label, j->sum + i * j->k);
    }
}

seg_status seg_kernel_sums(seg_context *ctx, const seg_similarities *B, const int32_t *label, int k, double *sum) {
    const size_t n = B->n, clusters = (size_t)k;
    if (B->sparse) {
        seg_parallel_on(ctx, B->sparse->start[n] < SMALL_WORK ? 1 : seg_threads(ctx), n, 0, sparse_rows,
                        &(rows_job){.B = B, .label = label, .k = clusters, .sum = sum});
    } else {
        SEG_TRY(B->features && !(B->width > 0) ? linear_sums(ctx, B, label, k, sum)
                                               : ordered_sums(ctx, B, label, k, sum));
    }
    for (size_t i = 0; i < n; i++) {
        if (B->extra)
            add_sparse_row(B->extra, NULL, i, label, sum + i * clusters);
        if (B->diagonal && label[i] >= 0)
            sum[i * clusters + (size_t)label[i]] += B->diagonal[i];
    }
    return SEG_OK;
}

/* Move a similarity from the sum of one cluster to that of another; -1: none. */
static void move(double *sum, int32_t from, int32_t to, double value) {
    if (from >= 0)
        sum[from] -= value;
    if (to >= 0)
        sum[to] += value;
}

/* Apply move m of a sample to the sums of every row in which it has an entry. */
static void move_sparse(const seg_csr *A, const double *scale, const seg_kernel_moves *moves, size_t m, size_t k,
                        double *sum) {
    const size_t j = (size_t)moves->sample[m];
    for (size_t e = A->start[j]; e < A->start[j + 1]; e++) {
        const size_t i = (size_t)A->column[e];
        move(sum + i * k, moves->from[m], moves->to[m], scale ? A->value[e] * scale[i] * scale[j] : A->value[e]);
    }
}

static void moved_rows(void *arg, size_t begin, size_t end, SEG_UNUSED int worker) {
    const rows_job *job = arg;
    const int32_t *from = job->moves->from, *to = job->moves->to;
    double room[ROWS * TILE];
    tile t = {.row = job->begin + begin, .rows = end - begin, .at = room};
    for (size_t at = 0; at < job->samples->count; at += TILE) {
        fill_tile(job->B, job->samples, at, &t);
        for (size_t i = 0; i < t.rows; i++)
            for (size_t j = 0; j < t.count; j++)
                move(job->sum + (t.row + i) * job->k, from[at + j], to[at + j], t.at[i * t.count + j]);
    }
}

seg_status seg_kernel_sums_update(seg_context *ctx, const seg_similarities *B, const seg_kernel_moves *moves, int k,
                                  double *sum) {
    const size_t n = B->n, clusters = (size_t)k, count = moves->count;
    for (size_t m = 0; m < count; m++) {
        const size_t own = (size_t)moves->sample[m];
        if (B->sparse)
            move_sparse(B->sparse, B->scale, moves, m, clusters, sum);
        if (B->extra)
            move_sparse(B->extra, NULL, moves, m, clusters, sum);
        if (B->diagonal)
            move(sum + own * clusters, moves->from[m], moves->to[m], B->diagonal[own]);
    }
    if (B->sparse || count == 0)
        return SEG_OK;
    SEG_RELEASED(list_free) sample_list list = {0};
    SEG_TRY(list_create(ctx, B, count, moves->sample, &list));
    rows_job job = {.B = B, .samples = &list, .moves = moves, .k = clusters, .sum = sum};
    return in_chunks(ctx, &job, n < SMALL_WORK / count ? 1 : seg_threads(ctx), 16 * CHUNK, count > TILE, moved_rows);
}
