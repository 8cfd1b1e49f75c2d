/* Transitive closure that grows answer by answer: samples that must link are one component, and components may be known
 * not to link. Answers are added only if nothing was implied, so no contradiction can arise. */
#ifndef SEG_ACTIVE_RELATIONS_H
#define SEG_ACTIVE_RELATIONS_H

#include "constraints/closed.h"

typedef struct seg_cannot_edge {
    int32_t other; /* a member of the component that cannot link */
    int32_t next;  /* edge of the same component, -1 at the end */
} seg_cannot_edge;

typedef struct seg_relations {
    size_t n;
    int32_t *parent;       /* n; a root is its own */
    int32_t *ring;         /* n: the next member of the component, round and round */
    int32_t *size;         /* n, of roots: members */
    int32_t *degree;       /* n, of roots: edges */
    int32_t *first, *last; /* n, of roots: edges, -1 for none */
    seg_cannot_edge *edge; /* edges entries */
    size_t edges;
    seg_pair_set cannot;  /* keys of root and root; those of former roots stay and are never looked for */
    seg_pair_set refused; /* keys of pairs that are never to be asked */
} seg_relations;

/* Free it in every case. */
seg_status seg_relations_create(seg_context *ctx, size_t n, seg_relations *out);
void seg_relations_free(seg_relations *relations);

/* The root of a sample's component; path halving, near O(1). */
int32_t seg_relations_root(seg_relations *relations, int32_t sample);

/* +1 must link, -1 cannot link, 0 nothing is implied. */
int seg_relations_between(seg_relations *relations, int32_t i, int32_t j);

/* Add what is not implied yet (seg_relations_between is 0, or what it is told). The edges of one component are entered
 * again, the one with fewer: O(log) an edge over all answers. */
seg_status seg_relations_must(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j);
seg_status seg_relations_cannot(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j);

seg_status seg_relations_refuse(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j);

/* The pair may be asked: nothing is implied and it was not refused. */
int seg_relations_open(seg_relations *relations, int32_t i, int32_t j);

#endif
