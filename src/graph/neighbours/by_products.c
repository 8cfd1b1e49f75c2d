/* Exact nearest neighbours of long vectors. With y = x less the mean of all, |x_i - x_j|^2 / 2 = |y_i|^2 / 2 + v_ij,
 * v_ij = |y_j|^2 / 2 - y_i'y_j, so the products of blocks of rows, in single precision, tell which j can be among the
 * nearest of i: all whose v_ij lies below a limit that takes every error into account. Their distances are then
 * computed in double precision, and those alone decide. */
#include "base/base.h"
#include "base/parallel.h"
#include "graph/neighbours/nearest.h"
#include "linalg/products.h"

enum {
    QUERIES = 128,            /* rows that pass over a block while it stays in cache */
    LANES = SEG_SINGLE_LANES, /* points a block */
    MORE = 64                 /* candidates beyond 4 a neighbour before a list is cleared */
};
static const double UNIT = 0x1p-24; /* rounding in single precision */
/* Beyond these even double precision loses squares; the slower way takes such vectors as they are. */
static const double SMALLEST = 1e-100, LARGEST = 1e100;

/* The rows less their mean and scaled to at most one, rounded to single precision. */
typedef struct points {
    const seg_matrix *X;
    size_t n, d;
    float *at;       /* n x d */
    float *turned;   /* the same in blocks: coordinate c of lane l of block b is at (b d + c) LANES + l */
    float *half;     /* |f_i|^2 / 2, padded with infinities to whole lanes */
    double *square;  /* |f_i|^2 */
    double *off;     /* at least the distance from f_i to what it stands for */
    double scale;    /* a power of two */
    double longest;  /* at least every |f_i| */
    double farthest; /* at least every off */
    double relative; /* of sums in double precision */
    seg_arena arena;
} points;

static void round_row(points *p, const double *mean, size_t i) {
    const double *x = p->X->at + i * p->d;
    float *f = p->at + i * p->d, *lane = p->turned + i / LANES * LANES * p->d + i % LANES;
    double square = 0, error = 0;
    for (size_t c = 0; c < p->d; c++) {
        const double y = (x[c] - mean[c]) * p->scale;
        f[c] = lane[c * LANES] = (float)y;
        const double t = y - (double)f[c];
        square += (double)f[c] * (double)f[c];
        error += t * t;
    }
    p->square[i] = square;
    p->half[i] = (float)(0.5 * square);
    /* The last two: rounding of y itself, and of what is too small for its squares. */
    p->off[i] = 1.001 * sqrt(error) + 1e-15 * sqrt(square) + 1e-30 * (double)p->d;
}

typedef struct rounding {
    points *p;
    const double *mean;
} rounding;

static void round_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const rounding *r = arg;
    for (size_t i = first; i < last; i++)
        round_row(r->p, r->mean, i);
}

static seg_status points_create(seg_context *ctx, const seg_matrix *X, points *p, int *able) {
    const size_t n = X->rows, d = X->cols, blocks = (n + LANES - 1) / LANES, padded = blocks * LANES;
    SEG_FREED double *mean = seg_alloc(ctx, d, sizeof *mean);
    *p = (points){.X = X, .n = n, .d = d, .relative = (double)(d + 8) * 0x1p-51};
    *able = 0;
    if (!mean)
        return SEG_ERR_MEMORY;
    const double peak = seg_rows_mean(X, mean);
    if (d < 1 || (double)d * UNIT > 0.01 || !(peak >= SMALLEST && peak <= LARGEST))
        return SEG_OK;
    p->scale = exp2(-ceil(log2(peak)));
    p->at = seg_arena_alloc(ctx, &p->arena, n, d * sizeof *p->at); /* half of what X takes: no overflow */
    p->turned = seg_arena_alloc_zero(ctx, &p->arena, padded, d * sizeof *p->turned);
    p->half = seg_arena_alloc(ctx, &p->arena, padded, sizeof *p->half);
    p->square = seg_arena_alloc(ctx, &p->arena, n, sizeof *p->square);
    p->off = seg_arena_alloc(ctx, &p->arena, n, sizeof *p->off);
    if (p->arena.status)
        return p->arena.status;
    seg_parallel(ctx, n, 0, round_rows, &(rounding){p, mean});
    for (size_t i = 0; i < n; i++) {
        p->longest = fmax(p->longest, p->square[i]);
        p->farthest = fmax(p->farthest, p->off[i]);
    }
    p->longest = sqrt(p->longest) * (1 + p->relative);
    for (size_t i = n; i < padded; i++)
        p->half[i] = INFINITY;
    *able = 1;
    return SEG_OK;
}

/* One row's search. */
typedef struct query {
    size_t self;
    seg_heap exact; /* in the caller's rows: of candidates that have left the list */
    seg_heap rough; /* of all v so far, for the limit */
    double error;   /* of a v, at most */
    float limit;    /* no v above it belongs to one of the nearest */
    size_t count;
    float *v; /* listed candidates */
    int32_t *number;
} query;

/* An inner product in single precision is wrong by (d + 4) UNIT |f_i| |f_j| at most, and |f_j|^2 / 2 and the difference
 * by their rounding. */
static double error_of(const points *p, size_t i) {
    const double own = sqrt(p->square[i]) * (1 + p->relative);
    return 1.02 * (((double)p->d + 6) * UNIT * own + (UNIT + p->relative) * p->longest) * p->longest +
           1e-30 * (double)p->d;
}

/* The limit where `count` rows are known to lie within `reach` (scaled): whatever is as near has a v below. */
static void lower_limit(const points *p, query *q, double reach) {
    const double away = p->off[q->self] + p->farthest;
    const double most = reach * (1 + p->relative) + away; /* between the rounded points */
    const double v = 0.5 * (most * most - p->square[q->self]) + q->error;
    const float limit = nextafterf((float)(v + p->relative * (most * most + p->square[q->self])), INFINITY);
    q->limit = limit < q->limit ? limit : q->limit;
}

/* The exact squared distances from row i to four others, each a sum in the order of the coordinates: together they hide
 * the latency of an addition. */
static void four_distances(const seg_matrix *X, size_t i, const int32_t j[4], double out[4]) {
    const size_t d = X->cols;
    const double *x = X->at + i * d, *a = X->at + (size_t)j[0] * d, *b = X->at + (size_t)j[1] * d;
    const double *e = X->at + (size_t)j[2] * d, *f = X->at + (size_t)j[3] * d;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (size_t c = 0; c < d; c++) {
        const double t0 = a[c] - x[c], t1 = b[c] - x[c], t2 = e[c] - x[c], t3 = f[c] - x[c];
        s0 += t0 * t0;
        s1 += t1 * t1;
        s2 += t2 * t2;
        s3 += t3 * t3;
    }
    out[0] = s0, out[1] = s1, out[2] = s2, out[3] = s3;
}

static void drop_far(query *q) {
    size_t kept = 0;
    for (size_t c = 0; c < q->count; c++)
        if (q->v[c] <= q->limit) {
            q->v[kept] = q->v[c];
            q->number[kept++] = q->number[c];
        }
    q->count = kept;
}

/* The listed candidates decided by their exact distances. */
static void settle(const points *p, query *q) {
    drop_far(q);
    for (size_t c = 0; c < q->count; c += 4) {
        const size_t left = q->count - c < 4 ? q->count - c : 4;
        int32_t four[4];
        double distance2[4];
        for (size_t t = 0; t < 4; t++)
            four[t] = q->number[c + (t < left ? t : 0)];
        four_distances(p->X, q->self, four, distance2);
        for (size_t t = 0; t < left; t++)
            seg_heap_offer(&q->exact, distance2[t], four[t]);
    }
    q->count = 0;
}

static void accept(const points *p, query *q, size_t room, float v, int32_t number) {
    if (q->count == room) {
        drop_far(q);
        if (q->count > room / 2) { /* many as near as each other: no use to wait */
            settle(p, q);
            if (q->exact.count == q->exact.capacity)
                lower_limit(p, q, sqrt(q->exact.worst) * p->scale);
        }
        if (!(v <= q->limit))
            return;
    }
    q->v[q->count] = v;
    q->number[q->count++] = number;
    if (v >= q->rough.worst)
        return;
    seg_heap_offer(&q->rough, v, number);
    if (q->rough.count == q->rough.capacity) {
        const double square = p->square[q->self] + 2 * (q->rough.worst + q->error);
        const double away = p->off[q->self] + p->farthest;
        lower_limit(p, q, (sqrt(fmax(square, 0)) + away) * (1 + p->relative));
    }
}

/* One row's products with a block. */
static void scan(const points *p, query *q, size_t room, size_t first, const float *product) {
    const float *half = p->half + first;
    float v[LANES];
    int near = 0;
    for (size_t l = 0; l < LANES; l++)
        v[l] = half[l] - product[l];
    for (size_t l = 0; l < LANES; l++)
        near += v[l] <= q->limit;
    for (size_t l = 0; near && l < LANES && first + l < p->n; l++)
        if (v[l] <= q->limit && first + l != q->self)
            accept(p, q, room, v[l], (int32_t)(first + l));
}

/* What one thread works with. */
typedef struct worker {
    query query[QUERIES];
    float *v;
    int32_t *number;
    double *rough;
    int32_t *rough_number;
} worker;

typedef struct job {
    const points *p;
    worker *workers;
    size_t count, room;
    int32_t *neighbour;
    double *distance2;
} job;

static void search(void *arg, size_t first, size_t last, int number) {
    const job *j = arg;
    const points *p = j->p;
    worker *w = &j->workers[number];
    const size_t queries = last - first, count = j->count, room = j->room;
    for (size_t i = 0; i < queries; i++) {
        const size_t at = (first + i) * count;
        w->query[i] = (query){.self = first + i,
                              .exact = seg_heap_make(j->neighbour + at, j->distance2 + at, count),
                              .rough = seg_heap_make(w->rough_number + i * count, w->rough + i * count, count),
                              .error = error_of(p, first + i),
                              .limit = INFINITY,
                              .v = w->v + i * room,
                              .number = w->number + i * room};
    }
    for (size_t start = 0; start < p->n; start += LANES)
        for (size_t i = 0; i < queries; i += SEG_PRODUCT_ROWS) {
            const float *x[SEG_PRODUCT_ROWS];
            float product[SEG_PRODUCT_ROWS * LANES];
            for (size_t r = 0; r < SEG_PRODUCT_ROWS; r++)
                x[r] = p->at + (first + (i + r < queries ? i + r : i)) * p->d;
            seg_products_single(p->d, x, p->turned + start * p->d, product);
            for (size_t r = 0; r < SEG_PRODUCT_ROWS && i + r < queries; r++)
                scan(p, &w->query[i + r], room, start, product + r * LANES);
        }
    for (size_t i = 0; i < queries; i++) {
        settle(p, &w->query[i]);
        seg_heap_sort(&w->query[i].exact);
    }
}

static seg_status find(seg_context *ctx, points *p, const job *j, size_t workers) {
    const size_t rows = p->n < QUERIES ? p->n : QUERIES;
    for (worker *w = j->workers; w < j->workers + workers; w++) {
        w->v = seg_arena_alloc(ctx, &p->arena, j->room, rows * sizeof *w->v);
        w->number = seg_arena_alloc(ctx, &p->arena, j->room, rows * sizeof *w->number);
        w->rough = seg_arena_alloc(ctx, &p->arena, j->count, rows * sizeof *w->rough);
        w->rough_number = seg_arena_alloc(ctx, &p->arena, j->count, rows * sizeof *w->rough_number);
    }
    seg_status status = p->arena.status;
    if (status || (status = seg_parallel_polled(ctx, p->n, QUERIES, search, (void *)j)))
        return status;
    return seg_poll(ctx);
}

seg_status seg_nearest_by_products(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                                   double *distance2, int *able) {
    const size_t blocks = (X->rows + QUERIES - 1) / QUERIES, threads = (size_t)seg_threads(ctx);
    const size_t workers = blocks < threads ? blocks : threads;
    points p;
    seg_status status = points_create(ctx, X, &p, able);
    if (!status && *able) {
        SEG_FREED worker *w = seg_alloc(ctx, workers, sizeof *w);
        status =
            w ? find(ctx, &p, &(job){&p, w, count, 4 * count + MORE, neighbour, distance2}, workers) : SEG_ERR_MEMORY;
    }
    seg_arena_free(&p.arena);
    return status;
}
