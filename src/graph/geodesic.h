/* Shortest paths over an affinity graph from growing sets of nodes. An edge of weight w has length 1 / w. */
#pragma once

#include <segment/matrix.h>

typedef struct seg_geodesic {
    const seg_csr *W;                /* borrowed */
    double *distance;                /* n: to the nearest source so far, INFINITY if there is no path; owned */
    int32_t *owner;                  /* n: the owner given with that source, -1 if there is none; in the same block */
    struct seg_geodesic_entry *heap; /* queued nodes, nearest first; owned */
    size_t count;
} seg_geodesic;

/* No sources yet. W: n nodes, or NULL where paths are not sought. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_geodesic_create(seg_context *ctx, size_t n, const seg_csr *W, seg_geodesic *out);
void seg_geodesic_free(seg_geodesic *geodesic);

/* Add sources with the given owner (Dijkstra's algorithm, continued): nodes nearer to them than to earlier sources get
 * the new owner; at equal distance they keep the old one. Edges of weight <= 0 are ignored. SEG_OK, SEG_ERR_MEMORY.
 * Cost O(edges log edges) at most, less if the new sources reach few nodes. */
seg_status seg_geodesic_grow(seg_context *ctx, seg_geodesic *geodesic, size_t count, const int32_t *source,
                             int32_t owner);
