/* Exact nearest neighbours by a k-d tree [bentley1975; friedman1977]: each node halves its points across the widest
 * side of their bounding box; a node is searched only if its box is nearer than the farthest neighbour found so far.
 * The distance to a box is lowered so that it never exceeds the computed distance to a point in it: no neighbour is
 * ever pruned, ties included. */
#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"
#include "graph/neighbours/nearest.h"

#include <string.h>

#define QUERIES 4  /* blocks of queries handed to a thread at a time */
#define STACK   64 /* > depth of a tree of 2^31 points */
#define LANES   4  /* coordinates of boxes at a time */

/* Allows for the rounding of a sum of squares taken in another order. */
#define SURELY (1 - 1e-9)

/* An inner node covers blocks first .. last-1 and halves them at `middle`, which is unique and is its index. */
typedef struct tree {
    seg_blocks points;
    double *box;     /* 4 d numbers per node: lows and highs left, lows and highs right; owned */
    int32_t *lowest; /* 2 per node: smallest row number in the left and in the right half; owned */
} tree;

/* Bounding box of the given points (d lows, then d highs). @return the smallest row index */
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
 * but the last is full; the depth is at most the binary logarithm of the number of blocks, rounded up. */
static void build(tree *t, const seg_matrix *X, size_t first, size_t last, const double *box, seg_key *keys) {
    const size_t d = X->cols, middle = middle_of(first, last), start = first * SEG_LANES;
    const size_t stop = last * SEG_LANES < X->rows ? last * SEG_LANES : X->rows;
    const size_t split = (middle - first) * SEG_LANES, count = stop - start;
    int32_t *point = t->points.point + start;
    if (last - first < 2)
        return;
    const size_t c = widest(box, d);
    double *left = t->box + 4 * middle * d, *right = left + 2 * d;
    for (size_t i = 0; i < count; i++)
        keys[i] = (seg_key){d ? X->at[(size_t)point[i] * d + c] : 0, point[i]};
    seg_select_smallest(keys, count, split);
    for (size_t i = 0; i < count; i++)
        point[i] = keys[i].number;
    t->lowest[2 * middle] = bound(X, point, split, left);
    t->lowest[2 * middle + 1] = bound(X, point + split, count - split, right);
    build(t, X, first, middle, left, keys);
    build(t, X, middle, last, right, keys);
}

static void tree_free(tree *t) {
    seg_blocks_free(&t->points);
    free(t->box);
    free(t->lowest);
}

static seg_status tree_create(seg_context *ctx, const seg_matrix *X, tree *t) {
    memset(t, 0, sizeof *t);
    SEG_TRY(seg_blocks_create(ctx, X->rows, X->cols, &t->points));
    t->box = seg_alloc(ctx, t->points.blocks * X->cols, 4 * sizeof *t->box); /* a quarter of the size of the blocks */
    t->lowest = seg_alloc(ctx, t->points.blocks, 2 * sizeof *t->lowest);
    SEG_FREED seg_key *keys = seg_alloc(ctx, X->rows, sizeof *keys);
    if (!t->box || !t->lowest || !keys)
        return SEG_ERR_MEMORY;
    bound(X, t->points.point, X->rows, t->box); /* no inner node has index 0 */
    build(t, X, 0, t->points.blocks, t->box, keys);
    seg_blocks_fill(&t->points, X);
    return SEG_OK;
}

static inline double gap(double low, double high, double q) {
    const double below = low - q, above = q - high, least = below > above ? below : above;
    return least > 0 ? least : 0;
}

/* A lower bound on the squared distance to one box. */
static inline __attribute__((always_inline)) double box_distance(const double *box, size_t d, const double *q) {
    double sum[LANES] = {0};
    size_t c = 0;
    for (; c + LANES <= d; c += LANES)
        for (size_t l = 0; l < LANES; l++) {
            const double t = gap(box[c + l], box[d + c + l], q[c + l]);
            sum[l] += t * t;
        }
    for (; c < d; c++)
        sum[0] += gap(box[c], box[d + c], q[c]) * gap(box[c], box[d + c], q[c]);
    return SURELY * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

typedef struct pending {
    uint32_t first, last; /* blocks */
    double distance2;
    int32_t lowest;
} pending;

/* Whether no point of a node can be among the nearest: all are farther, or as far and have larger indices. */
static inline int hopeless(const seg_heap *heap, double distance2, int32_t lowest) {
    return distance2 > heap->worst || (distance2 == heap->worst && lowest > heap->worst_number);
}

SEG_WIDER_TOO static void search(const tree *t, const double *q, int32_t self, seg_heap *heap) {
    const size_t d = t->points.d;
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
            const double *box = t->box + 4 * middle * d;
            const double distance2[] = {box_distance(box, d, q), box_distance(box + 2 * d, d, q)};
            /* The nearer half first; of equally near ones the one with the smallest row index, so that ties are settled
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

/* Queries in the order of the tree: successive ones visit the same blocks, which are then in the cache. */
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
