#include "graph/spectrum/chebyshev.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"

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
                                seg_chebyshev *out) {
    const size_t n = S->rows;
    *out = (seg_chebyshev){.ctx = ctx, .S = S, .components = components};
    out->value = seg_arena_alloc(ctx, &out->arena, S->start[n], sizeof *out->value);
    out->even = seg_arena_alloc(ctx, &out->arena, n, CACHE_LINE);
    out->odd = seg_arena_alloc(ctx, &out->arena, n, CACHE_LINE);
    out->along = seg_arena_alloc(ctx, &out->arena, (size_t)components->count, SEG_FILTER_LANES * sizeof *out->along);
    const seg_status status = out->arena.status;
    if (status)
        seg_chebyshev_free(out);
    for (size_t e = 0; !status && e < S->start[n]; e++)
        out->value[e] = (float)S->value[e];
    return status;
}

void seg_chebyshev_free(seg_chebyshev *filter) {
    seg_arena_free(&filter->arena);
}

/* One step of the recurrence: out = scale (S y - centre y) - before out. */
typedef struct step {
    const seg_csr *S;
    const float *value; /* NULL: in double precision */
    double scale, centre, before;
    const double *y;
    double *out;
} step;

#define DEFINE_STEP(name, number, vector, numbers)                                                                     \
    SEG_WIDER_TOO static void name(const step *s, size_t first, size_t last) {                                         \
        enum { WIDTH = CACHE_LINE / sizeof(number), HALF = WIDTH / 2 };                                                \
        const size_t *start = s->S->start, end = start[last];                                                          \
        const int32_t *column = s->S->column;                                                                          \
        const number *value = (numbers), *y = (const number *)s->y;                                                    \
        const number scale = (number)s->scale, centre = (number)s->centre, before = (number)s->before;                 \
        number *out = (number *)s->out;                                                                                \
        for (size_t i = first; i < last; i++) {                                                                        \
            vector a = {0}, b = {0}, left, right;                                                                      \
            for (size_t e = start[i]; e < start[i + 1]; e++) {                                                         \
                const number *other = y + (size_t)column[e] * WIDTH;                                                   \
                if (e + AHEAD < end)                                                                                   \
                    __builtin_prefetch(y + (size_t)column[e + AHEAD] * WIDTH);                                         \
                memcpy(&left, other, sizeof left);                                                                     \
                memcpy(&right, other + HALF, sizeof right);                                                            \
                a += value[e] * left;                                                                                  \
                b += value[e] * right;                                                                                 \
            }                                                                                                          \
            memcpy(&left, y + i * WIDTH, sizeof left);                                                                 \
            memcpy(&right, y + i * WIDTH + HALF, sizeof right);                                                        \
            a -= centre * left;                                                                                        \
            b -= centre * right;                                                                                       \
            memcpy(&left, out + i * WIDTH, sizeof left);                                                               \
            memcpy(&right, out + i * WIDTH + HALF, sizeof right);                                                      \
            a = scale * a - before * left;                                                                             \
            b = scale * b - before * right;                                                                            \
            memcpy(out + i * WIDTH, &a, sizeof a);                                                                     \
            memcpy(out + i * WIDTH + HALF, &b, sizeof b);                                                              \
        }                                                                                                              \
    }

DEFINE_STEP(step_single, float, singles, s->value)
DEFINE_STEP(step_double, double, doubles, s->S->value)

static void step_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const step *s = arg;
    if (s->value)
        step_single(s, first, last);
    else
        step_double(s, first, last);
}

/* A block of columns in the buffer, lanes side by side, and columns of X. */
typedef struct exchange {
    const seg_chebyshev_columns *c;
    const double *root; /* one more known vector, or NULL */
    size_t all;         /* known vectors */
    double *block;
    double *share; /* per block of rows and then of all: all x SEG_FILTER_LANES */
} exchange;

static inline void read_lanes(const exchange *x, size_t i, double *row) {
    if (x->c->single)
        for (size_t l = 0; l < SEG_FILTER_LANES; l++)
            row[l] = (double)((const float *)x->block)[i * SEG_FILTER_LANES + l];
    else
        memcpy(row, x->block + i * DOUBLE_LANES, DOUBLE_LANES * sizeof *row);
}

static inline void write_lanes(const exchange *x, size_t i, const double *row) {
    if (x->c->single)
        for (size_t l = 0; l < SEG_FILTER_LANES; l++)
            ((float *)x->block)[i * SEG_FILTER_LANES + l] = (float)row[l];
    else
        memcpy(x->block + i * DOUBLE_LANES, row, DOUBLE_LANES * sizeof *row);
}

static void load_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const exchange *x = arg;
    double row[SEG_FILTER_LANES] = {0};
    for (size_t i = first; i < last; i++) {
        for (size_t l = 0; l < x->c->count; l++)
            row[l] = x->c->X[i * x->c->cols + x->c->column[l]];
        write_lanes(x, i, row);
    }
}

static void store_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const exchange *x = arg;
    double row[SEG_FILTER_LANES];
    for (size_t i = first; i < last; i++) {
        read_lanes(x, i, row);
        for (size_t l = 0; l < x->c->count; l++)
            x->c->X[i * x->c->cols + x->c->column[l]] = row[l];
    }
}

static inline double known_at(const exchange *x, size_t i, size_t k) {
    return k < x->c->knowns ? x->c->X[i * x->c->cols + x->c->known[k]] : x->root[i];
}

SEG_WIDER_TOO static void share_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const exchange *x = arg;
    const size_t all = x->all;
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
    const size_t all = x->all;
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
    const size_t width = x->c->single ? SEG_FILTER_LANES : DOUBLE_LANES;
    memset(f->along, 0, (size_t)components->count * SEG_FILTER_LANES * sizeof *f->along);
    for (size_t i = 0; i < components->n; i++) {
        double *sum = f->along + (size_t)components->of[i] * SEG_FILTER_LANES;
        read_lanes(x, i, row);
        for (size_t l = 0; l < width; l++)
            sum[l] += components->root[i] * row[l];
    }
    for (size_t i = 0; i < components->n; i++) {
        const double *sum = f->along + (size_t)components->of[i] * SEG_FILTER_LANES;
        read_lanes(x, i, row);
        for (size_t l = 0; l < width; l++)
            row[l] -= components->root[i] * sum[l];
        write_lanes(x, i, row);
    }
}

static void take_away_known(const seg_chebyshev *f, exchange *x) {
    const size_t n = f->S->rows, cells = x->all * SEG_FILTER_LANES;
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
    step s = {.S = f->S, .value = x->c->single ? f->value : NULL, .centre = centre, .y = f->even, .out = f->odd};
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

seg_status seg_chebyshev_filter(seg_chebyshev *filter, const seg_chebyshev_terms *terms,
                                const seg_chebyshev_columns *columns) {
    const seg_components *components = filter->components;
    exchange x = {.c = columns, .root = components->count == 1 ? components->root : NULL};
    x.all = columns->knowns + (x.root != NULL);
    SEG_FREED double *share = x.share = seg_alloc(filter->ctx, (filter->S->rows + ROWS - 1) / ROWS + 1,
                                                  (columns->knowns + 1) * SEG_FILTER_LANES * sizeof *x.share);
    return share ? recur(filter, terms, &x) : SEG_ERR_MEMORY;
}
