/* The first stage: whether image, scribbles, pairs and k fit together. */
#include "pipeline/start.h"

#include "base/base.h"

static seg_status check_k(seg_context *ctx, seg_run *r, size_t patches) {
    const int k = r->out->k, marked = r->scan.labels;
    if (k == 0)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "neither scribbles nor a number of regions is given: give scribbles, or set k to find regions "
                        "without strokes");
    if (k < marked)
        return seg_fail(ctx, SEG_ERR_USAGE, "k = %d is less than the number of marked labels, %d; set k to %d or more",
                        k, marked, marked);
    r->session->too_coarse = (size_t)k > patches;
    if (r->session->too_coarse)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "k = %d is more than the image's number of patches, %zu; use smaller patches", k, patches);
    return SEG_OK;
}

/* The option decides which of two labels is the object; it has no meaning for other numbers of labels. */
static seg_status check_object(seg_context *ctx, const seg_run *r) {
    if (!r->options->object || (r->scribbles && r->scan.labels <= 2 && r->out->k == 2) ||
        seg_start_is_object(r->options))
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_USAGE,
                    "object is for scribbles of an object, or of an object and its background; there are "
                    "%d label%s and %d region%s",
                    r->scan.labels, r->scan.labels == 1 ? "" : "s", r->out->k, r->out->k == 1 ? "" : "s");
}

/* Whether there are strokes of one label alone, patches beside them for the background, and a number for it. */
static int one_and_rest(const seg_run *r) {
    size_t marked = 0;
    for (size_t i = 0; i < r->given.n && r->scan.labels == 1; i++)
        marked += r->given.group[i] >= 0;
    return r->scan.labels == 1 && marked < r->given.n && r->scan.label[0] < SEG_MAX_LABELS;
}

seg_status seg_run_check_size(seg_context *ctx, const char *what, const seg_mask *mask, const seg_image *photo) {
    if (!mask || (mask->width == photo->width && mask->height == photo->height))
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_INPUT, "the %s %d x %d pixels, but the image has %d x %d; sizes must agree", what,
                    mask->width, mask->height, photo->width, photo->height);
}

seg_status seg_run_check(seg_context *ctx, seg_run *r) {
    seg_result *out = r->out;
    SEG_TRY(seg_run_check_size(ctx, "scribbles have", r->scribbles, r->photo));
    out->grid = r->session->layout.grid;
    const size_t patches = (size_t)out->grid.columns * (size_t)out->grid.rows;
    if (r->options->model)
        SEG_TRY(seg_model_check_use(ctx, r->options, r->pairs));
    if (r->pairs && r->pairs->n != patches)
        return seg_fail(ctx, SEG_ERR_USAGE, "pairs among %zu patches for %zu patches", r->pairs->n, patches);
    SEG_TRY(seg_scan_scribbles(ctx, r->scribbles, r->marks, &out->grid, &r->scan, &r->given));
    out->marked_pixels = r->scan.pixels;
    if (r->scribbles && r->scan.labels == 0 && !r->options->model)
        return seg_fail(ctx, SEG_ERR_INPUT, "nothing is marked: draw a stroke in each region");
    if (r->options->slices > 1 && r->pairs && r->pairs->pairs)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "a volume is segmented by strokes, not by listed pairs; leave the pairs out");
    if (r->options->model)
        return seg_run_model_labels(ctx, r);
    out->k = r->options->k ? r->options->k : r->scan.labels + one_and_rest(r);
    SEG_TRY(check_k(ctx, r, patches));
    r->scan.taken = r->session->whole && r->scribbles ? r->scribbles->labels : 0;
    SEG_TRY(seg_scan_extend(ctx, out->k, &r->scan));
    SEG_TRY(check_object(ctx, r));
    if (r->scan.labels == 1 && out->k == 1)
        seg_log(ctx, SEG_LOG_WARNING,
                "only label %d is marked, so that the whole image is one region; draw strokes on another region too",
                r->scan.label[0]);
    if (r->scan.labels == 1 && out->k == 2 && !r->options->k)
        seg_log(
            ctx, SEG_LOG_WARNING,
            "only label %d is marked: the rest of the image is taken for background, label %d; draw strokes of other "
            "labels where that is wrong",
            r->scan.label[0], r->scan.label[1]);
    return SEG_OK;
}
