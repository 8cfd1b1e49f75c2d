#include "graph/spectrum/chebyshev.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

enum {
    DOUBLE_LANES = SEG_FILTER_LANES / 2,
    ROWS = 4096, /* of a block whose sums one thread takes */
    AHEAD = 12,  /* entries between a request to memory and its use */
    CACHE_LINE = 64
};

/* Half a line: compilers keep wider vectors than the processor's registers in memory. */
typedef float singles __attribute__((vector_size(CACHE_LINE / 2)));
typedef double doubles __attribute__((vector_size(CACHE_LINE / 2)));

seg_status seg_chebyshev_create(seg_context *ctx, const seg_csr *S, const seg_components *components,
                                const double *root, seg_chebyshev *out) {
    const size_t n = S->rows;
    *out = (seg_chebyshev){.ctx = ctx, .S = S, .components = components, .root = root};
    out->value = seg_alloc(ctx, S->start[n], sizeof *out->value);
    out->even = seg_alloc(ctx, n, CACHE_LINE);
    out->odd = seg_alloc(ctx, n, CACHE_LINE);
    out->along = seg_alloc(ctx, (size_t)components->count, SEG_FILTER_LANES * sizeof *out->along);
    if (!out->value || !out->even || !out->odd || !out->along) {
        seg_chebyshev_free(out);
        return SEG_ERR_MEMORY;
    }
    for (size_t e = 0; e < S->start[n]; e++)
        out->value[e] = (float)S->value[e];
    return SEG_OK;
}

void seg_chebyshev_free(seg_chebyshev *filter) {
    if (!filter)
        return;
    free(filter->value);
    free(filter->even);
    free(filter->odd);
    free(filter->along);
    memset(filter, 0, sizeof *filter);
}

/* One step of the recurrence: out = scale (S y - centre y) - before out. */
typedef struct step {
    const seg_csr *S;
    const float *value;
    double scale, centre, before;
    const double *y;
    double *out;
} step;

SEG_WIDER_TOO static void step_single(const step *s, size_t first, size_t last) {
    enum { WIDTH = SEG_FILTER_LANES, HALF = WIDTH / 2 };
    const size_t *start = s->S->start, end = start[last];
    const int32_t *column = s->S->column;
    const float *value = s->value, *y = (const float *)s->y;
    const float scale = (float)s->scale, centre = (float)s->centre, before = (float)s->before;
    float *out = (float *)s->out;
    for (size_t i = first; i < last; i++) {
        singles a = {0}, b = {0}, left, right;
        for (size_t e = start[i]; e < start[i + 1]; e++) {
            const float *other = y + (size_t)column[e] * WIDTH;
            if (e + AHEAD < end)
                __builtin_prefetch(y + (size_t)column[e + AHEAD] * WIDTH);
            memcpy(&left, other, sizeof left);
            memcpy(&right, other + HALF, sizeof right);
            a += value[e] * left;
            b += value[e] * right;
        }
        memcpy(&left, y + i * WIDTH, sizeof left);
        memcpy(&right, y + i * WIDTH + HALF, sizeof right);
        a -= centre * left;
        b -= centre * right;
        memcpy(&left, out + i * WIDTH, sizeof left);
        memcpy(&right, out + i * WIDTH + HALF, sizeof right);
        a = scale * a - before * left;
        b = scale * b - before * right;
        memcpy(out + i * WIDTH, &a, sizeof a);
        memcpy(out + i * WIDTH + HALF, &b, sizeof b);
    }
}

SEG_WIDER_TOO static void step_double(const step *s, size_t first, size_t last) {
    enum { WIDTH = DOUBLE_LANES, HALF = WIDTH / 2 };
    const size_t *start = s->S->start, end = start[last];
    const int32_t *column = s->S->column;
    const double *value = s->S->value, *y = (const double *)s->y;
    const double scale = (double)s->scale, centre = (double)s->centre, before = (double)s->before;
    double *out = (double *)s->out;
    for (size_t i = first; i < last; i++) {
        doubles a = {0}, b = {0}, left, right;
        for (size_t e = start[i]; e < start[i + 1]; e++) {
            const double *other = y + (size_t)column[e] * WIDTH;
            if (e + AHEAD < end)
                __builtin_prefetch(y + (size_t)column[e + AHEAD] * WIDTH);
            memcpy(&left, other, sizeof left);
            memcpy(&right, other + HALF, sizeof right);
            a += value[e] * left;
            b += value[e] * right;
        }
        memcpy(&left, y + i * WIDTH, sizeof left);
        memcpy(&right, y + i * WIDTH + HALF, sizeof right);
        a -= centre * left;
        b -= centre * right;
        memcpy(&left, out + i * WIDTH, sizeof left);
        memcpy(&right, out + i * WIDTH + HALF, sizeof right);
        a = scale * a - before * left;
        b = scale * b - before * right;
        memcpy(out + i * WIDTH, &a, sizeof a);
        memcpy(out + i * WIDTH + HALF, &b, sizeof b);
    }
}

static void step_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const step *s = arg;
    if (s->value)
        step_single(s, first, last);
    else
        step_double(s, first, last);
}

/* A block of columns in the buffer, lanes side by side, and columns of X. */
typedef struct exchange {
    int single;
    size_t cols, count, knowns;
    const size_t *column, *known;
    const double *root; /* one more known vector, or NULL */
    double *X, *block;
    double *share; /* per block of rows and then of all: (knowns + 1) x SEG_FILTER_LANES */
} exchange;

static size_t lanes(const exchange *x) {
    return x->single ? SEG_FILTER_LANES : DOUBLE_LANES;
}

static inline void read_lanes(const exchange *x, size_t i, double *row) {
    if (x->single)
        for (size_t l = 0; l < SEG_FILTER_LANES; l++)
            row[l] = (double)((const float *)x->block)[i * SEG_FILTER_LANES + l];
    else
        memcpy(row, x->block + i * DOUBLE_LANES, DOUBLE_LANES * sizeof *row);
}

static inline void write_lanes(const exchange *x, size_t i, const double *row) {
    if (x->single)
        for (size_t l = 0; l < SEG_FILTER_LANES; l++)
            ((float *)x->block)[i * SEG_FILTER_LANES + l] = (float)row[l];
    else
        memcpy(x->block + i * DOUBLE_LANES, row, DOUBLE_LANES * sizeof *row);
}

static void load_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const exchange *x = arg;
    double row[SEG_FILTER_LANES] = {0};
    for (size_t i = first; i < last; i++) {
        for (size_t l = 0; l < x->count; l++)
            row[l] = x->X[i * x->cols + x->column[l]];
        write_lanes(x, i, row);
    }
}

static void store_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const exchange *x = arg;
    double row[SEG_FILTER_LANES];
    for (size_t i = first; i < last; i++) {
        read_lanes(x, i, row);
        for (size_t l = 0; l < x->count; l++)
            x->X[i * x->cols + x->column[l]] = row[l];
    }
}

static inline double known_at(const exchange *x, size_t i, size_t k) {
    return k < x->knowns ? x->X[i * x->cols + x->known[k]] : x->root[i];
}

SEG_WIDER_TOO static void share_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const exchange *x = arg;
    const size_t all = x->knowns + (x->root != NULL);
    double *share = x->share + (first / ROWS + 1) * all * SEG_FILTER_LANES, row[SEG_FILTER_LANES] = {0};
    memset(share, 0, all * SEG_FILTER_LANES * sizeof *share);
    for (size_t i = first; i < last; i++) {
        read_lanes(x, i, row);
        for (size_t k = 0; k < all; k++) {
            const double own = known_at(x, i, k);
            for (size_t l = 0; l < SEG_FILTER_LANES; l++)
                share[k * SEG_FILTER_LANES + l] += own * row[l];
        }
    }
}

SEG_WIDER_TOO static void take_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const exchange *x = arg;
    const size_t all = x->knowns + (x->root != NULL);
    double row[SEG_FILTER_LANES] = {0};
    for (size_t i = first; i < last; i++) {
        read_lanes(x, i, row);
        for (size_t k = 0; k < all; k++) {
            const double own = known_at(x, i, k);
            for (size_t l = 0; l < SEG_FILTER_LANES; l++)
                row[l] -= own * x->share[k * SEG_FILTER_LANES + l];
        }
        write_lanes(x, i, row);
    }
}

/* Null vectors of a graph in several parts: a node is in one of them only. */
static void take_away_nulls(const seg_chebyshev *f, const exchange *x) {
    const seg_components *components = f->components;
    double row[SEG_FILTER_LANES] = {0};
    const size_t width = lanes(x);
    memset(f->along, 0, (size_t)components->count * SEG_FILTER_LANES * sizeof *f->along);
    for (size_t i = 0; i < components->n; i++) {
        double *sum = f->along + (size_t)components->of[i] * SEG_FILTER_LANES;
        read_lanes(x, i, row);
        for (size_t l = 0; l < width; l++)
            sum[l] += f->root[i] * row[l];
    }
    for (size_t i = 0; i < components->n; i++) {
        const double *sum = f->along + (size_t)components->of[i] * SEG_FILTER_LANES;
        read_lanes(x, i, row);
        for (size_t l = 0; l < width; l++)
            row[l] -= f->root[i] * sum[l];
        write_lanes(x, i, row);
    }
}

static void take_away_known(const seg_chebyshev *f, exchange *x) {
    const size_t n = f->S->rows, cells = (x->knowns + (x->root != NULL)) * SEG_FILTER_LANES;
    if (f->components->count > 1)
        take_away_nulls(f, x);
    if (cells == 0)
        return;
    seg_parallel(f->ctx, n, ROWS, share_rows, x);
    memset(x->share, 0, cells * sizeof *x->share);
    for (size_t block = 1; block <= (n + ROWS - 1) / ROWS; block++)
        for (size_t e = 0; e < cells; e++)
            x->share[e] += x->share[block * cells + e];
    seg_parallel(f->ctx, n, ROWS, take_rows, x);
}

/* The recurrence of the polynomials, each scaled to 1 at the top [zhou2006chebyshev]. */
static seg_status recur(seg_chebyshev *f, const seg_chebyshev_terms *terms, exchange *x) {
    const size_t n = f->S->rows;
    const double centre = (terms->high + terms->low) / 2, half = (terms->high - terms->low) / 2;
    const double first = half / (terms->top - centre);
    double sigma = first;
    step s = {.S = f->S, .value = x->single ? f->value : NULL, .centre = centre, .y = f->even, .out = f->odd};
    x->block = f->even;
    seg_parallel(f->ctx, n, ROWS, load_rows, x);
    take_away_known(f, x);
    memset(f->odd, 0, n * CACHE_LINE);
    for (int d = 1; d <= terms->degree; d++) {
        const double next = d == 1 ? first : 1 / (2 / first - sigma);
        s.scale = (d == 1 ? 1 : 2) * next / half;
        s.before = d == 1 ? 0 : sigma * next;
        seg_status status = seg_poll(f->ctx);
        if (status == SEG_OK)
            status = seg_parallel_polled(f->ctx, n, ROWS, step_rows, &s);
        if (status != SEG_OK)
            return status;
        sigma = next;
        x->block = s.out;
        s.out = s.y == f->even ? f->even : f->odd;
        s.y = x->block;
        if (d % terms->clean == 0 || d == terms->degree)
            take_away_known(f, x);
        if (d % terms->clean == 0 && d < terms->degree) {
            x->block = s.out;
            take_away_known(f, x);
        }
    }
    seg_parallel(f->ctx, n, ROWS, store_rows, x);
    return SEG_OK;
}

seg_status seg_chebyshev_filter(seg_chebyshev *filter, const seg_chebyshev_terms *terms, int single, size_t cols,
                                double *X, const size_t *column, size_t count, const size_t *known, size_t knowns) {
    exchange x = {.single = single, .cols = cols, .count = count, .knowns = knowns, .column = column, .known = known};
    x.X = X;
    x.root = filter->components->count == 1 ? filter->root : NULL;
    x.share = seg_alloc(filter->ctx, (filter->S->rows + ROWS - 1) / ROWS + 1,
                        (knowns + 1) * SEG_FILTER_LANES * sizeof *x.share);
    if (!x.share)
        return SEG_ERR_MEMORY;
    const seg_status status = recur(filter, terms, &x);
    free(x.share);
    return status;
}
