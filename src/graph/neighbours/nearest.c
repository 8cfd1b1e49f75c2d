#include "graph/neighbours/nearest.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"
#include "linalg/wide_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TREE_COLUMNS 32 /* a tree is slower for more columns */
#define STEP         8  /* coordinates summed between two tests of whether the rest is needed */

static inline int before(seg_key a, seg_key b) {
    return a.value < b.value || (a.value == b.value && a.number < b.number);
}

static inline void swap(seg_key *a, seg_key *b) {
    seg_key kept = *a;
    *a = *b;
    *b = kept;
}

void seg_select_smallest(seg_key *keys, size_t count, size_t rank) {
    size_t low = 0, high = count; /* the boundary lies within low .. high */
    uint64_t draw = count;
    while (high - low > 1 && rank > low && rank < high) {
        const size_t span = high - low;
        seg_key three[3], pivot;
        for (int i = 0; i < 3; i++) {
            draw = draw * 6364136223846793005u + 1442695040888963407u;
            three[i] = keys[low + (size_t)(draw >> 32) % span];
        }
        if (before(three[1], three[0]))
            swap(&three[0], &three[1]);
        pivot = before(three[2], three[0]) ? three[0] : before(three[2], three[1]) ? three[2] : three[1];
        /* Split into those before the pivot and the others; the pivot itself then comes first among the others. */
        size_t i = low, j = high, at = high;
        while (i < j) {
            if (before(keys[i], pivot)) {
                i++;
            } else {
                j--;
                swap(&keys[i], &keys[j]);
            }
        }
        for (at = i; keys[at].number != pivot.number; at++)
            ;
        swap(&keys[i], &keys[at]);
        if (rank <= i)
            high = i;
        else
            low = i + 1;
    }
}

double seg_rows_mean(const seg_matrix *X, double *mean) {
    double most = 0;
    memset(mean, 0, X->cols * sizeof *mean);
    for (size_t i = 0; i < X->rows; i++)
        for (size_t c = 0; c < X->cols; c++)
            mean[c] += X->at[i * X->cols + c] / (double)X->rows;
    for (size_t i = 0; i < X->rows; i++)
        for (size_t c = 0; c < X->cols; c++)
            most = fmax(most, fabs(X->at[i * X->cols + c] - mean[c]));
    return most;
}

seg_status seg_blocks_create(seg_context *ctx, size_t n, size_t d, seg_blocks *out) {
    size_t numbers;
    memset(out, 0, sizeof *out);
    out->n = n;
    out->d = d;
    out->blocks = (n + SEG_LANES - 1) / SEG_LANES;
    if (!seg_multiply(out->blocks * SEG_LANES, d, &numbers))
        numbers = SIZE_MAX; /* refused by seg_alloc */
    out->at = seg_alloc(ctx, numbers, sizeof *out->at);
    out->point = seg_alloc(ctx, n, sizeof *out->point);
    if (!out->at || !out->point) {
        seg_blocks_free(out);
        return SEG_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        out->point[i] = (int32_t)i;
    return SEG_OK;
}

void seg_blocks_fill(seg_blocks *blocks, const seg_matrix *X) {
    const size_t d = blocks->d;
    for (size_t i = 0; i < blocks->blocks * SEG_LANES; i++) {
        const double *row = X->at + (size_t)blocks->point[i < blocks->n ? i : blocks->n - 1] * d;
        double *lane = blocks->at + i / SEG_LANES * SEG_LANES * d + i % SEG_LANES;
        for (size_t c = 0; c < d; c++)
            lane[c * SEG_LANES] = row[c];
    }
}

void seg_blocks_free(seg_blocks *blocks) {
    free(blocks->at);
    free(blocks->point);
    memset(blocks, 0, sizeof *blocks);
}

/* The order of neighbours: by distance, then by row index. */
static inline int farther(double a, int32_t number_a, double b, int32_t number_b) {
    return a > b || (a == b && number_a > number_b);
}

/* Sift an entry down from the hole at `hole`, in a heap of `count` places. */
static void sink(seg_heap *heap, size_t hole, size_t count, double distance2, int32_t number) {
    for (;;) {
        size_t child = 2 * hole + 1;
        if (child >= count)
            break;
        if (child + 1 < count &&
            farther(heap->distance2[child + 1], heap->number[child + 1], heap->distance2[child], heap->number[child]))
            child++;
        if (!farther(heap->distance2[child], heap->number[child], distance2, number))
            break;
        heap->distance2[hole] = heap->distance2[child];
        heap->number[hole] = heap->number[child];
        hole = child;
    }
    heap->distance2[hole] = distance2;
    heap->number[hole] = number;
}

void seg_heap_offer(seg_heap *heap, double distance2, int32_t number) {
    if (heap->count < heap->capacity) {
        heap->distance2[heap->count] = distance2;
        heap->number[heap->count++] = number;
        if (heap->count < heap->capacity)
            return;
        for (size_t i = heap->count / 2; i-- > 0;)
            sink(heap, i, heap->count, heap->distance2[i], heap->number[i]);
    } else if (farther(heap->worst, heap->worst_number, distance2, number)) {
        sink(heap, 0, heap->count, distance2, number);
    } else {
        return;
    }
    heap->worst = heap->distance2[0];
    heap->worst_number = heap->number[0];
}

void seg_heap_sort(seg_heap *heap) {
    for (size_t i = heap->count < heap->capacity ? heap->count / 2 : 0; i-- > 0;)
        sink(heap, i, heap->count, heap->distance2[i], heap->number[i]);
    for (size_t last = heap->count; last-- > 1;) {
        double distance2 = heap->distance2[last];
        int32_t number = heap->number[last];
        heap->distance2[last] = heap->distance2[0];
        heap->number[last] = heap->number[0];
        sink(heap, 0, last, distance2, number);
    }
}

/* Four doubles, the size of a wide register. By itself the compiler vectorises the loop over the coordinates, which
 * takes several times as long. Each lane is summed in the order of the coordinates. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

/* Add the squared differences of some coordinates to the distances of a block: four independent sums, enough to hide
 * the latency of an addition. */
static inline __attribute__((always_inline)) void add_squares(const double *at, const double *q, size_t coordinates,
                                                              double *distance2) {
    four *out = (four *)distance2;
    four s0 = out[0], s1 = out[1], s2 = out[2], s3 = out[3];
    for (size_t c = 0; c < coordinates; c++, at += SEG_LANES) {
        const four x = {q[c], q[c], q[c], q[c]}, *p = (const four *)at;
        four t0 = p[0] - x, t1 = p[1] - x, t2 = p[2] - x, t3 = p[3] - x;
        s0 += t0 * t0, s1 += t1 * t1, s2 += t2 * t2, s3 += t3 * t3;
    }
    out[0] = s0, out[1] = s1, out[2] = s2, out[3] = s3;
}

static inline __attribute__((always_inline)) int all_above(const double *distance2, double limit) {
    int above = 0;
    for (size_t l = 0; l < SEG_LANES; l++)
        above += distance2[l] > limit;
    return above == SEG_LANES;
}

/* Squared distances of q to the points of a block; 0 if all are above the limit. Sums only grow: if all are above it
 * after a few coordinates, the rest need not be added. */
SEG_WIDER_TOO static int distances(const double *at, const double *q, size_t d, double limit, double *distance2) {
    for (size_t c = 0; c < d; c += STEP) {
        const size_t coordinates = d - c < STEP ? d - c : STEP;
        add_squares(at + c * SEG_LANES, q + c, coordinates, distance2);
        if (all_above(distance2, limit))
            return 0;
    }
    return 1;
}

void seg_block_offer(const seg_blocks *blocks, size_t block, const double *q, int32_t self, seg_heap *heap) {
    const size_t d = blocks->d, first = block * SEG_LANES;
    const size_t count = blocks->n - first < SEG_LANES ? blocks->n - first : SEG_LANES;
    const int32_t *point = blocks->point + first;
    double distance2[SEG_LANES] = {0};
    if (!distances(blocks->at + first * d, q, d, heap->worst, distance2))
        return;
    for (size_t l = 0; l < count; l++)
        if (distance2[l] <= heap->worst && point[l] != self)
            seg_heap_offer(heap, distance2[l], point[l]);
}

/* By products where a tree would visit nearly all rows, which takes fifteen times as long at 256 columns. */
static seg_status find_exact(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                             double *distance2) {
    seg_status status = SEG_OK;
    int able = 0;
    if (X->cols > TREE_COLUMNS)
        status = seg_nearest_by_products(ctx, X, count, neighbour, distance2, &able);
    return status || able ? status : seg_nearest_by_tree(ctx, X, count, neighbour, distance2);
}

seg_status seg_nearest_search(seg_context *ctx, const seg_matrix *X, int count, seg_neighbour_search search,
                              int32_t *neighbour, double *distance2) {
    const int many = X->rows > SEG_EXACT_ROWS && X->cols > SEG_EXACT_COLUMNS;
    double recall = 1;
    SEG_RELEASED(seg_in_unit_free) seg_in_unit unit = {0};
    seg_status status;
    if (count < 1 || (size_t)count >= X->rows || X->rows > INT32_MAX)
        return seg_fail(
            ctx, SEG_ERR_USAGE,
            "nearest neighbours: %d asked for among %zu rows; ask for at least 1 and fewer than there are rows", count,
            X->rows);
    SEG_TRY(seg_in_unit_create(ctx, X, 1, "nearest neighbours", &unit));
    if (X->cols >= 1 && (search == SEG_SEARCH_APPROXIMATE || (search == SEG_SEARCH_AUTO && many)))
        status = seg_nearest_approximate(ctx, unit.X, (size_t)count, neighbour, distance2, &recall);
    else
        status = find_exact(ctx, unit.X, (size_t)count, neighbour, distance2);
    for (size_t e = 0; !status && unit.exponent && e < X->rows * (size_t)count; e++)
        distance2[e] = ldexp(distance2[e], 2 * unit.exponent);
    if (ctx && !status)
        ctx->missed = 1 - recall;
    return status;
}
