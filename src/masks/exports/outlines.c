#include "masks/exports/export.h"

#include "base/base.h"
#include "masks/pieces.h"

void seg_outlines_free(seg_outlines *outlines) {
    SEG_CLEAR(outlines, outlines->corner, outlines->ring);
}

enum { EAST, SOUTH, WEST, NORTH };
static const int step_x[] = {1, 0, -1, 0}, step_y[] = {0, 1, 0, -1};
/* From a corner, the pixel ahead on the right of each direction; that on the left is that of the direction before. */
static const int ahead_x[] = {0, -1, -1, 0}, ahead_y[] = {0, 0, -1, -1};

typedef struct ring_maker {
    seg_context *ctx;
    seg_outlines *out;
} ring_maker;

typedef struct tracing {
    ring_maker maker;
    const seg_mask *mask;
    seg_label_rows rows; /* the mask, its pieces joined */
    uint8_t *done;       /* of every pixel: its upper side is part of a ring */
    uint32_t *passed; /* of every pixel's upper left corner: its place in `way` from 1, where the way may pass again */
    seg_corner *way;  /* the corners of the border that is being followed */
    size_t length;
} tracing;

/* The label of a pixel: 0 for void, for unmarked and outside of the image. */
static int label_at(const seg_mask *mask, int x, int y) {
    if (x < 0 || y < 0 || x >= mask->width || y >= mask->height)
        return 0;
    const int label = mask->label[(size_t)y * (size_t)mask->width + (size_t)x];
    return label == SEG_VOID ? 0 : label;
}

/* For sorting in reading order. */
static int corner_order(seg_corner a, seg_corner b) {
    return a.y != b.y ? (a.y > b.y) - (a.y < b.y) : (a.x > b.x) - (a.x < b.x);
}

/* Append a ring that begins at its first corner in reading order. */
static seg_status append_ring(ring_maker *maker, seg_ring ring, const seg_corner *corner) {
    seg_outlines *out = maker->out;
    size_t start = 0;
    ring.first = out->corners;
    for (size_t i = 1; i < ring.count; i++)
        if (corner_order(corner[i], corner[start]) < 0)
            start = i;
    for (size_t i = 0; i < ring.count; i++) {
        SEG_TRY(seg_extend(maker->ctx, &out->corner, out->corners, sizeof *out->corner));
        out->corner[out->corners++] = corner[(start + i) % ring.count];
    }
    SEG_TRY(seg_extend(maker->ctx, &out->ring, out->rings, sizeof *out->ring));
    out->ring[out->rings++] = ring;
    return SEG_OK;
}

/* Four pixels round a corner: two across are of the label, the others are not. */
static int is_saddle(const seg_mask *mask, int x, int y, uint8_t label) {
    const int north_west = label_at(mask, x - 1, y - 1) == label, north_east = label_at(mask, x, y - 1) == label;
    return north_west != north_east && north_west == (label_at(mask, x, y) == label) &&
           north_east == (label_at(mask, x - 1, y) == label);
}

/* The corners of the way from `place` on are a ring. From its first corner the outer ring of a piece goes east and a
 * hole's goes south. Saddles among them that another way passes too are forgotten. */
static seg_status put_ring(tracing *t, size_t place, uint32_t piece, uint8_t label) {
    const size_t count = t->length - place;
    SEG_TRY(append_ring(&t->maker, (seg_ring){.count = count, .piece = piece, .label = label}, t->way + place));
    for (size_t i = place; i < t->length; i++)
        if (is_saddle(t->mask, (int)t->way[i].x, (int)t->way[i].y, label))
            t->passed[(size_t)t->way[i].y * (size_t)t->mask->width + (size_t)t->way[i].x] = 0;
    t->length = place;
    seg_outlines *out = t->maker.out;
    seg_ring *ring = &out->ring[out->rings - 1];
    ring->hole = out->corner[ring->first + 1].y != out->corner[ring->first].y;
    return SEG_OK;
}

/* A way that passes a corner twice (where two pixels meet only there) is cut there: the part between is a ring of its
 * own. Passages of a corner nest like brackets, because the way never crosses itself. */
static seg_status put_corner(tracing *t, int x, int y, uint32_t piece, uint8_t label) {
    SEG_TRY(seg_extend(t->maker.ctx, &t->way, t->length, sizeof *t->way));
    if (is_saddle(t->mask, x, y, label)) {
        uint32_t *passed = &t->passed[(size_t)y * (size_t)t->mask->width + (size_t)x];
        const uint32_t place = *passed;
        if (place)
            SEG_TRY(put_ring(t, place - 1, piece, label));
        *passed = place ? 0 : (uint32_t)t->length + 1;
    }
    t->way[t->length++] = (seg_corner){x, y};
    return SEG_OK;
}

/* Follow the border from the upper side of pixel (x, y), the piece on the right, until it closes. At a saddle the way
 * turns right and so stays with its pixel. */
static seg_status follow(tracing *t, int x, int y) {
    const seg_mask *mask = t->mask;
    const size_t width = (size_t)mask->width;
    const uint8_t label = mask->label[(size_t)y * width + (size_t)x];
    const uint32_t piece = seg_piece_root(t->rows.run, (uint32_t)seg_label_rows_at(&t->rows, x, y));
    const int start_x = x, start_y = y;
    int direction = EAST;
    do {
        const int left = (direction + 3) % 4, before = direction;
        if (direction == EAST)
            t->done[(size_t)y * width + (size_t)x] = 1;
        x += step_x[direction];
        y += step_y[direction];
        if (label_at(mask, x + ahead_x[direction], y + ahead_y[direction]) != label)
            direction = (direction + 1) % 4;
        else if (label_at(mask, x + ahead_x[left], y + ahead_y[left]) == label)
            direction = left;
        if (direction != before)
            SEG_TRY(put_corner(t, x, y, piece, label));
    } while (!(x == start_x && y == start_y && direction == EAST));
    return put_ring(t, 0, piece, label);
}

/* For sorting rings into the order of the outlines (user: the outlines). */
static int ring_order(const void *a, const void *b, void *outlines) {
    const seg_ring *p = a, *q = b;
    const seg_corner *corner = ((const seg_outlines *)outlines)->corner;
    SEG_ORDER_BY(p->label, q->label);
    SEG_ORDER_BY(p->piece, q->piece);
    return p->hole != q->hole ? p->hole - q->hole : corner_order(corner[p->first], corner[q->first]);
}

static void end(tracing *t) {
    seg_label_rows_free(&t->rows);
    SEG_CLEAR(t, t->done, t->way);
}

/* The rings of all pieces, as they are met from the top down. */
static seg_status trace(seg_context *ctx, const seg_mask *mask, seg_outlines *out) {
    const size_t width = (size_t)mask->width, pixels = width * (size_t)mask->height;
    SEG_RELEASED(end) tracing t = {.maker = {.ctx = ctx, .out = out}, .mask = mask};
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(t.done, pixels), SEG_ARRAY(t.passed, pixels)));
    SEG_TRY(seg_label_rows_append(ctx, mask->width, mask->height, mask->label, &t.rows));
    seg_pieces_join(&t.rows);
    for (int y = 0; y < mask->height; y++) {
        const uint8_t *label = mask->label + (size_t)y * width;
        for (int x = 0; x < mask->width; x++)
            if (label[x] && label[x] != SEG_VOID && !t.done[(size_t)y * width + (size_t)x] &&
                label_at(mask, x, y - 1) != label[x])
                SEG_TRY(follow(&t, x, y));
        SEG_TRY(seg_poll(ctx));
    }
    return SEG_OK;
}

/* ---- Fewer corners along the borders of a mask. ---- */

/* A point of a border: the middle of a pixel's side, or a corner that stays. */
typedef struct point {
    seg_corner at;
    int stays;
} point;

typedef struct simplifying {
    ring_maker maker;
    const seg_mask *mask;
    double tolerance;
    point *way; /* of one ring, in its order; owned */
    size_t length;
    const seg_corner *arc; /* a stretch between two corners that stay; borrowed, as the next */
    uint8_t *kept;         /* which of its points are kept */
} simplifying;

/* Three or four borders meet at the corner, or one turns at the image's edge. */
static int is_junction(const seg_mask *mask, int x, int y) {
    const int nw = label_at(mask, x - 1, y - 1), ne = label_at(mask, x, y - 1), sw = label_at(mask, x - 1, y),
              se = label_at(mask, x, y);
    const int across = (ne != se) + (nw != sw), upright = (nw != ne) + (sw != se);
    const int at_edge = x == 0 || y == 0 || x == mask->width || y == mask->height;
    return across + upright > 2 || (at_edge && across == 1 && upright == 1);
}

static seg_status put_point(simplifying *s, double x, double y, int stays) {
    SEG_TRY(seg_extend(s->maker.ctx, &s->way, s->length, sizeof *s->way));
    s->way[s->length++] = (point){{x, y}, stays};
    return SEG_OK;
}

/* The points of a ring, the first a corner that stays: a junction, or the ring's first corner where it has none. */
static seg_status list_points(simplifying *s, const seg_corner *corner, size_t count) {
    size_t begin = 0;
    s->length = 0;
    for (size_t i = 0; i < count; i++) {
        const seg_corner a = corner[i], b = corner[(i + 1) % count];
        const double dx = (b.x > a.x) - (b.x < a.x), dy = (b.y > a.y) - (b.y < a.y);
        for (double x = a.x, y = a.y; x != b.x || y != b.y; x += dx, y += dy) {
            if (is_junction(s->mask, (int)x, (int)y))
                SEG_TRY(put_point(s, x, y, 1));
            SEG_TRY(put_point(s, x + dx / 2, y + dy / 2, 0));
        }
    }
    while (begin < s->length && !s->way[begin].stays)
        begin++;
    if (begin == s->length) {
        SEG_TRY(put_point(s, corner[0].x, corner[0].y, 1));
        begin = s->length - 1;
    }
    /* Turn the list round, and close it. */
    for (size_t i = 0; i < begin; i++)
        SEG_TRY(put_point(s, s->way[i].at.x, s->way[i].at.y, 0));
    SEG_TRY(put_point(s, s->way[begin].at.x, s->way[begin].at.y, 1));
    s->length -= begin;
    memmove(s->way, s->way + begin, s->length * sizeof *s->way);
    return SEG_OK;
}

static double distance(seg_corner p, seg_corner a, seg_corner b) {
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    const double along = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
    const double t = along < 0 ? 0 : along > 1 ? 1 : along;
    return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/* The point between two that is farthest from the line that joins them; `from` where all are on it. */
static size_t farthest(const seg_corner *arc, size_t from, size_t to, double *most) {
    size_t best = from;
    *most = 0;
    for (size_t i = from + 1; i < to; i++) {
        const double far = distance(arc[i], arc[from], arc[to]);
        if (far > *most) {
            *most = far;
            best = i;
        }
    }
    return best;
}

/* Keep the farthest point between two that are kept while it is too far. That of the whole arc is kept in any case, and
 * of a loop one more on either side, so that no region vanishes. */
static void choose(simplifying *s, size_t last) {
    const seg_corner *arc = s->arc;
    double far;
    memset(s->kept, 0, last + 1);
    s->kept[0] = s->kept[last] = 1;
    const size_t middle = farthest(arc, 0, last, &far);
    s->kept[middle] = 1;
    if (corner_order(arc[0], arc[last]) == 0)
        s->kept[farthest(arc, 0, middle, &far)] = s->kept[farthest(arc, middle, last, &far)] = 1;
    for (size_t from = 0, to; from < last;) {
        for (to = from + 1; !s->kept[to];)
            to++;
        const size_t between = farthest(arc, from, to, &far);
        if (far > s->tolerance)
            s->kept[between] = 1;
        else
            from = to;
    }
}

static seg_status simplify_ring(simplifying *s, const seg_ring *ring, const seg_corner *corner) {
    size_t made = 0;
    SEG_TRY(list_points(s, corner, ring->count));
    SEG_LOCAL(seg_corner, points, seg_alloc(s->maker.ctx, s->length, sizeof *points));
    SEG_LOCAL(uint8_t, kept, seg_alloc(s->maker.ctx, s->length, 1));
    s->arc = points;
    s->kept = kept;
    for (size_t from = 0, to; from + 1 < s->length; from = to) {
        for (to = from + 1; !s->way[to].stays;)
            to++;
        const size_t last = to - from;
        const int order = corner_order(s->way[from].at, s->way[to].at); /* on the other side it may be turned */
        const int turned = (order ? order : corner_order(s->way[from + 1].at, s->way[to - 1].at)) > 0;
        for (size_t i = 0; i <= last; i++)
            points[i] = s->way[turned ? to - i : from + i].at;
        choose(s, last);
        for (size_t i = 0; i < last; i++) /* the last is the next arc's first */
            if (kept[turned ? last - i : i])
                s->way[made++].at = s->way[from + i].at;
    }
    for (size_t i = 0; i < made; i++)
        points[i] = s->way[i].at;
    seg_ring simple = *ring;
    simple.count = made;
    return append_ring(&s->maker, simple, points);
}

/* Replace each stretch of border between two corners where three or four borders meet by fewer corners (Douglas and
 * Peucker [douglas1973]): the middles of the pixels' sides along it stay within `tolerance` pixels. Both sides of a
 * border get the same corners, so there are no gaps; where a region is thinner than that, borders may cross. */
static seg_status simplify(seg_context *ctx, const seg_mask *mask, double tolerance, seg_outlines *outlines) {
    seg_outlines made = {0};
    simplifying s = {.maker = {.ctx = ctx, .out = &made}, .mask = mask, .tolerance = tolerance};
    seg_status status = SEG_OK;
    for (size_t r = 0; r < outlines->rings && status == SEG_OK; r++) {
        status = simplify_ring(&s, &outlines->ring[r], outlines->corner + outlines->ring[r].first);
        if (status == SEG_OK && r % 64 == 0)
            status = seg_poll(ctx);
    }
    free(s.way);
    seg_outlines_free(outlines);
    *outlines = made;
    return status;
}

/* ---- The rings of a mask. ---- */

seg_status seg_outlines_trace(seg_context *ctx, const seg_mask *mask, double tolerance, seg_outlines *out) {
    SEG_RELEASED(seg_outlines_free) seg_outlines made = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(trace(ctx, mask, &made));
    if (tolerance > 0)
        SEG_TRY(simplify(ctx, mask, tolerance, &made));
    if (made.rings)
        qsort_r(made.ring, made.rings, sizeof *made.ring, ring_order, &made);
    return SEG_HANDED_OVER(out, made);
}

/* The lowest point straight above `below`, or there, on the closed polygon: *from is the corner there or before it.
 * Upright edges end where others begin. Where nothing is above (simplified borders may cross) it is the first. */
static seg_corner point_above(const seg_corner *polygon, size_t count, seg_corner below, size_t *from) {
    const double x = below.x;
    double best = -1;
    *from = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t next = i + 1 < count ? i + 1 : 0;
        const seg_corner a = polygon[i], b = polygon[next];
        if (a.x == b.x || x < (a.x < b.x ? a.x : b.x) || x > (a.x < b.x ? b.x : a.x))
            continue;
        const double at = x == a.x ? a.y : x == b.x ? b.y : a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y);
        if (at > below.y || at <= best)
            continue;
        best = at;
        *from = x == b.x ? next : i;
    }
    return best < 0 ? polygon[0] : (seg_corner){x, best};
}

/* Put a hole into the polygon of `used` corners, which has room for it. @return its corners then */
static size_t put_hole(seg_corner *polygon, size_t used, const seg_corner *ring, size_t count) {
    size_t from;
    const seg_corner above = point_above(polygon, used, ring[0], &from);
    const int at_corner = polygon[from].x == above.x, touching = corner_order(above, ring[0]) == 0;
    size_t put = from + 1;
    const size_t more = count + (at_corner ? 0 : 1) + (touching ? 0 : 2);
    memmove(polygon + put + more, polygon + put, (used - put) * sizeof *polygon);
    if (!at_corner)
        polygon[put++] = above;
    if (!touching)
        polygon[put++] = ring[0];
    memcpy(polygon + put, ring + 1, (count - 1) * sizeof *polygon);
    put += count - 1;
    polygon[put++] = ring[0];
    if (!touching)
        polygon[put++] = above;
    return used + more;
}

seg_status seg_outlines_join(seg_context *ctx, seg_outlines *outlines) {
    /* A hole is closed, and its cut has two ends on the polygon. */
    SEG_LOCAL(seg_corner, joined, seg_alloc(ctx, outlines->corners + 3 * outlines->rings, sizeof *joined));
    size_t corners = 0, pieces = 0;
    /* Holes come from the top down: what is straight above one is joined already. */
    for (size_t r = 0; r < outlines->rings; r++) {
        const seg_ring ring = outlines->ring[r];
        const seg_corner *corner = outlines->corner + ring.first;
        if (ring.hole) {
            seg_ring *outer = &outlines->ring[pieces - 1];
            outer->count = put_hole(joined + outer->first, outer->count, corner, ring.count);
            corners = outer->first + outer->count;
            continue;
        }
        memcpy(joined + corners, corner, ring.count * sizeof *joined);
        outlines->ring[pieces] = ring;
        outlines->ring[pieces++].first = corners;
        corners += ring.count;
    }
    free(outlines->corner);
    outlines->corner = seg_taken(&joined);
    outlines->corners = corners;
    outlines->rings = pieces;
    return SEG_OK;
}
