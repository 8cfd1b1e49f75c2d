#include "masks/exports/simplify.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 16 }; /* halves of a pixel: side of the cells in which corners are looked up */
#define NONE SIZE_MAX

/* A corner that may go. */
typedef struct vertex {
    seg_half at;
    size_t before, after; /* along the arc; NONE at its ends */
    uint32_t arc, change; /* change: a number that is another one when its neighbours are */
    uint8_t there;
    uint8_t late; /* not before those that are not */
} vertex;

typedef struct candidate {
    int64_t area; /* of its triangle, in eighths of a pixel */
    size_t vertex;
    uint32_t change;
    uint8_t late;
} candidate;

typedef struct simplifying {
    seg_context *ctx;
    const seg_arcs *exact;
    double tolerance;                  /* halves of a pixel */
    vertex *v;                         /* owned, as all here */
    size_t count, *begin, *end, *left; /* of each arc: its vertices, and how many are there */
    uint32_t *by_ends, *place;         /* arcs in the order of their ends, and where each stands in it */
    size_t *cell, *in_cell;            /* where the vertices of each cell begin in the list of all */
    int columns, rows;
    candidate *heap;
    size_t waiting, heap_room;
} simplifying;

/* --- The corners to choose among. --- */

static int same(seg_half a, seg_half b) {
    return a.x == b.x && a.y == b.y;
}

static int sign(int32_t value) {
    return (value > 0) - (value < 0);
}

static void put_vertex(simplifying *s, uint32_t arc, seg_half at, uint8_t late) {
    if (s->count > s->begin[arc] && same(s->v[s->count - 1].at, at))
        s->v[s->count - 1].late |= late;
    else
        s->v[s->count++] = (vertex){.at = at, .before = NONE, .after = NONE, .arc = arc, .there = 1, .late = late};
}

/* The corner so many behind another one; of an arc with ends the last one stands for what is beyond. */
static seg_half corner_at(const simplifying *s, const seg_arc *arc, size_t i, int further) {
    const int64_t count = (int64_t)arc->count, at = (int64_t)i + further;
    const int64_t inside = at < 0 ? 0 : at >= count ? count - 1 : at;
    return s->exact->corner[arc->first + (size_t)(arc->loop ? (at + count) % count : inside)];
}

/* A long side meets, in that direction, a step of one pixel to another side that goes the same way: such a
 * border is a slanted line, which goes through the middle of the step and not through the end of the long side. */
static uint8_t is_step(const simplifying *s, const seg_arc *arc, size_t i, int way) {
    const seg_half p[4] = {corner_at(s, arc, i, -way), corner_at(s, arc, i, 0), corner_at(s, arc, i, way),
                           corner_at(s, arc, i, 2 * way)};
    const int length = abs(p[1].x - p[0].x) + abs(p[1].y - p[0].y), step = abs(p[2].x - p[1].x) + abs(p[2].y - p[1].y);
    return length > 2 && step == 2 && sign(p[1].x - p[0].x) == sign(p[3].x - p[2].x) &&
           sign(p[1].y - p[0].y) == sign(p[3].y - p[2].y);
}

/* The middles of the pixels' sides before and behind each corner. The cut crosses nothing: it lies in one pixel. */
static void put_arc(simplifying *s, uint32_t number) {
    const seg_arc *arc = &s->exact->arc[number];
    s->begin[number] = s->count;
    for (size_t i = 0; i < arc->count; i++) {
        const seg_half before = corner_at(s, arc, i, -1), at = corner_at(s, arc, i, 0), after = corner_at(s, arc, i, 1);
        if (!arc->loop && (i == 0 || i + 1 == arc->count)) {
            put_vertex(s, number, at, 1);
            continue;
        }
        put_vertex(s, number, (seg_half){at.x + sign(before.x - at.x), at.y + sign(before.y - at.y)},
                   !is_step(s, arc, i, 1));
        put_vertex(s, number, (seg_half){at.x + sign(after.x - at.x), at.y + sign(after.y - at.y)},
                   !is_step(s, arc, i, -1));
    }
    size_t last = s->count - 1;
    const size_t first = s->begin[number];
    if (arc->loop && last > first && same(s->v[first].at, s->v[last].at))
        last = --s->count - 1; /* the last side is as long as a half before and a half behind: one middle */
    for (size_t i = first; i <= last; i++) {
        s->v[i].before = i > first ? i - 1 : arc->loop ? last : NONE;
        s->v[i].after = i < last ? i + 1 : arc->loop ? first : NONE;
    }
    s->left[number] = last + 1 - first;
    s->end[number] = last + 1;
}

/* --- What lies in a triangle. --- */

static seg_status sort_into_cells(simplifying *s, const seg_mask *mask) {
    s->columns = 2 * mask->width / CELL + 1;
    s->rows = 2 * mask->height / CELL + 1;
    const size_t cells = (size_t)s->columns * (size_t)s->rows;
    s->cell = seg_alloc_zero(s->ctx, cells + 2, sizeof *s->cell);
    s->in_cell = seg_alloc(s->ctx, s->count, sizeof *s->in_cell);
    if (!s->cell || !s->in_cell)
        return SEG_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < s->count; i++) {
            const seg_half at = s->v[i].at;
            size_t *to = &s->cell[(size_t)(at.y / CELL) * (size_t)s->columns + (size_t)(at.x / CELL) + (pass ? 1 : 2)];
            if (pass)
                s->in_cell[(*to)++] = i;
            else
                ++*to;
        }
        for (size_t c = 2; c < cells + 2 && !pass; c++)
            s->cell[c] += s->cell[c - 1];
    }
    return SEG_OK;
}

/* Twice the area, positive where a, b, c turn one way. */
static int64_t turn(seg_half a, seg_half b, seg_half c) {
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(b.y - a.y) * (c.x - a.x);
}

static int is_inside(seg_half p, const seg_half t[3]) {
    const int64_t u = turn(t[0], t[1], p), v = turn(t[1], t[2], p), w = turn(t[2], t[0], p);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

/* The triangle's extent from left to right between two heights. */
static void extent_between(const seg_half t[3], double top, double bottom, double *left, double *right) {
    *left = INFINITY;
    *right = -INFINITY;
    for (int i = 0; i < 3; i++) {
        const seg_half a = t[i], b = t[(i + 1) % 3];
        const double from = fmax(top, fmin(a.y, b.y)), to = fmin(bottom, fmax(a.y, b.y));
        if (from > to)
            continue;
        const double slope = a.y == b.y ? 0 : (double)(b.x - a.x) / (b.y - a.y);
        const double one = a.y == b.y ? a.x : a.x + (from - a.y) * slope;
        const double other = a.y == b.y ? b.x : a.x + (to - a.y) * slope;
        *left = fmin(*left, fmin(one, other));
        *right = fmax(*right, fmax(one, other));
    }
}

/* No other corner that is there lies in the triangle or on it. */
static int is_empty(const simplifying *s, const seg_half t[3]) {
    const int top = (t[0].y < t[1].y ? t[0].y : t[1].y), bottom = (t[0].y > t[1].y ? t[0].y : t[1].y);
    const int first = (t[2].y < top ? t[2].y : top) / CELL, last = (t[2].y > bottom ? t[2].y : bottom) / CELL;
    for (int row = first; row <= last; row++) {
        double left, right;
        extent_between(t, row * CELL, (row + 1) * CELL, &left, &right);
        const int from = (int)fmax(0, floor(left - 1)) / CELL, to = (int)ceil(right + 1) / CELL;
        for (int column = from; column <= to && column < s->columns; column++) {
            const size_t cell = (size_t)row * (size_t)s->columns + (size_t)column;
            for (size_t i = s->cell[cell]; i < s->cell[cell + 1]; i++) {
                const vertex *v = &s->v[s->in_cell[i]];
                if (v->there && !same(v->at, t[0]) && !same(v->at, t[1]) && !same(v->at, t[2]) && is_inside(v->at, t))
                    return 0;
            }
        }
    }
    return 1;
}

/* --- Whether a corner may go. --- */

static double distance(seg_half p, seg_half a, seg_half b) {
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    const double along = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
    const double t = along < 0 ? 0 : along > 1 ? 1 : along;
    return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/* All corners that lay between the two are near the line that joins them. */
static int is_near(const simplifying *s, const vertex *a, const vertex *c) {
    const size_t first = s->begin[a->arc], end = s->end[a->arc], to = (size_t)(c - s->v);
    size_t i = (size_t)(a - s->v);
    for (;;) {
        i = i + 1 < end ? i + 1 : first; /* of a loop the first comes round again */
        if (i == to)
            return 1;
        if (distance(s->v[i].at, a->at, c->at) > s->tolerance)
            return 0;
    }
}

/* Another arc already is the straight line between the two ends. */
static int has_straight_twin(const simplifying *s, uint32_t arc) {
    const seg_half *corner = s->exact->corner;
    const seg_arc *own = &s->exact->arc[arc];
    const seg_half end[2] = {corner[own->first], corner[own->first + own->count - 1]};
    for (int step = -1; step <= 1; step += 2)
        for (int64_t at = (int64_t)s->place[arc] + step; at >= 0 && at < (int64_t)s->exact->arcs; at += step) {
            const uint32_t number = s->by_ends[at];
            const seg_arc *other = &s->exact->arc[number];
            const seg_half a = corner[other->first], b = corner[other->first + other->count - 1];
            if (other->loop || !((same(a, end[0]) && same(b, end[1])) || (same(a, end[1]) && same(b, end[0]))))
                break;
            if (s->left[number] == 2)
                return 1;
        }
    return 0;
}

static int may_go(const simplifying *s, const vertex *v) {
    const vertex *a = &s->v[v->before], *c = &s->v[v->after];
    const seg_arc *arc = &s->exact->arc[v->arc];
    const seg_half *corner = s->exact->corner + arc->first;
    const seg_half triangle[3] = {a->at, v->at, c->at};
    const size_t least = arc->loop ? 3 : same(corner[0], corner[arc->count - 1]) ? 4 : 2;
    if (s->left[v->arc] <= least || !is_near(s, a, c))
        return 0;
    if (turn(a->at, v->at, c->at) != 0 && !is_empty(s, triangle))
        return 0;
    return arc->loop || s->left[v->arc] > 3 || !has_straight_twin(s, v->arc);
}

/* --- The smallest triangle first. --- */

static int is_sooner(const candidate *a, const candidate *b) {
    if (a->late != b->late)
        return a->late < b->late;
    return a->area != b->area ? a->area < b->area : a->vertex < b->vertex;
}

static void swap(candidate *a, candidate *b) {
    const candidate kept = *a;
    *a = *b;
    *b = kept;
}

static seg_status push(simplifying *s, size_t number) {
    vertex *v = &s->v[number];
    if (v->before == NONE || v->after == NONE)
        return SEG_OK;
    if (seg_grow(s->ctx, &s->heap, s->waiting, &s->heap_room, sizeof *s->heap) != SEG_OK)
        return SEG_ERR_MEMORY;
    const int64_t area = turn(s->v[v->before].at, v->at, s->v[v->after].at);
    size_t i = s->waiting++;
    s->heap[i] = (candidate){area < 0 ? -area : area, number, ++v->change, v->late};
    for (; i && is_sooner(&s->heap[i], &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&s->heap[i], &s->heap[(i - 1) / 2]);
    return SEG_OK;
}

static candidate pop(simplifying *s) {
    const candidate first = s->heap[0];
    s->heap[0] = s->heap[--s->waiting];
    for (size_t i = 0, child; (child = 2 * i + 1) < s->waiting; i = child) {
        child += child + 1 < s->waiting && is_sooner(&s->heap[child + 1], &s->heap[child]);
        if (!is_sooner(&s->heap[child], &s->heap[i]))
            break;
        swap(&s->heap[i], &s->heap[child]);
    }
    return first;
}

/* Corners that could not go are tried again when a neighbour has gone. */
static seg_status remove_corners(simplifying *s) {
    seg_status status = SEG_OK;
    for (size_t i = 0; i < s->count && !status; i++)
        status = push(s, i);
    for (size_t tried = 0; s->waiting && !status; tried++) {
        const candidate next = pop(s);
        vertex *v = &s->v[next.vertex];
        if (v->there && v->change == next.change && may_go(s, v)) {
            const size_t a = v->before, c = v->after;
            v->there = 0;
            s->left[v->arc]--;
            s->v[a].after = c;
            s->v[c].before = a;
            status = push(s, a);
            if (!status)
                status = push(s, c);
        }
        if (!status && tried % 4096 == 0)
            status = seg_poll(s->ctx);
    }
    return status;
}

/* --- Arcs in, arcs out. --- */

static int by_ends(const void *p, const void *q, void *arcs) {
    const seg_arcs *all = arcs;
    seg_half end[2][2];
    for (int i = 0; i < 2; i++) {
        const seg_arc *arc = &all->arc[*(const uint32_t *)(i ? q : p)];
        const seg_half a = all->corner[arc->first], b = all->corner[arc->first + arc->count - 1];
        const int turned = a.y != b.y ? a.y > b.y : a.x > b.x;
        end[i][0] = turned ? b : a;
        end[i][1] = turned ? a : b;
    }
    for (int e = 0; e < 2; e++) {
        if (end[0][e].y != end[1][e].y)
            return end[0][e].y < end[1][e].y ? -1 : 1;
        if (end[0][e].x != end[1][e].x)
            return end[0][e].x < end[1][e].x ? -1 : 1;
    }
    const seg_arc *a = &all->arc[*(const uint32_t *)p], *b = &all->arc[*(const uint32_t *)q];
    return a->loop != b->loop ? a->loop - b->loop : (a->first > b->first) - (a->first < b->first);
}

static seg_status begin(simplifying *s, const seg_mask *mask) {
    const size_t arcs = s->exact->arcs;
    s->v = seg_alloc(s->ctx, 2 * s->exact->corners + 1, sizeof *s->v);
    s->begin = seg_alloc(s->ctx, arcs, sizeof *s->begin);
    s->end = seg_alloc(s->ctx, arcs, sizeof *s->end);
    s->left = seg_alloc(s->ctx, arcs, sizeof *s->left);
    s->by_ends = seg_alloc(s->ctx, arcs, sizeof *s->by_ends);
    s->place = seg_alloc(s->ctx, arcs, sizeof *s->place);
    if (!s->v || !s->begin || !s->end || !s->left || !s->by_ends || !s->place)
        return SEG_ERR_MEMORY;
    for (uint32_t a = 0; a < arcs; a++) {
        put_arc(s, a);
        s->by_ends[a] = a;
    }
    union {
        const seg_arcs *from;
        void *to;
    } user = {s->exact}; /* only read */
    if (arcs)
        qsort_r(s->by_ends, arcs, sizeof *s->by_ends, by_ends, user.to);
    for (uint32_t a = 0; a < arcs; a++)
        s->place[s->by_ends[a]] = a;
    return sort_into_cells(s, mask);
}

static seg_status finish(const simplifying *s, seg_arcs *made) {
    made->corner = seg_alloc(s->ctx, s->count, sizeof *made->corner);
    made->arc = seg_alloc(s->ctx, s->exact->arcs, sizeof *made->arc);
    if (!made->corner || !made->arc)
        return SEG_ERR_MEMORY;
    for (size_t a = 0; a < s->exact->arcs; a++) {
        seg_arc *arc = &made->arc[made->arcs++];
        *arc = s->exact->arc[a];
        arc->first = made->corners;
        arc->count = s->left[a];
        for (size_t i = s->begin[a]; i < s->end[a]; i++)
            if (s->v[i].there)
                made->corner[made->corners++] = s->v[i].at;
    }
    return SEG_OK;
}

seg_status seg_arcs_simplify(seg_context *ctx, const seg_mask *mask, const seg_arcs *exact, double tolerance,
                             seg_arcs *made) {
    simplifying s = {.ctx = ctx, .exact = exact, .tolerance = 2 * tolerance};
    memset(made, 0, sizeof *made);
    seg_status status = begin(&s, mask);
    if (!status)
        status = remove_corners(&s);
    if (!status)
        status = finish(&s, made);
    if (status)
        seg_arcs_free(made);
    free(s.v);
    free(s.begin);
    free(s.end);
    free(s.left);
    free(s.by_ends);
    free(s.place);
    free(s.cell);
    free(s.in_cell);
    free(s.heap);
    return status;
}
