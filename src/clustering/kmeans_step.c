#include "clustering/kmeans_step.h"
#include "base/base.h"
#include "base/lanes.h"
#include "linalg/dense.h"

enum {
    LANES = 4,                   /* distances in a register */
    ABREAST = SEG_LLOYD_ABREAST, /* enough registers to hide the latency of additions */
    MOST_BLOCKS = 64,
    LEAST_ROWS = 256,   /* of a block */
    MANY = 32,          /* if more than one in MANY labels of a block changed, most clusters did */
    SMALL_WORK = 200000 /* n k d; below it waking threads costs more than it saves */
};
/* Fraction of the data's extent by which bounds must differ: far above their rounding, far below what matters. */
static const double MARGIN = 1e-10;

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
    return seg_larger((n + MOST_BLOCKS - 1) / MOST_BLOCKS, LEAST_ROWS);
}

size_t seg_lloyd_bytes(size_t n, size_t d, size_t k) {
    const size_t blocks = (n + rows_of_block(n) - 1) / rows_of_block(n);
    return n * (sizeof(int32_t) + 2 * sizeof(double)) + (blocks + 2) * k * d * sizeof(double);
}

seg_status seg_lloyd_create(seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options,
                            const seg_lloyd *like, seg_lloyd *out) {
    const size_t n = X->rows, d = X->cols, k = (size_t)options->k;
    *out = (seg_lloyd){.ctx = ctx, .n = n, .d = d, .k = k, .x = *X, .group = options->group};
    out->cosine = options->cosine;
    out->block_rows = rows_of_block(n);
    out->blocks = (n + out->block_rows - 1) / out->block_rows;
    out->padded = (k + LANES - 1) / LANES * LANES;
    out->threads = out->blocks > 1 && k * d >= SMALL_WORK / n ? seg_threads(ctx) : 1;
    SEG_TRY(seg_allocated(out->room = seg_rows_room(ctx, X, out->threads)));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->label, n), SEG_TABLE(out->centre, k, d),
                             SEG_TABLE(out->turned, out->padded, d), SEG_ARRAY(out->upper, n), SEG_ARRAY(out->lower, n),
                             SEG_ARRAY(out->moved, k), SEG_TABLE(out->sum, out->blocks, k * d),
                             SEG_TABLE(out->members, out->blocks, k), SEG_ARRAY(out->size, k),
                             SEG_ARRAY(out->changed, out->blocks), SEG_TABLE(out->touched, out->blocks, k)));
    out->slack = like ? like->slack : MARGIN * extent(X, out->room, out->centre, out->turned);
    return SEG_OK;
}

void seg_lloyd_free(seg_lloyd *lloyd) {
    SEG_CLEAR(lloyd, lloyd->room, lloyd->label);
}

static void turn_centres(seg_lloyd *lloyd) {
    for (size_t c = 0; c < lloyd->k; c++)
        for (size_t t = 0; t < lloyd->d; t++)
            lloyd->turned[t * lloyd->padded + c] = lloyd->centre[c * lloyd->d + t];
}

void seg_lloyd_begin(seg_lloyd *lloyd) {
    lloyd->summed = 0;
    for (size_t i = 0; i < lloyd->n; i++) {
        lloyd->label[i] = -1;
        lloyd->upper[i] = INFINITY;
        lloyd->lower[i] = -INFINITY;
    }
    memset(lloyd->moved, 0, lloyd->k * sizeof *lloyd->moved);
    turn_centres(lloyd);
}

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef float four_floats __attribute__((vector_size(16), aligned(4), may_alias));

/* Distances to 4 * registers centres, each summed in the order of the columns. */
static inline __attribute__((always_inline)) void some_distances(size_t d, size_t padded, const double *x,
                                                                 const double *turned, size_t registers, double *out) {
    four sum[LANES] = {{0}};
    for (size_t t = 0; t < d; t++, turned += padded) {
        const four own = {x[t], x[t], x[t], x[t]}, *c = (const four *)turned;
        for (size_t r = 0; r < registers; r++)
            sum[r] += (own - c[r]) * (own - c[r]);
    }
    for (size_t r = 0; r < registers; r++)
        ((four *)out)[r] = sum[r];
}

/* Distances to up to ABREAST centres from centre `first` on. */
SEG_WIDER_TOO static void distances(size_t d, size_t padded, const double *x, const double *turned, size_t first,
                                    double *out) {
    const size_t left = padded - first;
    if (left >= 4 * LANES)
        some_distances(d, padded, x, turned + first, 4, out);
    else if (left >= 3 * LANES)
        some_distances(d, padded, x, turned + first, 3, out);
    else if (left >= 2 * LANES)
        some_distances(d, padded, x, turned + first, 2, out);
    else
        some_distances(d, padded, x, turned + first, 1, out);
}

/* A wrapper, because not every system lets other files call a function with two bodies (SEG_WIDER_TOO). */
void seg_lloyd_distances(size_t d, size_t padded, const double *x, const double *turned, size_t first, double *out) {
    distances(d, padded, x, turned, first, out);
}

static inline __attribute__((always_inline)) void add_squares(const double *wide, const float *single,
                                                              const double *centre, size_t t, four *sum) {
    const four x = wide ? *(const four *)(wide + t) : __builtin_convertvector(*(const four_floats *)(single + t), four);
    const four difference = x - *(const four *)(centre + t);
    *sum += difference * difference;
}

/* The distance, added in any order: for bounds, which have a margin for rounding. Floats are not widened first. */
static inline __attribute__((always_inline)) double any_order(size_t d, const double *wide, const float *single,
                                                              const double *centre) {
    four s0 = {0}, s1 = {0};
    double rest = 0;
    size_t t = 0;
    for (; t + 8 <= d; t += 8) {
        add_squares(wide, single, centre, t, &s0);
        add_squares(wide, single, centre, t + 4, &s1);
    }
    for (; t < d; t++) {
        const double difference = (wide ? wide[t] : (double)single[t]) - centre[t];
        rest += difference * difference;
    }
    s0 += s1;
    return sqrt(((s0[0] + s0[1]) + (s0[2] + s0[3])) + rest);
}

/* The distance of row i. */
SEG_WIDER_TOO static double quick_distance(const seg_matrix *X, size_t i, const double *centre) {
    const size_t d = X->cols;
    return X->at ? any_order(d, X->at + i * d, NULL, centre) : any_order(d, NULL, X->single + i * d, centre);
}

/* The nearest centre of one row, and its bounds. The distances are summed in the order of the columns, as in
 * seg_distance2, ABREAST of them at a time. */
static int32_t nearest_centre(seg_lloyd *lloyd, size_t i, const double *x, int32_t own) {
    size_t d = lloyd->d, k = lloyd->k, padded = lloyd->padded;
    double best = INFINITY, second = INFINITY, own_distance = INFINITY;
    int32_t at = 0;
    for (size_t first = 0; first < k; first += ABREAST) {
        double sum[ABREAST];
        distances(d, padded, x, lloyd->turned, first, sum);
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

/* rows: first .. end - 1; NULL: rows that are needed are converted in `room` one by one. */
static void assign_rows(seg_lloyd *lloyd, size_t block, size_t first, size_t end, const double *rows, double *room) {
    const size_t d = lloyd->d;
    char *touched = lloyd->touched + block * lloyd->k;
    for (size_t i = first; i < end; i++) {
        int32_t own = lloyd->label[i], now;
        if (lloyd->group && lloyd->group[i] >= 0)
            now = lloyd->group[i];
        else {
            if (own >= 0) {
                lloyd->upper[i] += lloyd->moved[own];
                lloyd->lower[i] -= (size_t)own == lloyd->farthest_at ? lloyd->other : lloyd->farthest;
                if (lloyd->upper[i] + lloyd->slack < lloyd->lower[i])
                    continue;
                lloyd->upper[i] = quick_distance(&lloyd->x, i, lloyd->centre + (size_t)own * d);
                if (lloyd->upper[i] + lloyd->slack < lloyd->lower[i]) /* [hamerly2010] */
                    continue;
            }
            now = nearest_centre(lloyd, i, rows ? rows + (i - first) * d : seg_rows_at(&lloyd->x, i, 1, room), own);
        }
        if (now != own) {
            lloyd->changed[block]++;
            touched[now] = 1;
            if (own >= 0)
                touched[own] = 1;
            lloyd->label[i] = now;
        }
    }
}

static void begin_sums(seg_lloyd *lloyd, size_t block) {
    memset(lloyd->sum + block * lloyd->k * lloyd->d, 0, lloyd->k * lloyd->d * sizeof *lloyd->sum);
    memset(lloyd->members + block * lloyd->k, 0, lloyd->k * sizeof *lloyd->members);
}

/* x: the rows first .. end - 1 */
SEG_WIDER_TOO static void sum_rows(seg_lloyd *lloyd, size_t block, size_t first, size_t end, const double *x) {
    const size_t d = lloyd->d;
    double *sum = lloyd->sum + block * lloyd->k * d;
    size_t *members = lloyd->members + block * lloyd->k;
    for (size_t i = first; i < end; i++, x += d) {
        double *restrict to = sum + (size_t)lloyd->label[i] * d;
        members[lloyd->label[i]]++;
        for (size_t t = 0; t < d; t++)
            to[t] += x[t];
    }
}

/* Move to each empty cluster the free row farthest from its centre (the first of equals) that is not alone. */
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
            double distance = seg_distance2(d, seg_lloyd_row(lloyd, i), lloyd->centre + (size_t)lloyd->label[i] * d);
            if (distance > farthest) {
                farthest = distance;
                chosen = i;
            }
        }
        if (chosen == n)
            return filled; /* all rows are in groups or alone */
        lloyd->size[lloyd->label[chosen]]--;
        lloyd->size[c]++;
        lloyd->label[chosen] = (int32_t)c;
        lloyd->upper[chosen] = INFINITY; /* its bounds were for the other cluster */
        filled++;
    }
    return filled;
}

/* Sum the rows of the clusters that rows left or joined; the sums of the other clusters stay valid. */
SEG_WIDER_TOO static void sum_touched(seg_lloyd *lloyd, size_t block, size_t first, size_t end, double *room) {
    const size_t d = lloyd->d, k = lloyd->k;
    const char *touched = lloyd->touched + block * k;
    double *sum = lloyd->sum + block * k * d;
    size_t *members = lloyd->members + block * k;
    for (size_t c = 0; c < k; c++)
        if (touched[c]) {
            memset(sum + c * d, 0, d * sizeof *sum);
            members[c] = 0;
        }
    for (size_t i = first; i < end; i++) {
        const size_t own = (size_t)lloyd->label[i];
        double *restrict to = sum + own * d;
        if (!touched[own])
            continue;
        const double *x = seg_rows_at(&lloyd->x, i, 1, room);
        members[own]++;
        for (size_t t = 0; t < d; t++)
            to[t] += x[t];
    }
}

static size_t end_of_block(const seg_lloyd *lloyd, size_t block) {
    const size_t end = (block + 1) * lloyd->block_rows;
    return end < lloyd->n ? end : lloyd->n;
}

/* Find the two longest moves of centres. */
static void begin_assignment(seg_lloyd *lloyd) {
    size_t second;
    seg_two_largest_of(lloyd->k, lloyd->moved, &lloyd->farthest_at, &second);
    lloyd->farthest = lloyd->moved[lloyd->farthest_at];
    lloyd->other = lloyd->moved[second]; /* of a single cluster any number will do */
}

static size_t end_assignment(seg_lloyd *lloyd) {
    size_t changed = 0;
    for (size_t block = 0; block < lloyd->blocks; block++)
        changed += lloyd->changed[block];
    const size_t filled = fill_empty(lloyd);
    lloyd->summed = filled == 0;
    return changed + filled;
}

typedef struct company {
    seg_lloyd *const *run;
    size_t count;
} company;

/* Assign tile by tile, so that a row stays in the cache for all runs, for its distances and its sum. If few labels
 * changed in the last step, few are expected to now, and only sums that changed are computed after the assignment. */
static void assign_together(void *arg, size_t first, size_t last, int worker) {
    const company *c = arg;
    const seg_matrix *X = &c->run[0]->x;
    const size_t tile = seg_rows_tile(X);
    double *room = seg_rows_own_room(X, c->run[0]->room, worker);
    for (size_t block = first; block < last; block++) {
        const size_t start = block * c->run[0]->block_rows, end = end_of_block(c->run[0], block);
        char sums[SEG_LLOYD_MOST], any = 0;
        for (size_t r = 0; r < c->count; r++) {
            seg_lloyd *lloyd = c->run[r];
            sums[r] = !lloyd->summed || lloyd->changed[block] > (end - start) / MANY;
            any |= sums[r];
            lloyd->changed[block] = 0;
            memset(lloyd->touched + block * lloyd->k, 0, lloyd->k);
            if (sums[r])
                begin_sums(lloyd, block);
        }
        for (size_t from = start; from < end; from += tile) {
            const size_t to = from + tile < end ? from + tile : end;
            const double *rows = any ? seg_rows_at(X, from, to - from, room) : NULL;
            for (size_t r = 0; r < c->count; r++) {
                assign_rows(c->run[r], block, from, to, rows, room);
                if (sums[r])
                    sum_rows(c->run[r], block, from, to, rows);
            }
        }
        for (size_t r = 0; r < c->count; r++)
            if (!sums[r] && c->run[r]->changed[block])
                sum_touched(c->run[r], block, start, end, room);
    }
}

void seg_lloyd_assign_all(seg_lloyd *const *run, size_t count, size_t *changed) {
    for (size_t r = 0; r < count; r++)
        begin_assignment(run[r]);
    seg_parallel_on(run[0]->ctx, run[0]->threads, run[0]->blocks, 1, assign_together, &(company){run, count});
    for (size_t r = 0; r < count; r++)
        changed[r] = end_assignment(run[r]);
}

size_t seg_lloyd_assign(seg_lloyd *lloyd) {
    size_t changed;
    seg_lloyd_assign_all(&lloyd, 1, &changed);
    return changed;
}

static void sum_blocks(void *arg, size_t first, size_t last, int worker) {
    seg_lloyd *lloyd = arg;
    const size_t tile = seg_rows_tile(&lloyd->x);
    double *room = seg_rows_own_room(&lloyd->x, lloyd->room, worker);
    for (size_t block = first; block < last; block++) {
        const size_t end = end_of_block(lloyd, block);
        begin_sums(lloyd, block);
        for (size_t from = block * lloyd->block_rows; from < end; from += tile) {
            const size_t to = from + tile < end ? from + tile : end;
            sum_rows(lloyd, block, from, to, seg_rows_at(&lloyd->x, from, to - from, room));
        }
    }
}

void seg_lloyd_update(seg_lloyd *lloyd) {
    size_t d = lloyd->d, k = lloyd->k;
    if (!lloyd->summed)
        seg_parallel_on(lloyd->ctx, lloyd->threads, lloyd->blocks, 1, sum_blocks, lloyd);
    for (size_t c = 0; c < k; c++) {
        size_t members = 0;
        double moved = 0;
        for (size_t block = 0; block < lloyd->blocks; block++)
            members += lloyd->members[block * k + c];
        double *mean = lloyd->turned; /* which is overwritten below */
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
        double sum = 0;
        for (size_t i = b * lloyd->block_rows; i < end_of_block(lloyd, b); i++)
            sum += seg_distance2(lloyd->d, seg_rows_at(&lloyd->x, i, 1, room),
                                 lloyd->centre + (size_t)lloyd->label[i] * lloyd->d);
        partial[b] = sum;
    }
}

double seg_lloyd_objective(seg_lloyd *lloyd) {
    if (lloyd->d == 0) /* all distances are 0, and there is no room for a sum a block */
        return 0;
    lloyd->summed = 0;
    seg_parallel_on(lloyd->ctx, lloyd->threads, lloyd->blocks, 1, measure_blocks, lloyd);
    return seg_sum(lloyd->blocks, lloyd->sum);
}
