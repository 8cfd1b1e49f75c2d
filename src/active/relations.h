/* Transitive closure, updated with each answer: must-linked samples form a component, and cannot-links join components.
 * Answers are added only if nothing was implied, so no contradiction can arise. */
#ifndef SEG_ACTIVE_RELATIONS_H
#define SEG_ACTIVE_RELATIONS_H

#include "constraints/closed.h"

typedef struct seg_cannot_edge {
    int32_t other; /* a member of the other component */
    int32_t next;  /* next edge of this component, -1 at the end */
} seg_cannot_edge;

typedef struct seg_relations {
    size_t n;
    int32_t *parent;       /* n; a root is its own parent */
    int32_t *ring;         /* n: the next member of the component (a circular list) */
    int32_t *size;         /* n, for roots: number of members */
    int32_t *degree;       /* n, for roots: number of edges */
    int32_t *first, *last; /* n, for roots: first and last edge, -1 for none */
    seg_cannot_edge *edge; /* `edges` entries */
    size_t edges;
    seg_pair_set cannot;  /* keys of pairs of roots; those of former roots stay and are never looked up */
    seg_pair_set refused; /* keys of pairs that must not be asked about */
} seg_relations;

/* Free it in every case. */
seg_status seg_relations_create(seg_context *ctx, size_t n, seg_relations *out);
void seg_relations_free(seg_relations *relations);

/* The root of a sample's component; path halving, near O(1). */
int32_t seg_relations_root(seg_relations *relations, int32_t sample);

/* +1 must link, -1 cannot link, 0 nothing is implied. */
int seg_relations_between(seg_relations *relations, int32_t i, int32_t j);

/* Add a link that is new (seg_relations_between is 0) or already implied. A must-link merges two components and enters
 * the edges of the one with fewer edges again: over all answers, O(log edges) per edge. */
seg_status seg_relations_must(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j);
seg_status seg_relations_cannot(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j);

seg_status seg_relations_refuse(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j);

/* 1 if the pair may be asked about: nothing is implied and it was not refused. */
int seg_relations_open(seg_relations *relations, int32_t i, int32_t j);

#endif
