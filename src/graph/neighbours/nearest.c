#include "graph/neighbours/nearest.h"
#include "base/base.h"
#include "base/lanes.h"
#include "linalg/wide_rows.h"

#define TREE_COLUMNS 32 /* a tree is slower for more columns */
#define STEP         8  /* coordinates summed between two tests of whether the rest is needed */

static inline int before(seg_key a, seg_key b) {
    return a.value < b.value || (a.value == b.value && a.number < b.number);
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
            SEG_SWAP(seg_key, three[0], three[1]);
        pivot = before(three[2], three[0]) ? three[0] : before(three[2], three[1]) ? three[2] : three[1];
        /* Split into those before the pivot and the others; the pivot itself then comes first among the others. */
        size_t i = low, j = high, at = high;
        while (i < j) {
            if (before(keys[i], pivot)) {
                i++;
            } else {
                j--;
                SEG_SWAP(seg_key, keys[i], keys[j]);
            }
        }
        for (at = i; keys[at].number != pivot.number; at++)
            ;
        SEG_SWAP(seg_key, keys[i], keys[at]);
        if (rank <= i)
            high = i;
        else
            low = i + 1;
    }
}

double seg_rows_mean(const seg_matrix *X, double *mean) {
    double most = 0;
    seg_rows_scatter(X, NULL, mean);
    for (size_t i = 0; i < X->rows; i++)
        for (size_t c = 0; c < X->cols; c++)
            most = fmax(most, fabs(X->at[i * X->cols + c] - mean[c]));
    return most;
}

/* Points in blocks: coordinate c of the point in lane l of block b is at[(b * d + c) * SEG_LANES + l]. Lanes after the
 * last point repeat it, and are never offered. */
typedef struct block_set {
    size_t n, d, blocks;
    double *at;     /* owned, with the next */
    int32_t *point; /* row index of each lane, n entries */
} block_set;

static void blocks_fill(block_set *blocks, const seg_matrix *X) {
    const size_t d = blocks->d;
    for (size_t i = 0; i < blocks->blocks * SEG_LANES; i++) {
        const double *row = X->at + (size_t)blocks->point[i < blocks->n ? i : blocks->n - 1] * d;
        double *lane = blocks->at + i / SEG_LANES * SEG_LANES * d + i % SEG_LANES;
        for (size_t c = 0; c < d; c++)
            lane[c * SEG_LANES] = row[c];
    }
}

/* The order of neighbours: by distance, then by row index. */
static inline int farther(double a, int32_t number_a, double b, int32_t number_b) {
    return a > b || (a == b && number_a > number_b);
}

/* Sift an entry down from the hole at `hole`, in a heap of `count` places. */
static void sink(seg_heap *heap, size_t hole, size_t count, double distance2, int32_t number) {
    for (size_t child; (child = 2 * hole + 1) < count; hole = child) {
        if (child + 1 < count &&
            farther(heap->distance2[child + 1], heap->number[child + 1], heap->distance2[child], heap->number[child]))
            child++;
        if (!farther(heap->distance2[child], heap->number[child], distance2, number))
            break;
        heap->distance2[hole] = heap->distance2[child];
        heap->number[hole] = heap->number[child];
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

/* Add squared differences of some coordinates to a block's distances: four sums hide the latency of an addition. */
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
SEG_WIDER_TOO static int block_distances(const double *at, const double *q, size_t d, double limit, double *distance2) {
    for (size_t c = 0; c < d; c += STEP) {
        add_squares(at + c * SEG_LANES, q + c, d - c < STEP ? d - c : STEP, distance2);
        if (all_above(distance2, limit))
            return 0;
    }
    return 1;
}

/* Offer all points of one block, except row `self`, to the heap of the point q. */
static void offer_block(const block_set *blocks, size_t block, const double *q, int32_t self, seg_heap *heap) {
    const size_t d = blocks->d, first = block * SEG_LANES;
    const size_t count = blocks->n - first < SEG_LANES ? blocks->n - first : SEG_LANES;
    const int32_t *point = blocks->point + first;
    double distance2[SEG_LANES] = {0};
    if (!block_distances(blocks->at + first * d, q, d, heap->worst, distance2))
        return;
    for (size_t l = 0; l < count; l++)
        if (distance2[l] <= heap->worst && point[l] != self)
            seg_heap_offer(heap, distance2[l], point[l]);
}

/* Exact nearest neighbours by a k-d tree [bentley1975; friedman1977]: each node halves its points across the widest
 * side of their bounding box; a node is searched only if its box is nearer than the farthest neighbour found so far.
 * The distance to a box is lowered so that it never exceeds the computed distance to a point in it: no neighbour is
 * ever pruned, ties included. */

#define QUERIES 4  /* blocks of queries handed to a thread at a time */
#define STACK   64 /* > depth of a tree of 2^31 points */
#define LANES   4  /* coordinates of boxes at a time */

/* Allows for the rounding of a sum of squares taken in another order. */
#define SURELY (1 - 1e-9)

/* An inner node covers blocks first .. last-1 and halves them at `middle`, which is unique and is its index. */
typedef struct tree {
    block_set points;
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
    free(t->points.at);
    free(t->box); /* with lowest */
}

static seg_status tree_create(seg_context *ctx, const seg_matrix *X, tree *t) {
    const size_t n = X->rows, blocks = (n + SEG_LANES - 1) / SEG_LANES;
    *t = (tree){.points = {.n = n, .d = X->cols, .blocks = blocks}};
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(t->points.at, blocks * SEG_LANES, X->cols), SEG_ARRAY(t->points.point, n)));
    for (size_t i = 0; i < n; i++)
        t->points.point[i] = (int32_t)i;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(t->box, blocks * X->cols, 4), /* a quarter of the size of the block_set */
                             SEG_TABLE(t->lowest, blocks, 2)));
    SEG_LOCAL(seg_key, keys, seg_alloc(ctx, n, sizeof *keys));
    bound(X, t->points.point, n, t->box); /* no inner node has index 0 */
    build(t, X, 0, blocks, t->box, keys);
    blocks_fill(&t->points, X);
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
    uint32_t first, last; /* block_set */
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
            /* The nearer half first; of equals the one with the smallest row index, to settle ties early. */
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
            offer_block(&t->points, now.first, q, self, heap);
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
    SEG_TRY(tree_create(ctx, X, &t));
    return seg_parallel_polled(ctx, X->rows, QUERIES * SEG_LANES, search_points,
                               &(job){&t, X, count, neighbour, distance2});
}

/* By products where a tree would visit nearly all rows, which takes fifteen times as long at 256 columns. */
static seg_status find_exact(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                             double *distance2) {
    int able = 0;
    if (X->cols > TREE_COLUMNS)
        SEG_TRY(seg_nearest_by_products(ctx, X, count, neighbour, distance2, &able));
    return able ? SEG_OK : seg_nearest_by_tree(ctx, X, count, neighbour, distance2);
}

seg_status seg_nearest_search(seg_context *ctx, const seg_matrix *X, int count, seg_neighbour_search search,
                              int32_t *neighbour, double *distance2) {
    const int many = X->rows > SEG_EXACT_ROWS && X->cols > SEG_EXACT_COLUMNS;
    const int roughly = X->cols >= 1 && (search == SEG_SEARCH_APPROXIMATE || (search == SEG_SEARCH_AUTO && many));
    double recall = 1;
    SEG_RELEASED(seg_in_unit_free) seg_in_unit unit = {0};
    if (count < 1 || (size_t)count >= X->rows || X->rows > INT32_MAX)
        return seg_fail(
            ctx, SEG_ERR_USAGE,
            "nearest neighbours: %d asked for among %zu rows; ask for at least 1 and fewer than there are rows", count,
            X->rows);
    SEG_TRY(seg_in_unit_create(ctx, X, 1, "nearest neighbours", &unit));
    SEG_TRY(roughly ? seg_nearest_approximate(ctx, unit.X, (size_t)count, neighbour, distance2, &recall)
                    : find_exact(ctx, unit.X, (size_t)count, neighbour, distance2));
    for (size_t e = 0; unit.exponent && e < X->rows * (size_t)count; e++)
        distance2[e] = ldexp(distance2[e], 2 * unit.exponent);
    if (ctx)
        ctx->missed = 1 - recall;
    return SEG_OK;
}
