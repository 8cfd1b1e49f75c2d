#include "graph/geodesic.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    double distance;
    int32_t node;
} entry;

typedef struct heap {
    entry *at;
    size_t count, room;
} heap;

/* Nearest first, equal distances by number: the order does not depend on how entries came in. */
static int before(entry a, entry b) {
    return a.distance < b.distance || (a.distance == b.distance && a.node < b.node);
}

static seg_status push(seg_context *ctx, heap *h, double distance, int32_t node) {
    const entry e = {distance, node};
    size_t i = h->count;
    if (seg_grow(ctx, &h->at, h->count, &h->room, sizeof *h->at))
        return SEG_ERR_MEMORY;
    for (h->count++; i > 0 && before(e, h->at[(i - 1) / 2]); i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = e;
    return SEG_OK;
}

static entry pop(heap *h) {
    const entry top = h->at[0], last = h->at[--h->count];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count && before(h->at[child + 1], h->at[child]))
            child++;
        if (!before(h->at[child], last))
            break;
        h->at[i] = h->at[child];
        i = child;
    }
    h->at[i] = last;
    return top;
}

seg_status seg_geodesic_create(seg_context *ctx, const seg_csr *W, seg_geodesic *out) {
    memset(out, 0, sizeof *out);
    out->W = W;
    out->distance = seg_alloc(ctx, W->rows, sizeof *out->distance);
    out->owner = seg_alloc(ctx, W->rows, sizeof *out->owner);
    out->heap = seg_alloc_zero(ctx, 1, sizeof(heap));
    if (!out->distance || !out->owner || !out->heap) {
        seg_geodesic_free(out);
        return SEG_ERR_MEMORY;
    }
    for (size_t i = 0; i < W->rows; i++) {
        out->distance[i] = INFINITY;
        out->owner[i] = -1;
    }
    return SEG_OK;
}

void seg_geodesic_free(seg_geodesic *geodesic) {
    if (!geodesic)
        return;
    if (geodesic->heap)
        free(((heap *)geodesic->heap)->at);
    free(geodesic->heap);
    free(geodesic->distance);
    free(geodesic->owner);
    memset(geodesic, 0, sizeof *geodesic);
}

seg_status seg_geodesic_grow(seg_context *ctx, seg_geodesic *geodesic, size_t count, const int32_t *source,
                             int32_t owner) {
    const seg_csr *W = geodesic->W;
    heap *h = geodesic->heap;
    seg_status status = SEG_OK;
    for (size_t s = 0; s < count && !status; s++)
        if (geodesic->distance[source[s]] > 0) {
            geodesic->distance[source[s]] = 0;
            geodesic->owner[source[s]] = owner;
            status = push(ctx, h, 0, source[s]);
        }
    while (!status && h->count > 0) {
        const entry near = pop(h);
        if (near.distance > geodesic->distance[near.node]) /* a shorter way was found meanwhile */
            continue;
        for (size_t e = W->start[near.node]; e < W->start[near.node + 1] && !status; e++) {
            const int32_t to = W->column[e];
            const double through = near.distance + 1 / W->value[e];
            if (W->value[e] > 0 && through < geodesic->distance[to]) {
                geodesic->distance[to] = through;
                geodesic->owner[to] = owner;
                status = push(ctx, h, through, to);
            }
        }
    }
    h->count = 0;
    return status;
}
