/* COCO's instances with run lengths: counts of pixels column by column, outside and inside in turn, outside first. */
#include "masks/exports/export.h"

#include <stdlib.h>

/* NULL without memory. */
static json_t *run_lengths(const seg_mask *mask, int label) {
    const size_t width = (size_t)mask->width, height = (size_t)mask->height;
    json_t *counts = json_array();
    json_int_t run = 0;
    int inside = 0, failed = !counts;
    for (size_t x = 0; x < width && !failed; x++)
        for (size_t y = 0; y < height && !failed; y++) {
            if ((mask->label[y * width + x] == label) != inside) {
                failed = json_array_append_new(counts, json_integer(run));
                inside = !inside;
                run = 0;
            }
            run++;
        }
    return seg_json_unless(counts, failed || json_array_append_new(counts, json_integer(run)));
}

/* Of each piece of the label a polygon, x and y in turn. */
static json_t *polygon_json(const seg_corner *polygon, size_t count) {
    json_t *numbers = json_array();
    int failed = !numbers;
    for (size_t i = 0; i < count && !failed; i++)
        failed = json_array_append_new(numbers, seg_json_number(polygon[i].x)) ||
                 json_array_append_new(numbers, seg_json_number(polygon[i].y));
    return seg_json_unless(numbers, failed);
}

static seg_status polygons_json(seg_context *ctx, const seg_outlines *outlines, int label, json_t **out) {
    json_t *polygons = json_array();
    seg_status status = SEG_OK;
    int failed = !polygons;
    for (size_t r = 0; r < outlines->rings && status == SEG_OK && !failed;) {
        const size_t end = seg_outlines_piece_end(outlines, r);
        seg_corner *polygon = NULL;
        size_t count;
        if (outlines->ring[r].label == label) {
            status = seg_outlines_join(ctx, outlines, r, end, &polygon, &count);
            if (status == SEG_OK)
                failed = json_array_append_new(polygons, polygon_json(polygon, count));
        }
        free(polygon);
        r = end;
    }
    *out = seg_json_unless(polygons, status != SEG_OK || failed);
    return status;
}

seg_status seg_coco_annotations(seg_context *ctx, const seg_mask *mask, const seg_export_about *about, int image,
                                int *id, json_t **out) {
    seg_extent extent[256];
    seg_outlines outlines = {0};
    json_t *annotations = json_array();
    int failed = !annotations;
    seg_status status = SEG_OK;
    seg_extents(mask, extent);
    if (about->simplify > 0)
        status = seg_outlines_trace_simply(ctx, mask, about->simplify, &outlines);
    for (int label = 1; label <= SEG_MAX_LABELS && !failed && status == SEG_OK; label++) {
        const seg_extent *e = &extent[label];
        json_t *shape = NULL;
        if (!e->pixels)
            continue;
        if (about->simplify > 0)
            status = polygons_json(ctx, &outlines, label, &shape);
        else
            shape = json_pack("{s:[i, i], s:o}", "size", mask->height, mask->width, "counts", run_lengths(mask, label));
        if (status == SEG_OK)
            failed = json_array_append_new(
                annotations, json_pack("{s:i, s:i, s:i, s:i, s:I, s:[i, i, i, i], s:o}", "id", ++*id, "image_id", image,
                                       "category_id", label, "iscrowd", 0, "area", (json_int_t)e->pixels, "bbox",
                                       e->left, e->top, e->right - e->left, e->bottom - e->top, "segmentation", shape));
    }
    seg_outlines_free(&outlines);
    *out = seg_json_unless(annotations, failed || status != SEG_OK);
    return status;
}

json_t *seg_coco_image(const seg_mask *mask, const seg_export_about *about, int image) {
    return json_pack("{s:i, s:i, s:i, s:o}", "id", image, "width", mask->width, "height", mask->height, "file_name",
                     seg_json_base_name(about->photo ? about->photo : ""));
}

/* The labels that occur. */
static json_t *categories_json(const seg_mask *mask, const seg_export_about *about) {
    seg_extent extent[256];
    json_t *categories = json_array();
    int failed = !categories;
    seg_extents(mask, extent);
    for (int label = 1; label <= SEG_MAX_LABELS && !failed; label++) {
        char name[64];
        seg_export_name(about, label, name);
        if (extent[label].pixels)
            failed = json_array_append_new(categories, json_pack("{s:i, s:s}", "id", label, "name", name));
    }
    return seg_json_unless(categories, failed);
}

seg_status seg_export_coco(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    json_t *annotations;
    int id = 0;
    const seg_status status = seg_coco_annotations(ctx, mask, about, 1, &id, &annotations);
    if (status != SEG_OK)
        return status;
    /* json_pack takes a NULL object as a failure and frees the others. */
    return seg_json_write(ctx, path,
                          json_pack("{s:[o], s:o, s:o}", "images", seg_coco_image(mask, about, 1), "annotations",
                                    annotations, "categories", categories_json(mask, about)));
}
