/* SVG: one path per label. Even-odd filling leaves the holes open. */
#include "masks/exports/export.h"

#include "image/file.h"

#include <math.h>

static void put_escaped(seg_writer *writer, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", writer->file);
            break;
        case '&':
            fputs("&amp;", writer->file);
            break;
        case '>':
            fputs("&gt;", writer->file);
            break;
        default:
            fputc(*text, writer->file);
        }
}

/* A whole number or one and a half, in no locale's way. */
static void put_half(seg_writer *writer, char before, double value) {
    const long halves = lround(2 * fabs(value));
    fprintf(writer->file, "%c%s%ld%s", before, value < 0 ? "-" : "", halves / 2, halves % 2 ? ".5" : "");
}

/* Relative; most corners lie straight above or beside one another, all where nothing was simplified. */
static void put_ring(seg_writer *writer, const seg_outlines *outlines, const seg_ring *ring) {
    const seg_corner *corner = outlines->corner + ring->first;
    put_half(writer, 'M', corner[0].x);
    put_half(writer, ' ', corner[0].y);
    for (size_t i = 1; i < ring->count; i++) {
        const double x = corner[i].x - corner[i - 1].x, y = corner[i].y - corner[i - 1].y;
        if (x != 0 && y != 0) {
            put_half(writer, 'l', x);
            put_half(writer, ' ', y);
        } else {
            put_half(writer, y != 0 ? 'v' : 'h', y != 0 ? y : x);
        }
    }
    fputc('z', writer->file);
}

seg_status seg_export_svg(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    seg_outlines outlines;
    seg_writer writer;
    seg_status status = seg_outlines_trace_simply(ctx, mask, about->simplify, &outlines);
    if (status == SEG_OK)
        status = seg_writer_open(ctx, path, &writer);
    if (status != SEG_OK)
        goto done;
    fprintf(writer.file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "shape-rendering=\"crispEdges\">\n",
            mask->width, mask->height, mask->width, mask->height);
    for (size_t r = 0; r < outlines.rings;) {
        const int label = outlines.ring[r].label;
        char name[64], colour[8];
        seg_export_name(about, label, name);
        seg_export_colour(mask, label, colour);
        fprintf(writer.file, "<path id=\"label-%d\" fill=\"%s\" fill-rule=\"evenodd\" d=\"", label, colour);
        for (; r < outlines.rings && outlines.ring[r].label == label; r++)
            put_ring(&writer, &outlines, &outlines.ring[r]);
        fputs("\"><title>", writer.file);
        put_escaped(&writer, name);
        fputs("</title></path>\n", writer.file);
    }
    fputs("</svg>\n", writer.file);
    status = seg_writer_commit(ctx, &writer);
done:
    seg_outlines_free(&outlines);
    return status;
}
