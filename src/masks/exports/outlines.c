#include "masks/exports/outlines.h"

#include "base/base.h"
#include "masks/pieces.h"

#include <stdlib.h>
#include <string.h>

enum { EAST, SOUTH, WEST, NORTH };
static const int step_x[] = {1, 0, -1, 0}, step_y[] = {0, 1, 0, -1};
/* From a corner, the pixel ahead on the right of each direction; the one on the left is that of the direction before.
 */
static const int ahead_x[] = {0, -1, -1, 0}, ahead_y[] = {0, 0, -1, -1};

/* A corner at which a way may touch itself. */
typedef struct passage {
    seg_corner corner;
    size_t at, before; /* positions in the way: this one, and that of the passage before or NOWHERE */
    size_t place;      /* among the corners that are left when loops are cut off */
} passage;
#define NOWHERE SIZE_MAX

typedef struct tracing {
    seg_context *ctx;
    const seg_mask *mask;
    seg_label_rows rows; /* the mask, its pieces joined */
    uint8_t *done;       /* of every pixel: its upper side is part of a ring */
    seg_corner *way;     /* the corners of the border that is being followed */
    passage *saddle;     /* those of them that it may pass twice */
    size_t length, saddles, way_room, saddle_room, corner_room, ring_room;
    seg_outlines *out;
} tracing;

static int has_label(const seg_mask *mask, int x, int y, uint8_t label) {
    return x >= 0 && y >= 0 && x < mask->width && y < mask->height &&
           mask->label[(size_t)y * (size_t)mask->width + (size_t)x] == label;
}

int seg_corner_order(seg_corner a, seg_corner b) {
    return a.y != b.y ? (a.y > b.y) - (a.y < b.y) : (a.x > b.x) - (a.x < b.x);
}

/* A simple ring of the result, turned so that it begins at its first corner in reading order. From there the outer ring
 * of a piece goes east and a hole's goes south. */
static seg_status put_ring(tracing *t, const seg_corner *corner, size_t count, uint32_t piece, uint8_t label) {
    seg_outlines *out = t->out;
    const size_t first = out->corners;
    size_t start = 0;
    for (size_t i = 1; i < count; i++)
        if (seg_corner_order(corner[i], corner[start]) < 0)
            start = i;
    for (size_t i = 0; i < count; i++) {
        if (seg_grow(t->ctx, &out->corner, out->corners, &t->corner_room, sizeof *out->corner) != SEG_OK)
            return SEG_ERR_MEMORY;
        out->corner[out->corners++] = corner[(start + i) % count];
    }
    if (seg_grow(t->ctx, &out->ring, out->rings, &t->ring_room, sizeof *out->ring) != SEG_OK)
        return SEG_ERR_MEMORY;
    out->ring[out->rings++] = (seg_ring){first, count, piece, label, corner[(start + 1) % count].y != corner[start].y};
    return SEG_OK;
}

static int by_place(const void *a, const void *b) {
    const passage *p = a, *q = b;
    const int order = seg_corner_order(p->corner, q->corner);
    return order ? order : (p->at > q->at) - (p->at < q->at);
}

static int by_time(const void *a, const void *b) {
    const passage *p = a, *q = b;
    return (p->at > q->at) - (p->at < q->at);
}

/* A way that passes a corner twice (where two pixels meet only there) is cut there: the part between is a ring of its
 * own. Passages of a corner nest like brackets, because the way never crosses itself. */
static seg_status cut_way(tracing *t, uint32_t piece, uint8_t label) {
    seg_status status = SEG_OK;
    size_t kept = 0, from = 0;
    passage *saddle = t->saddle;
    if (!t->saddles)
        return put_ring(t, t->way, t->length, piece, label);
    qsort(saddle, t->saddles, sizeof *saddle, by_place);
    for (size_t i = 1; i < t->saddles; i++)
        if (seg_corner_order(saddle[i - 1].corner, saddle[i].corner) == 0)
            saddle[i].before = saddle[i - 1].at;
    qsort(saddle, t->saddles, sizeof *saddle, by_time);
    /* The corners still to be given to a ring stand at the front; `place` says where a saddle stands among them. */
    for (size_t i = 0; i < t->length && status == SEG_OK; i++) {
        if (from < t->saddles && saddle[from].at == i) {
            if (saddle[from].before != NOWHERE) {
                const passage key = {.at = saddle[from].before};
                const passage *twin = bsearch(&key, saddle, t->saddles, sizeof key, by_time);
                const size_t place = twin->place;
                status = put_ring(t, t->way + place, kept - place, piece, label);
                kept = place;
            }
            saddle[from++].place = kept;
        }
        t->way[kept++] = t->way[i];
    }
    return status == SEG_OK ? put_ring(t, t->way, kept, piece, label) : status;
}

/* Four pixels round a corner: two across are of the label, the others are not. */
static int is_saddle(const seg_mask *mask, int x, int y, uint8_t label) {
    const int north_west = has_label(mask, x - 1, y - 1, label), north_east = has_label(mask, x, y - 1, label);
    return north_west != north_east && north_west == has_label(mask, x, y, label) &&
           north_east == has_label(mask, x - 1, y, label);
}

static seg_status put_corner(tracing *t, int x, int y, uint8_t label) {
    const seg_corner corner = {x, y};
    const int saddle = is_saddle(t->mask, x, y, label);
    seg_status status = seg_grow(t->ctx, &t->way, t->length, &t->way_room, sizeof *t->way);
    if (status == SEG_OK && saddle)
        status = seg_grow(t->ctx, &t->saddle, t->saddles, &t->saddle_room, sizeof *t->saddle);
    if (status != SEG_OK)
        return status;
    if (saddle)
        t->saddle[t->saddles++] = (passage){corner, t->length, NOWHERE, 0};
    t->way[t->length++] = corner;
    return SEG_OK;
}

static uint32_t piece_at(const tracing *t, int x, int y) {
    return seg_piece_root(t->rows.run, (uint32_t)seg_label_rows_at(&t->rows, x, y));
}

/* Follow the border from the upper side of pixel (x, y), the piece on the right, until it closes. At a saddle the way
 * turns right and so stays with its pixel. */
static seg_status follow(tracing *t, int x, int y) {
    const seg_mask *mask = t->mask;
    const size_t width = (size_t)mask->width, pixel = (size_t)y * width + (size_t)x;
    const uint8_t label = mask->label[pixel];
    const int start_x = x, start_y = y;
    int direction = EAST;
    seg_status status = SEG_OK;
    t->length = t->saddles = 0;
    do {
        const int left = (direction + 3) % 4, before = direction;
        if (direction == EAST)
            t->done[(size_t)y * width + (size_t)x] = 1;
        x += step_x[direction];
        y += step_y[direction];
        if (!has_label(mask, x + ahead_x[direction], y + ahead_y[direction], label))
            direction = (direction + 1) % 4;
        else if (has_label(mask, x + ahead_x[left], y + ahead_y[left], label))
            direction = left;
        if (direction != before)
            status = put_corner(t, x, y, label);
    } while (status == SEG_OK && !(x == start_x && y == start_y && direction == EAST));
    return status == SEG_OK ? cut_way(t, piece_at(t, start_x, start_y), label) : status;
}

static int by_piece(const void *a, const void *b, void *outlines) {
    const seg_ring *p = a, *q = b;
    const seg_corner *corner = ((const seg_outlines *)outlines)->corner;
    if (p->label != q->label)
        return p->label < q->label ? -1 : 1;
    if (p->piece != q->piece)
        return p->piece < q->piece ? -1 : 1;
    return p->hole != q->hole ? p->hole - q->hole : seg_corner_order(corner[p->first], corner[q->first]);
}

seg_status seg_outlines_trace(seg_context *ctx, const seg_mask *mask, seg_outlines *out) {
    const size_t width = (size_t)mask->width, pixels = width * (size_t)mask->height;
    tracing t = {.ctx = ctx, .mask = mask, .out = out};
    memset(out, 0, sizeof *out);
    t.done = seg_alloc_zero(ctx, pixels, 1);
    seg_status status =
        t.done ? seg_label_rows_append(ctx, mask->width, mask->height, mask->label, &t.rows) : SEG_ERR_MEMORY;
    if (status == SEG_OK)
        seg_pieces_join(&t.rows);
    for (int y = 0; y < mask->height && status == SEG_OK; y++) {
        const uint8_t *label = mask->label + (size_t)y * width;
        for (int x = 0; x < mask->width && status == SEG_OK; x++)
            if (label[x] && label[x] != SEG_VOID && !t.done[(size_t)y * width + (size_t)x] &&
                !has_label(mask, x, y - 1, label[x]))
                status = follow(&t, x, y);
        if (status == SEG_OK)
            status = seg_poll(ctx);
    }
    if (status == SEG_OK && out->rings)
        qsort_r(out->ring, out->rings, sizeof *out->ring, by_piece, out);
    seg_label_rows_free(&t.rows);
    free(t.done);
    free(t.way);
    free(t.saddle);
    if (status != SEG_OK)
        seg_outlines_free(out);
    return status;
}

void seg_outlines_free(seg_outlines *outlines) {
    if (!outlines)
        return;
    free(outlines->corner);
    free(outlines->ring);
    memset(outlines, 0, sizeof *outlines);
}

size_t seg_outlines_piece_end(const seg_outlines *outlines, size_t first) {
    size_t end = first + 1;
    while (end < outlines->rings && outlines->ring[end].hole)
        end++;
    return end;
}

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
