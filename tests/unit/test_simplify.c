/* Simplified outlines: judged by brute force on what is written, edge by edge. */
#include "check.h"

#include "masks/exports/export.h"

enum { KINDS = 9 };

static seg_mask make_mask(int kind) {
    static const int size[KINDS][2] = {{1, 1},   {9, 1},   {12, 12}, {20, 16}, {40, 40},
                                       {48, 36}, {30, 30}, {64, 24}, {40, 30}};
    seg_random random = seg_random_seeded(11, (uint64_t)kind);
    seg_mask mask = new_mask(&ctx, size[kind][0], size[kind][1]);
    for (int y = 0, i = 0; y < mask.height; y++)
        for (int x = 0; x < mask.width; x++, i++) {
            const double far = hypot(x - 19.5, y - 19.5), u = seg_random_uniform(&random);
            mask.label[i] = (uint8_t)(kind < 2    ? 1 + x / 3 % 2
                                      : kind == 2 ? 1 + (x / 2 + y / 2) % 2 /* meetings at corners */
                                      : kind == 3 ? (int)(u * 3)            /* noise, and none */
                                      : kind == 4 ? (far < 6    ? 3
                                                     : far < 9  ? 2
                                                     : far < 17 ? 1
                                                                : 2)                       /* rings */
                                      : kind == 5 ? 1 + (2 * x > 3 * y) + (x + 2 * y > 70) /* lines that meet */
                                      : kind == 6 ? (x == 14 || y == 9 ? 2
                                                     : u < 0.03        ? 3
                                                                       : 1)                           /* thin, and specks */
                                      : kind == 7 ? 1 + (y > 12 + 5 * sin(x / 4.0)) + (x == y) /* a bay with a line */
                                      : u < 0.1   ? (u < 0.05 ? 0 : SEG_VOID)
                                                  : 1 + (x / 9 + y / 7) % 3);
        }
    return mask;
}

typedef struct edge {
    seg_corner a, b;
    int label;
} edge;

static edge edges[20000];
static int count;

static int same(seg_corner a, seg_corner b) {
    return a.x == b.x && a.y == b.y;
}

/* All edges of all rings, and the area within. */
static double list_edges(const seg_outlines *o) {
    double twice = 0;
    count = 0;
    for (size_t r = 0; r < o->rings; r++) {
        const seg_ring *ring = &o->ring[r];
        double own = 0;
        for (size_t i = 0; i < ring->count; i++) {
            const seg_corner a = o->corner[ring->first + i], b = o->corner[ring->first + (i + 1) % ring->count];
            assert_true(count < 20000 && !same(a, b));
            edges[count++] = (edge){a, b, ring->label};
            own += a.x * b.y - a.y * b.x;
        }
        assert_true(ring->hole ? own < 0 : own > 0);
        twice += own;
    }
    return twice / 2;
}

static double turn(seg_corner a, seg_corner b, seg_corner c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int is_on(seg_corner p, seg_corner a, seg_corner b) {
    return turn(a, b, p) == 0 && fmin(a.x, b.x) <= p.x && p.x <= fmax(a.x, b.x) && fmin(a.y, b.y) <= p.y &&
           p.y <= fmax(a.y, b.y);
}

/* Two edges are one, share an end or have nothing in common. All numbers are halves: exact. */
static void check_pair(const edge *e, const edge *f) {
    if ((same(e->a, f->a) && same(e->b, f->b)) || (same(e->a, f->b) && same(e->b, f->a)))
        return;
    const seg_corner ends[4] = {f->a, f->b, e->a, e->b};
    for (int i = 0; i < 4; i++) {
        const edge *other = i < 2 ? e : f;
        if (is_on(ends[i], other->a, other->b) && !same(ends[i], other->a) && !same(ends[i], other->b))
            fail_msg("(%g, %g) is on an edge", ends[i].x, ends[i].y);
    }
    const double p = turn(e->a, e->b, f->a), q = turn(e->a, e->b, f->b), r = turn(f->a, f->b, e->a),
                 s = turn(f->a, f->b, e->b);
    if (p * q < 0 && r * s < 0)
        fail_msg("(%g, %g)-(%g, %g) crosses (%g, %g)-(%g, %g)", e->a.x, e->a.y, e->b.x, e->b.y, f->a.x, f->a.y, f->b.x,
                 f->b.y);
}

static double distance(seg_corner p, seg_corner a, seg_corner b) {
    const double dx = b.x - a.x, dy = b.y - a.y, t = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy);
    const double u = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(p.x - a.x - u * dx, p.y - a.y - u * dy);
}

static double farness(seg_corner p, int label) {
    double nearest = INFINITY;
    for (int e = 0; e < count; e++)
        if (edges[e].label == label)
            nearest = fmin(nearest, distance(p, edges[e].a, edges[e].b));
    return nearest;
}

static const double tolerances[] = {0.2, 0.5, 1, 2.5, 10, 100};

TEST(neighbours_keep_one_border) {
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; t++) {
            SCOPED(seg_mask) mask = make_mask(kind);
            SCOPED(seg_outlines) exact, simple;
            size_t pixels = 0;
            int none = 0;
            for (int i = 0; i < mask.width * mask.height; i++) {
                none |= mask.label[i] == 0 || mask.label[i] == SEG_VOID;
                pixels += mask.label[i] != 0 && mask.label[i] != SEG_VOID;
            }
            assert_ok(&ctx, seg_outlines_trace(&ctx, &mask, 0, &exact));
            assert_ok(&ctx, seg_outlines_trace(&ctx, &mask, tolerances[t], &simple));
            assert_int_equal(simple.rings, exact.rings);
            const double area = list_edges(&simple);
            if (!none) /* no gap and no overlap: nothing is lost in all */
                assert_near(area, (double)pixels, 0);
            for (int e = 0; e < count; e++) {
                int twins = 0, again = 0;
                for (int f = 0; f < count; f++) {
                    if (f < e && tolerances[t] < 0.5) /* thin regions may cross beyond */
                        check_pair(&edges[e], &edges[f]);
                    twins += same(edges[e].a, edges[f].b) && same(edges[e].b, edges[f].a);
                    again += same(edges[e].a, edges[f].a) && same(edges[e].b, edges[f].b);
                }
                assert_int_equal(again, 1);
                const int at_edge =
                    (edges[e].a.x == edges[e].b.x && (edges[e].a.x == 0 || edges[e].a.x == mask.width)) ||
                    (edges[e].a.y == edges[e].b.y && (edges[e].a.y == 0 || edges[e].a.y == mask.height));
                if (!none || at_edge)
                    assert_int_equal(twins, !at_edge);
                assert_true(twins <= 1);
            }
            for (size_t r = 0; r < exact.rings; r++) { /* of the same label, for rings change places */
                const seg_ring *ring = &exact.ring[r];
                for (size_t i = 0; i < ring->count; i++) {
                    const seg_corner a = exact.corner[ring->first + i];
                    const seg_corner b = exact.corner[ring->first + (i + 1) % ring->count];
                    const double length = fabs(b.x - a.x) + fabs(b.y - a.y);
                    for (double u = 0.5; u < length; u++) { /* the middles of its sides */
                        const seg_corner p = {a.x + (b.x - a.x) * u / length, a.y + (b.y - a.y) * u / length};
                        assert_true(farness(p, ring->label) <= tolerances[t] + 1e-9);
                    }
                    assert_true(farness(a, ring->label) <= tolerances[t] + sqrt(0.125) + 1e-9);
                }
            }
        }
}

/* A staircase along a slanted line becomes that line, and a disc gets few corners. */
TEST(staircases_become_lines) {
    SCOPED(seg_outlines) outlines;
    SCOPED(seg_mask) mask = new_mask(&ctx, 200, 200);
    for (int i = 0; i < 200 * 200; i++)
        mask.label[i] = (uint8_t)(1 + (i % 200 > i / 200));
    assert_ok(&ctx, seg_outlines_trace(&ctx, &mask, 0.5, &outlines));
    list_edges(&outlines);
    assert_true(count <= 14);
    seg_outlines_free(&outlines);
    for (int i = 0; i < 200 * 200; i++)
        mask.label[i] = (uint8_t)(1 + (hypot(i % 200 - 99.5, (int)(i / 200) - 99.5) < 60));
    assert_ok(&ctx, seg_outlines_trace(&ctx, &mask, 0, &outlines));
    list_edges(&outlines);
    const int before = count;
    seg_outlines_free(&outlines);
    assert_ok(&ctx, seg_outlines_trace(&ctx, &mask, 0.5, &outlines));
    list_edges(&outlines);
    assert_true(4 * (count - 8) < before);
}

TEST(nothing_to_simplify) {
    seg_outlines exact, simple;
    SCOPED(seg_mask) mask = new_mask(&ctx, 5, 4);
    for (int label = 0; label < 2; label++) { /* nothing, and everything */
        memset(mask.label, label, 20);
        assert_ok(&ctx, seg_outlines_trace(&ctx, &mask, 0, &exact));
        assert_ok(&ctx, seg_outlines_trace(&ctx, &mask, 3, &simple));
        assert_true(simple.rings == exact.rings && simple.corners == exact.corners);
        for (size_t c = 0; c < exact.corners; c++)
            assert_true(same(exact.corner[c], simple.corner[c]));
        seg_outlines_free(&exact);
        seg_outlines_free(&simple);
    }
    const seg_export_about wrong = {.simplify = -1}, far = {.simplify = 101}, none = {.simplify = NAN};
    assert_int_equal(seg_export_write(&ctx, "svg", "-", &mask, &wrong), SEG_ERR_USAGE);
    assert_int_equal(seg_export_write(&ctx, "svg", "-", &mask, &far), SEG_ERR_USAGE);
    assert_int_equal(seg_export_write(&ctx, "svg", "-", &mask, &none), SEG_ERR_USAGE);
}

/* Saddles that two ways of a piece share: the rings of a label enclose its pixels, whatever the noise. */
TEST(noise_is_enclosed) {
    for (int round = 0; round < 300; round++) {
        SCOPED(seg_outlines) exact;
        size_t pixels[4] = {0};
        double area[4] = {0};
        seg_random random = seg_random_seeded(12, (uint64_t)round);
        SCOPED(seg_mask) mask = new_mask(&ctx, 9 + round % 20, 16 + round % 7);
        for (size_t i = 0; i < (size_t)mask.width * (size_t)mask.height; i++)
            pixels[mask.label[i] = (uint8_t)(1 + (int)(seg_random_uniform(&random) * 2.2))]++;
        assert_ok(&ctx, seg_outlines_trace(&ctx, &mask, 0, &exact));
        for (size_t r = 0; r < exact.rings; r++)
            for (size_t i = 0; i < exact.ring[r].count; i++) {
                const seg_corner *corner = exact.corner + exact.ring[r].first;
                const seg_corner a = corner[i], b = corner[(i + 1) % exact.ring[r].count];
                area[exact.ring[r].label] += 0.5 * (a.x * b.y - a.y * b.x);
            }
        for (int l = 1; l < 4; l++)
            assert_true(area[l] == (double)pixels[l]);
    }
}
