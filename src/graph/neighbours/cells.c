#include "graph/neighbours/cells.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE = 400,   /* rows that tell the direction of a cell */
    TURNS = 6,      /* of the power method; a rough direction is as good */
    BLOCK = 1 << 13 /* rows a thread copies at a time */
};

/* A row while its cell is being halved, and how far along the direction it lies. */
typedef struct place {
    float along;
    int32_t number;
} place;

typedef struct halving {
    const seg_matrix *X;
    place *places;
    const size_t *start;
    size_t *middle; /* of each cell, 0 where it stays whole */
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

/* Set to length one, in a unit in which squares neither vanish nor overflow. 0 where the vector is zero. */
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

/* The direction in which some rows of a cell vary most: the power method on their covariance, begun at the row farthest
 * from the mean. mean and next: room for d numbers each. */
static void find_direction(const halving *h, const place *places, size_t count, double *v, double *mean, double *next) {
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

static inline int before(place a, place b) {
    return a.along < b.along || (a.along == b.along && a.number < b.number);
}

static inline void swap(place *a, place *b) {
    const place kept = *a;
    *a = *b;
    *b = kept;
}

/* The `rank` first come first (quickselect, pivots the median of three of a fixed sequence). */
static void select_first(place *at, size_t count, size_t rank) {
    size_t low = 0, high = count;
    uint64_t draw = count;
    while (high - low > 1 && rank > low && rank < high) {
        place three[3];
        for (int i = 0; i < 3; i++) {
            draw = draw * 6364136223846793005u + 1442695040888963407u;
            three[i] = at[low + (size_t)(draw >> 32) % (high - low)];
        }
        if (before(three[1], three[0]))
            swap(&three[0], &three[1]);
        const place pivot = before(three[2], three[0]) ? three[0] : before(three[2], three[1]) ? three[2] : three[1];
        size_t i = low, j = high;
        while (i < j) /* those before the pivot, then the others */
            if (before(at[i], pivot))
                i++;
            else
                swap(&at[i], &at[--j]);
        size_t own = i;
        while (at[own].number != pivot.number)
            own++;
        swap(&at[i], &at[own]);
        if (rank <= i)
            high = i;
        else
            low = i + 1;
    }
}

static void halve(void *arg, size_t first, size_t last, int worker) {
    const halving *h = arg;
    const size_t d = h->X->cols;
    double *v = h->room + (size_t)worker * 3 * d;
    for (size_t a = first; a < last; a++) {
        const size_t from = h->start[a], count = h->start[a + 1] - from;
        place *places = h->places + from;
        h->middle[a] = 0;
        if (count <= SEG_CELL_ROWS)
            continue;
        const size_t half = ((count + 1) / 2 + SEG_CELL_LANES - 1) / SEG_CELL_LANES * SEG_CELL_LANES;
        find_direction(h, places, count, v, v + d, v + 2 * d);
        const double middle = dot(d, v + d, v); /* of the sample: single precision then tells close rows apart */
        for (size_t i = 0; i < count; i++)
            places[i].along = (float)(dot(d, h->X->at + (size_t)places[i].number * d, v) - middle);
        select_first(places, count, half);
        h->middle[a] = from + half;
    }
}

/* Cells, level by level. start: room for all cells there can be. */
static seg_status divide(seg_context *ctx, const seg_matrix *X, place *places, size_t most, seg_cells *out) {
    size_t *next = seg_alloc(ctx, most + 1, sizeof *next), *middle = seg_alloc(ctx, most, sizeof *middle);
    double *room = seg_alloc(ctx, (size_t)seg_threads(ctx), 3 * X->cols * sizeof *room);
    seg_status status = next && middle && room ? SEG_OK : SEG_ERR_MEMORY;
    size_t before_it = 0;
    out->cells = 1;
    out->start[0] = 0;
    out->start[1] = X->rows;
    while (status == SEG_OK && out->cells != before_it) {
        size_t at = 0;
        before_it = out->cells;
        status = seg_parallel_polled(ctx, out->cells, 1, halve, &(halving){X, places, out->start, middle, room});
        for (size_t a = 0; a < before_it; a++) {
            next[at++] = out->start[a];
            if (status == SEG_OK && middle[a] > 0)
                next[at++] = middle[a];
        }
        next[at] = X->rows;
        memcpy(out->start, next, (at + 1) * sizeof *next);
        out->cells = at;
    }
    free(next);
    free(middle);
    free(room);
    return status;
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

/* The mean of the rows; @return a power of two that brings the largest deviation from it to about one. */
static double find_unit(const seg_matrix *X, double *mean) {
    double peak = 0;
    memset(mean, 0, X->cols * sizeof *mean);
    for (size_t i = 0; i < X->rows; i++)
        for (size_t c = 0; c < X->cols; c++)
            mean[c] += X->at[i * X->cols + c] / (double)X->rows;
    for (size_t i = 0; i < X->rows; i++)
        for (size_t c = 0; c < X->cols; c++)
            peak = fmax(peak, fabs(X->at[i * X->cols + c] - mean[c]));
    return peak > 0 ? ldexp(1, -ilogb(peak)) : 1;
}

seg_status seg_cells_create(seg_context *ctx, const seg_matrix *X, seg_cells *out) {
    const size_t n = X->rows, d = X->cols, most = n / SEG_CELL_LEAST + 1;
    const size_t padded = (n + SEG_CELL_LANES - 1) / SEG_CELL_LANES * SEG_CELL_LANES;
    memset(out, 0, sizeof *out);
    out->n = n;
    out->d = d;
    place *places = seg_alloc(ctx, n, sizeof *places);
    double *mean = seg_alloc(ctx, d, sizeof *mean);
    out->start = seg_alloc(ctx, most + 1, sizeof *out->start);
    out->cell = seg_alloc(ctx, n, sizeof *out->cell);
    out->number = seg_alloc(ctx, n, sizeof *out->number);
    seg_status status = places && mean && out->start && out->cell && out->number ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t i = 0; status == SEG_OK && i < n; i++)
        places[i] = (place){0, (int32_t)i};
    if (status == SEG_OK)
        status = divide(ctx, X, places, most, out);
    for (size_t i = 0; status == SEG_OK && i < n; i++)
        out->number[i] = places[i].number;
    free(places);
    if (status == SEG_OK) {
        out->row = seg_alloc(ctx, n, d * sizeof *out->row); /* half of what X takes: no overflow */
        out->lanes = seg_alloc_zero(ctx, padded, d * sizeof *out->lanes);
        out->centre = seg_alloc_zero(ctx, out->cells, d * sizeof *out->centre);
        status = out->row && out->lanes && out->centre ? SEG_OK : SEG_ERR_MEMORY;
    }
    if (status == SEG_OK) {
        const double scale = find_unit(X, mean);
        seg_parallel(ctx, n, BLOCK, copy_rows, &(copying){X, mean, scale, out});
        seg_parallel(ctx, out->cells, 1, find_centres, out);
    }
    free(mean);
    if (status != SEG_OK)
        seg_cells_free(out);
    return status;
}

void seg_cells_free(seg_cells *cells) {
    free(cells->row);
    free(cells->lanes);
    free(cells->centre);
    free(cells->start);
    free(cells->cell);
    free(cells->number);
    memset(cells, 0, sizeof *cells);
}
