/* Fewer corners along the borders of a mask. */
#include "masks/exports/outlines.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point of a border: the middle of a pixel's side, or a corner that stays. */
typedef struct point {
    seg_corner at;
    int stays;
} point;

typedef struct simplifying {
    seg_ring_maker maker;
    const seg_mask *mask;
    double tolerance;
    point *way; /* of one ring, in its order; owned */
    size_t length, room;
    const seg_corner *arc; /* a stretch between two corners that stay; borrowed, as the next */
    uint8_t *kept;         /* which of its points are kept */
} simplifying;

/* The label of a pixel: 0 for void, for unmarked and outside of the image. */
static int label_at(const seg_mask *mask, int x, int y) {
    if (x < 0 || y < 0 || x >= mask->width || y >= mask->height)
        return 0;
    const int label = mask->label[(size_t)y * (size_t)mask->width + (size_t)x];
    return label == SEG_VOID ? 0 : label;
}

/* Three or four borders meet at the corner, or one turns at the image's edge. */
static int is_junction(const seg_mask *mask, int x, int y) {
    const int nw = label_at(mask, x - 1, y - 1), ne = label_at(mask, x, y - 1), sw = label_at(mask, x - 1, y),
              se = label_at(mask, x, y);
    const int across = (ne != se) + (nw != sw), upright = (nw != ne) + (sw != se);
    const int at_edge = x == 0 || y == 0 || x == mask->width || y == mask->height;
    return across + upright > 2 || (at_edge && across == 1 && upright == 1);
}

static seg_status put_point(simplifying *s, double x, double y, int stays) {
    SEG_TRY(seg_grow(s->maker.ctx, &s->way, s->length, &s->room, sizeof *s->way));
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
    if (seg_corner_order(arc[0], arc[last]) == 0)
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

/* Whether the points from one to another come in the other direction on the other side of the border. */
static int is_turned(const point *from, const point *to) {
    const int order = seg_corner_order(from->at, to->at);
    return (order ? order : seg_corner_order(from[1].at, to[-1].at)) > 0;
}

static seg_status simplify_ring(simplifying *s, const seg_ring *ring, const seg_corner *corner) {
    size_t made = 0;
    SEG_TRY(list_points(s, corner, ring->count));
    SEG_FREED seg_corner *points = seg_alloc(s->maker.ctx, s->length, sizeof *points);
    SEG_FREED uint8_t *kept = seg_alloc(s->maker.ctx, s->length, 1);
    s->arc = points;
    s->kept = kept;
    if (!points || !kept)
        return SEG_ERR_MEMORY;
    for (size_t from = 0, to; from + 1 < s->length; from = to) {
        for (to = from + 1; !s->way[to].stays;)
            to++;
        const size_t last = to - from;
        const int turned = is_turned(&s->way[from], &s->way[to]);
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
    return seg_ring_append(&s->maker, simple, points);
}

seg_status seg_outlines_simplify(seg_context *ctx, const seg_mask *mask, double tolerance, seg_outlines *outlines) {
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
