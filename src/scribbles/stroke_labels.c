#include "scribbles/stroke_labels.h"
#include "base/base.h"
#include "base/parallel.h"
#include "scribbles/strokes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOST_PART      50 /* of the labelled pixels: more away from any label are a stroke that would be lost */
#define LOST_LEAST     40 /* pixels: likewise in any picture, a stroke four wide and ten long */
#define SOLID_LEAST    9  /* pixels inside of what has no label: a dab five pixels wide has as many */
#define JPEG_SOLID     25 /* likewise of a JPEG, whose blocks of colour reach over edges: seven pixels wide */
#define HOLES_PART     50 /* of the labelled pixels: more holes in strokes are colours that the file does not have */
#define AMBIGUOUS_PART 5  /* of the painted pixels: more are not soft edges of these strokes */
#define JPEG_MAP_NEAR  40 /* how far JPEG and soft brushes move the colours of a label map */
#define SOFT_MAP_NEAR  24
#define UNEXPLAINED    0.08 /* share of the cores */
#define JPEG_CLEAR     64   /* stroke colours that differ by more are surely two */
#define SOFT_CLEAR     40
#define MOST_LABELS    16 /* in soft colours: more are not strokes of a person */
#define FAINT_PART     20 /* of the painted pixels: more that are too faint are a stroke that would be lost */

typedef struct job {
    seg_context *ctx;
    const char *name;
    seg_strokes strokes;
    const seg_labelmap *map;
    seg_scribbles_about *about;
    seg_colour_count *flat; /* hard edges */
    size_t flats;
    seg_stroke_colour *found; /* soft ones */
    size_t colours;
    int soft;
    uint8_t label_of[SEG_MAX_LABELS];
} job;

static size_t colour_count(const job *j) {
    return j->soft ? j->colours : j->flats;
}
static uint32_t colour_at(const job *j, size_t i) {
    return j->soft ? j->found[i].colour : j->flat[i].colour;
}
static size_t pixels_at(const job *j, size_t i) {
    return j->soft ? j->found[i].count : j->flat[i].count;
}

/* "#ff0000 (512 pixels), ..." */
static const char *list_colours(const job *j, char *text, size_t size) {
    const size_t all = colour_count(j);
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < all; i++) {
        char item[64];
        const int length = snprintf(item, sizeof item, "%s#%06x (%zu pixels)", i ? ", " : "", (unsigned)colour_at(j, i),
                                    pixels_at(j, i));
        if (used + (size_t)length + 20 > size) {
            snprintf(text + used, size - used, " and %zu more", all - i);
            break;
        }
        used += (size_t)snprintf(text + used, size - used, "%s", item);
    }
    return text;
}

/* What was found is not a sure answer: show it, and say what makes it one. */
static seg_status refuse_ambiguous(const job *j, const char *why) {
    char text[400];
    j->about->ambiguous = 1;
    if (colour_count(j) == 0)
        return seg_fail(j->ctx, SEG_ERR_INPUT,
                        "%s: %s; paint in a few clear colours with a hard brush and save as PNG, or give a label map",
                        j->name, why);
    return seg_fail(j->ctx, SEG_ERR_INPUT,
                    "%s: %s; the colours found are %s: paint with a hard brush and save as PNG, or give a label map "
                    "of the colours that are labels",
                    j->name, why, list_colours(j, text, sizeof text));
}

/* Mark the pixels that may belong to a stroke. */
static void find_painted_pixels(void *arg, size_t first, size_t last, int worker) {
    seg_strokes *s = arg;
    size_t painted = 0;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        const int differs =
            seg_raster_visible(s->raster, i, s->least_opacity) &&
            seg_strokes_contrast(s, seg_raster_colour(s->raster, i), seg_strokes_ground(s, i)) > s->ground->tolerance;
        s->label[i] = (uint8_t)differs;
        painted += (size_t)differs;
    }
    __atomic_fetch_add(&s->painted, painted, __ATOMIC_RELAXED);
}

static void find_painted(job *j) {
    j->strokes.painted = 0;
    seg_parallel(j->ctx, j->strokes.pixels, 0, find_painted_pixels, &j->strokes);
}

/* Opaque black on ground that is black as far as it is opaque is unmarked; tell who meant it as a stroke. */
static void warn_of_black(const job *j) {
    const seg_strokes *s = &j->strokes;
    size_t black = 0;
    if (s->ground->kind != SEG_GROUND_COLOUR || s->ground->colour != 0 || s->least_opacity == 0)
        return;
    for (size_t i = 0; i < s->pixels; i++)
        black += seg_raster_visible(s->raster, i, s->least_opacity) && seg_raster_colour(s->raster, i) == 0;
    if (black && 2 * black < s->pixels)
        seg_log(j->ctx, SEG_LOG_WARNING, "%s: %zu black pixels are not scribbles; paint strokes in other colours",
                j->name, black);
}

/* Strokes far less opaque than others, with none of those near them, are not just soft edges. */
static seg_status check_faint(const job *j) {
    const seg_strokes *s = &j->strokes;
    const int width = s->raster->width, height = s->raster->height;
    size_t faint = 0;
    for (size_t i = 0; s->least_opacity && i < s->pixels; i++) {
        if (s->raster->alpha[i] == 0 || s->raster->alpha[i] >= s->least_opacity ||
            8u * s->raster->alpha[i] < s->least_opacity)
            continue;
        const int x = (int)(i % (size_t)width), y = (int)(i / (size_t)width);
        int near = 0;
        for (int v = y - 6 < 0 ? 0 : y - 6; v <= y + 6 && v < height && !near; v++)
            for (int u = x - 6 < 0 ? 0 : x - 6; u <= x + 6 && u < width && !near; u++)
                near = s->label[(size_t)v * (size_t)width + (size_t)u] != 0;
        faint += !near;
    }
    if (FAINT_PART * faint <= s->painted)
        return SEG_OK;
    return seg_fail(j->ctx, SEG_ERR_INPUT,
                    "%s: %zu pixels away from the other strokes are less than half as opaque as those; paint all "
                    "strokes with the same opacity",
                    j->name, faint);
}

/* Smooth colours all over the image are another image, not strokes. */
static seg_status check_ground(const job *j) {
    const seg_strokes *s = &j->strokes;
    if (!j->soft || s->ground->kind != SEG_GROUND_COLOUR || 2 * s->painted <= s->pixels)
        return SEG_OK;
    return seg_fail(j->ctx, SEG_ERR_INPUT,
                    "%s is neither a copy of the image nor strokes: %zu of %zu pixels have colours; leave the "
                    "ground between strokes black, white, transparent or as in the image",
                    j->name, s->painted, s->pixels);
}

/* Two colours so alike may be one that JPEG or a soft brush split: better no answer than a label too many. */
static seg_status check_apart(const job *j) {
    const int lossy = j->strokes.raster->lossy, clear = lossy || j->strokes.ground->coarse ? JPEG_CLEAR : SOFT_CLEAR;
    char why[160];
    for (size_t a = 0; a < j->colours; a++)
        for (size_t b = a + 1; b < j->colours; b++)
            if (seg_colour_distance(j->found[a].colour, j->found[b].colour) < clear) {
                snprintf(why, sizeof why, "the stroke colours #%06x and #%06x are too much alike for %s",
                         (unsigned)j->found[a].colour, (unsigned)j->found[b].colour, lossy ? "a JPEG" : "soft edges");
                return refuse_ambiguous(j, why);
            }
    return SEG_OK;
}

static seg_status no_clear_strokes(const job *j, size_t pixels) {
    char why[200];
    if (j->strokes.raster->lossy)
        snprintf(why, sizeof why, "%zu of %zu painted pixels lost their stroke colour to JPEG", pixels,
                 j->strokes.painted);
    else
        snprintf(why, sizeof why, "%zu of %zu pixels that differ from %s have no clear stroke colour", pixels,
                 j->strokes.painted, j->about->ground);
    return refuse_ambiguous(j, why);
}

static seg_status check_colours(const job *j, double unexplained) {
    char why[120];
    if (j->colours == 0)
        return no_clear_strokes(j, j->strokes.painted);
    if (j->map)
        return SEG_OK;
    if (unexplained > UNEXPLAINED) {
        snprintf(why, sizeof why, "%.0f %% of the insides of strokes have no clear stroke colour", 100 * unexplained);
        return refuse_ambiguous(j, why);
    }
    if (j->colours > MOST_LABELS) {
        snprintf(why, sizeof why, "%zu colours with soft edges are more than %d labels", j->colours, MOST_LABELS);
        return refuse_ambiguous(j, why);
    }
    return check_apart(j);
}

static seg_status find_colours(job *j) {
    double unexplained = 0;
    seg_status status = SEG_OK;
    j->soft = 1;
    if (!j->strokes.raster->lossy && j->strokes.ground->tolerance == 0)
        status = seg_flat_colours_exact(j->ctx, &j->strokes, &j->flat, &j->flats, &j->soft);
    if (status == SEG_OK)
        status = check_ground(j);
    if (status == SEG_OK && j->soft) {
        status = seg_stroke_colours_find(j->ctx, &j->strokes, &j->found, &j->colours, &unexplained);
        if (status == SEG_OK)
            status = check_colours(j, unexplained);
    }
    return status == SEG_OK ? check_faint(j) : status;
}

/* The label of each flat colour: its position in the map, or in the order of the colours. */
static seg_status number_colours(job *j, seg_mask *out) {
    const size_t colours = colour_count(j);
    const int near = j->strokes.raster->lossy ? JPEG_MAP_NEAR : j->soft ? SOFT_MAP_NEAR : 0;
    for (size_t f = 0; f < colours; f++) {
        const uint32_t colour = colour_at(j, f);
        int nearest = 256, label = (int)f + 1;
        for (int m = 0; j->map && m < j->map->count; m++) {
            const uint8_t *rgb = j->map->colour[m];
            int distance = seg_colour_distance(colour, seg_colour_pack(rgb[0], rgb[1], rgb[2]));
            if (distance < nearest) {
                nearest = distance;
                label = m + 1;
            }
        }
        if (j->map && nearest > near) {
            const uint8_t *rgb = nearest < 256 ? j->map->colour[label - 1] : out->colour[0];
            return seg_fail(
                j->ctx, SEG_ERR_INPUT,
                "%s: the stroke colour (%d,%d,%d) of %zu pixels is not in the label map; its nearest entry is "
                "'%s' (%d,%d,%d): repaint in that colour or add a line to the map",
                j->name, seg_colour_channel(colour, 0), seg_colour_channel(colour, 1), seg_colour_channel(colour, 2),
                pixels_at(j, f), nearest < 256 ? j->map->name[label - 1] : "", rgb[0], rgb[1], rgb[2]);
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
    return seg_ground_is_copy(j->strokes.ground)
               ? seg_fail(j->ctx, SEG_ERR_INPUT,
                          "%s is the unpainted image: nothing is marked; paint a stroke on each region", j->name)
               : seg_fail(j->ctx, SEG_ERR_INPUT,
                          "%s: nothing is marked; paint a stroke on each region in a colour other than %s", j->name,
                          j->strokes.ground->colour == 0xffffff ? "white" : "black");
}

static void say_what_was_snapped(const job *j, const seg_snapped *became) {
    seg_log(j->ctx, SEG_LOG_WARNING,
            "%s: the strokes are not in exact colours%s: %zu pixels were snapped to the nearest of %zu flat colours, "
            "%zu were left unmarked; a hard brush and PNG keep all",
            j->name, j->strokes.raster->lossy ? " (JPEG)" : " (soft edges)", became->snapped, j->colours,
            became->left + became->ambiguous);
    if (became->lost)
        seg_log(j->ctx, SEG_LOG_WARNING,
                "%s: %zu painted pixels away from all clear strokes have no clear colour and are unmarked; if they are "
                "a small stroke, paint it larger or with a hard brush",
                j->name, became->lost);
}

/* Where a stroke or a large part of one would be dropped, there is not a sure answer. */
static seg_status check_gaps(const job *j, const seg_snapped *became, size_t labelled) {
    const seg_ground *ground = j->strokes.ground;
    char why[200];
    if (AMBIGUOUS_PART * became->ambiguous > labelled + became->ambiguous || LOST_PART * became->lost > labelled ||
        (ground->coarse && became->lost >= LOST_LEAST))
        return no_clear_strokes(j, became->ambiguous + became->lost);
    if (!ground->coarse && became->solid >= (j->strokes.raster->lossy ? JPEG_SOLID : SOLID_LEAST)) {
        snprintf(why, sizeof why, "%zu painted pixels lie together and have none of the stroke colours",
                 became->ambiguous);
        return refuse_ambiguous(j, why);
    }
    if (ground->coarse && HOLES_PART * became->holes > labelled) {
        snprintf(why, sizeof why, "strokes have %zu pixels of other colours inside: the file has too few colours",
                 became->holes);
        return refuse_ambiguous(j, why);
    }
    return SEG_OK;
}

seg_status seg_scribbles_from_colours(seg_context *ctx, const seg_raster *raster, const char *name,
                                      const seg_ground *ground, unsigned least_opacity, const seg_labelmap *map,
                                      seg_mask *out, seg_scribbles_about *about) {
    job j = {.ctx = ctx, .name = name, .map = map, .about = about};
    j.strokes = (seg_strokes){.raster = raster,
                              .ground = ground,
                              .least_opacity = least_opacity,
                              .label = out->label,
                              .pixels = (size_t)raster->width * (size_t)raster->height};
    seg_ground_name(ground, about->ground, sizeof about->ground);
    find_painted(&j);
    warn_of_black(&j);
    seg_status status = j.strokes.painted ? find_colours(&j) : nothing_painted(&j);
    if (status == SEG_OK && colour_count(&j) > SEG_MAX_LABELS)
        status = refuse_ambiguous(&j, "there are more colours than labels (254)");
    if (status != SEG_OK || (status = number_colours(&j, out)) != SEG_OK)
        goto done;
    const seg_snapped became = j.soft ? seg_strokes_snap(ctx, &j.strokes, j.found, j.colours, j.label_of)
                                      : seg_strokes_snap_exact(&j.strokes, j.flat, j.flats, j.label_of);
    const size_t labelled = became.exact + became.snapped;
    if ((status = check_gaps(&j, &became, labelled)) != SEG_OK)
        goto done;
    about->kind = j.soft                       ? SEG_SCRIBBLES_SNAPPED
                  : seg_ground_is_copy(ground) ? SEG_SCRIBBLES_PAINTED
                                               : SEG_SCRIBBLES_COLOURS;
    about->labels_found = (int)colour_count(&j);
    if (j.soft)
        say_what_was_snapped(&j, &became);
done:
    free(j.flat);
    free(j.found);
    return status;
}
