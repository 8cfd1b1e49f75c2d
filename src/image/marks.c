/* Scribble files. What a file is, is told by its content, by the first rule that fits:
 *
 * 1. A copy of the photograph with something painted on it (painted_copy.c): strokes are where it differs; their flat
 *    colours are the labels.
 * 2. A palette file: the index is the label, 0 and 255 are unmarked (255 with a warning).
 * 3. Lossless grey (also a palette of greys in order) with at most 32 values: the value is the label, 0 is unmarked;
 * where 0 and the largest value are all there is, that is label 1. Values above 254 are refused otherwise.
 * 4. Anything else: strokes in flat colours on black or transparent ground, each colour a label.
 *
 * In 1 and 4 the labels are the colours' positions in the label map or in the order of r*65536+g*256+b. Up to 64
 * colours without soft edges are taken exactly; soft edges and JPEG are snapped to the flat colours (flat_colours.c,
 * flat_colours_lossy.c, snap.c), with a warning, and refused where more than a fifth is ambiguous. Pixels less than
 * half as opaque as the most opaque one are unmarked everywhere. */
#include "base/base.h"
#include "image/file.h"
#include "image/labels.h"
#include "image/stroke_labels.h"
#include "image/strokes.h"

#include <stdlib.h>
#include <string.h>

#define FEW_VALUES  32
#define DARK_VALUES 4096 /* of 65536: no stroke is painted in such greys only */

typedef struct values {
    int distinct; /* 0 included */
    unsigned largest;
    int grey;
    uint32_t count[]; /* seg_raster_values of them */
} values;

static seg_status count_values(seg_context *ctx, const seg_raster *raster, unsigned least, values **out) {
    const unsigned possible = seg_raster_values(raster);
    values *v = *out = seg_alloc_zero(ctx, 1, sizeof *v + possible * sizeof *v->count);
    if (!v)
        return SEG_ERR_MEMORY;
    seg_raster_count_values(raster, least, v->count);
    for (unsigned i = 0; i < possible; i++)
        if (v->count[i]) {
            v->distinct++;
            v->largest = i;
        }
    v->grey = seg_raster_is_grey(raster, v->count);
    return SEG_OK;
}

/* The largest value as label 1 where it is "white" and nothing but 0 is beside it. */
static int is_white_on_black(const seg_raster *raster, const values *v) {
    return v->grey && raster->bits >= 8 && v->largest == (1u << raster->bits) - 1 && v->largest > 0 &&
           v->distinct == 1 + (v->count[0] > 0);
}

/* Rules 2 and 3. */
static seg_status from_values(seg_context *ctx, const seg_raster *raster, const char *name, unsigned least,
                              const values *v, seg_mask *out) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    const int white = is_white_on_black(raster, v);
    if (!white && v->grey && v->largest > SEG_MAX_LABELS)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s is grey with the value %u, but labels end at %d; paint labels in the values 1, 2, 3 ... "
                        "without soft edges, or in colours",
                        name, v->largest, SEG_MAX_LABELS);
    for (size_t i = 0; i < pixels; i++) {
        unsigned value = seg_raster_visible(raster, i, least) ? seg_raster_value(raster, i) : 0;
        out->label[i] = (uint8_t)(white ? value > 0 : value == SEG_VOID ? 0 : value);
    }
    if (!v->grey && v->count[SEG_VOID])
        seg_log(ctx, SEG_LOG_WARNING, "%s: %u pixels of palette index 255 (void) are taken as unmarked", name,
                v->count[SEG_VOID]);
    for (int label = 1; label <= SEG_MAX_LABELS; label++)
        if (white ? label == 1 : v->count[label] > 0)
            out->labels = label;
    if (out->labels == 0)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s: nothing is marked, every pixel is 0%s; paint a stroke on each region, the first in %s 1",
                        name, v->count[SEG_VOID] ? " or 255" : "", v->grey ? "the value" : "palette index");
    if (!v->grey)
        seg_mask_take_palette(out, raster, v->count);
    return SEG_OK;
}

static void say_what_was_found(seg_context *ctx, const char *name, const seg_mask *marks, seg_marks_kind kind,
                               int painted_copy) {
    char labels[800];
    const char *what = kind == SEG_MARKS_PALETTE   ? "a palette image, the index is the label"
                       : kind == SEG_MARKS_GREY    ? "a grey image, the value is the label"
                       : kind == SEG_MARKS_COLOURS ? "strokes in flat colours"
                       : kind == SEG_MARKS_PAINTED ? "flat colours painted on a copy of the photograph"
                       : painted_copy              ? "smoothed colours painted on a copy of the photograph"
                                                   : "strokes in smoothed colours";
    if (!ctx || !ctx->log)
        return;
    int count = seg_mask_describe(marks, kind != SEG_MARKS_PALETTE && kind != SEG_MARKS_GREY, labels, sizeof labels);
    seg_log(ctx, SEG_LOG_INFO, "%s is %s; %d label%s: %s", name, what, count, count == 1 ? "" : "s", labels);
}

/* A picture painted all over in one colour is mostly a white sheet with strokes on it. */
static void warn_of_ground(seg_context *ctx, const char *name, const seg_mask *marks) {
    const size_t pixels = (size_t)marks->width * (size_t)marks->height;
    size_t count[256] = {0};
    for (size_t i = 0; i < pixels; i++)
        count[marks->label[i]]++;
    for (int label = 1; label <= SEG_MAX_LABELS; label++)
        if (2 * count[label] > pixels && count[label] < pixels)
            seg_log(ctx, SEG_LOG_WARNING,
                    "%s: the colour (%d,%d,%d) covers most of the picture and counts as label %d; the ground between "
                    "strokes should be black or transparent",
                    name, marks->colour[label][0], marks->colour[label][1], marks->colour[label][2], label);
}

seg_status seg_marks_from_raster(seg_context *ctx, const seg_raster *raster, const char *name, const seg_image *photo,
                                 const seg_labelmap *map, seg_mask *out, seg_marks_kind *kind) {
    const unsigned least = seg_raster_least_opacity(raster);
    int painted_copy = 0, tolerance = 0, by_value = 0;
    seg_marks_kind found = SEG_MARKS_PALETTE;
    values *v = NULL;
    memset(out, 0, sizeof *out);
    if (photo && photo->width == raster->height && photo->height == raster->width && photo->width != photo->height)
        return seg_fail(
            ctx, SEG_ERR_INPUT,
            "%s has %d x %d pixels, the photograph %d x %d: one of them lies on its side; paint the strokes "
            "on the photograph as it is shown upright",
            name, raster->width, raster->height, photo->width, photo->height);
    if (photo && (photo->width != raster->width || photo->height != raster->height))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s has %d x %d pixels, the photograph %d x %d; paint the strokes on a picture of the "
                        "photograph's size",
                        name, raster->width, raster->height, photo->width, photo->height);
    seg_status status = seg_mask_create(ctx, raster->width, raster->height, out);
    if (status != SEG_OK)
        return status;
    if (photo && (status = seg_is_painted_copy(ctx, raster, photo, least, &painted_copy, &tolerance)) != SEG_OK)
        goto done;
    if (!painted_copy && raster->channels == 1 && !raster->lossy) {
        if ((status = count_values(ctx, raster, least, &v)) != SEG_OK)
            goto done;
        by_value = !v->grey || v->distinct <= FEW_VALUES;
        found = v->grey ? SEG_MARKS_GREY : SEG_MARKS_PALETTE;
    }
    status = by_value
                 ? from_values(ctx, raster, name, least, v, out)
                 : seg_marks_from_colours(ctx, raster, name, photo, painted_copy, tolerance, least, map, out, &found);
    if (status == SEG_OK && v && !by_value &&
        (out->labels > FEW_VALUES || (raster->bits > 8 && v->largest < DARK_VALUES)))
        /* Neither a few flat greys nor values to be taken as they are: numbering them anew would be a guess. Small
         * values of 16 bits are numbers, not shades, and many of them would fall together as shades. */
        status =
            seg_fail(ctx, SEG_ERR_INPUT,
                     "%s is grey with %d values; more than %d labels are read from palette PNG only, smooth strokes "
                     "only in a few clear greys",
                     name, v->distinct, FEW_VALUES - 1);
    if (status != SEG_OK)
        goto done;
    if (!by_value && !painted_copy)
        warn_of_ground(ctx, name, out);
    say_what_was_found(ctx, name, out, found, painted_copy);
    if (kind)
        *kind = found;
done:
    free(v);
    if (status != SEG_OK)
        seg_mask_free(out);
    return status;
}

seg_status seg_marks_read(seg_context *ctx, const char *path, const seg_image *photo, const seg_labelmap *map,
                          seg_mask *out, seg_marks_kind *kind) {
    seg_raster raster;
    memset(out, 0, sizeof *out);
    seg_status status = seg_raster_read(ctx, path, &raster);
    if (status != SEG_OK)
        return status;
    status = seg_marks_from_raster(ctx, &raster, seg_file_label(path, "standard input"), photo, map, out, kind);
    seg_raster_free(&raster);
    return status;
}
