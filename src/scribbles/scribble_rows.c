#include "scribbles/scribble_rows.h"

#include "base/base.h"
#include "image/file.h"
#include "image/raster.h"
#include "scribbles/mask_fit.h"
#include "scribbles/shapes.h"

#include <stdlib.h>
#include <string.h>

#define BAND ((size_t)1 << 24) /* pixels that shapes are drawn on at a time, about */

/* The first column of the image whose middle lies in column c of `from` or to the right of it. */
static int place(int c, int from, int to) {
    const int64_t doubled = ((int64_t)2 * to * c + from - 1) / from;
    return (int)(doubled / 2);
}

/* As seg_mask_fit does, of runs. */
static seg_status enlarge(seg_context *ctx, const seg_label_rows *from, int width, int height, seg_label_rows *out) {
    size_t most = 0;
    for (int y = 0; y < from->height; y++)
        most = seg_larger(most, from->first[y + 1] - from->first[y]);
    seg_label_run *runs = seg_alloc(ctx, most, sizeof *runs);
    seg_status status = runs ? SEG_OK : SEG_ERR_MEMORY;
    for (int y = 0; status == SEG_OK && y < height; y++) {
        const int source = (int)((2 * (int64_t)y + 1) * from->height / (2 * (int64_t)height));
        const size_t first = from->first[source], count = from->first[source + 1] - first;
        for (size_t i = 0; i < count; i++) {
            runs[i] = from->run[first + i];
            runs[i].to = place(runs[i].to, from->width, width);
        }
        status = seg_label_rows_append_runs(ctx, width, runs, count, out);
    }
    free(runs);
    return status;
}

static void count_labels(const seg_label_rows *rows, size_t pixels[256]) {
    memset(pixels, 0, 256 * sizeof *pixels);
    for (size_t i = 0; rows->height && i < rows->first[rows->height]; i++)
        pixels[rows->run[i].label] += (size_t)(rows->run[i].to - rows->run[i].from);
}

/* Labels of an array, at the size of the image. */
static seg_status take_array(seg_context *ctx, const char *name, const seg_mask *mask, int width, int height,
                             seg_label_rows *out) {
    seg_label_rows own = {0};
    size_t before[256], after[256];
    if (mask->width == width && mask->height == height)
        return seg_label_rows_append(ctx, width, height, mask->label, out);
    if (!seg_sizes_in_proportion(mask->width, mask->height, width, height))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s has %d x %d pixels, the image %d x %d; draw on an image of the image's size or proportions",
                        name, mask->width, mask->height, width, height);
    seg_status status = seg_label_rows_append(ctx, mask->width, mask->height, mask->label, &own);
    count_labels(&own, before);
    if (status == SEG_OK)
        status = enlarge(ctx, &own, width, height, out);
    count_labels(out, after);
    for (int l = 1; status == SEG_OK && l <= SEG_MAX_LABELS; l++)
        if (before[l] && !after[l])
            status = seg_fail(ctx, SEG_ERR_INPUT,
                              "%s has %d x %d pixels, the image %d x %d, and nothing of label %d would be left at its "
                              "size; draw on an image of the image's size",
                              name, mask->width, mask->height, width, height, l);
    seg_label_rows_free(&own);
    if (status == SEG_OK)
        seg_log(ctx, SEG_LOG_INFO, "%s has %d x %d pixels and was scaled to the image's %d x %d", name, mask->width,
                mask->height, width, height);
    return status;
}

/* Shapes in the coordinates of the image, some rows at a time. */
static seg_status draw(seg_context *ctx, seg_shapes *shapes, const seg_labelmap *map, seg_mask *header,
                       seg_label_rows *out) {
    const int width = shapes->width, height = shapes->height;
    const int step = BAND / (size_t)width > 1 ? (int)(BAND / (size_t)width) : 1, rows = step < height ? step : height;
    for (size_t i = 0; i < shapes->shapes; i++)
        if (shapes->shape[i].kind == SEG_SHAPE_RUNS)
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "%s has masks as run lengths, which are not read for an image that is segmented by tiles; "
                            "export polygons",
                            shapes->file);
    seg_status status = seg_shapes_number(shapes, map, header->colour, &header->labels);
    uint8_t *label = seg_alloc(ctx, (size_t)width, (size_t)rows);
    uint8_t *toggled = seg_alloc(ctx, (size_t)width + 1, (size_t)rows);
    if (status == SEG_OK && (!label || !toggled))
        status = SEG_ERR_MEMORY;
    for (int top = 0; status == SEG_OK && top < height; top += rows) {
        const int bottom = height - top < rows ? height : top + rows;
        seg_shapes_draw_rows(shapes, top, bottom, toggled, label);
        if ((status = seg_label_rows_append(ctx, width, bottom - top, label, out)) == SEG_OK)
            status = seg_poll(ctx);
    }
    free(label);
    free(toggled);
    return status;
}

static seg_status read_shapes(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                              const seg_labelmap *map, seg_mask *header, seg_label_rows *out) {
    const int width = header->width, height = header->height;
    seg_shapes shapes = {.ctx = ctx, .file = name};
    seg_mask small = {0};
    seg_status status = seg_shapes_read_json(&shapes, (const char *)bytes, size);
    if (!shapes.width || !shapes.height) {
        shapes.width = width;
        shapes.height = height;
    }
    const int same = shapes.width == width && shapes.height == height;
    if (status == SEG_OK && !same &&
        (!seg_sizes_in_proportion(shapes.width, shapes.height, width, height) ||
         (int64_t)shapes.width * shapes.height > SEG_MAX_PIXELS))
        status = seg_fail(ctx, SEG_ERR_INPUT,
                          "%s is about an image of %d x %d pixels, the image has %d x %d; draw on the image itself",
                          name, shapes.width, shapes.height, width, height);
    if (status == SEG_OK && same)
        status = draw(ctx, &shapes, map, header, out);
    else if (status == SEG_OK && (status = seg_shapes_draw(&shapes, map, &small)) == SEG_OK) {
        memcpy(header->colour, small.colour, sizeof header->colour);
        header->labels = small.labels;
        status = take_array(ctx, name, &small, width, height, out);
    }
    seg_mask_free(&small);
    seg_shapes_free(&shapes);
    return status;
}

static seg_status read_array(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                             const seg_labelmap *map, seg_mask *header, seg_label_rows *out,
                             seg_scribbles_about *about) {
    seg_mask own;
    seg_status status = seg_scribbles_from_bytes(ctx, bytes, size, name, NULL, map, &own, about);
    if (status != SEG_OK)
        return status;
    memcpy(header->colour, own.colour, sizeof header->colour);
    header->labels = own.labels;
    status = take_array(ctx, name, &own, header->width, header->height, out);
    seg_mask_free(&own);
    return status;
}

seg_status seg_scribble_rows_read(seg_context *ctx, const char *path, int width, int height, const seg_labelmap *map,
                                  seg_mask *header, seg_label_rows *out, seg_scribbles_about *about) {
    const char *name = seg_file_label(path, "standard input");
    unsigned char *bytes = NULL;
    size_t size = 0, pixels[256];
    memset(header, 0, sizeof *header);
    memset(about, 0, sizeof *about);
    memset(out, 0, sizeof *out);
    header->width = width;
    header->height = height;
    seg_mask_default_colours(header->colour);
    seg_status status = seg_file_read(ctx, path, &bytes, &size);
    if (status == SEG_OK && seg_scribbles_are_shapes(bytes, size)) {
        about->kind = SEG_SCRIBBLES_SHAPES;
        status = read_shapes(ctx, bytes, size, name, map, header, out);
    } else if (status == SEG_OK) {
        status = read_array(ctx, bytes, size, name, map, header, out, about);
    }
    free(bytes);
    if (status != SEG_OK)
        return status;
    count_labels(out, pixels);
    about->marked = 0;
    about->labels_found = 0;
    for (int l = 1; l <= SEG_MAX_LABELS; l++) {
        about->marked += pixels[l];
        about->labels_found += pixels[l] > 0;
    }
    if (about->marked == 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "%s: nothing is marked; draw a stroke or shape in each region", name);
    return SEG_OK;
}
