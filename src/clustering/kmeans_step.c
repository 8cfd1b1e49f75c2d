#include "clustering/kmeans_step.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 4,     /* distances of a register */
    REGISTERS = 4, /* enough to hide the latency of additions */
    ABREAST = LANES * REGISTERS,
    MOST_BLOCKS = 64,
    LEAST_ROWS = 256,   /* of a block */
    SMALL_WORK = 200000 /* n k d; below it waking threads costs more than it saves */
};
/* Share of the data's extent by which bounds must differ: far above their rounding, far below what matters. */
static const double MARGIN = 1e-10;

double seg_lloyd_distance2(size_t d, const double *x, const double *centre) {
    double sum = 0;
    for (size_t t = 0; t < d; t++)
        sum += (x[t] - centre[t]) * (x[t] - centre[t]);
    return sum;
}

/* A bound on all distances: the diagonal of the box around the rows. `low` and `high` have room for a row. */
static double extent(const seg_matrix *X, double *room, double *low, double *high) {
    const size_t d = X->cols;
    const double *x = seg_rows_at(X, 0, 1, room);
    double squares = 0;
    for (size_t t = 0; t < d; t++)
        low[t] = high[t] = x[t];
    for (size_t i = 1; i < X->rows; i++) {
        x = seg_rows_at(X, i, 1, room);
        for (size_t t = 0; t < d; t++) {
            low[t] = x[t] < low[t] ? x[t] : low[t];
            high[t] = x[t] > high[t] ? x[t] : high[t];
        }
    }
    for (size_t t = 0; t < d; t++) {
        squares += (high[t] - low[t]) * (high[t] - low[t]);
        low[t] = high[t] = 0;
    }
    return sqrt(squares);
}

static size_t rows_of_block(size_t n) {
    const size_t rows = (n + MOST_BLOCKS - 1) / MOST_BLOCKS;
    return rows < LEAST_ROWS ? LEAST_ROWS : rows;
}

seg_status seg_lloyd_create(seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options, seg_lloyd *out) {
    const size_t n = X->rows, d = X->cols, k = (size_t)options->k;
    *out = (seg_lloyd){.ctx = ctx, .n = n, .d = d, .k = k, .x = *X, .group = options->group};
    out->cosine = options->cosine;
    out->block_rows = rows_of_block(n);
    out->blocks = (n + out->block_rows - 1) / out->block_rows;
    out->padded = (k + ABREAST - 1) / ABREAST * ABREAST;
    out->threads = out->blocks > 1 && k * d >= SMALL_WORK / n ? seg_threads(ctx) : 1;
    out->room = seg_rows_room(ctx, X, out->threads);
    if (out->room && SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->label, n), SEG_TABLE(out->centre, k, d),
                                      SEG_TABLE(out->turned, out->padded, d), SEG_ARRAY(out->upper, n),
                                      SEG_ARRAY(out->lower, n), SEG_ARRAY(out->moved, k),
                                      SEG_TABLE(out->sum, out->blocks, k * d), SEG_TABLE(out->members, out->blocks, k),
                                      SEG_ARRAY(out->size, k), SEG_ARRAY(out->changed, out->blocks)) == SEG_OK) {
        out->slack = MARGIN * extent(X, out->room, out->centre, out->turned);
        return SEG_OK;
    }
    seg_lloyd_free(out);
    return SEG_ERR_MEMORY;
}

void seg_lloyd_free(seg_lloyd *lloyd) {
    free(lloyd->room);
    free(lloyd->label);
    memset(lloyd, 0, sizeof *lloyd);
}

static void turn_centres(seg_lloyd *lloyd) {
    for (size_t c = 0; c < lloyd->k; c++)
        for (size_t t = 0; t < lloyd->d; t++)
            lloyd->turned[t * lloyd->padded + c] = lloyd->centre[c * lloyd->d + t];
}

void seg_lloyd_begin(seg_lloyd *lloyd) {
    for (size_t i = 0; i < lloyd->n; i++) {
        lloyd->label[i] = -1;
        lloyd->upper[i] = INFINITY;
        lloyd->lower[i] = -INFINITY;
    }
    memset(lloyd->moved, 0, lloyd->k * sizeof *lloyd->moved);
    turn_centres(lloyd);
}

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

/* Distances to ABREAST centres, which lie by columns, each summed in the order of the columns. */
SEG_WIDER_TOO static void distances(size_t d, size_t padded, const double *x, const double *turned, double *out) {
    four sum[REGISTERS] = {{0}};
    for (size_t t = 0; t < d; t++, turned += padded) {
        const four own = {x[t], x[t], x[t], x[t]}, *c = (const four *)turned;
        for (size_t r = 0; r < REGISTERS; r++)
            sum[r] += (own - c[r]) * (own - c[r]);
    }
    memcpy(out, sum, sizeof sum);
}

/* Distances of one row to all centres; its label and bounds. Each distance is summed in the order of the columns, as in
 * seg_lloyd_distance2: ABREAST of them at a time. */
static int32_t nearest_centre(seg_lloyd *lloyd, size_t i, const double *x, int32_t own) {
    size_t d = lloyd->d, k = lloyd->k, padded = lloyd->padded;
    double best = INFINITY, second = INFINITY, own_distance = INFINITY;
    int32_t at = 0;
    for (size_t first = 0; first < k; first += ABREAST) {
        double sum[ABREAST];
        distances(d, padded, x, lloyd->turned + first, sum);
        for (size_t c = first; c < k && c < first + ABREAST; c++) {
            double distance = sum[c - first];
            if ((int32_t)c == own)
                own_distance = distance;
            if (distance < best) {
                second = best;
                best = distance;
                at = (int32_t)c;
            } else if (distance < second)
                second = distance;
        }
    }
    if (own >= 0 && own_distance == best)
        at = own;
    lloyd->upper[i] = sqrt(best);
    lloyd->lower[i] = sqrt(second);
    return at;
}

static size_t end_of_block(const seg_lloyd *lloyd, size_t block) {
    const size_t end = (block + 1) * lloyd->block_rows;
    return end < lloyd->n ? end : lloyd->n;
}

/* The label of a free row that has one, or -1 where the bounds do not show that it stays. */
static int32_t stays(seg_lloyd *lloyd, size_t i, const double *x) {
    const int32_t own = lloyd->label[i];
    if (own < 0)
        return -1;
    if (!x) {
        lloyd->upper[i] += lloyd->moved[own];
        lloyd->lower[i] -= (size_t)own == lloyd->farthest_at ? lloyd->other : lloyd->farthest;
    } else {
        lloyd->upper[i] = sqrt(seg_lloyd_distance2(lloyd->d, x, lloyd->centre + (size_t)own * lloyd->d));
    }
    return lloyd->upper[i] + lloyd->slack < lloyd->lower[i] ? own : -1;
}

static void assign_blocks(void *arg, size_t first, size_t last, int worker) {
    seg_lloyd *lloyd = arg;
    double *room = seg_rows_own_room(&lloyd->x, lloyd->room, worker);
    for (size_t block = first; block < last; block++) {
        const size_t end = end_of_block(lloyd, block);
        lloyd->changed[block] = 0;
        for (size_t i = block * lloyd->block_rows; i < end; i++) {
            int32_t now = lloyd->group && lloyd->group[i] >= 0 ? lloyd->group[i] : stays(lloyd, i, NULL);
            if (now < 0) {
                const double *x = seg_rows_at(&lloyd->x, i, 1, room);
                now = stays(lloyd, i, x); /* [hamerly2010] */
                now = now < 0 ? nearest_centre(lloyd, i, x, lloyd->label[i]) : now;
            }
            lloyd->changed[block] += now != lloyd->label[i];
            lloyd->label[i] = now;
        }
    }
}

/* An empty cluster gets the free row farthest from its centre, the first of equals, out of a cluster that keeps others.
 */
static size_t fill_empty(seg_lloyd *lloyd) {
    size_t filled = 0, n = lloyd->n, d = lloyd->d;
    memset(lloyd->size, 0, lloyd->k * sizeof *lloyd->size);
    for (size_t i = 0; i < n; i++)
        lloyd->size[lloyd->label[i]]++;
    for (size_t c = 0; c < lloyd->k; c++) {
        if (lloyd->size[c] > 0)
            continue;
        size_t chosen = n;
        double farthest = -1;
        for (size_t i = 0; i < n; i++) {
            if ((lloyd->group && lloyd->group[i] >= 0) || lloyd->size[lloyd->label[i]] < 2)
                continue;
            double distance =
                seg_lloyd_distance2(d, seg_lloyd_row(lloyd, i), lloyd->centre + (size_t)lloyd->label[i] * d);
            if (distance > farthest) {
                farthest = distance;
                chosen = i;
            }
        }
        if (chosen == n)
            return filled; /* all rows are tied to groups or alone */
        lloyd->size[lloyd->label[chosen]]--;
        lloyd->size[c]++;
        lloyd->label[chosen] = (int32_t)c;
        lloyd->upper[chosen] = INFINITY; /* its bounds were for the other cluster */
        filled++;
    }
    return filled;
}

/* The two longest moves of centres. */
static void find_moves(seg_lloyd *lloyd) {
    lloyd->farthest = lloyd->other = 0;
    lloyd->farthest_at = 0;
    for (size_t c = 0; c < lloyd->k; c++)
        if (lloyd->moved[c] > lloyd->farthest) {
            lloyd->other = lloyd->farthest;
            lloyd->farthest = lloyd->moved[c];
            lloyd->farthest_at = c;
        } else if (lloyd->moved[c] > lloyd->other)
            lloyd->other = lloyd->moved[c];
}

size_t seg_lloyd_assign(seg_lloyd *lloyd) {
    size_t changed = 0;
    find_moves(lloyd);
    seg_parallel_on(lloyd->ctx, lloyd->threads, lloyd->blocks, 1, assign_blocks, lloyd);
    for (size_t block = 0; block < lloyd->blocks; block++)
        changed += lloyd->changed[block];
    return changed + fill_empty(lloyd);
}

static void sum_blocks(void *arg, size_t first, size_t last, int worker) {
    const seg_lloyd *lloyd = arg;
    const size_t d = lloyd->d, k = lloyd->k;
    double *room = seg_rows_own_room(&lloyd->x, lloyd->room, worker);
    for (size_t block = first; block < last; block++) {
        const size_t end = end_of_block(lloyd, block);
        double *sum = lloyd->sum + block * k * d;
        size_t *members = lloyd->members + block * k;
        memset(sum, 0, k * d * sizeof *sum);
        memset(members, 0, k * sizeof *members);
        for (size_t i = block * lloyd->block_rows; i < end; i++) {
            const double *x = seg_rows_at(&lloyd->x, i, 1, room);
            double *restrict to = sum + (size_t)lloyd->label[i] * d;
            members[lloyd->label[i]]++;
            for (size_t t = 0; t < d; t++)
                to[t] += x[t];
        }
    }
}

void seg_lloyd_update(seg_lloyd *lloyd) {
    size_t d = lloyd->d, k = lloyd->k;
    seg_parallel_on(lloyd->ctx, lloyd->threads, lloyd->blocks, 1, sum_blocks, lloyd);
    for (size_t c = 0; c < k; c++) {
        size_t members = 0;
        double moved = 0;
        for (size_t block = 0; block < lloyd->blocks; block++)
            members += lloyd->members[block * k + c];
        double *mean = lloyd->turned; /* which is set anew below */
        for (size_t t = 0; members > 0 && t < d; t++) {
            double sum = 0;
            for (size_t block = 0; block < lloyd->blocks; block++)
                sum += lloyd->sum[(block * k + c) * d + t];
            mean[t] = sum / (double)members;
        }
        const int moves = members > 0 && (!lloyd->cosine || seg_sphere_centre(d, mean));
        for (size_t t = 0; moves && t < d; t++) {
            const double step = mean[t] - lloyd->centre[c * d + t];
            lloyd->centre[c * d + t] = mean[t];
            moved += step * step;
        }
        lloyd->moved[c] = sqrt(moved) * (1 + MARGIN);
    }
    turn_centres(lloyd);
}

static void measure_blocks(void *arg, size_t first, size_t last, int worker) {
    seg_lloyd *lloyd = arg;
    double *partial = lloyd->sum, *room = seg_rows_own_room(&lloyd->x, lloyd->room, worker);
    for (size_t b = first; b < last; b++) {
        const size_t end = end_of_block(lloyd, b);
        double sum = 0;
        for (size_t i = b * lloyd->block_rows; i < end; i++)
            sum += seg_lloyd_distance2(lloyd->d, seg_rows_at(&lloyd->x, i, 1, room),
                                       lloyd->centre + (size_t)lloyd->label[i] * lloyd->d);
        partial[b] = sum;
    }
}

double seg_lloyd_objective(seg_lloyd *lloyd) {
    double total = 0;
    double *partial = lloyd->sum; /* k * d >= 1 numbers a block are there, unless d = 0, where all distances are 0 */
    if (lloyd->d == 0)
        return 0;
    seg_parallel_on(lloyd->ctx, lloyd->threads, lloyd->blocks, 1, measure_blocks, lloyd);
    for (size_t block = 0; block < lloyd->blocks; block++)
        total += partial[block];
    return total;
}
