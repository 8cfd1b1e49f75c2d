/* Outlines put together from simplified arcs. */
#include "base/base.h"
#include "masks/exports/outlines.h"
#include "masks/exports/simplify.h"

#include <stdlib.h>
#include <string.h>

/* An arc as it is met by one who leaves a junction. */
typedef struct way_in {
    uint64_t key;
    uint32_t arc;
    int reverse;
} way_in;

typedef struct joining {
    seg_context *ctx;
    const seg_mask *mask;
    const seg_outlines *exact;
    const seg_arcs *arcs;
    way_in *way; /* in the order of the keys; owned */
    seg_outlines *out;
    size_t corner_room;
} joining;

static int by_key(const void *a, const void *b) {
    const uint64_t p = ((const way_in *)a)->key, q = ((const way_in *)b)->key;
    return (p > q) - (p < q);
}

static seg_status list_ways(joining *j) {
    const size_t arcs = j->arcs->arcs;
    j->way = seg_alloc(j->ctx, 2 * arcs, sizeof *j->way);
    if (!j->way)
        return SEG_ERR_MEMORY;
    for (size_t a = 0; a < arcs; a++) {
        j->way[2 * a] = (way_in){j->arcs->arc[a].start, (uint32_t)a, 0};
        j->way[2 * a + 1] = (way_in){j->arcs->arc[a].end, (uint32_t)a, 1};
    }
    if (arcs)
        qsort(j->way, 2 * arcs, sizeof *j->way, by_key);
    return SEG_OK;
}

/* The arc's corners but for the last, which is the next one's first; of a loop all, from its first, either way round.
 */
static seg_status put_arc(joining *j, int x, int y, int direction) {
    const way_in key = {.key = seg_arc_key(j->mask, x, y, direction)};
    const way_in *found = bsearch(&key, j->way, 2 * j->arcs->arcs, sizeof key, by_key);
    const seg_arc *arc = &j->arcs->arc[found->arc];
    const size_t count = arc->loop ? arc->count : arc->count - 1;
    seg_outlines *out = j->out;
    if (out->corners + count > j->corner_room) {
        const size_t room = 2 * (out->corners + count) + 256;
        seg_corner *grown = seg_realloc(j->ctx, out->corner, room, sizeof *grown);
        if (!grown)
            return SEG_ERR_MEMORY;
        out->corner = grown;
        j->corner_room = room;
    }
    for (size_t i = 0; i < count; i++) {
        const seg_half at = j->arcs->corner[arc->first + (found->reverse ? arc->count - 1 - i : i)];
        out->corner[out->corners++] = (seg_corner){at.x / 2.0, at.y / 2.0};
    }
    return SEG_OK;
}

/* Begin a ring at its first corner in reading order. */
static void turn_ring(seg_corner *corner, size_t count, seg_corner *room) {
    size_t start = 0;
    for (size_t i = 1; i < count; i++)
        if (seg_corner_order(corner[i], corner[start]) < 0)
            start = i;
    memcpy(room, corner, count * sizeof *corner);
    for (size_t i = 0; i < count; i++)
        corner[i] = room[(start + i) % count];
}

static int direction_of(seg_corner from, seg_corner to) {
    return to.x > from.x ? SEG_EAST : to.x < from.x ? SEG_WEST : to.y > from.y ? SEG_SOUTH : SEG_NORTH;
}

/* Walk along an exact ring, from corner to corner of the pixels, and put each arc where its junction is passed; what
 * lies before the first junction belongs to the last arc. */
static seg_status put_ring(joining *j, size_t number) {
    static const int step_x[] = {1, 0, -1, 0}, step_y[] = {0, 1, 0, -1};
    const seg_ring *ring = &j->exact->ring[number];
    const seg_corner *corner = j->exact->corner + ring->first;
    seg_outlines *out = j->out;
    const size_t first = out->corners;
    seg_status status = SEG_OK;
    for (size_t i = 0; i < ring->count && !status; i++) {
        const seg_corner from = corner[i], to = corner[i + 1 < ring->count ? i + 1 : 0];
        const int d = direction_of(from, to), end_x = (int)to.x, end_y = (int)to.y;
        for (int x = (int)from.x, y = (int)from.y; (x != end_x || y != end_y) && !status;
             x += step_x[d], y += step_y[d])
            if (seg_is_junction(j->mask, x, y))
                status = put_arc(j, x, y, d);
    }
    if (!status && out->corners == first) /* a loop, which begins where the ring does */
        status = put_arc(j, (int)corner[0].x, (int)corner[0].y, direction_of(corner[0], corner[1]));
    const size_t count = out->corners - first;
    seg_corner *room = status ? NULL : seg_alloc(j->ctx, count, sizeof *room);
    if (!room)
        return SEG_ERR_MEMORY;
    turn_ring(out->corner + first, count, room);
    free(room);
    out->ring[out->rings] = *ring;
    out->ring[out->rings].first = first;
    out->ring[out->rings++].count = count;
    return SEG_OK;
}

/* Holes of a piece come in the order of their first corners, which are others now. */
static int by_first_corner(const void *a, const void *b, void *outlines) {
    const seg_ring *p = a, *q = b;
    const seg_corner *corner = ((const seg_outlines *)outlines)->corner;
    return seg_corner_order(corner[p->first], corner[q->first]);
}

seg_status seg_outlines_trace_simply(seg_context *ctx, const seg_mask *mask, double tolerance, seg_outlines *out) {
    seg_outlines exact;
    seg_arcs arcs = {0}, fewer = {0};
    seg_status status = seg_outlines_trace(ctx, mask, &exact);
    memset(out, 0, sizeof *out);
    if (status != SEG_OK || !(tolerance > 0)) {
        *out = exact;
        return status;
    }
    joining j = {.ctx = ctx, .mask = mask, .exact = &exact, .arcs = &fewer, .out = out};
    status = seg_arcs_find(ctx, mask, &arcs);
    if (!status)
        status = seg_arcs_simplify(ctx, mask, &arcs, tolerance, &fewer);
    if (!status)
        status = list_ways(&j);
    if (!status && !(out->ring = seg_alloc(ctx, exact.rings, sizeof *out->ring)))
        status = SEG_ERR_MEMORY;
    for (size_t r = 0; r < exact.rings && !status; r++)
        status = put_ring(&j, r);
    for (size_t r = 0; r < out->rings && !status; r = seg_outlines_piece_end(out, r)) {
        const size_t holes = seg_outlines_piece_end(out, r) - r - 1;
        if (holes > 1)
            qsort_r(out->ring + r + 1, holes, sizeof *out->ring, by_first_corner, out);
    }
    free(j.way);
    seg_arcs_free(&arcs);
    seg_arcs_free(&fewer);
    seg_outlines_free(&exact);
    if (status)
        seg_outlines_free(out);
    return status;
}
