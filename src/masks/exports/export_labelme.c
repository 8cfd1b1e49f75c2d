/* labelme: a polygon a connected piece; those of a label share its number as their group. */
#include "masks/exports/export.h"

#include <stdlib.h>

/* A new reference, NULL without memory. */
static json_t *points_json(const seg_corner *polygon, size_t count) {
    json_t *points = json_array();
    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(points, seg_json_pair(polygon[i].x, polygon[i].y))) {
            json_decref(points);
            return NULL;
        }
    return points;
}

seg_status seg_export_labelme(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    seg_outlines outlines;
    json_t *shapes = json_array();
    seg_status status = seg_outlines_trace_simply(ctx, mask, about->simplify, &outlines);
    int failed = 0;
    for (size_t r = 0; r < outlines.rings && status == SEG_OK && !failed;) {
        const size_t end = seg_outlines_piece_end(&outlines, r);
        const int label = outlines.ring[r].label;
        char name[64];
        seg_corner *polygon;
        size_t count;
        seg_export_name(about, label, name);
        status = seg_outlines_join(ctx, &outlines, r, end, &polygon, &count);
        if (status == SEG_OK)
            failed = json_array_append_new(shapes, json_pack("{s:s, s:i, s:s, s:{}, s:o}", "label", name, "group_id",
                                                             label, "shape_type", "polygon", "flags", "points",
                                                             points_json(polygon, count)));
        free(polygon);
        r = end;
    }
    seg_outlines_free(&outlines);
    if (status != SEG_OK || failed) {
        json_decref(shapes);
        return status != SEG_OK ? status : seg_json_write(ctx, path, NULL);
    }
    return seg_json_write(ctx, path,
                          json_pack("{s:s, s:{}, s:o, s:o, s:n, s:i, s:i}", "version", "5.0.0", "flags", "shapes",
                                    shapes, "imagePath", seg_json_base_name(about->photo ? about->photo : ""),
                                    "imageData", "imageHeight", mask->height, "imageWidth", mask->width));
}
