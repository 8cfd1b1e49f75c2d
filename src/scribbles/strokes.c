#include "scribbles/strokes.h"
#include "base/base.h"

#include <stdarg.h>

#define LOST_PART      50   /* lost pixels above 1 / 50 of the labelled pixels are a stroke that would be lost */
#define LOST_LEAST     40   /* likewise this many lost pixels in any image: a stroke of 4 x 10 pixels */
#define AMBIGUOUS_PART 5    /* ambiguous pixels above 1 / 5 are more than soft edges */
#define MAP_NEAR       40   /* largest distance of a colour from the label map, for JPEG and soft brushes */
#define UNEXPLAINED    0.08 /* largest share of the core pixels without a colour */
#define CLEAR          64   /* stroke colours that differ by at least this are two colours */
#define MOST_LABELS    16   /* most labels of soft strokes: nobody paints with more colours */
#define FAINT_REACH    6
#define FAINT_PART     20 /* faint pixels above 1 / 20 of the painted pixels are a stroke that would be lost */

#define REACH 3  /* largest distance in pixels of a labelled pixel from a core of its stroke */
#define DENSE 12 /* least unclear pixels among 5 x 5 */
#define NEAR  4  /* largest distance in pixels of unclear pixels from the stroke that they may belong to */

/* The lower six bits of a pixel's label, until the labels are known: 1 + the index of its colour, or one of these. */
#define PLACE     0x3f
#define LEFT      (PLACE - 1)
#define AMBIGUOUS PLACE
#define DROPPED   0x40
#define CORE      0x80

/* Numbers of painted pixels by result. */
typedef struct snapped {
    size_t snapped; /* labelled: a flat colour, or close enough to one */
    size_t left; /* unmarked: blends of a flat colour and the ground, nearly the ground, or without a core in reach */
    size_t ambiguous; /* unmarked: core pixels that are none of these */
    size_t lost;      /* ambiguous, or without a core in reach, and away from labelled pixels: a lost stroke */
} snapped;

typedef struct reading {
    const seg_scribbles_job *job;
    seg_strokes strokes;
    int soft; /* 1: the strokes do not have exact colours */
    uint8_t label_of[SEG_FEW_COLOURS];
} reading;

static const seg_stroke_limits exact_limits = {12, 32, 12, 8, 28}, rough_limits = {24, 48, 32, 24, 56};

/* "#ff0000 (512 pixels), ..." */
static const char *list_colours(const reading *j, char *text, size_t size) {
    const size_t all = j->strokes.colours;
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < all; i++) {
        char item[64];
        const int length = snprintf(item, sizeof item, "%s#%06x (%zu pixels)", i ? ", " : "",
                                    (unsigned)j->strokes.colour[i].colour, j->strokes.colour[i].count);
        if (used + (size_t)length + 20 > size) {
            snprintf(text + used, size - used, " and %zu more", all - i);
            break;
        }
        used += (size_t)snprintf(text + used, size - used, "%s", item);
    }
    return text;
}

/* Refuse an ambiguous result: list the colours found, and tell how to make it clear. */
__attribute__((format(printf, 2, 3))) static seg_status refuse_ambiguous(const reading *j, const char *format, ...) {
    char text[400], why[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    j->job->about->ambiguous = 1;
    if (j->strokes.colours == 0)
        return seg_fail(j->job->ctx, SEG_ERR_INPUT,
                        "%s: %s; paint in a few clear colours with a hard brush and save as PNG, or give a label map",
                        j->job->name, why);
    return seg_fail(j->job->ctx, SEG_ERR_INPUT,
                    "%s: %s; the colours found are %s: paint with a hard brush and save as PNG, or give a label map "
                    "of the colours that are labels",
                    j->job->name, why, list_colours(j, text, sizeof text));
}

/* Mark the pixels that may belong to a stroke. */
static void find_painted_pixels(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    seg_strokes *s = arg;
    size_t painted = 0;
    for (size_t i = first; i < last; i++) {
        const int differs =
            seg_raster_visible(s->raster, i, s->least_opacity) &&
            seg_strokes_contrast(s, seg_strokes_colour(s, i), seg_strokes_ground(s, i)) > s->ground->tolerance;
        s->label[i] = (uint8_t)differs;
        painted += (size_t)differs;
    }
    __atomic_fetch_add(&s->painted, painted, __ATOMIC_RELAXED);
}

/* Opaque black on a partly transparent black ground is unmarked; warn those who meant it as a stroke. */
static void warn_of_black(const reading *j) {
    const seg_strokes *s = &j->strokes;
    size_t black = 0;
    if (s->ground->kind != SEG_GROUND_COLOUR || s->ground->colour != 0 || s->least_opacity == 0)
        return;
    for (size_t i = 0; i < s->pixels; i++)
        black += seg_raster_visible(s->raster, i, s->least_opacity) && seg_strokes_colour(s, i) == 0;
    if (black && 2 * black < s->pixels)
        seg_log(j->job->ctx, SEG_LOG_WARNING, "%s: %zu black pixels are not scribbles; paint strokes in other colours",
                j->job->name, black);
}

static int is_painted(const seg_strokes *s, size_t pixel, SEG_UNUSED const void *unused) {
    return s->label[pixel] != 0;
}

/* Strokes far less opaque than the others and away from them are not just soft edges. */
static seg_status check_faint(const reading *j) {
    const seg_strokes *s = &j->strokes;
    size_t faint = 0;
    for (size_t i = 0; s->least_opacity && i < s->pixels; i++)
        faint += s->raster->alpha[i] && s->raster->alpha[i] < s->least_opacity &&
                 8u * s->raster->alpha[i] >= s->least_opacity &&
                 !seg_strokes_around(s, i, FAINT_REACH, 1, is_painted, NULL);
    if (FAINT_PART * faint <= s->painted)
        return SEG_OK;
    return seg_fail(j->job->ctx, SEG_ERR_INPUT,
                    "%s: %zu pixels away from the other strokes are less than half as opaque as those; paint all "
                    "strokes with the same opacity",
                    j->job->name, faint);
}

/* An image with smooth colours all over is another image, not strokes. */
static seg_status check_ground(const reading *j) {
    const seg_strokes *s = &j->strokes;
    if (!j->soft || s->ground->kind != SEG_GROUND_COLOUR || 2 * s->painted <= s->pixels)
        return SEG_OK;
    return seg_fail(j->job->ctx, SEG_ERR_INPUT,
                    "%s is neither a copy of the image nor strokes: %zu of %zu pixels have colours; leave the "
                    "ground between strokes black, white, transparent or as in the image",
                    j->job->name, s->painted, s->pixels);
}

/* Two similar colours may be one that JPEG or a soft brush split: an error is better than a label too many. */
static seg_status check_apart(const reading *j) {
    const seg_stroke_colour *found = j->strokes.colour;
    for (size_t a = 0; a < j->strokes.colours; a++)
        for (size_t b = a + 1; b < j->strokes.colours; b++)
            if (seg_colour_distance(found[a].colour, found[b].colour) < CLEAR)
                return refuse_ambiguous(j, "the stroke colours #%06x and #%06x are too much alike for %s",
                                        (unsigned)found[a].colour, (unsigned)found[b].colour,
                                        j->strokes.raster->lossy ? "a JPEG" : "soft edges");
    return SEG_OK;
}

static seg_status no_clear_strokes(const reading *j, size_t pixels) {
    if (j->strokes.raster->lossy)
        return refuse_ambiguous(j, "%zu of %zu painted pixels lost their stroke colour to JPEG", pixels,
                                j->strokes.painted);
    return refuse_ambiguous(j, "%zu of %zu pixels that differ from %s have no clear stroke colour", pixels,
                            j->strokes.painted, j->job->about->ground);
}

static seg_status check_soft_colours(const reading *j, double unexplained) {
    if (j->strokes.translucent)
        return refuse_ambiguous(j, "the image shows through the strokes of a translucent brush");
    if (j->strokes.colours == 0)
        return no_clear_strokes(j, j->strokes.painted);
    if (j->job->map)
        return SEG_OK;
    if (unexplained > UNEXPLAINED)
        return refuse_ambiguous(j, "%.0f %% of the insides of strokes have no clear stroke colour", 100 * unexplained);
    return j->strokes.colours > MOST_LABELS ? refuse_ambiguous(j, "%zu colours with soft edges are more than %d labels",
                                                               j->strokes.colours, MOST_LABELS)
                                            : check_apart(j);
}

static seg_status find_colours(reading *j) {
    double unexplained = 0;
    j->soft = 1;
    if (!j->strokes.raster->lossy && j->strokes.ground->tolerance == 0)
        SEG_TRY(seg_flat_colours_find(j->job->ctx, &j->strokes, &j->soft));
    SEG_TRY(check_ground(j));
    if (j->soft) {
        SEG_TRY(seg_stroke_colours_find(j->job->ctx, &j->strokes, &unexplained));
        SEG_TRY(check_soft_colours(j, unexplained));
    }
    return check_faint(j);
}

/* The label of each colour: its position in the map, or in the order of the colours. */
static seg_status number_colours(reading *j) {
    const seg_labelmap *map = j->job->map;
    seg_mask *out = j->job->out;
    for (size_t f = 0; f < j->strokes.colours; f++) {
        const uint32_t colour = j->strokes.colour[f].colour;
        int nearest = 256, label = (int)f + 1;
        for (int m = 0; map && m < map->count; m++) {
            const uint8_t *rgb = map->colour[m];
            const int distance = seg_colour_distance(colour, seg_colour_pack(rgb[0], rgb[1], rgb[2]));
            if (distance < nearest) {
                nearest = distance;
                label = m + 1;
            }
        }
        if (map && nearest > (j->soft ? MAP_NEAR : 0)) {
            const uint8_t *rgb = nearest < 256 ? map->colour[label - 1] : out->colour[0];
            return seg_fail(
                j->job->ctx, SEG_ERR_INPUT,
                "%s: the stroke colour (%d,%d,%d) of %zu pixels is not in the label map; its nearest entry is "
                "'%s' (%d,%d,%d): repaint in that colour or add a line to the map",
                j->job->name, seg_colour_channel(colour, 0), seg_colour_channel(colour, 1),
                seg_colour_channel(colour, 2), j->strokes.colour[f].count, nearest < 256 ? map->name[label - 1] : "",
                rgb[0], rgb[1], rgb[2]);
        }
        j->label_of[f] = (uint8_t)label;
        if (!map)
            seg_mask_set_colour(out, label, colour);
        out->labels = label > out->labels ? label : out->labels;
    }
    if (map)
        memcpy(out->colour[1], map->colour, sizeof map->colour[0] * (size_t)map->count);
    return SEG_OK;
}

static seg_status nothing_painted(const reading *j) {
    return seg_ground_is_copy(j->strokes.ground)
               ? seg_fail(j->job->ctx, SEG_ERR_INPUT,
                          "%s is the unpainted image: nothing is marked; paint a stroke on each region", j->job->name)
               : seg_fail(j->job->ctx, SEG_ERR_INPUT,
                          "%s: nothing is marked; paint a stroke on each region in a colour other than %s",
                          j->job->name, j->strokes.ground->colour == 0xffffff ? "white" : "black");
}

static void say_what_was_snapped(const reading *j, const snapped *became) {
    seg_log(j->job->ctx, SEG_LOG_WARNING,
            "%s: the strokes are not in exact colours%s: %zu pixels were snapped to the nearest of %zu flat colours, "
            "%zu were left unmarked; a hard brush and PNG keep all",
            j->job->name, j->strokes.raster->lossy ? " (JPEG)" : " (soft edges)", became->snapped, j->strokes.colours,
            became->left + became->ambiguous);
    if (became->lost)
        seg_log(j->job->ctx, SEG_LOG_WARNING,
                "%s: %zu painted pixels away from all clear strokes have no clear colour and are unmarked; if they are "
                "a small stroke, paint it larger or with a hard brush",
                j->job->name, became->lost);
}

/* Refuse the result where a stroke or a large part of one would be dropped. */
static seg_status check_gaps(const reading *j, const snapped *became) {
    const int gaps = AMBIGUOUS_PART * became->ambiguous > became->snapped + became->ambiguous ||
                     LOST_PART * became->lost > became->snapped || became->lost >= LOST_LEAST;
    return gaps ? no_clear_strokes(j, became->ambiguous + became->lost) : SEG_OK;
}

/* ---- soft strokes ---- */

static unsigned judge(const seg_strokes *s, size_t pixel) {
    const uint32_t colour = seg_strokes_colour(s, pixel), ground = seg_strokes_ground(s, pixel);
    const int contrast = seg_strokes_contrast(s, colour, ground);
    unsigned place = 0;
    int distance = 256;
    for (size_t f = 0; f < s->colours; f++) {
        const int here = seg_colour_distance(colour, s->colour[f].colour);
        if (here < distance) {
            distance = here;
            place = (unsigned)f;
        }
    }
    if (distance <= s->limits.near && distance < contrast)
        return place + 1;
    if (contrast < s->limits.contrast)
        return LEFT;
    for (size_t f = 0; f < s->colours; f++)
        if (seg_is_blend(colour, s->colour[f].colour, ground, s->limits.off))
            return LEFT;
    return AMBIGUOUS;
}

static int has_label(const seg_strokes *s, size_t pixel, SEG_UNUSED const void *unused) {
    const unsigned label = s->label[pixel];
    return label && !(label & DROPPED) && (label & PLACE) < LEFT;
}

static int is_core_at(const seg_strokes *s, size_t pixel, const void *place) {
    return (s->label[pixel] & (CORE | PLACE)) == (CORE | *(const unsigned *)place);
}

static int is_unclear(const seg_strokes *s, size_t pixel, SEG_UNUSED const void *unused) {
    return (s->label[pixel] & PLACE) == AMBIGUOUS || (s->label[pixel] & DROPPED);
}

static void judge_pixels(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const seg_strokes *s = arg;
    for (size_t i = first; i < last; i++)
        if (s->label[i])
            s->label[i] = (uint8_t)((s->label[i] == SEG_STROKE_CORE ? CORE : 0) | judge(s, i));
}

/* Turn painted pixels into labels, label_of[i] for colour i. A pixel gets a label only if a core of that stroke is in
 * reach, so that the soft edge of one stroke is never taken for another stroke of a similar colour. */
static snapped snap(seg_context *ctx, seg_strokes *s, const uint8_t *label_of) {
    snapped became = {0};
    seg_parallel(ctx, s->pixels, 0, judge_pixels, s);
    /* The soft edge of one stroke may have the colour of another; without a core of that in reach it is an edge. */
    for (size_t i = 0; i < s->pixels; i++) {
        const unsigned label = s->label[i], place = label & PLACE;
        if (place >= 1 && place < LEFT && !(label & CORE) && !seg_strokes_around(s, i, REACH, 1, is_core_at, &place))
            s->label[i] |= DROPPED;
    }
    for (size_t i = 0; i < s->pixels; i++) {
        const unsigned label = s->label[i];
        if (!label)
            continue;
        const int ambiguous = (label & PLACE) == AMBIGUOUS, dropped = (label & DROPPED) != 0;
        became.ambiguous += ambiguous && (label & CORE);
        became.left += (label & PLACE) == LEFT || dropped;
        became.snapped += (label & PLACE) < LEFT && !dropped;
        /* On a ground that is known only approximately, sparse pixels are noise of the ground. */
        became.lost += (ambiguous || dropped) && !seg_strokes_around(s, i, NEAR, 1, has_label, NULL) &&
                       (!s->ground->tolerance || seg_strokes_around(s, i, 2, DENSE, is_unclear, NULL) == DENSE);
    }
    for (size_t i = 0; i < s->pixels; i++)
        s->label[i] = has_label(s, i, NULL) ? label_of[(s->label[i] & PLACE) - 1] : 0;
    return became;
}

/* ---- all of it ---- */

/* The labels of strokes in exact colours. */
static void label_exact(seg_strokes *s, const uint8_t *label_of) {
    size_t place = 0;
    for (size_t i = 0; i < s->pixels; i++) {
        if (!s->label[i])
            continue;
        const uint32_t colour = seg_strokes_colour(s, i);
        if (s->colour[place].colour != colour)
            for (place = 0; s->colour[place].colour != colour;)
                place++;
        s->label[i] = label_of[place];
    }
}

seg_status seg_scribbles_from_colours(const seg_scribbles_job *job, const seg_raster *raster, const seg_ground *ground,
                                      unsigned least_opacity) {
    seg_scribbles_about *about = job->about;
    const int rough = raster->lossy || ground->tolerance > 8;
    reading j = {.job = job,
                 .strokes = {.raster = raster,
                             .ground = ground,
                             .least_opacity = least_opacity,
                             .rough = rough,
                             .limits = rough ? rough_limits : exact_limits,
                             .label = job->out->label,
                             .pixels = (size_t)raster->width * (size_t)raster->height}};
    seg_ground_name(ground, about->ground, sizeof about->ground);
    seg_parallel(job->ctx, j.strokes.pixels, 0, find_painted_pixels, &j.strokes);
    warn_of_black(&j);
    SEG_TRY(j.strokes.painted ? find_colours(&j) : nothing_painted(&j));
    SEG_TRY(number_colours(&j));
    if (!j.soft) {
        label_exact(&j.strokes, j.label_of);
    } else {
        const snapped became = snap(job->ctx, &j.strokes, j.label_of);
        SEG_TRY(check_gaps(&j, &became));
        say_what_was_snapped(&j, &became);
    }
    about->kind = j.soft                       ? SEG_SCRIBBLES_SNAPPED
                  : seg_ground_is_copy(ground) ? SEG_SCRIBBLES_PAINTED
                                               : SEG_SCRIBBLES_COLOURS;
    about->labels_found = (int)j.strokes.colours;
    return SEG_OK;
}
