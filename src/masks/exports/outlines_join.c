#include "base/base.h"
#include "masks/exports/outlines.h"

#include <stdlib.h>
#include <string.h>

/* The lowest point straight above (x, y), or there, on the closed polygon: *from is the corner there or before it.
 * Upright edges end where others begin. */
static double point_above(const seg_corner *polygon, size_t count, double x, double y, size_t *from) {
    double best = -1;
    for (size_t i = 0; i < count; i++) {
        const size_t next = i + 1 < count ? i + 1 : 0;
        const seg_corner a = polygon[i], b = polygon[next];
        if (a.x == b.x || x < (a.x < b.x ? a.x : b.x) || x > (a.x < b.x ? b.x : a.x))
            continue;
        const double at = x == a.x ? a.y : x == b.x ? b.y : a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y);
        if (at > y || at <= best)
            continue;
        best = at;
        *from = x == b.x ? next : i;
    }
    return best;
}

seg_status seg_outlines_join(seg_context *ctx, const seg_outlines *outlines, size_t first, size_t end,
                             seg_corner **corner, size_t *count) {
    size_t most = 0, used = outlines->ring[first].count;
    for (size_t r = first; r < end; r++)
        most += outlines->ring[r].count + 3; /* a hole is closed, and its cut has two ends on the polygon */
    *count = 0;
    *corner = seg_alloc(ctx, most, sizeof **corner);
    if (!*corner)
        return SEG_ERR_MEMORY;
    seg_corner *polygon = *corner;
    memcpy(polygon, outlines->corner + outlines->ring[first].first, used * sizeof *polygon);
    /* Holes come from the top down: what is straight above one is joined already. */
    for (size_t r = first + 1; r < end; r++) {
        const seg_ring *hole = &outlines->ring[r];
        const seg_corner *ring = outlines->corner + hole->first;
        size_t from = 0, put;
        const seg_corner above = {ring[0].x, point_above(polygon, used, ring[0].x, ring[0].y, &from)};
        const int at_corner = polygon[from].x == above.x, touching = above.y == ring[0].y;
        put = from + 1;
        const size_t more = hole->count + (at_corner ? 0 : 1) + (touching ? 0 : 2);
        memmove(polygon + put + more, polygon + put, (used - put) * sizeof *polygon);
        used += more;
        if (!at_corner)
            polygon[put++] = above;
        if (!touching)
            polygon[put++] = ring[0];
        memcpy(polygon + put, ring + 1, (hole->count - 1) * sizeof *polygon);
        put += hole->count - 1;
        polygon[put++] = ring[0];
        if (!touching)
            polygon[put++] = above;
    }
    *count = used;
    return SEG_OK;
}
