/* A contact sheet of what `segment eval` left in the folder of its report: images with strokes, masks, truths and
 * where they differ, the worst on the left, the best on the right. */
#include "bench.h"

#include "base/base.h"
#include "evaluation/figures/panel.h"
#include "evaluation/figures/plot.h"
#include "evaluation/runner/report_folder.h"
#include "evaluation/sets/listing.h"
#include "image/mask.h"

#include <segment/metrics.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PICTURES  4    /* of an image */
#define WIDTH     96.0 /* points of an image */
#define STROKE    2    /* pixels that strokes are widened by, to be seen in small pictures */
#define DIM       3    /* where the mask is right, a third of the brightness */
#define MOST_ROWS 100

typedef struct shot {
    char *name;
    double dice;
} shot;

static int by_dice(const void *a, const void *b) {
    const shot *x = a, *y = b;
    return x->dice != y->dice ? (x->dice > y->dice) - (x->dice < y->dice) : strcmp(x->name, y->name);
}

/* Every image of the report that the method made a mask for, the worst first. */
static seg_status rank(seg_context *ctx, const bench_options *options, shot **out, size_t *count) {
    char *photos = bench_text("%s/photos", options->folder);
    seg_listing listing = {0};
    seg_status status = seg_listing_read(ctx, photos, &listing);
    *out = bench_alloc((size_t)listing.count, sizeof **out);
    for (int i = 0; i < listing.count && !status; i++) {
        const char *file = listing.entry[i]->d_name;
        const size_t length = seg_stem(file, "jpg");
        seg_mask mask = {0}, truth = {0};
        seg_contingency table = {0};
        seg_scores scores;
        if (!length)
            continue;
        char *name = bench_text("%.*s", (int)length, file);
        (*out)[(*count)++].name = name;
        if ((status = seg_layout_read_mask(ctx, options->folder, options->method, name, &mask)) == SEG_OK &&
            (status = seg_layout_read_mask(ctx, options->folder, "truth", name, &truth)) == SEG_OK &&
            (status = seg_contingency_masks(ctx, &mask, &truth, &table)) == SEG_OK &&
            (status = seg_score(ctx, &table, &scores)) == SEG_OK)
            (*out)[*count - 1].dice = scores.mean_dice;
        seg_contingency_free(&table);
        seg_mask_free(&mask);
        seg_mask_free(&truth);
    }
    seg_listing_free(&listing);
    free(photos);
    if (!status)
        qsort(*out, *count, sizeof **out, by_dice);
    return status;
}

static seg_status widen(seg_context *ctx, seg_mask *scribbles) {
    const int w = scribbles->width, h = scribbles->height;
    seg_mask wide;
    seg_status status = seg_mask_create(ctx, w, h, &wide);
    if (status)
        return status;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const uint8_t label = scribbles->label[(size_t)y * (size_t)w + (size_t)x];
            for (int v = y - STROKE; label && v <= y + STROKE; v++)
                for (int u = x - STROKE; u <= x + STROKE; u++)
                    if (v >= 0 && v < h && u >= 0 && u < w)
                        wide.label[(size_t)v * (size_t)w + (size_t)u] = label;
        }
    memcpy(scribbles->label, wide.label, (size_t)w * (size_t)h);
    seg_mask_free(&wide);
    return SEG_OK;
}

/* Into place `place`: the image, dim where mask and truth agree or the truth is void, red where they differ. */
static seg_status put_wrong(seg_context *ctx, seg_panel_row *row, int place, const seg_image *photo,
                            const seg_mask *mask, const seg_mask *truth) {
    seg_status status = seg_panel_put_photo(ctx, row, place, photo, NULL, "wrong");
    unsigned char *rgb = row->picture[place];
    for (size_t p = 0; !status && p < (size_t)row->width * (size_t)row->height; p++) {
        const size_t x = p % (size_t)row->width * (size_t)truth->width / (size_t)row->width;
        const size_t y = p / (size_t)row->width * (size_t)truth->height / (size_t)row->height;
        const uint8_t is = mask->label[y * (size_t)truth->width + x],
                      should = truth->label[y * (size_t)truth->width + x];
        for (int c = 0; c < 3; c++)
            rgb[3 * p + (size_t)c] =
                (unsigned char)(is != should && should != SEG_VOID ? c == 0 ? 255 : 0 : rgb[3 * p + (size_t)c] / DIM);
    }
    return status;
}

static seg_status fill_row(seg_context *ctx, const bench_options *options, const shot *one, seg_panel_row *row) {
    seg_image photo = {0};
    seg_mask scribbles = {0}, mask = {0}, truth = {0};
    char caption[32];
    seg_status status;
    snprintf(caption, sizeof caption, "%.4f", one->dice);
    if ((status = seg_layout_read_photo(ctx, options->folder, one->name, &photo)) == SEG_OK &&
        (status = seg_layout_read_mask(ctx, options->folder, "scribbles", one->name, &scribbles)) == SEG_OK &&
        (status = seg_layout_read_mask(ctx, options->folder, options->method, one->name, &mask)) == SEG_OK &&
        (status = seg_layout_read_mask(ctx, options->folder, "truth", one->name, &truth)) == SEG_OK &&
        (status = widen(ctx, &scribbles)) == SEG_OK &&
        (status = seg_panel_row_create(ctx, &photo, PICTURES, row)) == SEG_OK &&
        (status = seg_panel_put_photo(ctx, row, 0, &photo, &scribbles, one->name)) == SEG_OK &&
        (status = seg_panel_put_mask(ctx, row, 1, &photo, &mask, caption)) == SEG_OK &&
        (status = seg_panel_put_mask(ctx, row, 2, &photo, &truth, "truth")) == SEG_OK)
        status = put_wrong(ctx, row, 3, &photo, &mask, &truth);
    seg_image_free(&photo);
    seg_mask_free(&scribbles);
    seg_mask_free(&mask);
    seg_mask_free(&truth);
    return status;
}

/* Line r: the r-th worst and the r-th best. */
static seg_status draw(seg_context *ctx, const bench_options *options, const shot *shots, size_t count, size_t lines) {
    seg_panel_row *row = bench_alloc(2 * lines, sizeof *row);
    seg_panel *panel = bench_alloc(2 * lines * PICTURES, sizeof *panel);
    double tallest = 0.1;
    seg_status status = SEG_OK;
    for (size_t r = 0; r < 2 * lines && !status; r++) {
        const shot *one = &shots[r % 2 ? count - 1 - r / 2 : r / 2];
        status = fill_row(ctx, options, one, &row[r]);
        for (size_t p = 0; p < PICTURES && !status; p++)
            panel[r * PICTURES + p] = (seg_panel){.kind = SEG_PANEL_PICTURE,
                                                  .caption = row[r].caption[p],
                                                  .rgb = row[r].picture[p],
                                                  .rows = (size_t)row[r].height,
                                                  .cols = (size_t)row[r].width};
        if (!status && (double)row[r].height / row[r].width > tallest)
            tallest = (double)row[r].height / row[r].width;
    }
    const seg_figure figure = {.panel = panel,
                               .panel_count = 2 * lines * PICTURES,
                               .columns = 2 * (size_t)PICTURES,
                               .width = WIDTH,
                               .height = WIDTH * (tallest < 1 ? tallest : 1)};
    if (!status)
        status = seg_figure_write(ctx, &figure, options->out);
    for (size_t r = 0; r < 2 * lines; r++)
        seg_panel_row_free(&row[r]);
    free(row);
    free(panel);
    return status;
}

int bench_sheet(const bench_options *options) {
    seg_context ctx;
    shot *shots = NULL;
    size_t count = 0;
    seg_context_init(&ctx);
    seg_status status = rank(&ctx, options, &shots, &count);
    if (!status && count == 0)
        status = seg_fail(&ctx, SEG_ERR_INPUT, "there are no images in '%s/photos'", options->folder);
    size_t lines = (size_t)(options->count < MOST_ROWS ? options->count : MOST_ROWS);
    lines = lines < count ? lines : count;
    for (size_t i = 0; i < count && !status; i++)
        printf("%s %.4f\n", shots[i].name, shots[i].dice);
    if (!status)
        status = draw(&ctx, options, shots, count, lines);
    for (size_t i = 0; i < count; i++)
        free(shots[i].name);
    free(shots);
    seg_context_end(&ctx);
    return status ? bench_fail("%s", ctx.message) : 0;
}
