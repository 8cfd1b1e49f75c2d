/* The formats with polygons: coco, yolo, geojson, svg and labelme. */
#include "masks/exports/export.h"

#include "base/base.h"

#include <segment/names.h>

/* What is written of a mask. */
typedef struct drawing {
    const seg_mask *mask;
    const seg_export_about *about;
    char *photo; /* name of the image without its folders; owned, as the next */
    seg_outlines outlines;
    seg_label_box box[256];
} drawing;

static void end(drawing *d) {
    free(d->photo);
    seg_outlines_free(&d->outlines);
}

/* What holes are to polygons. */
typedef enum holes { NO_POLYGONS, OWN_RINGS, JOINED } holes;

/* SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
static seg_status begin(seg_context *ctx, drawing *d, holes as) {
    const char *photo = d->about->photo ? d->about->photo : "", *slash = strrchr(photo, '/');
    seg_label_boxes(d->mask, d->box);
    d->photo = seg_name_encode(slash ? slash + 1 : photo, SEG_NAME_JSON);
    if (!d->photo)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory for the name of an image");
    if (as != NO_POLYGONS)
        SEG_TRY(seg_outlines_trace(ctx, d->mask, d->about->simplify, &d->outlines));
    return as == JOINED ? seg_outlines_join(ctx, &d->outlines) : SEG_OK;
}

static seg_status write_drawing(seg_context *ctx, const char *path, drawing about, holes as,
                                void (*put)(FILE *to, const drawing *d)) {
    SEG_RELEASED(end) drawing d = about;
    seg_writer writer;
    SEG_TRY(begin(ctx, &d, as));
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    put(writer.file, &d);
    return seg_writer_commit(ctx, &writer);
}

/* A number with up to six decimals, in no locale's way. */
static void put_number(FILE *to, double value) {
    const long long millionths = llround(1e6 * fabs(value)), part = millionths % 1000000;
    char decimals[8];
    fprintf(to, "%s%lld", value < 0 && millionths ? "-" : "", millionths / 1000000);
    if (!part)
        return;
    snprintf(decimals, sizeof decimals, "%06lld", part);
    for (int last = 5; decimals[last] == '0'; last--)
        decimals[last] = 0;
    fprintf(to, ".%s", decimals);
}

/* `count` corners as "x,y,x,y", or with brackets as "[x,y],[x,y]"; behind the last of the ring comes its first. */
static void put_corners(FILE *to, const drawing *d, const seg_ring *ring, size_t count, int brackets) {
    const seg_corner *corner = d->outlines.corner + ring->first;
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "%s%s", i ? "," : "", brackets ? "[" : "");
        put_number(to, corner[i % ring->count].x);
        fputc(',', to);
        put_number(to, corner[i % ring->count].y);
        fputs(brackets ? "]" : "", to);
    }
}

static void put_colour(FILE *to, const drawing *d, int label) {
    const uint8_t *rgb = d->mask->colour[label];
    fprintf(to, "\"#%02x%02x%02x\"", rgb[0], rgb[1], rgb[2]);
}

static void put_name(FILE *to, const drawing *d, int label) {
    char name[64];
    seg_export_name(d->about, label, name);
    seg_export_put_quoted(to, name);
}

/* --- COCO's instances: run lengths, or a polygon for each piece. --- */

/* Counts of pixels column by column, outside and inside in turn, outside first. */
static void put_run_lengths(FILE *to, const seg_mask *mask, int label) {
    const size_t width = (size_t)mask->width, height = (size_t)mask->height;
    size_t run = 0;
    int inside = 0;
    fprintf(to, "{\"size\":[%zu,%zu],\"counts\":[", height, width);
    for (size_t x = 0; x < width; x++)
        for (size_t y = 0; y < height; y++, run++)
            if ((mask->label[y * width + x] == label) != inside) {
                fprintf(to, "%zu,", run);
                inside = !inside;
                run = 0;
            }
    fprintf(to, "%zu]}", run);
}

static void put_coco_polygons(FILE *to, const drawing *d, int label) {
    const char *comma = "";
    fputc('[', to);
    for (const seg_ring *ring = d->outlines.ring; ring < d->outlines.ring + d->outlines.rings; ring++) {
        if (ring->label != label)
            continue;
        fprintf(to, "%s[", comma);
        comma = ",";
        put_corners(to, d, ring, ring->count, 0);
        fputc(']', to);
    }
    fputc(']', to);
}

seg_status seg_coco_put(seg_context *ctx, const seg_mask *mask, const seg_export_about *about, seg_coco_arrays *to) {
    SEG_RELEASED(end) drawing d = {.mask = mask, .about = about};
    SEG_TRY(begin(ctx, &d, about->simplify > 0 ? JOINED : NO_POLYGONS));
    fprintf(to->images, "{\"id\":%d,\"width\":%d,\"height\":%d,\"file_name\":", ++to->image, mask->width, mask->height);
    seg_export_put_quoted(to->images, d.photo);
    fputc('}', to->images);
    const char *comma = "";
    for (int label = 1; label <= SEG_MAX_LABELS; label++) {
        const seg_label_box *e = &d.box[label];
        if (!e->pixels)
            continue;
        fprintf(to->annotations,
                "%s{\"id\":%d,\"image_id\":%d,\"category_id\":%d,\"iscrowd\":0,\"area\":%zu,\"bbox\":[%d,%d,%d,%d],"
                "\"segmentation\":",
                comma, ++to->annotation, to->image, label, e->pixels, e->left, e->top, e->right - e->left,
                e->bottom - e->top);
        if (about->simplify > 0)
            put_coco_polygons(to->annotations, &d, label);
        else
            put_run_lengths(to->annotations, mask, label);
        fputc('}', to->annotations);
        comma = ",";
    }
    return SEG_OK;
}

void seg_coco_put_categories(FILE *to, seg_export_names names) {
    const char *comma = "";
    for (int label = 1; label <= SEG_MAX_LABELS; label++)
        if (names[label - 1][0]) {
            fprintf(to, "%s{\"id\":%d,\"name\":", comma, label);
            seg_export_put_quoted(to, names[label - 1]);
            fputc('}', to);
            comma = ",";
        }
}

/* --- YOLO's segmentation labels: "class x1 y1 x2 y2 ...", corners as parts of width and height. --- */

/* A space and value / whole, rounded to nine decimals: enough to find the corner again at any allowed size. */
static void put_part(FILE *to, double value, int whole) {
    const int64_t unit = 1000000000, part = llround(value * (double)unit / whole);
    fprintf(to, " %d.%09d", (int)(part / unit), (int)(part % unit));
}

static void put_yolo(FILE *to, const drawing *d) {
    for (size_t r = 0; r < d->outlines.rings; r++) {
        const seg_ring *ring = &d->outlines.ring[r];
        const seg_corner *corner = d->outlines.corner + ring->first;
        fprintf(to, "%d", ring->label - 1);
        for (size_t i = 0; i < ring->count; i++) {
            put_part(to, corner[i].x, d->mask->width);
            put_part(to, corner[i].y, d->mask->height);
        }
        fputc('\n', to);
    }
}

seg_status seg_export_yolo(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    return write_drawing(ctx, path, (drawing){.mask = mask, .about = about}, JOINED, put_yolo);
}

/* --- GeoJSON: a MultiPolygon a label. As the format asks for, outer rings turn counterclockwise, as numbers. --- */

static void put_geojson(FILE *to, const drawing *d) {
    int before = 0;
    fputs("{\"type\":\"FeatureCollection\",\"features\":[", to);
    for (size_t r = 0; r < d->outlines.rings; r++) {
        const seg_ring *ring = &d->outlines.ring[r];
        if (ring->label != before) {
            fprintf(to, "%s{\"type\":\"Feature\",\"properties\":{\"label\":%d,\"name\":", before ? "]]}}," : "",
                    ring->label);
            put_name(to, d, ring->label);
            fputs(",\"colour\":", to);
            put_colour(to, d, ring->label);
            fprintf(to, ",\"pixels\":%zu},\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":[[",
                    d->box[ring->label].pixels);
        } else {
            fputs(ring->hole ? "," : "],[", to);
        }
        fputc('[', to);
        put_corners(to, d, ring, ring->count + 1, 1);
        fputc(']', to);
        before = ring->label;
    }
    fputs(before ? "]]}}]}\n" : "]}\n", to);
}

seg_status seg_export_geojson(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    return write_drawing(ctx, path, (drawing){.mask = mask, .about = about}, OWN_RINGS, put_geojson);
}

/* --- SVG: one path per label. Even-odd filling leaves the holes open. --- */

static void put_escaped(FILE *to, const char *text) {
    for (; *text; text++)
        if (*text == '<' || *text == '&' || *text == '>')
            fputs(*text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;", to);
        else
            fputc(*text, to);
}

static void put_after(FILE *to, char before, double value) {
    fputc(before, to);
    put_number(to, value);
}

/* Relative; most corners lie straight above or beside one another, all where nothing was simplified. */
static void put_path(FILE *to, const seg_corner *corner, size_t count) {
    put_after(to, 'M', corner[0].x);
    put_after(to, ' ', corner[0].y);
    for (size_t i = 1; i < count; i++) {
        const double x = corner[i].x - corner[i - 1].x, y = corner[i].y - corner[i - 1].y;
        if (x != 0 && y != 0) {
            put_after(to, 'l', x);
            put_after(to, ' ', y);
        } else {
            put_after(to, y != 0 ? 'v' : 'h', y != 0 ? y : x);
        }
    }
    fputc('z', to);
}

static void put_svg(FILE *to, const drawing *d) {
    const seg_outlines *outlines = &d->outlines;
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "shape-rendering=\"crispEdges\">\n",
            d->mask->width, d->mask->height, d->mask->width, d->mask->height);
    for (size_t r = 0; r < outlines->rings;) {
        const int label = outlines->ring[r].label;
        char name[64];
        seg_export_name(d->about, label, name);
        fprintf(to, "<path id=\"label-%d\" fill=", label);
        put_colour(to, d, label);
        fputs(" fill-rule=\"evenodd\" d=\"", to);
        for (; r < outlines->rings && outlines->ring[r].label == label; r++)
            put_path(to, outlines->corner + outlines->ring[r].first, outlines->ring[r].count);
        fputs("\"><title>", to);
        put_escaped(to, name);
        fputs("</title></path>\n", to);
    }
    fputs("</svg>\n", to);
}

seg_status seg_export_svg(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    return write_drawing(ctx, path, (drawing){.mask = mask, .about = about}, OWN_RINGS, put_svg);
}

/* --- labelme: a polygon a connected piece; those of a label share its number as their group. --- */

static void put_labelme(FILE *to, const drawing *d) {
    fputs("{\"version\":\"5.0.0\",\"flags\":{},\"shapes\":[", to);
    for (size_t r = 0; r < d->outlines.rings; r++) {
        const seg_ring *ring = &d->outlines.ring[r];
        fputs(r ? ",{\"label\":" : "{\"label\":", to);
        put_name(to, d, ring->label);
        fprintf(to, ",\"group_id\":%d,\"shape_type\":\"polygon\",\"flags\":{},\"points\":[", ring->label);
        put_corners(to, d, ring, ring->count, 1);
        fputs("]}", to);
    }
    fputs("],\"imagePath\":", to);
    seg_export_put_quoted(to, d->photo);
    fprintf(to, ",\"imageData\":null,\"imageHeight\":%d,\"imageWidth\":%d}\n", d->mask->height, d->mask->width);
}

seg_status seg_export_labelme(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    return write_drawing(ctx, path, (drawing){.mask = mask, .about = about}, JOINED, put_labelme);
}
