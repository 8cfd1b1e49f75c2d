#include "graph/neighbours/cells.h"
#include "graph/neighbours/nearest.h"

enum {
    SAMPLE = 400,   /* rows sampled for the direction of a cell */
    TURNS = 6,      /* steps of the power method; a rough direction suffices */
    BLOCK = 1 << 13 /* rows a thread copies at a time */
};

typedef struct halving {
    const seg_matrix *X;
    seg_key *places;
    const size_t *start;
    size_t *middle; /* of each cell: where it is split, 0 if it is not */
    double *room;   /* per worker 3 d numbers */
} halving;

static double dot(size_t d, const double *a, const double *b) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t c = 0;
    for (; c + 4 <= d; c += 4) {
        s0 += a[c] * b[c];
        s1 += a[c + 1] * b[c + 1];
        s2 += a[c + 2] * b[c + 2];
        s3 += a[c + 3] * b[c + 3];
    }
    for (; c < d; c++)
        s0 += a[c] * b[c];
    return (s0 + s1) + (s2 + s3);
}

/* Normalise to length one, scaled so that squares neither underflow nor overflow. 0 if the vector is zero. */
static int to_length_one(size_t d, double *v) {
    double most = 0;
    for (size_t c = 0; c < d; c++)
        most = fmax(most, fabs(v[c]));
    if (!(most > 0))
        return 0;
    for (size_t c = 0; c < d; c++)
        v[c] /= most;
    const double length = sqrt(dot(d, v, v));
    for (size_t c = 0; c < d; c++)
        v[c] /= length;
    return 1;
}

/* The direction in which a sample of a cell's rows varies most, by the power method on their covariance, started at the
 * row farthest from their mean. mean and next: workspace for d numbers each. */
static void find_direction(const halving *h, const seg_key *places, size_t count, double *v, double *mean,
                           double *next) {
    const size_t d = h->X->cols, rows = count < SAMPLE ? count : SAMPLE;
    double most = -1;
    memset(mean, 0, d * sizeof *mean);
    for (size_t i = 0; i < rows; i++) {
        const double *x = h->X->at + (size_t)places[i * count / rows].number * d;
        for (size_t c = 0; c < d; c++)
            mean[c] += x[c] / (double)rows;
    }
    for (size_t i = 0; i < rows; i++) {
        const double *x = h->X->at + (size_t)places[i * count / rows].number * d;
        double away = 0;
        for (size_t c = 0; c < d; c++)
            away += fabs(x[c] - mean[c]);
        if (away > most) {
            most = away;
            for (size_t c = 0; c < d; c++)
                v[c] = x[c] - mean[c];
        }
    }
    for (int turn = 0; to_length_one(d, v) && turn < TURNS; turn++) {
        const double middle = dot(d, mean, v);
        memset(next, 0, d * sizeof *next);
        for (size_t i = 0; i < rows; i++) {
            const double *x = h->X->at + (size_t)places[i * count / rows].number * d;
            const double t = dot(d, x, v) - middle;
            for (size_t c = 0; c < d; c++)
                next[c] += t * (x[c] - mean[c]);
        }
        if (!to_length_one(d, next))
            return;
        memcpy(v, next, d * sizeof *v);
    }
}

static void halve(void *arg, size_t first, size_t last, int worker) {
    const halving *h = arg;
    const size_t d = h->X->cols;
    double *v = h->room + (size_t)worker * 3 * d;
    for (size_t a = first; a < last; a++) {
        const size_t from = h->start[a], count = h->start[a + 1] - from;
        seg_key *places = h->places + from;
        h->middle[a] = 0;
        if (count <= SEG_CELL_ROWS)
            continue;
        const size_t half = ((count + 1) / 2 + SEG_CELL_LANES - 1) / SEG_CELL_LANES * SEG_CELL_LANES;
        find_direction(h, places, count, v, v + d, v + 2 * d);
        const double middle = dot(d, v + d, v); /* mean of the sample: less it, close rows differ in single precision */
        for (size_t i = 0; i < count; i++)
            places[i].value = (double)(float)(dot(d, h->X->at + (size_t)places[i].number * d, v) - middle);
        seg_select_smallest(places, count, half);
        h->middle[a] = from + half;
    }
}

/* Divide the rows into cells, level by level. most: the largest number of cells, which out->start has room for. */
static seg_status divide(seg_context *ctx, const seg_matrix *X, seg_key *places, size_t most, seg_cells *out) {
    SEG_FREED size_t *next = seg_alloc(ctx, most + 1, sizeof *next), *middle = seg_alloc(ctx, most, sizeof *middle);
    SEG_FREED double *room = seg_alloc(ctx, (size_t)seg_threads(ctx), 3 * X->cols * sizeof *room);
    SEG_TRY(seg_allocated(next && middle && room));
    out->cells = 1;
    out->start[0] = 0;
    out->start[1] = X->rows;
    for (size_t before = 0; out->cells != before;) {
        size_t at = 0;
        before = out->cells;
        SEG_TRY(seg_parallel_polled(ctx, before, 1, halve, &(halving){X, places, out->start, middle, room}));
        for (size_t a = 0; a < before; a++) {
            next[at++] = out->start[a];
            if (middle[a] > 0)
                next[at++] = middle[a];
        }
        next[at] = X->rows;
        memcpy(out->start, next, (at + 1) * sizeof *next);
        out->cells = at;
    }
    return SEG_OK;
}

typedef struct copying {
    const seg_matrix *X;
    const double *mean;
    double scale;
    seg_cells *cells;
} copying;

static void copy_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const copying *k = arg;
    const size_t d = k->X->cols;
    for (size_t i = first; i < last; i++) {
        const double *x = k->X->at + (size_t)k->cells->number[i] * d;
        float *row = k->cells->row + i * d;
        float *lane = k->cells->lanes + i / SEG_CELL_LANES * SEG_CELL_LANES * d + i % SEG_CELL_LANES;
        for (size_t c = 0; c < d; c++)
            row[c] = lane[c * SEG_CELL_LANES] = (float)((x[c] - k->mean[c]) * k->scale);
    }
}

static void find_centres(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    seg_cells *cells = arg;
    const size_t d = cells->d;
    for (size_t a = first; a < last; a++) {
        float *centre = cells->centre + a * d;
        const float share = 1 / (float)(cells->start[a + 1] - cells->start[a]);
        for (size_t i = cells->start[a]; i < cells->start[a + 1]; i++) {
            cells->cell[i] = (int32_t)a;
            for (size_t c = 0; c < d; c++)
                centre[c] += share * cells->row[i * d + c];
        }
    }
}

seg_status seg_cells_create(seg_context *ctx, const seg_matrix *X, seg_arena *arena, seg_cells *out) {
    const size_t n = X->rows, d = X->cols, most = n / SEG_CELL_LEAST + 1;
    const size_t padded = (n + SEG_CELL_LANES - 1) / SEG_CELL_LANES * SEG_CELL_LANES;
    SEG_FREED seg_key *places = seg_alloc(ctx, n, sizeof *places);
    SEG_FREED double *mean = seg_alloc(ctx, d, sizeof *mean);
    *out = (seg_cells){.n = n, .d = d};
    out->start = seg_arena_alloc(ctx, arena, most + 1, sizeof *out->start);
    out->cell = seg_arena_alloc(ctx, arena, n, sizeof *out->cell);
    out->number = seg_arena_alloc(ctx, arena, n, sizeof *out->number);
    SEG_TRY(seg_allocated(places && mean && !arena->status));
    for (size_t i = 0; i < n; i++)
        places[i] = (seg_key){0, (int32_t)i};
    SEG_TRY(divide(ctx, X, places, most, out));
    for (size_t i = 0; i < n; i++)
        out->number[i] = places[i].number;
    out->row = seg_arena_alloc(ctx, arena, n, d * sizeof *out->row); /* half the size of X: no overflow */
    out->lanes = seg_arena_alloc_zero(ctx, arena, padded, d * sizeof *out->lanes);
    out->centre = seg_arena_alloc_zero(ctx, arena, out->cells, d * sizeof *out->centre);
    SEG_TRY(arena->status);
    const double peak = seg_rows_mean(X, mean), scale = peak > 0 ? ldexp(1, -ilogb(peak)) : 1;
    seg_parallel(ctx, n, BLOCK, copy_rows, &(copying){X, mean, scale, out});
    seg_parallel(ctx, out->cells, 1, find_centres, out);
    return SEG_OK;
}
