/* From the scores of the patches to the mask at full resolution. */
#include "pipeline/run.h"

#include "base/base.h"
#include "image/mask.h"

#define MUCH_UNKNOWN 0.5 /* of the image, from which on it is warned of */

/* The mask; of an image that is read from a file that of its view, with the label in the middle of each square. */
static seg_status make_mask(seg_context *ctx, seg_run *r) {
    const int width = r->photo->width, height = r->photo->height, f = r->session->file ? r->session->view : 1;
    seg_mask *mask = &r->out->mask;
    SEG_LOCAL(uint8_t, line, seg_alloc(ctx, (size_t)width, 1));
    SEG_TRY(seg_mask_create(ctx, (width + f - 1) / f, (height + f - 1) / f, mask));
    mask->slices = r->options->slices;
    for (int y = 0; y < mask->height; y++) {
        uint8_t *label = mask->label + (size_t)y * (size_t)mask->width;
        const int middle = y * f + f / 2 < height ? y * f + f / 2 : height - 1;
        seg_label_rows_read(r->rows, middle, 0, width, f == 1 ? label : line);
        for (int x = 0; f > 1 && x < mask->width; x++)
            label[x] = line[x * f + f / 2 < width ? x * f + f / 2 : width - 1];
    }
    return SEG_OK;
}

/* Columns become labels; the pixels of each are added to zeros. */
static void name_columns(const seg_run *r, size_t pixels[256]) {
    for (size_t i = 0; i < r->rows->first[r->rows->height]; i++) {
        seg_label_run *run = &r->rows->run[i];
        run->label = r->scan.label[run->label];
        pixels[run->label] += (size_t)(run->to - run->from);
    }
    seg_label_rows_merge(r->rows);
}

/* A label with strokes and hardly a pixel besides, though there were pixels to be had. */
static void warn_of_lost(seg_context *ctx, const seg_run *r, const size_t pixels[256]) {
    const size_t all = (size_t)r->photo->width * (size_t)r->photo->height;
    const size_t side = (size_t)r->session->layout.grid.side, least = side * side + all / 1000;
    for (int g = 0; g < r->scan.labels && all - r->scan.pixels > 2 * least; g++) {
        const size_t found = pixels[r->scan.label[g]], marked = r->scan.marked[g];
        if (found && found < marked + least)
            seg_log(ctx, SEG_LOG_WARNING,
                    "label %d has %zu pixels of the mask, hardly more than the %zu of its strokes; if it should have "
                    "more, draw more strokes of it",
                    r->scan.label[g], found, marked);
    }
}

/* Labels of the mask; fewer than were asked for are a warning, and so is a mask that says little. */
static void count_regions(seg_context *ctx, const seg_run *r, const size_t pixels[256]) {
    seg_result *out = r->out;
    const double unknown = (double)pixels[SEG_VOID] / ((double)r->photo->width * r->photo->height);
    int first = -1;
    for (int c = 0; c < out->k; c++) {
        const int is_there = pixels[r->scan.label[c]] > 0;
        out->regions += is_there;
        first = first < 0 && !is_there ? r->scan.label[c] : first;
    }
    if (out->regions < out->k && !r->options->model)
        seg_log(ctx, SEG_LOG_WARNING,
                "the mask has only %d of the %d requested regions: label %d%s has no pixel; request fewer regions, or "
                "use smaller patches",
                out->regions, out->k, first, out->k - out->regions > 1 ? " and others" : "");
    if (r->options->model && unknown >= MUCH_UNKNOWN)
        seg_log(ctx, SEG_LOG_WARNING,
                "%.0f %% of the image resembles nothing that the model has learned, and is 255 in the mask; draw "
                "strokes there, learn from similar images, or set no_unknown",
                100 * unknown);
    if (!r->options->model && !r->thin && !r->options->box.width && !r->options->start)
        warn_of_lost(ctx, r, pixels);
}

static void colour_labels(seg_run *r) {
    seg_mask *mask = &r->out->mask;
    for (int c = 0; c < r->out->k; c++)
        if (r->scan.label[c] != SEG_VOID && r->scan.label[c] > mask->labels)
            mask->labels = r->scan.label[c];
    if (r->scribbles)
        for (int g = 0; g < r->scan.labels; g++)
            memcpy(mask->colour[r->scan.label[g]], r->scribbles->colour[r->scan.label[g]], 3);
    if (r->options->model)
        seg_run_model_colours(r);
}

seg_status seg_run_mask(seg_context *ctx, seg_run *r) {
    seg_result *out = r->out;
    const size_t all = (size_t)r->photo->width * (size_t)r->photo->height;
    size_t pixels[256] = {0};
    SEG_LOCAL(uint8_t, covered, r->covered = seg_alloc_zero(ctx, r->clustering.n, 1));
    if (r->options->probability)
        SEG_TRY(seg_allocated(out->probability = seg_alloc(ctx, all, (size_t)out->k * sizeof *out->probability)));
    if (r->options->uncertainty)
        SEG_TRY(seg_allocated(out->uncertainty = seg_alloc(ctx, all, 1)));
    SEG_TRY(seg_run_passes(ctx, r));
    name_columns(r, pixels);
    SEG_TRY(make_mask(ctx, r));
    count_regions(ctx, r, pixels);
    memcpy(out->column_label, r->scan.label, sizeof out->column_label);
    colour_labels(r);
    seg_constraints known = r->given; /* a model knows what strokes would tell */
    known.groups += r->options->model && known.groups == 0;
    if (r->options->slices == 1)
        SEG_TRY(seg_ambiguous_find(ctx, &out->grid, &r->clustering.score, &known, r->covered, out));
    if (r->options->model)
        seg_run_model_columns(ctx, r);
    return SEG_OK;
}
