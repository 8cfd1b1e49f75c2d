/* One extremely randomised tree [geurts2006, Sec. 2.2]. */
#pragma once

#include "base/random.h"

#include <stddef.h>

/* The `count` labelled samples; column c is at value + c * count. Their order does not matter. */
typedef struct seg_samples {
    size_t count, columns;
    int groups;
    const float *value;
    const int16_t *group;
    const int32_t *drawn; /* `draws` columns, which random numbers index */
    size_t draws;
    const double *scale; /* per column, its factor: without it ranges compare; NULL where they do not */
} seg_samples;

/* An inner node sends samples with value <= threshold to `child`, others to child + 1. A leaf has child < 0, and its
 * vote is at vote + (-1 - child) * groups. */
typedef struct seg_tree_node {
    int32_t child;
    int32_t column;
    float threshold;
} seg_tree_node;

/* Samples order[from .. to-1] of a node not yet split, with its own seed: its random numbers do not affect others. */
typedef struct seg_tree_span {
    uint64_t seed;
    int32_t node, from, to;
} seg_tree_span;

/* The caller's room: 2 count - 1 nodes, count * groups votes, count numbers of `order`, a stack of count + 1 spans. */
typedef struct seg_tree {
    seg_tree_node *node; /* in a forest it owns the votes too */
    float *vote;
    int32_t nodes, leaves;
} seg_tree;

void seg_tree_grow(const seg_samples *samples, int candidates, uint64_t seed, int32_t *order, seg_tree_span *stack,
                   seg_tree *tree);

/* The votes, one per group with sum one, of the leaf that a row (`columns` numbers) falls into. */
static inline const float *seg_tree_vote(const seg_tree *tree, int groups, const float *row) {
    const seg_tree_node *node = tree->node;
    while (node->child >= 0)
        node = tree->node + node->child + (row[node->column] > node->threshold);
    return tree->vote + (size_t)(-1 - node->child) * (size_t)groups;
}
