#include "likelihood/tree.h"
#include "base/base.h"

#include <segment/constraints.h>

#define NODE_STREAM 0x7400

typedef struct split {
    int32_t column;
    float threshold;
    double width; /* of the range in which the threshold was drawn */
    double gain;
} split;

/* The sum of squared group counts over the number of samples, for both sides: the larger, the purer (Gini index). */
static double purity(int groups, const int32_t *total, const int32_t *left) {
    double left_squares = 0, right_squares = 0, left_count = 0, right_count = 0;
    for (int g = 0; g < groups; g++) {
        const double l = left[g], r = total[g] - left[g];
        left_squares += l * l;
        right_squares += r * r;
        left_count += l;
        right_count += r;
    }
    return left_squares / left_count + right_squares / right_count;
}

/* Draw a random threshold within a column over samples order[from .. to-1]; return the range's width, 0 if constant. */
static float draw_threshold(const float *value, const int32_t *order, int32_t from, int32_t to, seg_random *random,
                            float *threshold) {
    float low = value[order[from]], high = low;
    for (int32_t i = from + 1; i < to; i++) {
        const float v = value[order[i]];
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    if (!(low < high))
        return 0;
    *threshold = low + (float)seg_random_uniform(random) * (high - low);
    if (*threshold >= high) /* rounding must not leave one side empty */
        *threshold = low;
    return high - low;
}

/* Samples order[from .. to-1], and how many of them are in each group. */
typedef struct members {
    const int32_t *order, *total;
    int32_t from, to;
} members;

/* The purest of `candidates` random splits of columns that are not constant; 0 if every column drawn is constant. */
static int best_split(const seg_samples *s, const members *of, int candidates, seg_random *random, split *best) {
    const int32_t *order = of->order;
    int tried = 0;
    best->gain = -1;
    for (size_t draw = 0; draw < 4 * s->columns && tried < candidates; draw++) {
        const int32_t column = s->drawn[seg_random_below(random, s->draws)];
        const float *value = s->value + (size_t)column * s->count;
        int32_t left[SEG_MAX_LABELS];
        float threshold;
        double gain;
        const float range = draw_threshold(value, order, of->from, of->to, random, &threshold);
        if (range == 0)
            continue;
        tried++;
        memset(left, 0, (size_t)s->groups * sizeof *left);
        for (int32_t i = of->from; i < of->to; i++)
            left[s->group[order[i]]] += value[order[i]] <= threshold;
        const double width = s->scale ? (double)range / s->scale[column] : 0;
        gain = purity(s->groups, of->total, left);
        if (gain > best->gain || (gain == best->gain && width > best->width))
            *best = (split){column, threshold, width, gain};
    }
    return tried > 0;
}

static int32_t partition(const float *value, float threshold, int32_t *order, int32_t from, int32_t to) {
    while (from < to) {
        if (value[order[from]] <= threshold)
            from++;
        else if (--to > from)
            SEG_SWAP(int32_t, order[from], order[to]);
    }
    return from;
}

void seg_tree_grow(const seg_samples *s, int candidates, uint64_t seed, int32_t *order, seg_tree_span *stack,
                   seg_tree *tree) {
    for (size_t i = 0; i < s->count; i++)
        order[i] = (int32_t)i;
    tree->nodes = 1;
    tree->leaves = 0;
    stack[0] = (seg_tree_span){seed, 0, 0, (int32_t)s->count};
    for (size_t top = 1; top > 0;) {
        const seg_tree_span at = stack[--top];
        int32_t total[SEG_MAX_LABELS];
        split best = {0};
        seg_random random = seg_random_seeded(at.seed, NODE_STREAM);
        const uint64_t left = seg_random_bits(&random), right = seg_random_bits(&random);
        memset(total, 0, (size_t)s->groups * sizeof *total);
        for (int32_t i = at.from; i < at.to; i++)
            total[s->group[order[i]]]++;
        if (total[s->group[order[at.from]]] == at.to - at.from ||
            !best_split(s, &(members){order, total, at.from, at.to}, candidates, &random, &best)) {
            float *vote = tree->vote + (size_t)tree->leaves * (size_t)s->groups;
            for (int g = 0; g < s->groups; g++)
                vote[g] = (float)total[g] / (float)(at.to - at.from);
            tree->node[at.node].child = -1 - tree->leaves++;
            continue;
        }
        const float *value = s->value + (size_t)best.column * s->count;
        const int32_t middle = partition(value, best.threshold, order, at.from, at.to), child = tree->nodes;
        tree->node[at.node] = (seg_tree_node){child, best.column, best.threshold};
        stack[top++] = (seg_tree_span){right, child + 1, middle, at.to};
        stack[top++] = (seg_tree_span){left, child, at.from, middle};
        tree->nodes += 2;
    }
}
