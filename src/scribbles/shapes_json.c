/* Shapes of labelme, COCO and GeoJSON, distinguished by their members. */
#include "base/base.h"
#include "base/json_read.h"
#include "scribbles/scribbles.h"

#define CIRCLE 64 /* corners of the polygon for a circle */

static seg_status unfit(const seg_shapes *s, const char *what) {
    return seg_fail(s->ctx, SEG_ERR_INPUT, "%s: %s", s->file, what);
}

static int whole(double value, int most) {
    return value >= 1 && value <= most && value == floor(value) ? (int)value : 0;
}

static double number_of(const json_t *object, const char *key, double otherwise) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* A list of two numbers. */
static int pair_at(const json_t *list, double xy[2]) {
    for (size_t c = 0; c < 2; c++) {
        const json_t *value = json_array_get(list, c);
        if (!json_is_number(value))
            return 0;
        xy[c] = json_number_value(value);
    }
    return 1;
}

static seg_status add_point(seg_shapes *s, const json_t *point) {
    double xy[2];
    return pair_at(point, xy) ? seg_shapes_add_point(s, xy[0], xy[1])
                              : unfit(s, "a point is not two numbers; export it again");
}

/* A list of points as a ring. */
static seg_status add_ring(seg_shapes *s, const json_t *list) {
    if (!json_is_array(list))
        return unfit(s, "a shape has no list of points; export it again");
    for (size_t i = 0; i < json_array_size(list); i++)
        SEG_TRY(add_point(s, json_array_get(list, i)));
    return seg_shapes_end_ring(s);
}

/* ---- labelme ---- */

/* A rectangle or a circle from its two points. */
static seg_status add_two_points(seg_shapes *s, const json_t *list, int circle) {
    double a[2], b[2];
    if (!pair_at(json_array_get(list, 0), a) || !pair_at(json_array_get(list, 1), b))
        return unfit(s, "a rectangle or circle has no two points; export it again");
    const double radius = hypot(b[0] - a[0], b[1] - a[1]), turn = 2 * acos(-1) / CIRCLE;
    for (int i = 0; i < (circle ? CIRCLE : 4); i++)
        SEG_TRY(circle ? seg_shapes_add_point(s, a[0] + radius * cos(i * turn), a[1] + radius * sin(i * turn))
                       : seg_shapes_add_point(s, i == 0 || i == 3 ? a[0] : b[0], i < 2 ? a[1] : b[1]));
    return seg_shapes_end_ring(s);
}

static seg_status read_labelme(seg_shapes *s, const json_t *top) {
    s->width = whole(number_of(top, "imageWidth", 0), SEG_MAX_SIDE);
    s->height = whole(number_of(top, "imageHeight", 0), SEG_MAX_SIDE);
    const json_t *shapes = json_object_get(top, "shapes");
    for (size_t i = 0; i < json_array_size(shapes); i++) {
        const json_t *shape = json_array_get(shapes, i), *points = json_object_get(shape, "points");
        const char *type = text_of(shape, "shape_type"), *name = text_of(shape, "label");
        const int number = whole(number_of(shape, "group_id", 0), SEG_MAX_LABELS);
        type = type ? type : "polygon";
        const int line = strcmp(type, "line") == 0 || strcmp(type, "linestrip") == 0;
        const int dots = strcmp(type, "point") == 0 || strcmp(type, "points") == 0;
        const int two = strcmp(type, "rectangle") == 0 || strcmp(type, "circle") == 0;
        if (!line && !dots && !two && strcmp(type, "polygon") != 0)
            return seg_fail(
                s->ctx, SEG_ERR_INPUT,
                "%s has a shape of the type '%.40s'; polygons, rectangles, circles, lines and points are read", s->file,
                type);
        SEG_TRY(seg_shapes_add(s, line ? SEG_SHAPE_LINE : dots ? SEG_SHAPE_DOTS : SEG_SHAPE_AREA, number, name));
        SEG_TRY(two ? add_two_points(s, points, type[0] == 'c') : add_ring(s, points));
    }
    return SEG_OK;
}

/* ---- COCO ---- */

/* Run lengths as text: 5 bits and a continuation bit per character; from the fourth on, differences from two before. */
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
        SEG_TRY(seg_shapes_add_point(s, 0, (double)value));
    }
    return seg_shapes_end_ring(s);
}

static seg_status add_runs(seg_shapes *s, const json_t *counts) {
    if (json_is_string(counts))
        return add_packed_runs(s, json_string_value(counts));
    if (!json_is_array(counts))
        return unfit(s, "an annotation has a mask without run lengths; export it again");
    for (size_t i = 0; i < json_array_size(counts); i++) {
        const json_t *value = json_array_get(counts, i);
        const double run = json_is_number(value) ? json_number_value(value) : -1;
        if (!(run >= 0 && run == floor(run)))
            return unfit(s, "a mask's run length is not a whole number; export it again");
        SEG_TRY(seg_shapes_add_point(s, 0, run));
    }
    return seg_shapes_end_ring(s);
}

/* A ring of x, y, x, y ... */
static seg_status add_flat_ring(seg_shapes *s, const json_t *list) {
    if (!json_is_array(list))
        return unfit(s, "a polygon is not a list; export it again");
    for (size_t i = 0; i < json_array_size(list); i += 2) {
        const json_t *x = json_array_get(list, i), *y = json_array_get(list, i + 1);
        if (!json_is_number(x) || !json_is_number(y))
            return unfit(s, "a polygon is not a list of x and y; export it again");
        SEG_TRY(seg_shapes_add_point(s, json_number_value(x), json_number_value(y)));
    }
    return seg_shapes_end_ring(s);
}

static const char *category_name(const json_t *categories, double id) {
    for (size_t i = 0; i < json_array_size(categories); i++)
        if (number_of(json_array_get(categories, i), "id", -1) == id)
            return text_of(json_array_get(categories, i), "name");
    return NULL;
}

/* Run lengths of a mask, which states its size. */
static seg_status add_mask(seg_shapes *s, const json_t *mask) {
    double size[2]; /* height, width */
    if (!pair_at(json_object_get(mask, "size"), size))
        return unfit(s, "a mask does not state its size; export it again");
    if (!s->height) {
        s->height = whole(size[0], SEG_MAX_SIDE);
        s->width = whole(size[1], SEG_MAX_SIDE);
    }
    if (size[0] != s->height || size[1] != s->width)
        return unfit(s, "a mask is not of the image's size; export it again");
    return add_runs(s, json_object_get(mask, "counts"));
}

static seg_status read_coco(seg_shapes *s, const json_t *top) {
    const json_t *images = json_object_get(top, "images"), *image = json_array_get(images, 0);
    const json_t *annotations = json_object_get(top, "annotations"), *categories = json_object_get(top, "categories");
    const int listed = json_object_get(image, "id") != NULL;
    double of_image = number_of(image, "id", -1);
    if (json_array_size(images) > 1)
        return unfit(s, "it is about several images; give a file of one");
    s->width = whole(number_of(image, "width", 0), SEG_MAX_SIDE);
    s->height = whole(number_of(image, "height", 0), SEG_MAX_SIDE);
    for (size_t i = 0; i < json_array_size(annotations); i++) {
        const json_t *annotation = json_array_get(annotations, i), *shape = json_object_get(annotation, "segmentation");
        const double owner = number_of(annotation, "image_id", of_image);
        if (owner != of_image) {
            if (listed || i)
                return unfit(s,
                             "it has annotations of several images, or of one that is not listed; give a file of one");
            of_image = owner;
        }
        const double category = number_of(annotation, "category_id", 0);
        const int runs = json_is_object(shape);
        if (!runs && !json_is_array(shape))
            return unfit(s, "an annotation has no segmentation; export polygons or masks");
        SEG_TRY(seg_shapes_add(s, runs ? SEG_SHAPE_RUNS : SEG_SHAPE_AREA, whole(category, SEG_MAX_LABELS),
                               category_name(categories, category)));
        if (runs)
            SEG_TRY(add_mask(s, shape));
        for (size_t ring = 0; ring < json_array_size(shape); ring++)
            SEG_TRY(add_flat_ring(s, json_array_get(shape, ring)));
    }
    return SEG_OK;
}

/* ---- GeoJSON ---- */

/* Add the rings of lists that are nested `depth` deep above the lists of points. */
static seg_status add_rings(seg_shapes *s, const json_t *list, int depth) {
    if (depth == 0)
        return add_ring(s, list);
    if (!json_is_array(list))
        return unfit(s, "a geometry has no coordinates; export it again");
    for (size_t i = 0; i < json_array_size(list); i++)
        SEG_TRY(add_rings(s, json_array_get(list, i), depth - 1));
    return SEG_OK;
}

static seg_status add_geometry(seg_shapes *s, const json_t *geometry, int number, const char *name) {
    static const struct {
        const char *type;
        seg_shape_kind kind;
        int depth; /* -1: a single point */
    } types[] = {{"Polygon", SEG_SHAPE_AREA, 1},    {"MultiPolygon", SEG_SHAPE_AREA, 2},
                 {"LineString", SEG_SHAPE_LINE, 0}, {"MultiLineString", SEG_SHAPE_LINE, 1},
                 {"MultiPoint", SEG_SHAPE_DOTS, 0}, {"Point", SEG_SHAPE_DOTS, -1}};
    const char *type = text_of(geometry, "type");
    const json_t *at = json_object_get(geometry, "coordinates");
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].type, type) != 0)
            continue;
        SEG_TRY(seg_shapes_add(s, types[i].kind, number, name));
        if (types[i].depth >= 0)
            return add_rings(s, at, types[i].depth);
        SEG_TRY(add_point(s, at));
        return seg_shapes_end_ring(s);
    }
    return seg_fail(s->ctx, SEG_ERR_INPUT,
                    "%s has a geometry of the type '%.40s'; polygons, lines and points, also several, are read",
                    s->file, type ? type : "none");
}

static seg_status add_feature(seg_shapes *s, const json_t *feature) {
    static const char *const names[] = {"name", "label", "class", "classification"};
    const json_t *properties = json_object_get(feature, "properties");
    const char *name = NULL;
    for (int i = 0; i < 4 && !name; i++) {
        name = text_of(properties, names[i]);
        if (!name) /* QuPath: a name and a colour */
            name = text_of(json_object_get(properties, names[i]), "name");
    }
    return add_geometry(s, json_object_get(feature, "geometry"),
                        whole(number_of(properties, "label", 0), SEG_MAX_LABELS), name);
}

static seg_status read_geojson(seg_shapes *s, const json_t *top) {
    /* A list of features, as QuPath writes them, too. */
    const json_t *features = json_is_array(top) ? top : json_object_get(top, "features");
    if (!features)
        return add_feature(s, top);
    for (size_t i = 0; i < json_array_size(features); i++)
        SEG_TRY(add_feature(s, json_array_get(features, i)));
    return SEG_OK;
}

seg_status seg_shapes_read_json(seg_shapes *s, const char *text, size_t size) {
    const size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* byte order mark */
    json_error_t error;
    json_t *top = seg_json_read(text + mark, size - mark, JSON_DECODE_INT_AS_REAL, &error);
    if (!top && errno == ENOMEM)
        return seg_fail(s->ctx, SEG_ERR_MEMORY, "out of memory while reading %s", s->file);
    if (!top)
        return seg_fail(s->ctx, SEG_ERR_INPUT, "%s is damaged JSON, or not UTF-8, in line %d; save it again", s->file,
                        error.line);
    seg_status status;
    if (json_object_get(top, "shapes"))
        status = read_labelme(s, top);
    else if (json_object_get(top, "annotations"))
        status = read_coco(s, top);
    else if (json_object_get(json_array_get(top, 0), "geometry") || json_object_get(top, "features") ||
             json_object_get(top, "geometry"))
        status = read_geojson(s, top);
    else
        status = unfit(s, "it is JSON of an unknown kind; labelme, COCO and GeoJSON are read");
    json_decref(top);
    return status;
}
