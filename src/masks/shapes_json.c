/* Shapes of labelme, COCO and GeoJSON, told apart by the members that they have. */
#include "base/base.h"
#include "masks/json_tree.h"
#include "masks/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CIRCLE 64 /* corners */

static seg_status unfit(const seg_shapes *s, const char *what) {
    return seg_fail(s->ctx, SEG_ERR_INPUT, "%s: %s", s->file, what);
}

static int whole(double value, int most) {
    return value >= 1 && value <= most && value == floor(value) ? (int)value : 0;
}

/* A list of two numbers. */
static int pair_at(const seg_tree *t, size_t at, double xy[2]) {
    const size_t x = t->value[at].kind == SEG_TREE_LIST ? seg_tree_first(t, at) : 0, y = x ? t->value[x].next : 0;
    if (!x || !y || t->value[x].kind != SEG_TREE_NUMBER || t->value[y].kind != SEG_TREE_NUMBER)
        return 0;
    xy[0] = t->value[x].number;
    xy[1] = t->value[y].number;
    return 1;
}

/* A list of points as a ring. */
static seg_status add_ring(seg_shapes *s, const seg_tree *t, size_t list) {
    double xy[2];
    if (!list || t->value[list].kind != SEG_TREE_LIST)
        return unfit(s, "a shape has no list of points; export it again");
    for (size_t i = seg_tree_first(t, list); i; i = t->value[i].next) {
        if (!pair_at(t, i, xy))
            return unfit(s, "a point is not two numbers; export it again");
        const seg_status status = seg_shapes_add_point(s, xy[0], xy[1]);
        if (status != SEG_OK)
            return status;
    }
    return seg_shapes_end_ring(s);
}

/* ---- labelme ---- */

/* A rectangle or a circle from its two points. */
static seg_status add_two_points(seg_shapes *s, const seg_tree *t, size_t list, int circle) {
    double a[2], b[2];
    const size_t first = list ? seg_tree_first(t, list) : 0, second = first ? t->value[first].next : 0;
    if (!first || !second || !pair_at(t, first, a) || !pair_at(t, second, b))
        return unfit(s, "a rectangle or circle has no two points; export it again");
    const double radius = hypot(b[0] - a[0], b[1] - a[1]), turn = 2 * acos(-1) / CIRCLE;
    seg_status status = SEG_OK;
    for (int i = 0; i < (circle ? CIRCLE : 4) && status == SEG_OK; i++)
        status = circle ? seg_shapes_add_point(s, a[0] + radius * cos(i * turn), a[1] + radius * sin(i * turn))
                        : seg_shapes_add_point(s, i == 0 || i == 3 ? a[0] : b[0], i < 2 ? a[1] : b[1]);
    return status == SEG_OK ? seg_shapes_end_ring(s) : status;
}

static seg_status read_labelme(seg_shapes *s, const seg_tree *t) {
    seg_status status = SEG_OK;
    s->width = whole(seg_tree_number(t, 1, "imageWidth", 0), SEG_MAX_SIDE);
    s->height = whole(seg_tree_number(t, 1, "imageHeight", 0), SEG_MAX_SIDE);
    for (size_t i = seg_tree_first(t, seg_tree_member(t, 1, "shapes")); i && status == SEG_OK; i = t->value[i].next) {
        const char *type = seg_tree_text(t, i, "shape_type"), *name = seg_tree_text(t, i, "label");
        const size_t points = seg_tree_member(t, i, "points");
        const int number = whole(seg_tree_number(t, i, "group_id", 0), SEG_MAX_LABELS);
        type = type ? type : "polygon";
        const int line = strcmp(type, "line") == 0 || strcmp(type, "linestrip") == 0;
        const int dots = strcmp(type, "point") == 0 || strcmp(type, "points") == 0;
        const int two = strcmp(type, "rectangle") == 0 || strcmp(type, "circle") == 0;
        if (!line && !dots && !two && strcmp(type, "polygon") != 0)
            return seg_fail(
                s->ctx, SEG_ERR_INPUT,
                "%s has a shape of the type '%.40s'; polygons, rectangles, circles, lines and points are read", s->file,
                type);
        status = seg_shapes_add(s, line ? SEG_SHAPE_LINE : dots ? SEG_SHAPE_DOTS : SEG_SHAPE_AREA, number, name);
        if (status == SEG_OK)
            status = two ? add_two_points(s, t, points, type[0] == 'c') : add_ring(s, t, points);
    }
    return status;
}

/* ---- COCO ---- */

/* Run lengths as a text: 5 bits and "more follows" per letter, the difference from the run before the last one. */
static seg_status add_packed_runs(seg_shapes *s, const char *text) {
    int64_t before[2] = {0, 0};
    for (size_t run = 0; *text; run++) {
        int64_t value = 0;
        int shift = 0, more = 1;
        while (more) {
            const int letter = *text - 48;
            if (letter < 0 || letter > 63 || shift > 30)
                return unfit(s, "a mask's run lengths are damaged; export it again");
            value |= (int64_t)(letter & 31) << shift;
            shift += 5;
            more = letter & 32;
            if (!more && letter & 16)
                value -= (int64_t)1 << shift;
            text++;
        }
        if (run > 2)
            value += before[0];
        before[0] = before[1];
        before[1] = value;
        const seg_status status = seg_shapes_add_point(s, 0, (double)value);
        if (status != SEG_OK)
            return status;
    }
    return seg_shapes_end_ring(s);
}

static seg_status add_runs(seg_shapes *s, const seg_tree *t, size_t counts) {
    if (!counts || (t->value[counts].kind != SEG_TREE_LIST && t->value[counts].kind != SEG_TREE_TEXT))
        return unfit(s, "an annotation has a mask without run lengths; export it again");
    if (t->value[counts].kind == SEG_TREE_TEXT)
        return add_packed_runs(s, t->value[counts].text);
    for (size_t i = seg_tree_first(t, counts); i; i = t->value[i].next) {
        const double run = t->value[i].kind == SEG_TREE_NUMBER ? t->value[i].number : -1;
        if (run < 0 || run != floor(run))
            return unfit(s, "a mask's run length is not a whole number; export it again");
        const seg_status status = seg_shapes_add_point(s, 0, run);
        if (status != SEG_OK)
            return status;
    }
    return seg_shapes_end_ring(s);
}

/* A ring of x, y, x, y ... */
static seg_status add_flat_ring(seg_shapes *s, const seg_tree *t, size_t list) {
    for (size_t x = seg_tree_first(t, list); x;) {
        const size_t y = t->value[x].next;
        if (!y || t->value[x].kind != SEG_TREE_NUMBER || t->value[y].kind != SEG_TREE_NUMBER)
            return unfit(s, "a polygon is not a list of x and y; export it again");
        const seg_status status = seg_shapes_add_point(s, t->value[x].number, t->value[y].number);
        if (status != SEG_OK)
            return status;
        x = t->value[y].next;
    }
    return seg_shapes_end_ring(s);
}

static const char *category_name(const seg_tree *t, double id) {
    for (size_t i = seg_tree_first(t, seg_tree_member(t, 1, "categories")); i; i = t->value[i].next)
        if (seg_tree_number(t, i, "id", -1) == id)
            return seg_tree_text(t, i, "name");
    return NULL;
}

static seg_status read_coco(seg_shapes *s, const seg_tree *t) {
    const size_t image = seg_tree_first(t, seg_tree_member(t, 1, "images"));
    const size_t first = seg_tree_first(t, seg_tree_member(t, 1, "annotations"));
    const int listed = seg_tree_member(t, image, "id") > 0;
    double of_image = seg_tree_number(t, image, "id", -1);
    seg_status status = SEG_OK;
    if (image && t->value[image].next)
        return unfit(s, "it is about several images; give a file of one");
    s->width = whole(seg_tree_number(t, image, "width", 0), SEG_MAX_SIDE);
    s->height = whole(seg_tree_number(t, image, "height", 0), SEG_MAX_SIDE);
    for (size_t i = first; i && status == SEG_OK; i = t->value[i].next) {
        const size_t shape = seg_tree_member(t, i, "segmentation");
        const double owner = seg_tree_number(t, i, "image_id", of_image);
        if (owner != of_image) {
            if (listed || i != first)
                return unfit(s,
                             "it has annotations of several images, or of one that is not listed; give a file of one");
            of_image = owner;
        }
        const double category = seg_tree_number(t, i, "category_id", 0);
        const int runs = shape && t->value[shape].kind == SEG_TREE_OBJECT;
        if (!shape || (!runs && t->value[shape].kind != SEG_TREE_LIST))
            return unfit(s, "an annotation has no segmentation; export polygons or masks");
        status = seg_shapes_add(s, runs ? SEG_SHAPE_RUNS : SEG_SHAPE_AREA, whole(category, SEG_MAX_LABELS),
                                category_name(t, category));
        if (status == SEG_OK && runs) {
            const size_t size = seg_tree_first(t, seg_tree_member(t, shape, "size"));
            const size_t width = size ? t->value[size].next : 0;
            if (!s->height && width) {
                s->height = whole(t->value[size].number, SEG_MAX_SIDE);
                s->width = whole(t->value[width].number, SEG_MAX_SIDE);
            }
            if (!width || t->value[size].number != s->height || t->value[width].number != s->width)
                return unfit(s, "a mask is not of the image's size; export it again");
            status = add_runs(s, t, seg_tree_member(t, shape, "counts"));
            continue;
        }
        for (size_t ring = seg_tree_first(t, shape); ring && status == SEG_OK; ring = t->value[ring].next)
            status = t->value[ring].kind == SEG_TREE_LIST ? add_flat_ring(s, t, ring)
                                                          : unfit(s, "a polygon is not a list; export it again");
    }
    return status;
}

/* ---- GeoJSON ---- */

/* Lists within lists, `depth` of them, down to lists of points. */
static seg_status add_rings(seg_shapes *s, const seg_tree *t, size_t list, int depth) {
    seg_status status = SEG_OK;
    if (depth == 0)
        return add_ring(s, t, list);
    if (!list || t->value[list].kind != SEG_TREE_LIST)
        return unfit(s, "a geometry has no coordinates; export it again");
    for (size_t i = seg_tree_first(t, list); i && status == SEG_OK; i = t->value[i].next)
        status = add_rings(s, t, i, depth - 1);
    return status;
}

static seg_status add_geometry(seg_shapes *s, const seg_tree *t, size_t geometry, int number, const char *name) {
    static const struct {
        const char *type;
        seg_shape_kind kind;
        int depth; /* -1: a single point */
    } types[] = {{"Polygon", SEG_SHAPE_AREA, 1},    {"MultiPolygon", SEG_SHAPE_AREA, 2},
                 {"LineString", SEG_SHAPE_LINE, 0}, {"MultiLineString", SEG_SHAPE_LINE, 1},
                 {"MultiPoint", SEG_SHAPE_DOTS, 0}, {"Point", SEG_SHAPE_DOTS, -1}};
    const char *type = seg_tree_text(t, geometry, "type");
    const size_t at = seg_tree_member(t, geometry, "coordinates");
    double xy[2];
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].type, type) != 0)
            continue;
        seg_status status = seg_shapes_add(s, types[i].kind, number, name);
        if (status != SEG_OK || types[i].depth >= 0)
            return status == SEG_OK ? add_rings(s, t, at, types[i].depth) : status;
        if (!at || !pair_at(t, at, xy))
            return unfit(s, "a point is not two numbers; export it again");
        status = seg_shapes_add_point(s, xy[0], xy[1]);
        return status == SEG_OK ? seg_shapes_end_ring(s) : status;
    }
    return seg_fail(s->ctx, SEG_ERR_INPUT,
                    "%s has a geometry of the type '%.40s'; polygons, lines and points, also several, are read",
                    s->file, type ? type : "none");
}

static seg_status add_feature(seg_shapes *s, const seg_tree *t, size_t feature) {
    static const char *const names[] = {"name", "label", "class", "classification"};
    const size_t properties = seg_tree_member(t, feature, "properties");
    const char *name = NULL;
    for (int i = 0; i < 4 && !name; i++) {
        const size_t at = seg_tree_member(t, properties, names[i]);
        name = seg_tree_text(t, properties, names[i]);
        if (!name && at && t->value[at].kind == SEG_TREE_OBJECT) /* QuPath: a name and a colour */
            name = seg_tree_text(t, at, "name");
    }
    return add_geometry(s, t, seg_tree_member(t, feature, "geometry"),
                        whole(seg_tree_number(t, properties, "label", 0), SEG_MAX_LABELS), name);
}

static seg_status read_geojson(seg_shapes *s, const seg_tree *t) {
    const int list = t->value[1].kind == SEG_TREE_LIST; /* of features, as QuPath writes them, too */
    const size_t features = list ? 1 : seg_tree_member(t, 1, "features");
    seg_status status = SEG_OK;
    if (!features)
        return add_feature(s, t, 1);
    for (size_t i = seg_tree_first(t, features); i && status == SEG_OK; i = t->value[i].next)
        status = add_feature(s, t, i);
    return status;
}

seg_status seg_shapes_read_json(seg_shapes *s, const char *text, size_t size) {
    seg_tree tree;
    seg_status status = seg_tree_read(s->ctx, text, size, s->file, &tree);
    if (status != SEG_OK)
        return status;
    if (seg_tree_member(&tree, 1, "shapes"))
        status = read_labelme(s, &tree);
    else if (seg_tree_member(&tree, 1, "annotations"))
        status = read_coco(s, &tree);
    else if (seg_tree_member(&tree, seg_tree_first(&tree, 1), "geometry") || seg_tree_member(&tree, 1, "features") ||
             seg_tree_member(&tree, 1, "geometry"))
        status = read_geojson(s, &tree);
    else
        status = unfit(s, "it is JSON of an unknown kind; labelme, COCO and GeoJSON are read");
    seg_tree_free(&tree);
    return status;
}
