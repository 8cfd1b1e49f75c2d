/* Exact nearest neighbours of long vectors. With y = x less the mean of all, |x_i - x_j|^2 / 2 = |y_i|^2 / 2 + v_ij,
 * v_ij = |y_j|^2 / 2 - y_i'y_j. Products of blocks of rows in single precision show which j can be among the nearest of
 * i: those whose v_ij is below a limit that allows for all rounding errors. The distances of these candidates are then
 * computed in double precision, and only they decide. */
#include "base/base.h"
#include "graph/neighbours/nearest.h"
#include "linalg/dense.h"
#include "linalg/products.h"

enum {
    QUERIES = 32,            /* query rows per block of points, which stays in the cache */
    LANES = SEG_SINGLE_LANES /* points per block */
};
static const double UNIT = 0x1p-24; /* unit roundoff of single precision */
/* Outside this range squares lose digits even in double precision; such vectors are left to the k-d tree. */
static const double SMALLEST = 1e-100, LARGEST = 1e100;

/* The rows f_i: X less its mean, scaled to at most one and rounded to single precision. */
typedef struct points {
    const seg_matrix *X;
    size_t n, d;
    float *at;       /* n x d */
    float *turned;   /* the same in blocks: coordinate c of lane l of block b is at (b d + c) LANES + l */
    float *half;     /* |f_i|^2 / 2, padded with infinities to whole lanes */
    double *square;  /* |f_i|^2 */
    double *off;     /* upper bound on the distance of f_i from the unrounded row */
    double scale;    /* a power of two */
    double longest;  /* upper bound on all |f_i| */
    double farthest; /* the largest off */
    double relative; /* relative error of sums in double precision */
} points;

typedef struct rounding {
    points *p;
    const double *mean;
} rounding;

static void round_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const rounding *r = arg;
    points *p = r->p;
    for (size_t i = first; i < last; i++) {
        const double *x = p->X->at + i * p->d;
        float *f = p->at + i * p->d, *lane = p->turned + i / LANES * LANES * p->d + i % LANES;
        double square = 0, error = 0;
        for (size_t c = 0; c < p->d; c++) {
            const double y = (x[c] - r->mean[c]) * p->scale;
            f[c] = lane[c * LANES] = (float)y;
            const double t = y - (double)f[c];
            square += (double)f[c] * (double)f[c];
            error += t * t;
        }
        p->square[i] = square;
        p->half[i] = (float)(0.5 * square);
        /* The second term bounds the rounding of y itself, the third squares that underflow. */
        p->off[i] = 1.001 * sqrt(error) + 1e-15 * sqrt(square) + 1e-30 * (double)p->d;
    }
}

static seg_status points_create(seg_context *ctx, const seg_matrix *X, seg_arena *arena, points *p, int *able) {
    const size_t n = X->rows, d = X->cols, blocks = (n + LANES - 1) / LANES, padded = blocks * LANES;
    *p = (points){.X = X, .n = n, .d = d, .relative = (double)(d + 8) * 0x1p-51};
    *able = 0;
    SEG_LOCAL(double, mean, seg_alloc(ctx, d, sizeof *mean));
    const double peak = seg_rows_mean(X, mean);
    if (d < 1 || (double)d * UNIT > 0.01 || !(peak >= SMALLEST && peak <= LARGEST))
        return SEG_OK;
    p->scale = exp2(-ceil(log2(peak)));
    p->at = seg_arena_alloc(ctx, arena, n, d * sizeof *p->at); /* half the size of X: no overflow */
    p->turned = seg_arena_alloc_zero(ctx, arena, padded, d * sizeof *p->turned);
    p->half = seg_arena_alloc(ctx, arena, padded, sizeof *p->half);
    p->square = seg_arena_alloc(ctx, arena, n, sizeof *p->square);
    p->off = seg_arena_alloc(ctx, arena, n, sizeof *p->off);
    SEG_TRY(arena->status);
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

/* An inner product in single precision is wrong by at most (d + 4) UNIT |f_i| |f_j|; |f_j|^2 / 2 and the difference are
 * rounded. */
static double error_of(const points *p, size_t i) {
    const double own = sqrt(p->square[i]) * (1 + p->relative);
    return 1.02 * (((double)p->d + 6) * UNIT * own + (UNIT + p->relative) * p->longest) * p->longest +
           1e-30 * (double)p->d;
}

/* The limit of v for row i, given the largest v (`worst`) of any `count` rows: every row that is as near as the
 * farthest of those has a v within the limit. */
static float limit_of(const points *p, size_t i, double worst) {
    const double error = error_of(p, i), away = p->off[i] + p->farthest;
    const double reach = (sqrt(fmax(p->square[i] + 2 * (worst + error), 0)) + away) * (1 + p->relative);
    const double most = reach * (1 + p->relative) + away; /* between the rounded points */
    const double v = 0.5 * (most * most - p->square[i]) + error;
    return nextafterf((float)(v + p->relative * (most * most + p->square[i])), INFINITY);
}

/* Find the limit that follows from the `count` smallest v, and the nearest of the rows within it by exact distances,
 * summed in the order of the coordinates. */
static void decide(const points *p, size_t i, const float *v, seg_heap rough, seg_heap exact) {
    const double *x = p->X->at + i * p->d;
    for (size_t j = 0; j < p->n; j++)
        if (v[j] < rough.worst && j != i)
            seg_heap_offer(&rough, v[j], (int32_t)j);
    const float limit = limit_of(p, i, rough.worst);
    for (size_t j = 0; j < p->n; j++)
        if (v[j] <= limit && j != i)
            seg_heap_offer(&exact, seg_distance2(p->d, p->X->at + j * p->d, x), (int32_t)j);
    seg_heap_sort(&exact);
}

typedef struct job {
    const points *p;
    size_t count, padded;
    int32_t *neighbour;
    double *distance2;
    float *v;              /* per worker QUERIES x padded */
    double *rough;         /* per worker count */
    int32_t *rough_number; /* likewise */
} job;

static void search(void *arg, size_t first, size_t last, int worker) {
    const job *j = arg;
    const points *p = j->p;
    const size_t queries = last - first, count = j->count, own = (size_t)worker * count;
    float *v = j->v + (size_t)worker * QUERIES * j->padded;
    for (size_t start = 0; start < p->n; start += LANES)
        for (size_t i = 0; i < queries; i += SEG_PRODUCT_ROWS) {
            const float *x[SEG_PRODUCT_ROWS];
            float product[SEG_PRODUCT_ROWS * LANES];
            for (size_t r = 0; r < SEG_PRODUCT_ROWS; r++)
                x[r] = p->at + (first + (i + r < queries ? i + r : i)) * p->d;
            seg_products_single(p->d, x, p->turned + start * p->d, product);
            for (size_t r = 0; r < SEG_PRODUCT_ROWS && i + r < queries; r++)
                for (size_t l = 0; l < LANES; l++)
                    v[(i + r) * j->padded + start + l] = p->half[start + l] - product[r * LANES + l];
        }
    for (size_t i = first; i < last; i++)
        decide(p, i, v + (i - first) * j->padded, seg_heap_make(j->rough_number + own, j->rough + own, count),
               seg_heap_make(j->neighbour + i * count, j->distance2 + i * count, count));
}

seg_status seg_nearest_by_products(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                                   double *distance2, int *able) {
    const size_t blocks = (X->rows + QUERIES - 1) / QUERIES, threads = (size_t)seg_threads(ctx);
    const size_t workers = blocks < threads ? blocks : threads;
    SEG_RELEASED(seg_arena_free) seg_arena arena = {0};
    points p;
    SEG_TRY(points_create(ctx, X, &arena, &p, able));
    if (!*able)
        return SEG_OK;
    job j = {&p, count, (X->rows + LANES - 1) / LANES * LANES, neighbour, distance2, NULL, NULL, NULL};
    j.v = seg_arena_alloc(ctx, &arena, workers * QUERIES, j.padded * sizeof *j.v);
    j.rough = seg_arena_alloc(ctx, &arena, workers, count * sizeof *j.rough);
    j.rough_number = seg_arena_alloc(ctx, &arena, workers, count * sizeof *j.rough_number);
    return arena.status ? arena.status : seg_parallel_polled(ctx, p.n, QUERIES, search, &j);
}
