/* COCO's instances with run lengths: counts of pixels column by column, outside and inside in turn, outside first. */
#include "masks/export.h"
#include "masks/json.h"

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
    if (failed || json_array_append_new(counts, json_integer(run))) {
        json_decref(counts);
        return NULL;
    }
    return counts;
}

seg_status seg_export_coco(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    seg_extent extent[256];
    json_t *annotations = json_array(), *categories = json_array();
    int id = 0, failed = 0;
    seg_extents(mask, extent);
    for (int label = 1; label <= SEG_MAX_LABELS && !failed; label++) {
        const seg_extent *e = &extent[label];
        char name[64];
        if (!e->pixels)
            continue;
        seg_export_name(about, label, name);
        failed |= json_array_append_new(categories, json_pack("{s:i, s:s}", "id", label, "name", name));
        failed |= json_array_append_new(
            annotations, json_pack("{s:i, s:i, s:i, s:i, s:I, s:[i, i, i, i], s:{s:[i, i], s:o}}", "id", ++id,
                                   "image_id", 1, "category_id", label, "iscrowd", 0, "area", (json_int_t)e->pixels,
                                   "bbox", e->left, e->top, e->right - e->left, e->bottom - e->top, "segmentation",
                                   "size", mask->height, mask->width, "counts", run_lengths(mask, label)));
    }
    json_t *image = json_pack("{s:i, s:i, s:i, s:o}", "id", 1, "width", mask->width, "height", mask->height,
                              "file_name", seg_json_base_name(about->photo ? about->photo : ""));
    json_t *all = json_pack("{s:[o], s:o, s:o}", "images", image, "annotations", annotations, "categories", categories);
    if (failed) {
        json_decref(all);
        all = NULL;
    }
    return seg_json_write(ctx, path, all);
}
