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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECODERS_DIFFER 24 /* how far two JPEG decoders may be apart, mostly at edges of colour */
#define JPEG_DIFFERS    32 /* how far a JPEG copy may be from what it was made of */
#define JPEG_BLACK      40 /* a JPEG's black ground and the ripples on it */
#define JPEG_FLAT       24 /* likewise ground of another colour */
#define FEW_COLOURS     64
#define FIT_COLOURS     16   /* fewer are labels that happen to follow from the image */
#define GREY            12   /* the most that channels of a grey differ */
#define LEAST_EXPLAINED 0.85 /* of the variance, by a fit to the image */
#define MOST_NOISE      16   /* median distance from a fit that is one */
#define LEAST_TOLERANCE 6
#define MOST_TOLERANCE  48
#define LEAST_FOLLOWING 0.55 /* of the pixels, within the tolerance of the fit */
#define MUCH_BETTER     1.15 /* times as many pixels follow a changed copy as the plain one */
#define CONSTANT        0.98 /* of the pixels are one colour: nothing is left to be fitted */

/* 1 where there are at most FEW_COLOURS colours; stops at the first too many. `photo` NULL: of the raster. */
static seg_status has_few_colours(seg_context *ctx, const seg_raster *raster, const seg_image *photo, unsigned least,
                                  size_t *colours, int *few) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    seg_colour_counts counts;
    uint32_t last = UINT32_MAX;
    seg_status status = seg_colour_counts_create(ctx, &counts);
    *few = 1;
    for (size_t i = 0; i < pixels && status == SEG_OK && *few; i++) {
        uint32_t colour = photo ? seg_image_colour(photo, i) : seg_raster_colour(raster, i);
        if (colour == last || !(photo || seg_raster_visible(raster, i, least)))
            continue;
        status = seg_colour_counts_add(ctx, &counts, last = colour, 1);
        *few = counts.used <= FEW_COLOURS;
    }
    *colours = counts.used;
    seg_colour_counts_free(&counts);
    return status;
}

static int is_black(uint32_t colour, int limit) {
    return seg_colour_distance(colour, 0) <= limit;
}

/* What a count over the pixels compares, and the counts. */
typedef struct comparison {
    const seg_raster *raster;
    const seg_image *photo;
    unsigned least;
    int near, black;         /* of a copy */
    uint32_t apart;          /* a colour that does not count, UINT32_MAX none */
    int apart_near;          /* nor one that is as near to it */
    const seg_copy_fit *fit; /* of a changed copy */
    int tolerance;
    int64_t exact, exact_colour, close, close_colour, colour_pixels; /* atomic; _colour: not black */
    int64_t all, plain, following;                                   /* atomic */
} comparison;

static void compare_copy(void *arg, size_t first, size_t last, int worker) {
    comparison *c = arg;
    int64_t exact = 0, exact_colour = 0, close = 0, close_colour = 0, colour_pixels = 0;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        if (!seg_raster_visible(c->raster, i, c->least))
            continue;
        const uint32_t colour = seg_raster_colour(c->raster, i);
        const int distance = seg_colour_distance(colour, seg_image_colour(c->photo, i));
        const int coloured = !is_black(colour, c->black);
        colour_pixels += coloured;
        exact += distance == 0;
        exact_colour += distance == 0 && coloured;
        close += distance <= c->near;
        close_colour += distance <= c->near && coloured;
    }
    __atomic_fetch_add(&c->exact, exact, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->exact_colour, exact_colour, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->close, close, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->close_colour, close_colour, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->colour_pixels, colour_pixels, __ATOMIC_RELAXED);
}

/* How many pixels are as the image has them, and how many as the fit changes them. */
static void compare_fit(void *arg, size_t first, size_t last, int worker) {
    comparison *c = arg;
    int64_t all = 0, plain = 0, following = 0;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        if (!seg_raster_visible(c->raster, i, c->least))
            continue;
        const uint32_t colour = seg_raster_colour(c->raster, i), under = seg_image_colour(c->photo, i);
        if (c->apart != UINT32_MAX && seg_colour_distance(colour, c->apart) <= c->apart_near)
            continue;
        all++;
        plain += seg_colour_distance(colour, under) <= c->tolerance;
        following += seg_colour_distance(colour, seg_copy_colour(c->fit, under)) <= c->tolerance;
    }
    __atomic_fetch_add(&c->all, all, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->plain, plain, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->following, following, __ATOMIC_RELAXED);
}

/* Rule 1. */
static seg_status is_copy(seg_context *ctx, const seg_raster *raster, const seg_image *photo, unsigned least,
                          int few_colours, int *copy, int *tolerance) {
    const int64_t pixels = (int64_t)raster->width * raster->height;
    size_t colours = 0;
    int photo_few = 0;
    const int near = raster->lossy ? JPEG_DIFFERS : DECODERS_DIFFER, black = raster->lossy ? JPEG_BLACK : 0;
    *copy = *tolerance = 0;
    if (few_colours) {
        seg_status status = has_few_colours(ctx, raster, photo, least, &colours, &photo_few);
        if (status != SEG_OK || !photo_few)
            return status;
    }
    comparison c = {
        .raster = raster, .photo = photo, .least = least, .near = near, .black = black, .apart = UINT32_MAX};
    seg_parallel(ctx, (size_t)pixels, 0, compare_copy, &c);
    if (few_colours) {
        c.close = c.exact;
        c.close_colour = c.exact_colour;
    }
    *copy = 2 * c.close >= pixels && 2 * c.close_colour >= c.colour_pixels && c.colour_pixels > 0;
    *tolerance = !raster->lossy && 100 * c.exact >= 99 * c.close ? 0 : near;
    return SEG_OK;
}

#define SIDE 16 /* boxes of 16 x 16 x 16 colours along a channel */

/* The most frequent colour and the share of the visible pixels that are within `near` of it. */
static seg_status most_frequent(seg_context *ctx, const seg_raster *raster, unsigned least, int near, uint32_t *colour,
                                double *share) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    uint32_t *count = seg_alloc_zero(ctx, (size_t)SIDE * SIDE * SIDE, sizeof *count);
    seg_colour_counts counts;
    size_t visible = 0, close = 0, best = 0, most = 0;
    *colour = 0;
    *share = 0;
    if (!count)
        return SEG_ERR_MEMORY;
    seg_status status = seg_colour_counts_create(ctx, &counts);
#define BOX_OF(c)                                                                                                      \
    (((size_t)seg_colour_channel(c, 0) >> 4) * SIDE * SIDE + ((size_t)seg_colour_channel(c, 1) >> 4) * SIDE +          \
     ((size_t)seg_colour_channel(c, 2) >> 4))
    for (size_t i = 0; i < pixels && status == SEG_OK; i++)
        if (seg_raster_visible(raster, i, least)) {
            const uint32_t c = seg_raster_colour(raster, i);
            visible++;
            count[BOX_OF(c)]++;
        }
    for (size_t b = 0; b < (size_t)SIDE * SIDE * SIDE; b++)
        if (count[b] > count[best])
            best = b;
    for (size_t i = 0; i < pixels && status == SEG_OK; i++)
        if (seg_raster_visible(raster, i, least)) {
            const uint32_t c = seg_raster_colour(raster, i);
            if (BOX_OF(c) == best)
                status = seg_colour_counts_add(ctx, &counts, c, 1);
        }
    for (size_t s = 0; s < counts.capacity; s++)
        if (counts.slot[s].count > most || (counts.slot[s].count == most && most && counts.slot[s].colour < *colour)) {
            most = counts.slot[s].count;
            *colour = counts.slot[s].colour;
        }
    for (size_t i = 0; i < pixels && status == SEG_OK; i++)
        close +=
            seg_raster_visible(raster, i, least) && seg_colour_distance(seg_raster_colour(raster, i), *colour) <= near;
    *share = visible ? (double)close / (double)visible : 0;
    seg_colour_counts_free(&counts);
    free(count);
    return status;
}

static int is_grey(uint32_t colour) {
    const int r = seg_colour_channel(colour, 0), g = seg_colour_channel(colour, 1), b = seg_colour_channel(colour, 2);
    return abs(r - g) <= GREY && abs(g - b) <= GREY && abs(r - b) <= GREY;
}

/* Rule 3: `apart` is the most frequent colour where that is half of all, else UINT32_MAX. */
static seg_status is_changed_copy(seg_context *ctx, const seg_raster *raster, const seg_image *photo, unsigned least,
                                  uint32_t apart, seg_ground *out, int *changed) {
    const int64_t pixels = (int64_t)raster->width * raster->height;
    const int apart_near = raster->lossy ? JPEG_FLAT : 0; /* ripples on flat ground follow any image */
    double noise = 0, explained = 0;
    *changed = 0;
    seg_status status = seg_copy_fit_find(ctx, raster, photo, least, apart, apart_near, &out->fit, &noise, &explained);
    if (status != SEG_OK || noise > MOST_NOISE || explained < LEAST_EXPLAINED)
        return status;
    for (int c = 0; c < 3; c++) { /* what is brighter stays brighter: a negative is another image */
        double slope = 0;
        for (int t = 0; t < SEG_COPY_TERMS - 1; t++)
            slope += out->fit.weight[c][t];
        if (slope <= 0)
            return SEG_OK;
    }
    const double wanted = 4 * noise + 3;
    const int tolerance = wanted > MOST_TOLERANCE    ? MOST_TOLERANCE
                          : wanted < LEAST_TOLERANCE ? LEAST_TOLERANCE
                                                     : (int)wanted;
    comparison c = {.raster = raster,
                    .photo = photo,
                    .least = least,
                    .apart = apart,
                    .apart_near = apart_near,
                    .fit = &out->fit,
                    .tolerance = tolerance};
    seg_parallel(ctx, (size_t)pixels, 0, compare_fit, &c);
    *changed =
        (double)c.following >= LEAST_FOLLOWING * (double)c.all && (apart == UINT32_MAX ? 2 : 5) * c.all >= pixels;
    out->tolerance = tolerance;
    return SEG_OK;
}

/* What is nearly the image may be exactly what a small change makes of it. */
static seg_status prefer_changed(seg_context *ctx, const seg_raster *raster, const seg_image *photo, unsigned least,
                                 seg_ground *out) {
    const int64_t pixels = (int64_t)raster->width * raster->height;
    seg_ground changed = {.kind = SEG_GROUND_CHANGED, .photo = photo, .coarse = out->coarse};
    int fits = 0;
    seg_status status = is_changed_copy(ctx, raster, photo, least, UINT32_MAX, &changed, &fits);
    if (status != SEG_OK || !fits || changed.tolerance >= out->tolerance)
        return status;
    comparison c = {.raster = raster,
                    .photo = photo,
                    .least = least,
                    .apart = UINT32_MAX,
                    .fit = &changed.fit,
                    .tolerance = changed.tolerance};
    seg_parallel(ctx, (size_t)pixels, 0, compare_fit, &c);
    if ((double)c.following > MUCH_BETTER * (double)c.plain)
        *out = changed;
    return SEG_OK;
}

seg_status seg_ground_find(seg_context *ctx, const seg_raster *raster, const seg_image *photo, unsigned least,
                           seg_ground *out) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    size_t clear = 0, colours = 0;
    uint32_t colour = 0;
    double share = 0;
    int few = raster->lossy ? 0 : 1, fits = 0, tolerance = 0;
    seg_status status;
    memset(out, 0, sizeof *out);
    int enough = 1;
    out->tolerance = raster->lossy ? JPEG_BLACK : 0;
    if (!raster->lossy && (status = has_few_colours(ctx, raster, NULL, least, &colours, &few)) != SEG_OK)
        return status;
    enough = !few || colours >= FIT_COLOURS;                     /* to tell a fit from chance */
    if (photo && !(few && raster->kind == SEG_RASTER_PALETTE)) { /* of few colours the index is the label */
        if ((status = is_copy(ctx, raster, photo, least, few, &fits, &tolerance)) != SEG_OK)
            return status;
        if (fits) {
            out->kind = SEG_GROUND_COPY;
            out->photo = photo;
            out->tolerance = tolerance;
            out->coarse = tolerance && raster->kind == SEG_RASTER_PALETTE;
            return tolerance && enough ? prefer_changed(ctx, raster, photo, least, out) : SEG_OK;
        }
    }
    for (size_t i = 0; i < pixels && least; i++)
        clear += !seg_raster_visible(raster, i, least);
    if (2 * clear >= pixels) {
        out->kind = SEG_GROUND_CLEAR;
        return SEG_OK;
    }
    if ((status = most_frequent(ctx, raster, least, raster->lossy ? JPEG_FLAT : 0, &colour, &share)) != SEG_OK)
        return status;
    if (photo && enough && share < CONSTANT) {
        seg_ground changed = {.kind = SEG_GROUND_CHANGED, .photo = photo};
        status = is_changed_copy(ctx, raster, photo, least, share >= 0.5 ? colour : UINT32_MAX, &changed, &fits);
        if (status != SEG_OK || fits) {
            changed.coarse = raster->kind == SEG_RASTER_PALETTE;
            *out = fits ? changed : *out;
            return status;
        }
    }
    if (share >= 0.5 && is_grey(colour) && !is_black(colour, raster->lossy ? JPEG_BLACK : 0)) {
        out->colour = colour;
        out->tolerance = raster->lossy ? JPEG_FLAT : 0;
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
