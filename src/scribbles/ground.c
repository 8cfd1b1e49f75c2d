/* The ground of scribbles, by the first that fits:
 *
 * 1. A copy of the image: at least half of the pixels, and at least half of those that are not black (black ground
 *    also "equals" a dark image), have the image's colour. A file of few colours is one only if the
 *    image too has few, and then by exact colours: otherwise labels 1, 2, 3 would be taken for a dark image.
 * 2. Transparency: at least half of the pixels are not opaque.
 * 3. A changed copy: what is not of the most frequent colour follows from the image (copy_fit.h).
 * 4. The colour of at least half of the pixels, where that is black, white or a grey.
 * 5. Black. */
#include "scribbles/ground.h"
#include "base/base.h"
#include "base/parallel.h"
#include "image/colour_counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECODERS_DIFFER 24 /* how far two JPEG decoders may be apart, mostly at edges of colour */
#define JPEG_DIFFERS    32 /* how far a JPEG copy may be from what it was made of */
#define JPEG_BLACK      40 /* a JPEG's black ground and the ripples on it */
#define JPEG_FLAT       24 /* likewise ground of another colour */
#define FEW_COLOURS     64
#define FIT_COLOURS     16   /* of fewer a fit may be chance */
#define GREY            12   /* the most that channels of a grey differ */
#define LEAST_EXPLAINED 0.85 /* of the variance, by a fit to the image */
#define MOST_NOISE      16   /* median distance from a fit */
#define LEAST_TOLERANCE 6
#define MOST_TOLERANCE  48
#define LEAST_FOLLOWING 0.55 /* of the pixels, within the tolerance of the fit */
#define MUCH_BETTER     1.15 /* times as many pixels follow a changed copy as the plain one */
#define CONSTANT        0.98 /* of the pixels are one colour: too few are left for a fit */

/* Count colours, up to FEW_COLOURS + 1. */
static seg_status count_colours(seg_context *ctx, const seg_colour_source *source, size_t *colours) {
    SEG_FREED seg_colour_count *list = NULL;
    return seg_colours_list(ctx, source, FEW_COLOURS, &list, colours);
}

static int is_black(uint32_t colour, int limit) {
    return seg_colour_distance(colour, 0) <= limit;
}

/* What is counted over the pixels; _COLOUR: of those that are not black. */
enum { ALL, COLOUR, EXACT, EXACT_COLOUR, CLOSE, CLOSE_COLOUR, FOLLOWING, COUNTS };

typedef struct comparison {
    const seg_copy_pair *pair;
    int near, black;         /* distances up to which a colour is close, or follows the fit; or is black */
    const seg_copy_fit *fit; /* NULL: none */
    int64_t count[COUNTS];   /* atomic */
} comparison;

static void compare(void *arg, size_t first, size_t last, int worker) {
    comparison *c = arg;
    int64_t count[COUNTS] = {0};
    (void)worker;
    for (size_t i = first; i < last; i++) {
        if (!seg_copy_counts(c->pair, i))
            continue;
        const uint32_t colour = seg_raster_colour(c->pair->raster, i), under = seg_image_colour(c->pair->photo, i);
        const int distance = seg_colour_distance(colour, under), coloured = !is_black(colour, c->black);
        count[ALL]++;
        count[COLOUR] += coloured;
        count[EXACT] += distance == 0;
        count[EXACT_COLOUR] += distance == 0 && coloured;
        count[CLOSE] += distance <= c->near;
        count[CLOSE_COLOUR] += distance <= c->near && coloured;
        count[FOLLOWING] += c->fit && seg_colour_distance(colour, seg_copy_colour(c->fit, under)) <= c->near;
    }
    for (int k = 0; k < COUNTS; k++)
        __atomic_fetch_add(&c->count[k], count[k], __ATOMIC_RELAXED);
}

static size_t pixels_of(const seg_raster *raster) {
    return (size_t)raster->width * (size_t)raster->height;
}

/* Rule 1. */
static seg_status is_copy(seg_context *ctx, const seg_copy_pair *pair, int few_colours, seg_ground *out, int *fits) {
    const int lossy = pair->raster->lossy, near = lossy ? JPEG_DIFFERS : DECODERS_DIFFER;
    const int64_t pixels = (int64_t)pixels_of(pair->raster);
    comparison c = {.pair = pair, .near = near, .black = lossy ? JPEG_BLACK : 0};
    size_t colours = 0;
    *fits = 0;
    if (few_colours) {
        const seg_status status = count_colours(ctx, &(seg_colour_source){.image = pair->photo}, &colours);
        if (status != SEG_OK || colours > FEW_COLOURS)
            return status;
    }
    seg_parallel(ctx, (size_t)pixels, 0, compare, &c);
    const int64_t close = c.count[few_colours ? EXACT : CLOSE];
    *fits = 2 * close >= pixels && 2 * c.count[few_colours ? EXACT_COLOUR : CLOSE_COLOUR] >= c.count[COLOUR] &&
            c.count[COLOUR] > 0;
    if (!*fits)
        return SEG_OK;
    out->kind = SEG_GROUND_COPY;
    out->photo = pair->photo;
    out->tolerance = !lossy && 100 * c.count[EXACT] >= 99 * close ? 0 : near;
    return SEG_OK;
}

#define SIDE  16 /* boxes of 16 x 16 x 16 colours along a channel */
#define BOXES ((size_t)SIDE * SIDE * SIDE)

/* The box of a colour, or (fine) its place in its box. */
static size_t box_of(uint32_t colour, int fine) {
    size_t box = 0;
    for (int c = 0; c < 3; c++)
        box = SIDE * box + (size_t)(fine ? seg_colour_channel(colour, c) % SIDE : seg_colour_channel(colour, c) / SIDE);
    return box;
}

/* The most frequent colour of the most frequent box, and the share of the visible pixels that are within `near` of it.
 */
static seg_status most_frequent(seg_context *ctx, const seg_copy_pair *pair, int near, uint32_t *colour,
                                double *share) {
    const size_t pixels = pixels_of(pair->raster);
    size_t visible = 0, close = 0, best[2] = {0, 0};
    SEG_FREED uint32_t *count = seg_alloc_zero(ctx, 2 * BOXES, sizeof *count);
    *colour = 0;
    *share = 0;
    if (!count)
        return SEG_ERR_MEMORY;
    for (int fine = 0; fine < 2; fine++) {
        for (size_t i = 0; i < pixels; i++) {
            const uint32_t here = seg_raster_colour(pair->raster, i);
            if (!seg_raster_visible(pair->raster, i, pair->least) || (fine && box_of(here, 0) != best[0]))
                continue;
            visible += !fine;
            count[(fine ? BOXES : 0) + box_of(here, fine)]++;
        }
        for (size_t b = 0; b < BOXES; b++)
            if (count[(fine ? BOXES : 0) + b] > count[(fine ? BOXES : 0) + best[fine]])
                best[fine] = b;
    }
    for (size_t unit = 1, c = 0; visible && c < 3; c++, unit *= SIDE)
        *colour |= (uint32_t)(best[0] / unit % SIDE * SIDE + best[1] / unit % SIDE) << 8 * c;
    for (size_t i = 0; i < pixels; i++)
        close += seg_raster_visible(pair->raster, i, pair->least) &&
                 seg_colour_distance(seg_raster_colour(pair->raster, i), *colour) <= near;
    *share = visible ? (double)close / (double)visible : 0;
    return SEG_OK;
}

static int is_grey(uint32_t colour) {
    const int r = seg_colour_channel(colour, 0), g = seg_colour_channel(colour, 1), b = seg_colour_channel(colour, 2);
    return abs(r - g) <= GREY && abs(g - b) <= GREY && abs(r - b) <= GREY;
}

/* Rule 3. *lead: how many times more pixels follow the fit than are as in the image. */
static seg_status is_changed_copy(seg_context *ctx, const seg_copy_pair *pair, seg_ground *out, int *changed,
                                  double *lead) {
    const size_t pixels = pixels_of(pair->raster);
    double noise = 0, explained = 0;
    *changed = 0;
    *out = (seg_ground){.kind = SEG_GROUND_CHANGED, .photo = pair->photo};
    const seg_status status = seg_copy_fit_find(ctx, pair, &out->fit, &noise, &explained);
    if (status != SEG_OK || noise > MOST_NOISE || explained < LEAST_EXPLAINED)
        return status;
    const double wanted = 4 * noise + 3;
    out->tolerance = wanted > MOST_TOLERANCE    ? MOST_TOLERANCE
                     : wanted < LEAST_TOLERANCE ? LEAST_TOLERANCE
                                                : (int)wanted;
    comparison c = {.pair = pair, .near = out->tolerance, .fit = &out->fit};
    seg_parallel(ctx, pixels, 0, compare, &c);
    *changed = (double)c.count[FOLLOWING] >= LEAST_FOLLOWING * (double)c.count[ALL] &&
               (pair->apart == UINT32_MAX ? 2 : 5) * c.count[ALL] >= (int64_t)pixels;
    *lead = (double)c.count[FOLLOWING] / fmax((double)c.count[CLOSE], 1);
    return SEG_OK;
}

seg_status seg_ground_find(seg_context *ctx, const seg_raster *raster, const seg_image *photo, unsigned least,
                           seg_ground *out) {
    const size_t pixels = pixels_of(raster);
    const int lossy = raster->lossy;
    seg_copy_pair pair = {raster, photo, least, UINT32_MAX, 0};
    seg_ground changed;
    size_t clear = 0, colours = FEW_COLOURS + 1;
    uint32_t colour = 0;
    double share = 0, lead = 0;
    int fits = 0;
    seg_status status;
    memset(out, 0, sizeof *out);
    out->tolerance = lossy ? JPEG_BLACK : 0;
    if (!lossy &&
        (status = count_colours(ctx, &(seg_colour_source){.raster = raster, .least = least}, &colours)) != SEG_OK)
        return status;
    const int few = colours <= FEW_COLOURS, enough = colours >= FIT_COLOURS; /* for a fit */
    if (photo && !(few && raster->kind == SEG_RASTER_PALETTE)) {             /* of few colours the index is the label */
        if ((status = is_copy(ctx, &pair, few, out, &fits)) != SEG_OK)
            return status;
        if (fits && out->tolerance && enough) { /* it may be exactly what a small change makes of the image */
            status = is_changed_copy(ctx, &pair, &changed, &fits, &lead);
            if (status == SEG_OK && fits && changed.tolerance < out->tolerance && lead > MUCH_BETTER)
                *out = changed;
            return status;
        }
        if (fits)
            return SEG_OK;
    }
    for (size_t i = 0; i < pixels && least; i++)
        clear += !seg_raster_visible(raster, i, least);
    if (2 * clear >= pixels) {
        out->kind = SEG_GROUND_CLEAR;
        return SEG_OK;
    }
    if ((status = most_frequent(ctx, &pair, lossy ? JPEG_FLAT : 0, &colour, &share)) != SEG_OK)
        return status;
    if (photo && enough && share < CONSTANT) {
        pair.apart = share >= 0.5 ? colour : UINT32_MAX;
        pair.apart_near = lossy ? JPEG_FLAT : 0; /* ripples on flat ground follow any image */
        status = is_changed_copy(ctx, &pair, &changed, &fits, &lead);
        if (status != SEG_OK || fits) {
            *out = fits ? changed : *out;
            return status;
        }
    }
    if (share >= 0.5 && is_grey(colour) && !is_black(colour, lossy ? JPEG_BLACK : 0)) {
        out->colour = colour;
        out->tolerance = lossy ? JPEG_FLAT : 0;
    }
    return SEG_OK;
}

const char *seg_ground_name(const seg_ground *ground, char *text, size_t size) {
    if (ground->kind == SEG_GROUND_CLEAR)
        snprintf(text, size, "transparent ground");
    else if (ground->kind == SEG_GROUND_COPY)
        snprintf(text, size, "a copy of the image");
    else if (ground->kind == SEG_GROUND_CHANGED)
        snprintf(text, size, "a copy of the image with changed colours");
    else
        snprintf(text, size, "%s ground (#%06x)",
                 ground->colour == 0          ? "black"
                 : ground->colour == 0xffffff ? "white"
                                              : "grey",
                 (unsigned)ground->colour);
    return text;
}
