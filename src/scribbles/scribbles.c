/* Scribble files. What a file is, is told by its content:
 *
 * 1. A palette file: the index is the label, 0 and 255 are unmarked (255 with a warning).
 * 2. Lossless grey (also a palette of greys in order) with at most 32 values: the value is the label, 0 is unmarked;
 *    where 0 and the largest value are all there is, that is label 1. Values above 254 are refused otherwise.
 * 3. Anything else: strokes in colours on a ground (ground.h, strokes.h), each colour one label, numbered by the label
 * map or in the order of r*65536+g*256+b. Soft edges and JPEG are snapped to the strokes' colours, with a warning.
 *
 * Programs also store pictures with palettes, and grey ones in few values. They are read by 3 where they cannot be
 * meant as 1 or 2: a copy of the image in many colours, soft edges, or index 0 in use for a stroke while a black,
 * white or grey ground has another index. Pixels less than half as opaque as the most opaque one are unmarked. */
#include "base/base.h"
#include "image/colour.h"
#include "image/file.h"
#include "image/labels.h"
#include "image/mask.h"
#include "scribbles/mask_fit.h"
#include "scribbles/stroke_labels.h"
#include "scribbles/strokes.h"

#include <stdlib.h>
#include <string.h>

#define MANY_VALUES 8   /* fewer are not soft edges */
#define WHOLE_PART  0.9 /* of the pixels: scribbles of more leave nothing to be found */
#define WHOLE_LEAST 100 /* pixels: in smaller pictures a stroke may cover all */
#define GROUND_PART (2. / 3)
#define STROKE_PART 0.1
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

static void say_what_was_found(seg_context *ctx, const char *name, const seg_mask *scribbles,
                               const seg_scribbles_about *about) {
    char labels[800];
    const seg_scribbles_kind kind = about->kind;
    const char *what = kind == SEG_SCRIBBLES_PALETTE   ? "a palette image, the index is the label"
                       : kind == SEG_SCRIBBLES_GREY    ? "a grey image, the value is the label"
                       : kind == SEG_SCRIBBLES_SHAPES  ? "shapes with labels"
                       : kind == SEG_SCRIBBLES_ARRAY   ? "an array of labels"
                       : kind == SEG_SCRIBBLES_COLOURS ? "strokes in flat colours"
                       : kind == SEG_SCRIBBLES_PAINTED ? "flat colours painted on a copy of the image"
                                                       : "strokes in smoothed colours";
    if (!ctx || !ctx->log)
        return;
    const int colours = kind >= SEG_SCRIBBLES_COLOURS && kind <= SEG_SCRIBBLES_SNAPPED;
    const int count = seg_mask_describe(scribbles, colours, labels, sizeof labels);
    seg_log(ctx, SEG_LOG_INFO, "%s is %s%s%s; %d label%s: %s", name, what, kind == SEG_SCRIBBLES_SNAPPED ? " on " : "",
            kind == SEG_SCRIBBLES_SNAPPED ? about->ground : "", count, count == 1 ? "" : "s", labels);
}

/* Count what is marked. An image that is marked all over is hardly scribbles: a mask or a ground truth was given in
 * their place, or the ground was taken for a label. */
static void count_marked(seg_context *ctx, const char *name, const seg_mask *scribbles, seg_scribbles_about *about) {
    const size_t pixels = (size_t)scribbles->width * (size_t)scribbles->height;
    size_t count[256] = {0}, most = 0;
    int largest = 0;
    for (size_t i = 0; i < pixels; i++)
        count[scribbles->label[i]]++;
    about->labels_found = 0;
    about->marked = pixels - count[0];
    for (int label = 1; label <= SEG_MAX_LABELS; label++) {
        about->labels_found += count[label] > 0;
        if (count[label] > most)
            most = count[largest = label];
    }
    if ((double)about->marked >= WHOLE_PART * (double)pixels && pixels >= WHOLE_LEAST)
        seg_log(ctx, SEG_LOG_WARNING,
                "%s marks %.1f %% of the pixels, and nearly nothing is left to be found: scribbles are a few strokes; "
                "was a mask or a ground truth given in their place?",
                name, 100. * (double)about->marked / (double)pixels);
    else if (about->kind >= SEG_SCRIBBLES_COLOURS && about->kind <= SEG_SCRIBBLES_SNAPPED && 2 * most > pixels)
        seg_log(ctx, SEG_LOG_WARNING,
                "%s: the colour (%d,%d,%d) covers most of the image and counts as label %d; the ground between "
                "strokes should be black, white or transparent",
                name, scribbles->colour[largest][0], scribbles->colour[largest][1], scribbles->colour[largest][2],
                largest);
}

void seg_scribbles_tell(seg_context *ctx, const char *name, const seg_mask *scribbles, seg_scribbles_about *about) {
    count_marked(ctx, name, scribbles, about);
    say_what_was_found(ctx, name, scribbles, about);
}

static seg_status check_size_of(seg_context *ctx, const seg_raster *raster, const char *name, const seg_image *photo) {
    if (photo && photo->width == raster->height && photo->height == raster->width && photo->width != photo->height)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s has %d x %d pixels, the image %d x %d: one of them lies on its side; paint the strokes "
                        "on the image as it is shown upright",
                        name, raster->width, raster->height, photo->width, photo->height);
    if (photo && (photo->width != raster->width || photo->height != raster->height))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s has %d x %d pixels, the image %d x %d; paint the strokes on an image of the "
                        "image's size",
                        name, raster->width, raster->height, photo->width, photo->height);
    return SEG_OK;
}

/* 1 where index 0 is a stroke's colour and the ground has another index: an image that a program saved with a
 * palette of its own, not a file of labels. */
static int ground_has_another_index(const seg_raster *raster, const values *v) {
    uint64_t visible = 0;
    unsigned most = 0;
    if (raster->kind != SEG_RASTER_PALETTE || v->grey || v->count[0] == 0)
        return 0;
    for (unsigned i = 0; i < 256; i++) {
        visible += v->count[i];
        most = v->count[i] > v->count[most] ? i : most;
    }
    const uint8_t *first = raster->palette[0], *ground = raster->palette[most];
    const int ground_is_grey = ground[0] == ground[1] && ground[1] == ground[2];
    const int first_is_grey = first[0] == first[1] && first[1] == first[2];
    if (most == 0 || !ground_is_grey || memcmp(first, ground, 3) == 0 || 2 * (uint64_t)v->count[most] < visible)
        return 0;
    return !first_is_grey || ((double)v->count[most] >= GROUND_PART * (double)visible &&
                              (double)v->count[0] <= STROKE_PART * (double)visible);
}

/* 1 where grey values cannot be labels: on white any other value is a stroke's, on grey black and white are. */
static int grey_is_ground(const seg_raster *raster, const values *v, const seg_ground *ground) {
    const unsigned colour = (unsigned)seg_colour_channel(ground->colour, 0);
    if (!v->grey || raster->bits > 8 || v->largest != (1u << raster->bits) - 1 || v->distinct < 3 ||
        ground->kind != SEG_GROUND_COLOUR || colour == 0)
        return 0;
    for (unsigned value = 1; value < v->largest && colour != 255; value++)
        if (v->count[value] && seg_sample_to_8(value, raster->bits) != colour)
            return 0;
    return 1;
}

/* 1 where a file of values may be an image. */
static int may_be_picture(const seg_raster *raster, const values *v, const seg_ground *ground) {
    if (seg_ground_is_copy(ground))
        return 1;
    return grey_is_ground(raster, v, ground) || v->distinct > MANY_VALUES || ground_has_another_index(raster, v);
}

/* Read a file of values as an image of strokes. *fits: it is one. */
static seg_status try_colours(seg_context *ctx, const seg_raster *raster, const char *name, const seg_ground *ground,
                              unsigned least, const seg_labelmap *map, const values *v, seg_mask *out,
                              seg_scribbles_about *about, int *fits) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    const int cannot_be_labels =
        seg_ground_is_copy(ground) || ground_has_another_index(raster, v) || grey_is_ground(raster, v, ground);
    const seg_log_fn log = ctx ? ctx->log : NULL;
    if (ctx && !cannot_be_labels)
        ctx->log = NULL; /* of a reading that may not be the one */
    seg_status status = seg_scribbles_from_colours(ctx, raster, name, ground, least, map, out, about);
    if (ctx)
        ctx->log = log;
    *fits = status == SEG_OK &&
            (cannot_be_labels || (about->kind == SEG_SCRIBBLES_SNAPPED && 2 * about->labels_found <= v->distinct));
    if (*fits || (status != SEG_OK && status != SEG_ERR_INPUT))
        return status;
    if (seg_ground_is_copy(ground) || (status == SEG_ERR_INPUT && ground_has_another_index(raster, v)))
        return status;
    memset(out->label, 0, pixels);
    out->labels = 0;
    seg_mask_default_colours(out->colour);
    memset(about, 0, sizeof *about);
    return SEG_OK;
}

seg_status seg_scribbles_about_raster(seg_context *ctx, const seg_raster *raster, const char *name,
                                      const seg_image *photo, const seg_labelmap *map, seg_mask *out,
                                      seg_scribbles_about *about) {
    const unsigned least = seg_raster_least_opacity(raster);
    const int by_value = raster->channels == 1 && !raster->lossy;
    int colours = 1;
    seg_ground ground;
    values *v = NULL;
    memset(out, 0, sizeof *out);
    memset(about, 0, sizeof *about);
    seg_status status = check_size_of(ctx, raster, name, photo);
    if (status == SEG_OK)
        status = seg_mask_create(ctx, raster->width, raster->height, out);
    if (status == SEG_OK && by_value)
        status = count_values(ctx, raster, least, &v);
    if (status != SEG_OK)
        goto done;
    const int few = by_value && (!v->grey || v->distinct <= FEW_VALUES);
    const int surely = few && !v->grey && v->distinct <= MANY_VALUES && !ground_has_another_index(raster, v);
    if (!surely && (status = seg_ground_find(ctx, raster, photo, least, &ground)) != SEG_OK)
        goto done;
    if (few) {
        colours = 0;
        if (!surely && may_be_picture(raster, v, &ground))
            status = try_colours(ctx, raster, name, &ground, least, map, v, out, about, &colours);
    } else {
        status = seg_scribbles_from_colours(ctx, raster, name, &ground, least, map, out, about);
    }
    if (status == SEG_OK && !colours) {
        about->kind = v->grey ? SEG_SCRIBBLES_GREY : SEG_SCRIBBLES_PALETTE;
        status = from_values(ctx, raster, name, least, v, out);
    }
    if (status == SEG_OK && by_value && !few && v->grey &&
        (out->labels > FEW_VALUES || (raster->bits > 8 && v->largest < DARK_VALUES)))
        /* Neither a few flat greys nor values to be taken as they are: numbering them anew would be a guess. Small
         * values of 16 bits are numbers, not shades, and many of them would fall together as shades. */
        status =
            seg_fail(ctx, SEG_ERR_INPUT,
                     "%s is grey with %d values; more than %d labels are read from palette PNG only, smooth strokes "
                     "only in a few clear greys",
                     name, v->distinct, FEW_VALUES - 1);
    if (status == SEG_OK)
        seg_scribbles_tell(ctx, name, out, about);
done:
    free(v);
    if (status != SEG_OK)
        seg_mask_free(out);
    return status;
}

seg_status seg_scribbles_from_raster(seg_context *ctx, const seg_raster *raster, const char *name,
                                     const seg_image *photo, const seg_labelmap *map, seg_mask *out,
                                     seg_scribbles_kind *kind) {
    seg_scribbles_about about;
    const seg_status status = seg_scribbles_about_raster(ctx, raster, name, photo, map, out, &about);
    if (status == SEG_OK && kind)
        *kind = about.kind;
    return status;
}

seg_status seg_scribbles_about_image(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                                     const seg_image *photo, const seg_labelmap *map, seg_mask *out,
                                     seg_scribbles_about *about) {
    seg_raster raster = {0};
    int scaled = 0;
    memset(out, 0, sizeof *out);
    memset(about, 0, sizeof *about);
    seg_status status = seg_raster_probe(ctx, bytes, size, name, &raster);
    if (status == SEG_OK) { /* before the pixels of something else are decoded */
        scaled = photo && seg_sizes_in_proportion(raster.width, raster.height, photo->width, photo->height);
        status = scaled ? SEG_OK : check_size_of(ctx, &raster, name, photo);
    }
    if (status == SEG_OK)
        status = seg_raster_decode(ctx, bytes, size, name, &raster);
    if (status == SEG_OK) /* as the image, of which it may be a painted copy */
        status = seg_raster_to_srgb(ctx, name, &raster);
    if (status == SEG_OK)
        status = seg_scribbles_about_raster(ctx, &raster, name, scaled ? NULL : photo, map, out, about);
    seg_raster_free(&raster);
    return status;
}
