/* A legend below a picture, its text by cairo. It is loaded when a legend is asked for, so that other runs do not
 * wait for it. */
#include "base/base.h"
#include "image/formats/late_library.h"
#include "masks/exports/export.h"
#include "masks/overlay_colours.h"

#include <cairo/cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X)                                                                                                   \
    X(cairo_image_surface_create_for_data)                                                                             \
    X(cairo_surface_status)                                                                                            \
    X(cairo_surface_flush)                                                                                             \
    X(cairo_surface_destroy)                                                                                           \
    X(cairo_create)                                                                                                    \
    X(cairo_status)                                                                                                    \
    X(cairo_destroy)                                                                                                   \
    X(cairo_select_font_face)                                                                                          \
    X(cairo_set_font_size)                                                                                             \
    X(cairo_text_extents)                                                                                              \
    X(cairo_set_source_rgb)                                                                                            \
    X(cairo_paint)                                                                                                     \
    X(cairo_rectangle)                                                                                                 \
    X(cairo_fill)                                                                                                      \
    X(cairo_move_to)                                                                                                   \
    X(cairo_show_text)

typedef struct cairo_calls {
    FUNCTIONS(SEG_LATE_POINTER)
} cairo_calls;

static const char *const names[] = {FUNCTIONS(SEG_LATE_NAME)};
static const seg_late_library library = {SEG_LIBRARY_CAIRO, SEG_PACKAGE_CAIRO, sizeof names / sizeof *names, names};

#define FONT         "DejaVu Sans"
#define TEXT_SIZE    14.0 /* pixels, in pictures of up to USUAL_PIXELS */
#define LEAST_SIZE   6.0
#define USUAL_PIXELS 0.3e6

enum { SAMPLES = 4 }; /* bytes of a pixel of CAIRO_FORMAT_RGB24 */

typedef struct entry {
    int label, row;
    double x, width;
    char text[64];
} entry;

typedef struct legend {
    cairo_calls call;
    cairo_surface_t *surface; /* of one pixel while it is measured, then of the strip */
    cairo_t *cairo;
    entry *entry; /* owned */
    int count, rows;
    double size; /* of the text; the rest is in proportion */
    int height;
} legend;

static seg_status load_cairo(seg_context *ctx, cairo_calls *call) {
    const char *function = NULL;
    switch (seg_late_find(&library, call, &function)) {
    case SEG_LATE_FOUND:
        return SEG_OK;
    case SEG_LATE_NO_MEMORY:
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while %s was loaded for a legend", library.file);
    case SEG_LATE_OTHER:
        return seg_fail(
            ctx, SEG_ERR_INPUT,
            "a legend's text is drawn by %s, and that of this machine has no %s: install another version of "
            "Debian's %s, or leave the legend out",
            library.file, function, library.package);
    default:
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "a legend's text is drawn by %s, which is not installed: install Debian's %s, or leave the "
                        "legend out",
                        library.file, library.package);
    }
}

static void end_drawing(legend *l) {
    if (l->cairo)
        l->call.cairo_destroy(l->cairo);
    if (l->surface)
        l->call.cairo_surface_destroy(l->surface);
    l->cairo = NULL;
    l->surface = NULL;
}

static seg_status begin_drawing(seg_context *ctx, legend *l, unsigned char *samples, int width, int height) {
    end_drawing(l);
    l->surface =
        l->call.cairo_image_surface_create_for_data(samples, CAIRO_FORMAT_RGB24, width, height, SAMPLES * width);
    l->cairo = l->call.cairo_create(l->surface);
    l->call.cairo_select_font_face(l->cairo, FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    if (l->call.cairo_status(l->cairo) != CAIRO_STATUS_SUCCESS)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while a legend was drawn");
    return SEG_OK;
}

/* Square, gap, text, and what separates it from the next one. */
static double entry_width(legend *l, const char *text) {
    cairo_text_extents_t extents;
    l->call.cairo_text_extents(l->cairo, text, &extents);
    return 2.6 * l->size + extents.x_advance;
}

/* Entries row by row, as many as fit side by side; the text is smaller where the widest one would not fit alone. */
static void arrange(legend *l, int width, double size) {
    double widest = 0, x = 0;
    l->size = size;
    l->call.cairo_set_font_size(l->cairo, size);
    for (int i = 0; i < l->count; i++) {
        l->entry[i].width = entry_width(l, l->entry[i].text);
        widest = fmax(widest, l->entry[i].width);
    }
    if (widest + 0.6 * size > width && size > LEAST_SIZE) {
        arrange(l, width, fmax(LEAST_SIZE, fmin(size - 1, size * width / (widest + size))));
        return;
    }
    l->rows = 0;
    for (int i = 0; i < l->count; i++) {
        entry *e = &l->entry[i];
        if (i > 0 && x + e->width + 0.6 * size > width) {
            l->rows++;
            x = 0;
        }
        e->row = l->rows;
        e->x = 0.6 * size + x;
        x += e->width;
    }
    l->rows += l->count > 0;
    l->height = (int)ceil((1.6 * l->rows + 0.8) * size);
}

static void draw_entry(legend *l, const entry *e, const uint8_t rgb[3]) {
    const double side = l->size, top = (0.7 + 1.6 * e->row) * l->size, frame = fmax(1, round(l->size / 14));
    const double x = round(e->x), y = round(top);
    l->call.cairo_set_source_rgb(l->cairo, 0, 0, 0);
    l->call.cairo_rectangle(l->cairo, x, y, round(side), round(side));
    l->call.cairo_fill(l->cairo);
    l->call.cairo_set_source_rgb(l->cairo, rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0);
    l->call.cairo_rectangle(l->cairo, x + frame, y + frame, round(side) - 2 * frame, round(side) - 2 * frame);
    l->call.cairo_fill(l->cairo);
    l->call.cairo_set_source_rgb(l->cairo, 0, 0, 0);
    l->call.cairo_move_to(l->cairo, x + 1.4 * side, y + 0.85 * side);
    l->call.cairo_show_text(l->cairo, e->text);
}

/* The labels that occur, with their names. */
static seg_status list_labels(seg_context *ctx, const seg_mask *mask, const seg_labelmap *map, legend *l) {
    uint8_t there[256] = {0};
    for (size_t p = 0; p < (size_t)mask->width * (size_t)mask->height; p++)
        there[mask->label[p]] = 1;
    l->entry = seg_alloc_zero(ctx, SEG_MAX_LABELS, sizeof *l->entry);
    if (!l->entry)
        return SEG_ERR_MEMORY;
    for (int label = 1; label <= SEG_MAX_LABELS; label++)
        if (there[label]) {
            entry *e = &l->entry[l->count++];
            e->label = label;
            seg_export_name(&(seg_export_about){.names = map}, label, e->text);
        }
    return SEG_OK;
}

/* Append the strip below the picture, in newly allocated samples. */
static seg_status join(seg_context *ctx, seg_image *picture, const unsigned char *strip, int height) {
    const size_t width = (size_t)picture->width, above = 3 * width * (size_t)picture->height;
    uint8_t *samples = seg_alloc(ctx, width * ((size_t)picture->height + (size_t)height), 3);
    if (!samples)
        return SEG_ERR_MEMORY;
    memcpy(samples, picture->data, above);
    for (size_t p = 0; p < width * (size_t)height; p++) {
        uint32_t packed; /* cairo's are in the machine's byte order */
        memcpy(&packed, strip + SAMPLES * p, sizeof packed);
        for (size_t c = 0; c < 3; c++)
            samples[above + 3 * p + c] = (uint8_t)(packed >> (16 - 8 * c));
    }
    free(picture->data);
    picture->data = samples;
    picture->height += height;
    return SEG_OK;
}

seg_status seg_overlay_add_legend(seg_context *ctx, seg_image *picture, const seg_mask *mask,
                                  const seg_overlay_style *style, const seg_labelmap *map) {
    const double pixels = (double)picture->width * picture->height;
    legend l = {.count = 0};
    unsigned char one[SAMPLES] = {0}, *strip = NULL;
    uint8_t colour[256][3];
    if (picture->depth != 8)
        return seg_fail(ctx, SEG_ERR_USAGE, "the picture has %d bits per sample; a legend goes below one of 8",
                        picture->depth);
    seg_overlay_colours(style, mask, colour);
    seg_status status = load_cairo(ctx, &l.call);
    if (!status)
        status = list_labels(ctx, mask, map, &l);
    if (!status)
        status = begin_drawing(ctx, &l, one, 1, 1);
    if (!status) {
        arrange(&l, picture->width, round(TEXT_SIZE * fmax(1, sqrt(pixels / USUAL_PIXELS))));
        if (l.count == 0)
            goto done; /* no label occurs */
        if (picture->height > SEG_MAX_SIDE - l.height)
            status = seg_fail(ctx, SEG_ERR_INPUT,
                              "with its legend the picture would be higher than %d pixels; leave "
                              "the legend out",
                              SEG_MAX_SIDE);
    }
    if (!status && !(strip = seg_alloc_zero(ctx, (size_t)picture->width * (size_t)l.height, SAMPLES)))
        status = SEG_ERR_MEMORY;
    if (!status)
        status = begin_drawing(ctx, &l, strip, picture->width, l.height);
    if (!status) {
        l.call.cairo_set_source_rgb(l.cairo, 1, 1, 1);
        l.call.cairo_paint(l.cairo);
        l.call.cairo_set_font_size(l.cairo, l.size);
        for (int i = 0; i < l.count; i++)
            draw_entry(&l, &l.entry[i], colour[l.entry[i].label]);
        l.call.cairo_surface_flush(l.surface);
        if (l.call.cairo_status(l.cairo) != CAIRO_STATUS_SUCCESS ||
            l.call.cairo_surface_status(l.surface) != CAIRO_STATUS_SUCCESS)
            status = seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while a legend was drawn");
    }
    if (!status)
        status = join(ctx, picture, strip, l.height);
done:
    end_drawing(&l);
    free(l.entry);
    free(strip);
    return status;
}
