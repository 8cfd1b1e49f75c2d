/* YOLO's segmentation labels: "class x1 y1 x2 y2 ...", corners as parts of width and height. */
#include "masks/exports/export.h"

#include "image/file.h"

#include <math.h>
#include <stdlib.h>

/* A space and value / whole, rounded to nine decimals: enough to find the corner again at any allowed size. Whole
 * numbers, so that no locale has a say. */
static void put_part(seg_writer *writer, double value, int whole) {
    const int64_t unit = 1000000000, part = llround(value * (double)unit / whole);
    fprintf(writer->file, " %d.%09d", (int)(part / unit), (int)(part % unit));
}

seg_status seg_export_yolo(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    seg_outlines outlines;
    seg_writer writer = {0};
    seg_status status = seg_outlines_trace_simply(ctx, mask, about->simplify, &outlines);
    if (status == SEG_OK)
        status = seg_writer_open(ctx, path, &writer);
    for (size_t r = 0; r < outlines.rings && status == SEG_OK;) {
        const size_t end = seg_outlines_piece_end(&outlines, r);
        seg_corner *polygon;
        size_t count;
        status = seg_outlines_join(ctx, &outlines, r, end, &polygon, &count);
        if (status == SEG_OK) {
            fprintf(writer.file, "%d", outlines.ring[r].label - 1);
            for (size_t i = 0; i < count; i++) {
                put_part(&writer, polygon[i].x, mask->width);
                put_part(&writer, polygon[i].y, mask->height);
            }
            fputc('\n', writer.file);
        }
        free(polygon);
        r = end;
    }
    seg_outlines_free(&outlines);
    if (status == SEG_OK)
        return seg_writer_commit(ctx, &writer);
    seg_writer_abandon(&writer);
    return status;
}
