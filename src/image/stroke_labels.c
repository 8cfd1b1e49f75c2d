#include "image/stroke_labels.h"
#include "base/base.h"
#include "base/parallel.h"
#include "image/strokes.h"

#include <stdlib.h>

#define JPEG_BLACK    40 /* a JPEG's black ground and the ripples on it */
#define LOST_PART     50 /* of the labelled pixels: more away from any label are a stroke that would be lost */
#define JPEG_MAP_NEAR 40 /* how far JPEG moves the colours of a label map */

typedef struct job {
    seg_context *ctx;
    const char *name;
    seg_strokes strokes;
    const seg_labelmap *map;
    int tolerance;
    unsigned least_opacity;
    seg_colour_count *flat;
    size_t flats;
    uint8_t label_of[SEG_MAX_LABELS];
} job;

static void find_painted_pixels(void *arg, size_t first, size_t last, int worker) {
    job *j = arg;
    seg_strokes *s = &j->strokes;
    const int black = s->raster->lossy ? JPEG_BLACK : 0, limit = s->photo ? j->tolerance : black;
    size_t painted = 0;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        int differs = seg_raster_visible(s->raster, i, j->least_opacity) &&
                      seg_colour_distance(seg_raster_colour(s->raster, i), seg_strokes_ground(s, i)) > limit;
        s->label[i] = (uint8_t)differs;
        painted += (size_t)differs;
    }
    __atomic_fetch_add(&s->painted, painted, __ATOMIC_RELAXED);
}

/* Mark the pixels that may belong to a stroke. */
static void find_painted(job *j) {
    j->strokes.painted = 0;
    seg_parallel(j->ctx, j->strokes.pixels, 0, find_painted_pixels, j);
}

/* Opaque black on transparent ground is unmarked as all black is; tell who meant it as a stroke. */
static void warn_of_black(const job *j) {
    const seg_strokes *s = &j->strokes;
    size_t black = 0;
    if (s->photo || j->least_opacity == 0)
        return;
    for (size_t i = 0; i < s->pixels; i++)
        black += seg_raster_visible(s->raster, i, j->least_opacity) && seg_raster_colour(s->raster, i) == 0;
    if (black)
        seg_log(j->ctx, SEG_LOG_WARNING, "%s: %zu black pixels are not marks; paint strokes in other colours", j->name,
                black);
}

static seg_status count_colours(job *j, seg_colour_counts *counts) {
    const seg_strokes *s = &j->strokes;
    seg_status status = seg_colour_counts_create(j->ctx, counts);
    uint32_t run = 0, last = 0;
    for (size_t i = 0; i < s->pixels && status == SEG_OK; i++) {
        if (!s->label[i])
            continue;
        uint32_t colour = seg_raster_colour(s->raster, i);
        if (run && colour != last) {
            status = seg_colour_counts_add(j->ctx, counts, last, run);
            run = 0;
        }
        last = colour;
        run++;
    }
    return status == SEG_OK ? seg_colour_counts_add(j->ctx, counts, last, run) : status;
}

static seg_status no_flat_strokes(const job *j, size_t pixels) {
    const seg_strokes *s = &j->strokes;
    if (s->photo || !s->raster->lossy)
        return seg_fail(j->ctx, SEG_ERR_INPUT,
                        "%s: %zu of %zu pixels that differ from %s have no clear stroke colour; paint in a few flat "
                        "colours with a hard brush and save as PNG",
                        j->name, pixels, s->painted, s->photo ? "the photograph" : "black or transparent ground");
    return seg_fail(j->ctx, SEG_ERR_INPUT,
                    "%s: %zu of %zu painted pixels lost their stroke colour to JPEG; save the strokes as PNG, or paint "
                    "with a broader brush",
                    j->name, pixels, s->painted);
}

/* Smooth colours all over the picture are another picture, not strokes. */
static seg_status check_ground(const job *j, int soft) {
    const seg_strokes *s = &j->strokes;
    if (!soft || s->photo || 2 * s->painted <= s->pixels)
        return SEG_OK;
    return seg_fail(
        j->ctx, SEG_ERR_INPUT,
        "%s is neither a copy of the photograph nor strokes: %zu of %zu pixels have colours; leave the ground "
        "between strokes black or transparent",
        j->name, s->painted, s->pixels);
}

static seg_status find_flat_colours(job *j, int *soft) {
    seg_colour_counts counts;
    seg_status status;
    *soft = 1;
    if (j->strokes.raster->lossy) {
        if ((status = check_ground(j, 1)) == SEG_OK)
            status = seg_flat_colours_lossy(j->ctx, &j->strokes, j->name, &j->flat, &j->flats);
    } else {
        if ((status = count_colours(j, &counts)) == SEG_OK)
            status = seg_flat_colours_exact(j->ctx, &j->strokes, &counts, &j->flat, &j->flats, soft);
        if (status == SEG_OK)
            status = check_ground(j, *soft);
        seg_colour_counts_free(&counts);
    }
    if (status == SEG_OK && j->flats == 0)
        status = no_flat_strokes(j, j->strokes.painted);
    if (status == SEG_OK && j->flats > SEG_MAX_LABELS)
        status =
            seg_fail(j->ctx, SEG_ERR_INPUT,
                     "%s has more than %d stroke colours; paint flat strokes in fewer colours, or on a copy of the "
                     "photograph that is otherwise unchanged",
                     j->name, SEG_MAX_LABELS);
    return status;
}

/* The label of each flat colour: its position in the map, or in the order of the colours. */
static seg_status number_colours(job *j, seg_mask *out) {
    for (size_t f = 0; f < j->flats; f++) {
        const uint32_t colour = j->flat[f].colour;
        int nearest = 256, label = (int)f + 1;
        for (int m = 0; j->map && m < j->map->count; m++) {
            const uint8_t *rgb = j->map->colour[m];
            int distance = seg_colour_distance(colour, seg_colour_pack(rgb[0], rgb[1], rgb[2]));
            if (distance < nearest) {
                nearest = distance;
                label = m + 1;
            }
        }
        if (j->map && nearest > (j->strokes.raster->lossy ? JPEG_MAP_NEAR : 0)) {
            const uint8_t *rgb = nearest < 256 ? j->map->colour[label - 1] : out->colour[0];
            return seg_fail(
                j->ctx, SEG_ERR_INPUT,
                "%s: the stroke colour (%d,%d,%d) of %u pixels is not in the label map; its nearest entry is "
                "'%s' (%d,%d,%d): repaint in that colour or add a line to the map",
                j->name, seg_colour_channel(colour, 0), seg_colour_channel(colour, 1), seg_colour_channel(colour, 2),
                j->flat[f].count, nearest < 256 ? j->map->name[label - 1] : "", rgb[0], rgb[1], rgb[2]);
        }
        j->label_of[f] = (uint8_t)label;
        if (!j->map)
            seg_mask_set_colour(out, label, colour);
        out->labels = label > out->labels ? label : out->labels;
    }
    for (int m = 0; j->map && m < j->map->count; m++)
        for (int c = 0; c < 3; c++)
            out->colour[m + 1][c] = j->map->colour[m][c];
    return SEG_OK;
}

static seg_status nothing_painted(const job *j) {
    return j->strokes.photo
               ? seg_fail(j->ctx, SEG_ERR_INPUT,
                          "%s is the unpainted photograph: nothing is marked; paint a stroke on each region", j->name)
               : seg_fail(j->ctx, SEG_ERR_INPUT,
                          "%s: nothing is marked; paint a stroke on each region in a colour other than black", j->name);
}

seg_status seg_marks_from_colours(seg_context *ctx, const seg_raster *raster, const char *name, const seg_image *photo,
                                  int painted_copy, int tolerance, unsigned least_opacity, const seg_labelmap *map,
                                  seg_mask *out, seg_marks_kind *kind) {
    job j = {.ctx = ctx, .name = name, .map = map, .tolerance = tolerance, .least_opacity = least_opacity};
    int soft = 0;
    j.strokes = (seg_strokes){.raster = raster,
                              .photo = painted_copy ? photo : NULL,
                              .label = out->label,
                              .pixels = (size_t)raster->width * (size_t)raster->height};
    find_painted(&j);
    warn_of_black(&j);
    seg_status status = j.strokes.painted ? find_flat_colours(&j, &soft) : nothing_painted(&j);
    if (status != SEG_OK || (status = check_ground(&j, soft)) != SEG_OK || (status = number_colours(&j, out)) != SEG_OK)
        goto done;
    seg_snapped became = seg_strokes_snap(ctx, &j.strokes, j.flat, j.flats, tolerance, j.label_of);
    const size_t labelled = became.exact + became.snapped;
    if (5 * became.ambiguous > labelled + became.ambiguous || LOST_PART * became.lost > labelled ||
        2 * became.close < labelled) {
        status = no_flat_strokes(&j, became.ambiguous + labelled - became.close);
        goto done;
    }
    *kind = soft ? SEG_MARKS_SNAPPED : painted_copy ? SEG_MARKS_PAINTED : SEG_MARKS_COLOURS;
    if (soft)
        seg_log(
            ctx, SEG_LOG_WARNING,
            "%s: the strokes are not in exact colours%s: %zu pixels were snapped to the nearest of %zu flat colours, "
            "%zu were left unmarked; a hard brush and PNG keep all",
            name, raster->lossy ? " (JPEG)" : " (soft edges)", became.snapped, j.flats, became.left + became.ambiguous);
    if (became.lost)
        seg_log(
            ctx, SEG_LOG_WARNING,
            "%s: %zu painted pixels away from all clear strokes have no clear colour and are unmarked; if they are a "
            "small stroke, paint it larger or with a hard brush",
            name, became.lost);
done:
    free(j.flat);
    return status;
}
