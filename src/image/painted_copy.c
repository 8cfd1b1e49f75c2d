/* Whether a scribble file is a copy of the photograph with strokes on it.
 *
 * It is where at least half of its pixels, and at least half of those that are not black (black ground also "equals" a
 * dark photograph), have the photograph's colour. A file of few colours is one only if the photograph too has few, and
 * then by exact colours: otherwise labels 1, 2, 3 would be taken for a dark photograph. A lossless copy that is nearly
 * but not exactly equal was made from a JPEG by another decoder. */
#include "base/base.h"
#include "base/parallel.h"
#include "image/strokes.h"

#define DECODERS_DIFFER 24 /* how far two JPEG decoders may be apart, mostly at edges of colour */
#define JPEG_DIFFERS    32 /* how far a JPEG copy may be from what it was made of */
#define JPEG_BLACK      40

/* 1 where there are at most SEG_FEW_COLOURS colours; stops at the first too many. `photo` NULL: of the raster. */
static seg_status has_few_colours(seg_context *ctx, const seg_raster *raster, const seg_image *photo, unsigned least,
                                  int *few) {
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
        *few = counts.used <= SEG_FEW_COLOURS;
    }
    seg_colour_counts_free(&counts);
    return status;
}

static int is_black(uint32_t colour, int limit) {
    return seg_colour_distance(colour, 0) <= limit;
}

typedef struct comparing {
    const seg_raster *raster;
    const seg_image *photo;
    unsigned least;
    int near, black;
    int64_t exact, exact_colour, close, close_colour, colour_pixels; /* atomic; _colour: not black */
} comparing;

static void compare_pixels(void *arg, size_t first, size_t last, int worker) {
    comparing *c = arg;
    int64_t exact = 0, exact_colour = 0, close = 0, close_colour = 0, colour_pixels = 0;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        if (!seg_raster_visible(c->raster, i, c->least))
            continue;
        uint32_t colour = seg_raster_colour(c->raster, i);
        int distance = seg_colour_distance(colour, seg_image_colour(c->photo, i));
        int coloured = !is_black(colour, c->black);
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

seg_status seg_is_painted_copy(seg_context *ctx, const seg_raster *raster, const seg_image *photo, unsigned least,
                               int *painted_copy, int *tolerance) {
    const int64_t pixels = (int64_t)raster->width * raster->height;
    comparing c = {.raster = raster,
                   .photo = photo,
                   .least = least,
                   .near = raster->lossy ? JPEG_DIFFERS : DECODERS_DIFFER,
                   .black = raster->lossy ? JPEG_BLACK : 0};
    int few = 0, photo_few = 0;
    seg_status status = SEG_OK;
    *painted_copy = *tolerance = 0;
    if (!raster->lossy) {
        if ((status = has_few_colours(ctx, raster, NULL, least, &few)) != SEG_OK)
            return status;
        if (few && raster->kind == SEG_RASTER_PALETTE)
            return SEG_OK; /* the index is the label, whatever the colours */
        if (few && ((status = has_few_colours(ctx, raster, photo, least, &photo_few)) != SEG_OK || !photo_few))
            return status;
    }
    seg_parallel(ctx, (size_t)pixels, 0, compare_pixels, &c);
    if (few) {
        c.close = c.exact;
        c.close_colour = c.exact_colour;
    }
    *painted_copy = 2 * c.close >= pixels && 2 * c.close_colour >= c.colour_pixels && c.colour_pixels > 0;
    *tolerance = !raster->lossy && 100 * c.exact >= 99 * c.close ? 0 : c.near;
    return SEG_OK;
}
