/* Exact nearest neighbours by a k-d tree [bentley1975; friedman1977]: each node halves its points across the widest
 * side of their bounding box; a node is searched only if its box comes nearer than the worst neighbour found so far.
 *
 * The distance to a box is summed over the coordinates in the same order as the distance to a point. Rounding is
 * monotone, so the rounded distance to a box is never above the rounded distance to a point in it, and nothing is ever
 * cut off wrongly, ties included. */
#include "base/base.h"
#include "base/parallel.h"
#include "graph/nearest.h"

#include <stdlib.h>
#include <string.h>

#define QUERIES 4  /* blocks of queries handed to a thread at a time */
#define STACK   64 /* > depth of a tree of 2^31 points */

/* An inner node covers blocks first .. last-1 and halves them at `middle`; it is known by that number, which no other
 * node has. */
typedef struct tree {
    seg_blocks points;
    double *box;     /* 4 d numbers per node: for each coordinate low left, low right, high left, high right; owned */
    int32_t *lowest; /* 2 per node: smallest row number in the left and in the right half; owned */
} tree;

/* One point while its node is being halved. Keys are compared with their numbers, so that none are equal: points on one
 * spot are split like any others, and end up sorted by number. */
typedef struct key {
    double value;
    int32_t number;
} key;

static inline int before(key a, key b) {
    return a.value < b.value || (a.value == b.value && a.number < b.number);
}

static inline void swap(key *a, key *b) {
    key kept = *a;
    *a = *b;
    *b = kept;
}

/* Reorder so that the `rank` smallest come first (quickselect). Pivots are the median of three places drawn from a
 * fixed sequence of pseudo-random numbers: no order of the input makes it slow by accident. */
static void select_smallest(key *keys, size_t count, size_t rank) {
    size_t low = 0, high = count; /* the boundary lies within low .. high */
    uint64_t draw = count;
    while (high - low > 1 && rank > low && rank < high) {
        const size_t span = high - low;
        key three[3], pivot;
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
static void build(tree *t, const seg_matrix *X, size_t first, size_t last, const double *box, key *keys) {
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
        keys[i] = (key){X->at[(size_t)point[i] * d + c], point[i]};
    select_smallest(keys, count, split);
    for (size_t i = 0; i < count; i++)
        point[i] = keys[i].number;
    t->lowest[2 * middle] = bound(X, point, split, half[0]);
    t->lowest[2 * middle + 1] = bound(X, point + split, count - split, half[1]);
    for (size_t i = 0; i < d; i++)
        for (size_t side = 0; side < 2; side++) {
            t->box[(middle * d + i) * 4 + side] = half[side][i];
            t->box[(middle * d + i) * 4 + 2 + side] = half[side][d + i];
        }
    build(t, X, first, middle, half[0], keys);
    build(t, X, middle, last, half[1], keys);
}

static void tree_free(tree *t) {
    seg_blocks_free(&t->points);
    free(t->box);
    free(t->lowest);
}

static seg_status tree_create(seg_context *ctx, const seg_matrix *X, tree *t) {
    double box[2 * SEG_KDTREE_LIMIT];
    key *keys = NULL;
    seg_status status;
    memset(t, 0, sizeof *t);
    status = seg_blocks_create(ctx, X->rows, X->cols, &t->points);
    if (status != SEG_OK)
        return status;
    t->box = seg_alloc(ctx, t->points.blocks * X->cols, 4 * sizeof *t->box);
    t->lowest = seg_alloc(ctx, t->points.blocks, 2 * sizeof *t->lowest);
    keys = seg_alloc(ctx, X->rows, sizeof *keys);
    if (!t->box || !t->lowest || !keys) {
        free(keys);
        return SEG_ERR_MEMORY;
    }
    bound(X, t->points.point, X->rows, box);
    build(t, X, 0, t->points.blocks, box, keys);
    seg_blocks_fill(&t->points, X);
    free(keys);
    return SEG_OK;
}

/* The left and the right half's numbers, and where one is greater than the other: all ones or zero. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t mask __attribute__((vector_size(16)));

static inline pair greater(pair a, pair b) {
    const mask first = a > b;
    return (pair)((first & (mask)a) | (~first & (mask)b));
}

/* Squared distances of q to the boxes of a node's two halves. */
static inline void box_distances(const double *restrict box, size_t d, const double *restrict q, double out[2]) {
    pair sum = {0, 0};
    for (size_t c = 0; c < d; c++, box += 4) {
        const pair x = {q[c], q[c]}, *bounds = (const pair *)box, none = {0, 0};
        const pair gap = greater(greater(bounds[0] - x, x - bounds[1]), none);
        sum += gap * gap;
    }
    out[0] = sum[0];
    out[1] = sum[1];
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

static void search(const tree *t, const double *q, int32_t self, seg_heap *heap) {
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
            double distance2[2];
            box_distances(t->box + 4 * d * middle, d, q, distance2);
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
static void search_points(void *arg, size_t first, size_t last, int worker) {
    const job *j = arg;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        const size_t row = (size_t)j->t->points.point[i];
        seg_heap heap = seg_heap_make(j->neighbour + row * j->count, j->distance2 + row * j->count, j->count);
        search(j->t, j->X->at + row * j->X->cols, (int32_t)row, &heap);
        seg_heap_sort(&heap);
    }
}

seg_status seg_nearest_by_tree(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                               double *distance2) {
    tree t;
    seg_status status = tree_create(ctx, X, &t);
    if (status == SEG_OK)
        status = seg_parallel_polled(ctx, X->rows, QUERIES * SEG_LANES, search_points,
                                     &(job){&t, X, count, neighbour, distance2});
    tree_free(&t);
    return status;
}
