/* The samples that listed pairs name and the labels they get: what the steps of seg_linked_groups share. */
#ifndef SEG_METHODS_LINKED_H
#define SEG_METHODS_LINKED_H

#include "clustering/neighbourhoods.h"

#include <segment/methods.h>

/* The samples that pairs name, numbered anew. */
typedef struct seg_linked {
    size_t count, k;
    size_t *sample;          /* number in the problem */
    seg_neighbourhoods near; /* of these samples by their new numbers, but for near.of */
    seg_matrix rows;         /* of Z, count x r */
    double *cost;            /* count x k: of a sample in a cluster, whatever the others do */
    double *centre;          /* k x r */
    int32_t *label, *best, *kept;
    size_t *size; /* of each cluster */
} seg_linked;

/* Z: n x r, rows of a learned kernel's factor. Free it whatever is returned. SEG_OK, SEG_ERR_CONTRADICTION,
 * SEG_ERR_MEMORY. */
seg_status seg_linked_create(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, seg_linked *l);
void seg_linked_free(seg_linked *l);
void seg_linked_count_sizes(seg_linked *l);

static inline int32_t seg_linked_label(const seg_linked *l, int32_t which) {
    return l->label[l->near.member[l->near.start[which]]];
}

/* Of a neighbourhood in cluster `c`: its samples' costs, and `apart` for each cannot-link that this breaks. */
double seg_linked_cost(const seg_linked *l, int32_t which, int32_t c, double apart);
/* Of all samples where they are. Each broken cannot-link counts once. */
double seg_linked_total(const seg_linked *l, double apart);
/* Move each neighbourhood where it costs least, then the two ends of each cannot-link at once; no cluster is left
 * empty. @return whether any moved */
int seg_linked_move(seg_linked *l, double apart);

/* Labels by the kernel, the best of `starts` starts of k-means (linked_start.c). */
seg_status seg_linked_start(seg_context *ctx, const seg_problem *problem, int starts, seg_linked *l);
/* On from these labels by walks on the graph (linked_walk.c). */
seg_status seg_linked_walk(seg_context *ctx, const seg_problem *problem, seg_linked *l);
/* Labels by what walks meet first and by what samples look like (linked_search.c). *found: 0, and nothing is done,
 * where walks from the samples seldom meet others. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_linked_search(seg_context *ctx, const seg_problem *problem, seg_linked *l, int *found);

#endif
