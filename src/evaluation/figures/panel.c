#include "evaluation/figures/panel.h"

#include "base/base.h"
#include "evaluation/experiments/layers.h"
#include "evaluation/figures/plot.h"
#include "evaluation/runner/report_folder.h"
#include "image/mask.h"

#include <segment/overlay.h>

#include <stdlib.h>
#include <string.h>

#define WIDTH  96.0 /* points of an image */
#define THICK  240  /* a stroke is widened by a pixel each way for so many pixels of width */
#define STRONG 0.55 /* tint: the regions must show in a small print */

seg_status seg_panel_row_create(seg_context *ctx, const seg_image *photo, int pictures, seg_panel_row *out) {
    memset(out, 0, sizeof *out);
    out->width = photo->width;
    out->height = photo->height;
    out->picture = seg_alloc_zero(ctx, (size_t)pictures, sizeof *out->picture);
    out->caption = seg_alloc_zero(ctx, (size_t)pictures, sizeof *out->caption);
    out->pictures = pictures;
    if (out->picture && out->caption)
        return SEG_OK;
    seg_panel_row_free(out);
    return SEG_ERR_MEMORY;
}

void seg_panel_row_free(seg_panel_row *row) {
    for (int p = 0; p < row->pictures; p++) {
        if (row->picture)
            free(row->picture[p]);
        if (row->caption)
            free(row->caption[p]);
    }
    free(row->picture);
    free(row->caption);
    memset(row, 0, sizeof *row);
}

static seg_status put(seg_context *ctx, seg_panel_row *row, int place, unsigned char *rgb, const char *caption) {
    row->picture[place] = rgb;
    row->caption[place] = rgb ? seg_format(ctx, "%s", caption) : NULL;
    return rgb && row->caption[place] ? SEG_OK : SEG_ERR_MEMORY;
}

static unsigned char *copy_pixels(seg_context *ctx, const seg_image *image) {
    const size_t bytes = 3 * (size_t)image->width * (size_t)image->height;
    unsigned char *copy = seg_alloc(ctx, bytes, 1);
    if (copy)
        memcpy(copy, image->data, bytes);
    return copy;
}

/* The mask's label at a pixel of an image of another size. */
static uint8_t sample(const seg_mask *mask, const seg_panel_row *row, int x, int y) {
    const size_t column = (size_t)x * (size_t)mask->width / (size_t)row->width;
    const size_t line = (size_t)y * (size_t)mask->height / (size_t)row->height;
    return mask->label[line * (size_t)mask->width + column];
}

/* The strokes on the image, thick enough to be seen when the image is printed small. */
static seg_status draw_strokes(seg_context *ctx, const seg_panel_row *row, const seg_mask *scribbles,
                               unsigned char *rgb) {
    const int reach = row->width / THICK;
    seg_mask wide;
    seg_layer layer = {0};
    seg_status status = seg_mask_create(ctx, row->width, row->height, &wide);
    if (status)
        return status;
    for (int y = 0; y < row->height; y++)
        for (int x = 0; x < row->width; x++) {
            const uint8_t label = sample(scribbles, row, x, y);
            for (int v = y - reach; label && label != SEG_VOID && v <= y + reach; v++)
                for (int u = x - reach; u <= x + reach; u++)
                    if (v >= 0 && v < row->height && u >= 0 && u < row->width)
                        wide.label[(size_t)v * (size_t)row->width + (size_t)u] = label;
        }
    memcpy(wide.colour, scribbles->colour, sizeof wide.colour);
    status = seg_layer_strokes(ctx, &wide, 1, &layer);
    for (size_t p = 0; status == SEG_OK && p < (size_t)row->width * (size_t)row->height; p++)
        for (int c = 0; c < 3; c++) {
            const unsigned alpha = layer.pixel[p] >> 24, over = layer.pixel[p] >> (8 * (2 - c)) & 0xff;
            rgb[3 * p + (size_t)c] = (unsigned char)(over + (rgb[3 * p + (size_t)c] * (255 - alpha) + 127) / 255);
        }
    seg_layer_free(&layer);
    seg_mask_free(&wide);
    return status;
}

seg_status seg_panel_put_photo(seg_context *ctx, seg_panel_row *row, int place, const seg_image *photo,
                               const seg_mask *scribbles, const char *caption) {
    unsigned char *rgb = copy_pixels(ctx, photo);
    seg_status status = rgb ? SEG_OK : SEG_ERR_MEMORY;
    if (status == SEG_OK && scribbles)
        status = draw_strokes(ctx, row, scribbles, rgb);
    if (status == SEG_OK)
        return put(ctx, row, place, rgb, caption);
    free(rgb);
    return status;
}

seg_status seg_panel_put_mask(seg_context *ctx, seg_panel_row *row, int place, const seg_image *photo,
                              const seg_mask *mask, const char *caption) {
    seg_mask fitted;
    seg_image drawn;
    seg_overlay_style style = SEG_OVERLAY_STYLE_DEFAULT;
    seg_status status = seg_mask_create(ctx, row->width, row->height, &fitted);
    if (status)
        return status;
    for (int y = 0; y < row->height; y++)
        for (int x = 0; x < row->width; x++)
            fitted.label[(size_t)y * (size_t)row->width + (size_t)x] = sample(mask, row, x, y);
    fitted.labels = mask->labels;
    memcpy(fitted.colour, mask->colour, sizeof fitted.colour);
    memset(fitted.colour[SEG_VOID], 0, 3);
    style.alpha = STRONG;
    status = seg_overlay_draw(ctx, photo, &fitted, &style, &drawn);
    seg_mask_free(&fitted);
    if (status)
        return status;
    status = put(ctx, row, place, copy_pixels(ctx, &drawn), caption);
    seg_image_free(&drawn);
    return status;
}

seg_status seg_panel_draw(seg_context *ctx, const seg_panel_row *row, size_t rows, const char *const *heading,
                          const char *folder, const char *name) {
    const size_t columns = rows ? (size_t)row[0].pictures : 0;
    double tallest = 0;
    seg_panel *panel = seg_alloc_zero(ctx, rows * columns, sizeof *panel);
    if (!panel)
        return SEG_ERR_MEMORY;
    for (size_t r = 0; r < rows; r++) {
        const double height = WIDTH * row[r].height / row[r].width;
        tallest = height > tallest ? height : tallest;
        for (size_t c = 0; c < columns; c++)
            panel[r * columns + c] = (seg_panel){.kind = SEG_PANEL_PICTURE,
                                                 .title = r == 0 ? heading[c] : NULL,
                                                 .caption = row[r].caption[c],
                                                 .rgb = row[r].picture[c],
                                                 .rows = (size_t)row[r].height,
                                                 .cols = (size_t)row[r].width};
    }
    const seg_figure figure = {.panel = panel,
                               .panel_count = rows * columns,
                               .columns = columns,
                               .width = WIDTH,
                               .height = tallest > 1.4 * WIDTH ? 1.4 * WIDTH : tallest};
    const seg_status status =
        folder ? seg_figure_write_all(ctx, &figure, folder, name) : seg_figure_write(ctx, &figure, name);
    free(panel);
    return status;
}
