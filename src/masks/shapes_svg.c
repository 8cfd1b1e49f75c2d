/* Shapes of SVG: paths, polygons and polylines, where no transformation stands in the way. A path's label is the number
 * in its id, "label-N", else the colour that it is filled with, or drawn with, its own or that of the groups around it.
 * What is hidden, or only there to be referred to, is left out. */
#include "base/base.h"
#include "base/decimal.h"
#include "masks/shapes.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LONGEST 64 /* of an attribute other than the points */
#define STEPS   16 /* straight pieces of a curve */
#define DEEPEST 64 /* elements within elements */

/* What an element hands on to those within it. */
typedef struct inherited {
    char fill[LONGEST], stroke[LONGEST]; /* "": nothing was said */
    int hidden, of_class;
} inherited;

typedef struct svg_reader {
    seg_shapes *shapes;
    const char *at, *end; /* of what is left */
    double left, top, scale_x, scale_y;
    int depth, has_sheet; /* has_sheet: there is a style sheet */
    inherited within[DEEPEST + 1];
} svg_reader;

typedef struct span {
    const char *at, *end;
} span;

static seg_status unfit(const svg_reader *r, const char *what) {
    return seg_fail(r->shapes->ctx, SEG_ERR_INPUT, "%s: %s", r->shapes->file, what);
}

static int is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The value of an attribute within a tag; at is NULL where it is not there. */
static span attribute(span tag, const char *name) {
    const size_t length = strlen(name);
    const char *at = tag.at;
    while (at < tag.end) {
        while (at < tag.end && !is_space(*at))
            at++; /* the tag's name, or what is not understood */
        while (at < tag.end && is_space(*at))
            at++;
        const char *word = at;
        while (at < tag.end && !is_space(*at) && *at != '=')
            at++;
        const size_t got = (size_t)(at - word);
        while (at < tag.end && is_space(*at))
            at++;
        if (at == tag.end || *at != '=')
            continue;
        for (at++; at < tag.end && is_space(*at); at++)
            ;
        if (at == tag.end || (*at != '"' && *at != '\''))
            continue;
        const char *close = memchr(at + 1, *at, (size_t)(tag.end - at - 1));
        if (!close)
            break;
        if (got == length && memcmp(word, name, length) == 0)
            return (span){at + 1, close};
        at = close + 1;
    }
    return (span){NULL, NULL};
}

/* A short attribute, or the property of that name in `style`, as text; "" where there is none. */
static void short_attribute(span tag, const char *name, char text[LONGEST]) {
    span value = attribute(tag, name);
    const span style = attribute(tag, "style");
    const size_t length = strlen(name);
    for (const char *at = style.at; at && at < style.end;) {
        while (at < style.end && is_space(*at))
            at++;
        const char *stop = memchr(at, ';', (size_t)(style.end - at));
        stop = stop ? stop : style.end;
        if ((size_t)(stop - at) > length && memcmp(at, name, length) == 0 && at[length] == ':')
            value = (span){at + length + 1, stop};
        at = stop + (stop < style.end);
    }
    while (value.at && value.at < value.end && is_space(*value.at))
        value.at++;
    const size_t got = value.at ? (size_t)(value.end - value.at) : 0, kept = got < LONGEST ? got : LONGEST - 1;
    memcpy(text, value.at ? value.at : "", kept);
    text[kept] = 0;
}

/* The next number of a list, past blanks and a comma. */
static int number(span *list, double *value) {
    while (list->at < list->end && (is_space(*list->at) || *list->at == ','))
        list->at++;
    if (list->at == list->end || !strchr("+-.0123456789", *list->at))
        return 0;
    char *stop;
    *value = seg_decimal(list->at, &stop); /* ends before the closing quote */
    if (stop == list->at || stop > list->end)
        return 0;
    list->at = stop;
    return 1;
}

static seg_status add_point(const svg_reader *r, const double p[2]) {
    return seg_shapes_add_point(r->shapes, (p[0] - r->left) * r->scale_x, (p[1] - r->top) * r->scale_y);
}

/* A Bezier curve of degree 2 or 3 in straight pieces, without its first point. */
static seg_status add_curve(const svg_reader *r, double p[4][2], int degree) {
    seg_status status = SEG_OK;
    for (int i = 1; i <= STEPS && status == SEG_OK; i++) {
        const double t = (double)i / STEPS, u = 1 - t;
        double to[2];
        for (int c = 0; c < 2; c++)
            to[c] = degree == 2
                        ? u * u * p[0][c] + 2 * u * t * p[1][c] + t * t * p[2][c]
                        : u * u * u * p[0][c] + 3 * u * u * t * p[1][c] + 3 * u * t * t * p[2][c] + t * t * t * p[3][c];
        status = add_point(r, to);
    }
    return status;
}

/* How many numbers a command takes; -1 for what is not read. */
static int numbers_of(char command) {
    switch (command | 32) {
    case 'm':
    case 'l':
        return 2;
    case 'h':
    case 'v':
        return 1;
    case 'q':
        return 4;
    case 'c':
        return 6;
    case 'z':
        return 0;
    default:
        return -1;
    }
}

static seg_status add_path(svg_reader *r, span path) {
    double at[2] = {0, 0}, begin[2] = {0, 0}, n[6];
    char command = 0;
    int open = 0;
    seg_status status = SEG_OK;
    while (status == SEG_OK) {
        while (path.at < path.end && (is_space(*path.at) || *path.at == ','))
            path.at++;
        if (path.at == path.end)
            break;
        const int letter = (*path.at | 32) >= 'a' && (*path.at | 32) <= 'z';
        if (letter)
            command = *path.at++;
        const int count = command ? numbers_of(command) : -1;
        if (count < 0)
            return unfit(r,
                         "a path has arcs or smooth curves, which are not read: convert it to straight lines or Bezier "
                         "curves");
        for (int i = 0; i < count; i++)
            if (!number(&path, &n[i]))
                return unfit(r, "a path is damaged; save it again");
        if (count == 0 && !letter)
            return unfit(r, "a path is damaged; save it again");
        const int relative = command >= 'a';
        double p[4][2] = {{at[0], at[1]}};
        for (int i = 0; i < count / 2; i++)
            for (int c = 0; c < 2; c++)
                p[i + 1][c] = n[2 * i + c] + (relative ? at[c] : 0);
        if (count == 1) {
            const int c = (command | 32) == 'v';
            p[1][c] = n[0] + (relative ? at[c] : 0);
            p[1][!c] = at[!c];
        }
        if ((command | 32) == 'm' || (command | 32) == 'z') {
            if (open && !count) /* the line back to its start */
                status = add_point(r, begin);
            if (open && status == SEG_OK)
                status = seg_shapes_end_ring(r->shapes);
            open = 0;
            memcpy(at, count ? p[1] : begin, sizeof at);
            memcpy(begin, at, sizeof at);
            command = command == 'm' ? 'l' : command == 'M' ? 'L' : command; /* further pairs are lines */
            if (count && status == SEG_OK) {
                status = add_point(r, at);
                open = 1;
            }
            continue;
        }
        if (!open && (status = add_point(r, at)) != SEG_OK)
            break;
        open = 1;
        status = count > 2 ? add_curve(r, p, count / 2) : add_point(r, p[1]);
        memcpy(at, p[count > 2 ? count / 2 : 1], sizeof at);
    }
    return status == SEG_OK && open ? seg_shapes_end_ring(r->shapes) : status;
}

static seg_status add_points(svg_reader *r, span list, int closed) {
    double p[2], begin[2];
    int count = 0;
    seg_status status = SEG_OK;
    while (status == SEG_OK && number(&list, &p[0])) {
        if (!number(&list, &p[1]))
            return unfit(r, "a polygon is damaged; save it again");
        if (count++ == 0)
            memcpy(begin, p, sizeof begin);
        status = add_point(r, p);
    }
    if (closed && count && status == SEG_OK)
        status = add_point(r, begin);
    return status == SEG_OK ? seg_shapes_end_ring(r->shapes) : status;
}

/* A colour in one way of writing: "#rrggbb", also for "#RGB". */
static void unify(char colour[LONGEST]) {
    for (char *c = colour; *c; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c | 32 : *c);
    if (colour[0] != '#' || strlen(colour) != 4)
        return;
    for (int i = 3; i > 0; i--)
        colour[2 * i - 1] = colour[2 * i] = colour[i];
    colour[7] = 0;
}

static int has_colour(const char *text) {
    return text[0] && strcasecmp(text, "none") != 0 && strcasecmp(text, "transparent") != 0;
}

static int is_tag(span tag, const char *name) {
    const size_t length = strlen(name);
    return (size_t)(tag.end - tag.at) >= length && memcmp(tag.at, name, length) == 0 &&
           (tag.at + length == tag.end || is_space(tag.at[length]) || tag.at[length] == '/');
}

/* What an element within `outer` says, or takes from it. */
static void inherit(span tag, const inherited *outer, inherited *out) {
    static const char *const aside[] = {"defs", "clipPath", "mask", "pattern", "marker", "symbol"}; /* not drawn */
    char text[LONGEST];
    *out = *outer;
    short_attribute(tag, "fill", text);
    if (text[0] && strcasecmp(text, "inherit") != 0)
        memcpy(out->fill, text, sizeof text);
    short_attribute(tag, "stroke", text);
    if (text[0] && strcasecmp(text, "inherit") != 0)
        memcpy(out->stroke, text, sizeof text);
    unify(out->fill);
    unify(out->stroke);
    short_attribute(tag, "display", text);
    out->hidden |= strcasecmp(text, "none") == 0;
    short_attribute(tag, "visibility", text);
    out->hidden |= strcasecmp(text, "hidden") == 0;
    for (size_t i = 0; i < sizeof aside / sizeof *aside; i++)
        out->hidden |= is_tag(tag, aside[i]);
    out->of_class |= attribute(tag, "class").at != NULL;
}

static seg_status add_shape(svg_reader *r, span tag, const inherited *own_style, int path, int line) {
    const char *fill = own_style->fill, *stroke = own_style->stroke;
    char id[LONGEST];
    const span points = attribute(tag, path ? "d" : "points");
    short_attribute(tag, "id", id);
    if (!points.at || own_style->hidden)
        return SEG_OK;
    const int drawn = has_colour(stroke) && (line || strcasecmp(fill, "none") == 0);
    if (!drawn && strcasecmp(fill, "none") == 0)
        return SEG_OK; /* it is not seen */
    const int own = strncmp(id, "label-", 6) == 0 && strspn(id + 6, "0123456789") == strlen(id + 6) ? atoi(id + 6) : 0;
    if (!own && r->has_sheet && own_style->of_class)
        return unfit(r, "a style sheet gives its shapes their colours by their class, which is not read: save it with "
                        "the colours as attributes (presentation attributes), or give each shape an id label-1, "
                        "label-2 ...");
    const char *colour = drawn ? stroke : has_colour(fill) ? fill : "#000000";
    const seg_status status = seg_shapes_add(r->shapes, drawn ? SEG_SHAPE_LINE : SEG_SHAPE_AREA,
                                             own >= 1 && own <= SEG_MAX_LABELS ? own : 0, colour);
    if (status != SEG_OK)
        return status;
    return path ? add_path(r, points) : add_points(r, points, !line);
}

/* Pixels that an attribute of the root states; 0 where it is not there or in other units. */
static int length_of(span tag, const char *name) {
    char text[LONGEST], *stop;
    short_attribute(tag, name, text);
    const double value = text[0] ? seg_decimal(text, &stop) : 0;
    if (!text[0] || (*stop && strcmp(stop, "px") != 0) || !(value >= 1 && value <= SEG_MAX_SIDE))
        return 0;
    return (int)value;
}

static void read_root(svg_reader *r, span tag) {
    span box = attribute(tag, "viewBox");
    double v[4];
    int count = 0;
    while (box.at && count < 4 && number(&box, &v[count]))
        count++;
    seg_shapes *s = r->shapes;
    s->width = length_of(tag, "width");
    s->height = length_of(tag, "height");
    if (count < 4 || !(v[2] > 0 && v[3] > 0))
        return;
    if (!s->width || !s->height) {
        s->width = v[2] <= SEG_MAX_SIDE ? (int)v[2] : 0;
        s->height = v[3] <= SEG_MAX_SIDE ? (int)v[3] : 0;
    }
    r->left = v[0];
    r->top = v[1];
    r->scale_x = s->width ? s->width / v[2] : 1;
    r->scale_y = s->height ? s->height / v[3] : 1;
}

/* Past a comment, declaration or the like to the next element's tag or its end, without the brackets. */
static int next_tag(svg_reader *r, span *tag) {
    while (r->at < r->end && (r->at = memchr(r->at, '<', (size_t)(r->end - r->at)))) {
        const char *ending = ">";
        if (r->end - r->at >= 4 && memcmp(r->at, "<!--", 4) == 0)
            ending = "-->";
        const char *stop = r->at;
        if (ending[0] == '-') {
            stop = memmem(r->at, (size_t)(r->end - r->at), ending, 3);
        } else {
            char quote = 0; /* a bracket within quotes ends no tag */
            while (stop < r->end && (quote || *stop != '>')) {
                if (*stop == quote)
                    quote = 0;
                else if (!quote && (*stop == '"' || *stop == '\''))
                    quote = *stop;
                stop++;
            }
        }
        if (!stop || stop == r->end)
            break;
        *tag = (span){r->at + 1, stop};
        r->at = stop + (ending[0] == '-' ? 3 : 1);
        if (tag->at < tag->end && *tag->at != '!' && *tag->at != '?')
            return 1;
    }
    r->at = r->end;
    return 0;
}

/* An element: the root, a group, a shape, or what is left out. */
static seg_status read_element(svg_reader *r, span tag) {
    static const char *const unread[] = {"rect", "circle", "ellipse", "line", "use", "text", "image"};
    const int path = is_tag(tag, "path"), line = is_tag(tag, "polyline"), area = is_tag(tag, "polygon");
    inherited own;
    inherit(tag, &r->within[r->depth], &own);
    r->has_sheet |= is_tag(tag, "style");
    if (tag.end[-1] != '/') { /* it has an end */
        if (r->depth == DEEPEST)
            return unfit(r, "its groups are too deep within each other; ungroup the objects");
        r->within[++r->depth] = own;
    }
    for (size_t i = 0; i < sizeof unread / sizeof *unread && !own.hidden; i++)
        if (is_tag(tag, unread[i]))
            return seg_fail(r->shapes->ctx, SEG_ERR_INPUT,
                            "%s has an element <%s>, which is not read: convert objects to paths (Inkscape: Path, "
                            "Object to Path)",
                            r->shapes->file, unread[i]);
    if ((path || line || area || is_tag(tag, "g")) && !own.hidden && attribute(tag, "transform").at)
        return unfit(r, "it has transformations, which are not read: ungroup the objects and save it as plain SVG with "
                        "optimized transforms");
    return path || line || area ? add_shape(r, tag, &own, path, line) : SEG_OK;
}

seg_status seg_shapes_read_svg(seg_shapes *shapes, const char *text, size_t size) {
    svg_reader *r = seg_alloc_zero(shapes->ctx, 1, sizeof *r);
    span tag;
    int root = 0;
    seg_status status = r ? SEG_OK : SEG_ERR_MEMORY;
    if (r) {
        r->shapes = shapes;
        r->at = text;
        r->end = text + size;
        r->scale_x = r->scale_y = 1;
    }
    while (status == SEG_OK && next_tag(r, &tag)) {
        if (*tag.at == '/') {
            r->depth -= r->depth > 0;
            continue;
        }
        if (is_tag(tag, "svg") && !root) {
            read_root(r, tag);
            root = 1;
        }
        status = read_element(r, tag);
    }
    if (status == SEG_OK && !root)
        status = unfit(r, "it is not a whole SVG; save it again");
    free(r);
    return status;
}
