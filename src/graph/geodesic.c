#include "graph/geodesic.h"
#include "base/base.h"

typedef struct seg_geodesic_entry {
    double distance;
    int32_t node;
} entry;

/* Nearest first, ties by node index: the order does not depend on the order of insertion. */
static int before(entry a, entry b) {
    return a.distance < b.distance || (a.distance == b.distance && a.node < b.node);
}

static seg_status push(seg_context *ctx, seg_geodesic *h, double distance, int32_t node) {
    const entry e = {distance, node};
    size_t i = h->count;
    SEG_TRY(seg_extend(ctx, &h->heap, h->count, sizeof *h->heap));
    for (h->count++; i > 0 && before(e, h->heap[(i - 1) / 2]); i = (i - 1) / 2)
        h->heap[i] = h->heap[(i - 1) / 2];
    h->heap[i] = e;
    return SEG_OK;
}

static entry pop(seg_geodesic *h) {
    const entry top = h->heap[0], last = h->heap[--h->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < h->count; i = child) {
        child += child + 1 < h->count && before(h->heap[child + 1], h->heap[child]);
        if (!before(h->heap[child], last))
            break;
        h->heap[i] = h->heap[child];
    }
    h->heap[i] = last;
    return top;
}

seg_status seg_geodesic_create(seg_context *ctx, size_t n, const seg_csr *W, seg_geodesic *out) {
    *out = (seg_geodesic){.W = W};
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->distance, n), SEG_ARRAY(out->owner, n)));
    for (size_t i = 0; i < n; i++) {
        out->distance[i] = INFINITY;
        out->owner[i] = -1;
    }
    return SEG_OK;
}

void seg_geodesic_free(seg_geodesic *geodesic) {
    SEG_CLEAR(geodesic, geodesic->heap, geodesic->distance);
}

seg_status seg_geodesic_grow(seg_context *ctx, seg_geodesic *geodesic, size_t count, const int32_t *source,
                             int32_t owner) {
    const seg_csr *W = geodesic->W;
    geodesic->count = 0;
    for (size_t s = 0; s < count; s++)
        if (geodesic->distance[source[s]] > 0) {
            geodesic->distance[source[s]] = 0;
            geodesic->owner[source[s]] = owner;
            SEG_TRY(push(ctx, geodesic, 0, source[s]));
        }
    while (geodesic->count > 0) {
        const entry near = pop(geodesic);
        if (near.distance > geodesic->distance[near.node]) /* a shorter path was found since */
            continue;
        for (size_t e = W->start[near.node]; e < W->start[near.node + 1]; e++) {
            const int32_t to = W->column[e];
            const double through = near.distance + 1 / W->value[e];
            if (W->value[e] > 0 && through < geodesic->distance[to]) {
                geodesic->distance[to] = through;
                geodesic->owner[to] = owner;
                SEG_TRY(push(ctx, geodesic, through, to));
            }
        }
    }
    return SEG_OK;
}
