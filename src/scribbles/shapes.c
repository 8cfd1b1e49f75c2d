#include "scribbles/scribbles.h"

#include "base/base.h"
#include "image/mask.h"

#define FARTHEST   262144. /* largest coordinate in pixels; images end at 65535 */
#define MOST_NAMES 4096

/* The index of a name, which is added if it is new; -1: out of memory. */
static int find_name(seg_shapes *s, const char *name) {
    for (size_t i = 0; i < s->names; i++)
        if (strcmp(s->name[i], name) == 0)
            return (int)i;
    char *copy = NULL;
    if (seg_extend(s->ctx, &s->name, s->names, sizeof *s->name) != SEG_OK ||
        !(copy = seg_alloc(s->ctx, strlen(name) + 1, 1)))
        return -1;
    strcpy(copy, name);
    s->name[s->names++] = copy;
    return (int)s->names - 1;
}

seg_status seg_shapes_add(seg_shapes *s, seg_shape_kind kind, int number, const char *name) {
    const int at = name && s->names < MOST_NAMES ? find_name(s, name) : -1;
    if (name && s->names == MOST_NAMES)
        return seg_fail(s->ctx, SEG_ERR_INPUT, "%s has more than %d names of labels; give it at most %d", s->file,
                        MOST_NAMES, SEG_MAX_LABELS);
    if ((name && at < 0) || seg_extend(s->ctx, &s->shape, s->shapes, sizeof *s->shape) != SEG_OK)
        return SEG_ERR_MEMORY;
    s->shape[s->shapes++] = (seg_shape){kind, number, at, s->rings, s->rings};
    return SEG_OK;
}

seg_status seg_shapes_add_point(seg_shapes *s, double x, double y) {
    const double most = s->shape[s->shapes - 1].kind == SEG_SHAPE_RUNS ? (double)SEG_MAX_PIXELS : FARTHEST;
    if (!(fabs(x) <= most && fabs(y) <= most))
        return seg_fail(
            s->ctx, SEG_ERR_INPUT,
            "%s has a point at (%g, %g), far outside of any image; coordinates are pixels from the top left", s->file,
            x, y);
    SEG_TRY(seg_extend(s->ctx, &s->point, s->points, sizeof *s->point));
    s->point[s->points][0] = x;
    s->point[s->points++][1] = y;
    return SEG_OK;
}

seg_status seg_shapes_end_ring(seg_shapes *s) {
    SEG_TRY(seg_extend(s->ctx, &s->ring_end, s->rings, sizeof *s->ring_end));
    s->ring_end[s->rings++] = s->points;
    s->shape[s->shapes - 1].last = s->rings;
    return SEG_OK;
}

void seg_shapes_free(seg_shapes *s) {
    for (size_t i = 0; i < s->names; i++)
        free(s->name[i]);
    SEG_CLEAR(s, s->name, s->point, s->ring_end, s->shape);
}

/* ---- labels ---- */

/* The position of a name in the map, from 1; 0 if it is not in the map. */
static int place_in_map(const seg_labelmap *map, const char *name) {
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->name[i], name) == 0)
            return i + 1;
    return 0;
}

/* "label 7": 7; else 0. */
static int number_in(const char *name) {
    if (strncmp(name, "label ", 6) != 0)
        return 0;
    const size_t digits = strspn(name + 6, "0123456789");
    const int number = digits >= 1 && digits <= 3 && !name[6 + digits] ? atoi(name + 6) : 0;
    return number <= SEG_MAX_LABELS ? number : 0;
}

/* Whether every shape has a number, and numbers and names belong to each other one to one. */
static int numbers_agree(const seg_shapes *s) {
    int name_of[SEG_MAX_LABELS + 1];
    for (int i = 0; i <= SEG_MAX_LABELS; i++)
        name_of[i] = -2;
    for (size_t i = 0; i < s->shapes; i++) {
        const int number = s->shape[i].number, name = s->shape[i].name;
        if (number < 1 || number > SEG_MAX_LABELS || (name_of[number] != -2 && name_of[number] != name))
            return 0;
        for (int other = 1; other <= SEG_MAX_LABELS; other++)
            if (other != number && name >= 0 && name_of[other] == name)
                return 0;
        name_of[number] = name;
    }
    return 1;
}

static int all_mapped(const seg_shapes *s, const seg_labelmap *map) {
    for (size_t i = 0; i < s->names && map; i++)
        if (!place_in_map(map, s->name[i]))
            return 0;
    return map != NULL;
}

/* The label of each name: by the map, by "label N", or by their order. */
static seg_status number_names(const seg_shapes *s, const seg_labelmap *map, int *label) {
    int plain = 1;
    for (size_t i = 0; i < s->names; i++) {
        plain = plain && number_in(s->name[i]) > 0;
        if (map && !place_in_map(map, s->name[i]))
            return seg_fail(s->ctx, SEG_ERR_INPUT,
                            "%s has the label '%.100s', which is not in the label map; add it there", s->file,
                            s->name[i]);
    }
    for (size_t i = 0; i < s->names; i++) {
        int before = 0;
        for (size_t j = 0; j < s->names; j++)
            before += strcmp(s->name[j], s->name[i]) < 0;
        label[i] = map ? place_in_map(map, s->name[i]) : plain ? number_in(s->name[i]) : before + 1;
        if (label[i] > SEG_MAX_LABELS)
            return seg_fail(s->ctx, SEG_ERR_INPUT, "%s has %zu labels; at most %d are read", s->file, s->names,
                            SEG_MAX_LABELS);
    }
    return SEG_OK;
}

seg_status seg_shapes_names(const seg_shapes *s, seg_labelmap *names) {
    int plain = 1;
    for (size_t i = 0; i < s->names; i++)
        plain = plain && number_in(s->name[i]) > 0;
    for (size_t i = 0; i < s->names && !plain && !numbers_agree(s); i++) {
        int at = 0;
        while (at < names->count && strcmp(names->name[at], s->name[i]) < 0)
            at++;
        if (at < names->count && strcmp(names->name[at], s->name[i]) == 0)
            continue;
        if (names->count == SEG_MAX_LABELS || strlen(s->name[i]) >= sizeof names->name[0])
            return seg_fail(s->ctx, SEG_ERR_INPUT,
                            "%s has the label '%.100s'; there may be %d names of at most %zu bytes", s->file,
                            s->name[i], SEG_MAX_LABELS, sizeof names->name[0] - 1);
        memmove(names->name[at + 1], names->name[at], (size_t)(names->count++ - at) * sizeof names->name[0]);
        strcpy(names->name[at], s->name[i]);
    }
    return SEG_OK;
}

seg_status seg_shapes_number(seg_shapes *s, const seg_labelmap *map, uint8_t colour[256][3], int *labels) {
    int named = s->names > 0;
    for (size_t i = 0; i < s->shapes; i++)
        named = named && s->shape[i].name >= 0;
    const int own = numbers_agree(s);
    *labels = 0;
    if (s->shapes == 0)
        return seg_fail(s->ctx, SEG_ERR_INPUT, "%s: nothing is marked, it has no shapes; draw one in each region",
                        s->file);
    if (!own && !named)
        return seg_fail(s->ctx, SEG_ERR_INPUT,
                        "%s has shapes without a label, or with numbers that are not 1 to %d; give each a label",
                        s->file, SEG_MAX_LABELS);
    SEG_LOCAL(int, label, seg_alloc(s->ctx, s->names + 1, sizeof *label));
    if (!own || (named && all_mapped(s, map))) {
        SEG_TRY(number_names(s, map, label));
        for (size_t i = 0; i < s->shapes; i++)
            s->shape[i].number = label[s->shape[i].name];
    }
    for (size_t i = 0; i < s->shapes; i++) {
        const int number = s->shape[i].number;
        if (map && number <= map->count)
            memcpy(colour[number], map->colour[number - 1], 3);
        *labels = number > *labels ? number : *labels;
    }
    return SEG_OK;
}

/* ---- pixels ---- */

/* Rows top .. bottom-1 of an image. The pixels drawn are the same for any division into bands. */
typedef struct band {
    int width, height; /* of the image */
    int top, bottom;
    uint8_t *label; /* (bottom - top) * width */
} band;

static int clamp(double value, int least, int most) {
    return value <= least ? least : value >= most ? most : (int)value;
}

/* The bounding box of a shape in the band: left, right, top, bottom; radius: of strokes. @return 0 if it is empty */
static int box_of(const seg_shapes *s, const seg_shape *shape, double radius, const band *b, int box[4]) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t r = shape->first; r < shape->last; r++)
        for (size_t i = r ? s->ring_end[r - 1] : 0; i < s->ring_end[r]; i++)
            for (int c = 0; c < 2; c++) {
                low[c] = fmin(low[c], s->point[i][c]);
                high[c] = fmax(high[c], s->point[i][c]);
            }
    box[0] = clamp(floor(low[0] - radius), 0, b->width);
    box[1] = clamp(ceil(high[0] + radius) + 1, 0, b->width);
    box[2] = clamp(floor(low[1] - radius), b->top, b->bottom);
    box[3] = clamp(ceil(high[1] + radius) + 1, b->top, b->bottom);
    return box[0] < box[1] && box[2] < box[3];
}

/* For each row whose centre line the edge crosses, toggle all pixels with centres to the right of the edge: only the
 * first one is toggled here, and fill accumulates along the row. */
static void cross_rows(const double a[2], const double b[2], const band *rows, uint8_t *toggled) {
    const double top = a[1] < b[1] ? a[1] : b[1], bottom = a[1] < b[1] ? b[1] : a[1];
    const int first = clamp(ceil(top - 0.5), rows->top, rows->bottom);
    const int last = clamp(ceil(bottom - 0.5), rows->top, rows->bottom);
    for (int y = first; y < last; y++) {
        const double x = a[0] + (y + 0.5 - a[1]) * (b[0] - a[0]) / (b[1] - a[1]);
        toggled[(size_t)(y - rows->top) * (size_t)(rows->width + 1) + (size_t)clamp(ceil(x - 0.5), 0, rows->width)] ^=
            1;
    }
}

static void fill(const seg_shapes *s, const seg_shape *shape, uint8_t *toggled, const band *b) {
    const size_t width = (size_t)b->width;
    int box[4];
    if (!box_of(s, shape, 1, b, box))
        return;
    memset(toggled + (size_t)(box[2] - b->top) * (width + 1), 0, (width + 1) * (size_t)(box[3] - box[2]));
    for (size_t r = shape->first; r < shape->last; r++) {
        const size_t begin = r ? s->ring_end[r - 1] : 0, end = s->ring_end[r];
        for (size_t i = begin; i < end; i++)
            cross_rows(s->point[i], s->point[i + 1 < end ? i + 1 : begin], b, toggled);
    }
    for (int y = box[2]; y < box[3]; y++) {
        const size_t row = (size_t)(y - b->top);
        int inside = 0;
        for (int x = box[0]; x < box[1]; x++) {
            inside ^= toggled[row * (width + 1) + (size_t)x];
            if (inside)
                b->label[row * width + (size_t)x] = (uint8_t)shape->number;
        }
    }
}

/* Label the pixels with centres within `radius` of a point. */
static void stamp(double x, double y, double radius, int label, const band *b) {
    const int left = clamp(floor(x - radius), 0, b->width), right = clamp(ceil(x + radius), 0, b->width);
    const int top = clamp(floor(y - radius), b->top, b->bottom), bottom = clamp(ceil(y + radius), b->top, b->bottom);
    for (int v = top; v < bottom; v++)
        for (int u = left; u < right; u++)
            if ((u + 0.5 - x) * (u + 0.5 - x) + (v + 0.5 - y) * (v + 0.5 - y) <= radius * radius)
                b->label[(size_t)(v - b->top) * (size_t)b->width + (size_t)u] = (uint8_t)label;
}

/* The part of a segment within `margin` of the image, as fractions of its length. @return 0 if there is none */
static int clip(const double a[2], const double b[2], const band *rows, double margin, double share[2]) {
    const double high[2] = {rows->width + margin, rows->height + margin};
    share[0] = 0;
    share[1] = 1;
    for (int c = 0; c < 2; c++) {
        const double way = b[c] - a[c], in = (-margin - a[c]) / way, end = (high[c] - a[c]) / way;
        if (way == 0) {
            if (a[c] < -margin || a[c] > high[c])
                return 0;
            continue;
        }
        share[0] = fmax(share[0], fmin(in, end));
        share[1] = fmin(share[1], fmax(in, end));
    }
    return share[0] <= share[1];
}

static void draw_segment(const double a[2], const double b[2], double radius, int label, const band *rows) {
    const double length = hypot(b[0] - a[0], b[1] - a[1]);
    double share[2];
    if (fmin(a[1], b[1]) - radius > rows->bottom || fmax(a[1], b[1]) + radius < rows->top ||
        !clip(a, b, rows, radius + 1, share))
        return;
    const int steps = (int)ceil(2 * length * (share[1] - share[0])) + 1; /* half a pixel each */
    for (int k = 0; k <= steps; k++) {
        const double t = share[0] + (share[1] - share[0]) * k / steps;
        stamp(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, radius, label, rows);
    }
}

static void draw_points(const seg_shapes *s, const seg_shape *shape, const band *b) {
    const double radius = shape->kind == SEG_SHAPE_LINE ? 1.5 : 2.5;
    for (size_t r = shape->first; r < shape->last; r++) {
        const size_t begin = r ? s->ring_end[r - 1] : 0, end = s->ring_end[r];
        for (size_t i = begin; i < end; i++) {
            const size_t next = shape->kind == SEG_SHAPE_LINE && i + 1 < end ? i + 1 : i;
            draw_segment(s->point[i], s->point[next], radius, shape->number, b);
        }
    }
}

static void draw_shape(const seg_shapes *s, const seg_shape *shape, uint8_t *toggled, const band *b) {
    if (shape->kind == SEG_SHAPE_AREA)
        fill(s, shape, toggled, b);
    else if (shape->kind != SEG_SHAPE_RUNS)
        draw_points(s, shape, b);
}

void seg_shapes_draw_rows(const seg_shapes *s, int top, int bottom, uint8_t *toggled, uint8_t *label) {
    const band b = {s->width, s->height, top, bottom, label};
    memset(label, 0, (size_t)(bottom - top) * (size_t)s->width);
    for (size_t i = 0; i < s->shapes; i++)
        draw_shape(s, &s->shape[i], toggled, &b);
}

static seg_status draw_runs(const seg_shapes *s, const seg_shape *shape, seg_mask *out) {
    const size_t width = (size_t)out->width, height = (size_t)out->height, pixels = width * height;
    size_t at = 0;
    for (size_t r = shape->first; r < shape->last; r++) {
        const size_t begin = r ? s->ring_end[r - 1] : 0, end = s->ring_end[r];
        for (size_t i = begin; i < end; i++) {
            const double run = s->point[i][1];
            if (run < 0 || run > (double)(pixels - at))
                return seg_fail(s->ctx, SEG_ERR_INPUT, "%s has run lengths that do not match its %zu pixels", s->file,
                                pixels);
            for (size_t k = 0; k < (size_t)run; k++, at++)
                if ((i - begin) % 2)
                    out->label[at % height * width + at / height] = (uint8_t)shape->number;
        }
    }
    return SEG_OK;
}

seg_status seg_shapes_draw(seg_shapes *s, const seg_labelmap *map, seg_mask *out) {
    SEG_RELEASED(seg_mask_free) seg_mask made = {0};
    memset(out, 0, sizeof *out);
    if (s->shapes > 0) /* without shapes the size may be invalid; seg_shapes_number then fails */
        SEG_TRY(seg_mask_create(s->ctx, s->width, s->height, &made));
    SEG_TRY(seg_shapes_number(s, map, made.colour, &made.labels));
    SEG_LOCAL(uint8_t, toggled, seg_alloc(s->ctx, (size_t)s->width + 1, (size_t)s->height));
    const band all = {s->width, s->height, 0, s->height, made.label};
    for (size_t i = 0; i < s->shapes; i++)
        if (s->shape[i].kind == SEG_SHAPE_RUNS)
            SEG_TRY(draw_runs(s, &s->shape[i], &made));
        else
            draw_shape(s, &s->shape[i], toggled, &all);
    return SEG_HANDED_OVER(out, made);
}
