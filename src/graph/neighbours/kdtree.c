/* Exact nearest neighbours by a k-d tree [bentley1975; friedman1977]: each node halves its points across the widest
 * side of their bounding box; a node is searched only if its box comes nearer than the worst neighbour found so far.
 *
 * Boxes are in single precision, rounded outwards, eight coordinates at a time, and what is taken for the distance to
 * one is never above the distance to a point in it, as that is computed: nothing is ever cut off wrongly, ties
 * included. */
#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"
#include "graph/neighbours/nearest.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUERIES 4                          /* blocks of queries handed to a thread at a time */
#define STACK   64                         /* > depth of a tree of 2^31 points */
#define EIGHT   8                          /* coordinates of boxes at a time */
#define MOST_D  (SEG_KDTREE_LIMIT + EIGHT) /* coordinates, padded */

/* Rounding takes less from a sum of SEG_KDTREE_LIMIT squares in single precision, and gives less to one in double. */
#define SURELY (1 - 1e-5)

/* An inner node covers blocks first .. last-1 and halves them at `middle`; it is known by that number, which no other
 * node has. */
typedef struct tree {
    seg_blocks points;
    float *box;    /* 4 numbers per node and padded coordinate: lows and highs left, lows and highs right; owned */
    size_t padded; /* d, to whole vectors; of the further coordinates every box has all */
    double centre[SEG_KDTREE_LIMIT]; /* of all points, from which boxes are told */
    double scale;                    /* of the boxes: a power of two that brings the widest side to about one */
    double slack;                    /* what centring may have added to a scaled coordinate, or taken */
    double square;                   /* of distances to boxes, to those of the points; a little less */
    int32_t *lowest;                 /* 2 per node: smallest row number in the left and in the right half; owned */
} tree;

/* More than rounding to single precision takes or adds. */
static inline double rounding(double y) {
    return 0x1p-23 * fabs(y) + 0x1p-120;
}

static inline float rounded_down(const tree *t, size_t c, double x) {
    const double y = t->scale * (x - t->centre[c]) - t->slack;
    return (float)(y - rounding(y));
}

static inline float rounded_up(const tree *t, size_t c, double x) {
    const double y = t->scale * (x - t->centre[c]) + t->slack;
    return (float)(y + rounding(y));
}

/* Bounding box of the points at `place` (d lows, then d highs), and their smallest number. */
static int32_t bound(const seg_matrix *X, const int32_t *point, size_t count, double *box) {
    const size_t d = X->cols;
    int32_t lowest = point[0];
    for (size_t c = 0; c < d; c++)
        box[c] = box[d + c] = X->at[(size_t)point[0] * d + c];
    for (size_t i = 1; i < count; i++) {
        const double *row = X->at + (size_t)point[i] * d;
        lowest = point[i] < lowest ? point[i] : lowest;
        for (size_t c = 0; c < d; c++) {
            box[c] = row[c] < box[c] ? row[c] : box[c];
            box[d + c] = row[c] > box[d + c] ? row[c] : box[d + c];
        }
    }
    return lowest;
}

static size_t widest(const double *box, size_t d) {
    size_t best = 0;
    for (size_t c = 1; c < d; c++)
        if (box[d + c] - box[c] > box[d + best] - box[best])
            best = c;
    return best;
}

static inline size_t middle_of(size_t first, size_t last) {
    return first + (last - first + 1) / 2;
}

/* Build the node over blocks first .. last-1, whose bounding box is known. Halves are whole blocks, so that every block
 * but the last is full; the depth is at most the logarithm of the number of blocks. */
static void build(tree *t, const seg_matrix *X, size_t first, size_t last, const double *box, seg_key *keys) {
    const size_t d = X->cols, middle = middle_of(first, last), start = first * SEG_LANES;
    const size_t stop = last * SEG_LANES < X->rows ? last * SEG_LANES : X->rows;
    const size_t split = (middle - first) * SEG_LANES, count = stop - start;
    int32_t *point = t->points.point + start;
    double half[2][2 * SEG_KDTREE_LIMIT];
    size_t c;
    if (last - first < 2)
        return;
    c = widest(box, d);
    for (size_t i = 0; i < count; i++)
        keys[i] = (seg_key){X->at[(size_t)point[i] * d + c], point[i]};
    seg_select_smallest(keys, count, split);
    for (size_t i = 0; i < count; i++)
        point[i] = keys[i].number;
    t->lowest[2 * middle] = bound(X, point, split, half[0]);
    t->lowest[2 * middle + 1] = bound(X, point + split, count - split, half[1]);
    for (size_t side = 0; side < 2; side++) {
        float *low = t->box + (4 * middle + 2 * side) * t->padded, *high = low + t->padded;
        for (size_t i = 0; i < t->padded; i++) {
            low[i] = i < d ? rounded_down(t, i, half[side][i]) : -1;
            high[i] = i < d ? rounded_up(t, i, half[side][d + i]) : 1;
        }
    }
    build(t, X, first, middle, half[0], keys);
    build(t, X, middle, last, half[1], keys);
}

static void tree_free(tree *t) {
    seg_blocks_free(&t->points);
    free(t->box);
    free(t->lowest);
}

/* How boxes are told, from that of all points. */
static void place_boxes(tree *t, const double *box) {
    const size_t d = t->points.d;
    double widest_half = 0, largest = 0;
    int exponent = 0;
    for (size_t c = 0; c < d; c++) {
        t->centre[c] = 0.5 * box[c] + 0.5 * box[d + c];
        widest_half = fmax(widest_half, 0.5 * box[d + c] - 0.5 * box[c]);
        largest = fmax(largest, fmax(fabs(box[c]), fabs(box[d + c])));
    }
    frexp(widest_half, &exponent);
    t->scale = ldexp(1, -exponent);
    t->slack = 4 * DBL_EPSILON * largest * t->scale;
    t->square = ldexp(SURELY, 2 * exponent);
}

static seg_status tree_create(seg_context *ctx, const seg_matrix *X, tree *t) {
    double box[2 * SEG_KDTREE_LIMIT];
    memset(t, 0, sizeof *t);
    const seg_status status = seg_blocks_create(ctx, X->rows, X->cols, &t->points);
    if (status)
        return status;
    t->padded = (X->cols + EIGHT - 1) / EIGHT * EIGHT;
    t->box = seg_alloc(ctx, t->points.blocks * t->padded, 4 * sizeof *t->box);
    t->lowest = seg_alloc(ctx, t->points.blocks, 2 * sizeof *t->lowest);
    SEG_FREED seg_key *keys = seg_alloc(ctx, X->rows, sizeof *keys);
    if (!t->box || !t->lowest || !keys)
        return SEG_ERR_MEMORY;
    bound(X, t->points.point, X->rows, box);
    place_boxes(t, box);
    build(t, X, 0, t->points.blocks, box, keys);
    seg_blocks_fill(&t->points, X);
    return SEG_OK;
}

typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t mask __attribute__((vector_size(32)));

/* A point in single precision, from below and from above. */
typedef struct query {
    float down[MOST_D], up[MOST_D];
} query;

static query query_of(const tree *t, const double *q) {
    query made = {0};
    for (size_t c = 0; c < t->padded; c++) {
        made.down[c] = c < t->points.d ? rounded_down(t, c, q[c]) : 0;
        made.up[c] = c < t->points.d ? rounded_up(t, c, q[c]) : 0;
    }
    return made;
}

/* At most the squared distance to one box. Of the gaps below and above at most one is not 0. */
static inline __attribute__((always_inline)) double box_distance(const float *box, size_t padded, const query *q) {
    const eight none = {0};
    eight sum = {0};
    for (size_t c = 0; c < padded; c += EIGHT) {
        const eight below = *(const eight *)(box + c) - *(const eight *)(q->up + c);
        const eight above = *(const eight *)(q->down + c) - *(const eight *)(box + padded + c);
        const eight gap = (eight)(((mask)below & (below > none)) | ((mask)above & (above > none)));
        sum += gap * gap;
    }
    return (double)(((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7])));
}

/* Those to the boxes of a node's two halves. */
static inline __attribute__((always_inline)) void box_distances(const float *box, size_t padded, const query *q,
                                                                double square, double out[2]) {
    out[0] = square * box_distance(box, padded, q);
    out[1] = square * box_distance(box + 2 * padded, padded, q);
}

typedef struct pending {
    uint32_t first, last; /* blocks */
    double distance2;
    int32_t lowest;
} pending;

/* Nothing in there can be among the nearest: all farther, or as far and all of higher number. */
static inline int hopeless(const seg_heap *heap, double distance2, int32_t lowest) {
    return distance2 > heap->worst || (distance2 == heap->worst && lowest > heap->worst_number);
}

SEG_WIDER_TOO static void search(const tree *t, const double *q, int32_t self, seg_heap *heap) {
    const query rounded = query_of(t, q);
    pending stack[STACK];
    size_t depth = 0;
    stack[depth++] = (pending){0, (uint32_t)t->points.blocks, 0, 0};
    while (depth > 0) {
        pending now = stack[--depth];
        if (hopeless(heap, now.distance2, now.lowest))
            continue;
        while (now.last - now.first > 1) {
            const uint32_t middle = (uint32_t)middle_of(now.first, now.last);
            const int32_t *lowest = t->lowest + 2 * (size_t)middle;
            double distance2[2];
            box_distances(t->box + 4 * t->padded * middle, t->padded, &rounded, t->square, distance2);
            /* The nearer half first; of equally near ones that with the smallest number, so that ties are settled
             * early. */
            pending left = {now.first, middle, distance2[0], lowest[0]};
            pending right = {middle, now.last, distance2[1], lowest[1]};
            int right_first = distance2[1] < distance2[0] || (distance2[1] == distance2[0] && lowest[1] < lowest[0]);
            stack[depth] = right_first ? left : right;
            now = right_first ? right : left;
            depth += !hopeless(heap, stack[depth].distance2, stack[depth].lowest);
            if (hopeless(heap, now.distance2, now.lowest))
                break;
        }
        if (now.last - now.first == 1 && !hopeless(heap, now.distance2, now.lowest))
            seg_block_offer(&t->points, now.first, q, self, heap);
    }
}

typedef struct job {
    const tree *t;
    const seg_matrix *X;
    size_t count;
    int32_t *neighbour;
    double *distance2;
} job;

/* Queries in the order of the tree: neighbours ask for the same blocks, which are then in cache. */
static void search_points(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const job *j = arg;
    for (size_t i = first; i < last; i++) {
        const size_t row = (size_t)j->t->points.point[i];
        seg_heap heap = seg_heap_make(j->neighbour + row * j->count, j->distance2 + row * j->count, j->count);
        search(j->t, j->X->at + row * j->X->cols, (int32_t)row, &heap);
        seg_heap_sort(&heap);
    }
}

seg_status seg_nearest_by_tree(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                               double *distance2) {
    SEG_RELEASED(tree_free) tree t;
    const seg_status status = tree_create(ctx, X, &t);
    return status ? status
                  : seg_parallel_polled(ctx, X->rows, QUERIES * SEG_LANES, search_points,
                                        &(job){&t, X, count, neighbour, distance2});
}
