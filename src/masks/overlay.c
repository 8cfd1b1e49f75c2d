/* The mask over the image: tinted regions with an outline between them. */
#include "base/base.h"
#include "base/bytes.h"

#include "image/shown.h"

#include <segment/overlay.h>

#define MAX_OUTLINE 32
#define BLOCK_ROWS  64
#define DARK        0
#define LIGHT       255
#define MIDDLE      128

/* Tints: out = (photo * keep + add) / 256, rounded, for each label. */
typedef struct tints {
    uint32_t keep[256], add[256][3];
} tints;

static void make_tints(const seg_overlay_style *style, const seg_mask *mask, tints *t) {
    uint8_t colour[256][3];
    const uint32_t strength = (uint32_t)lround(style->alpha * 256);
    if (style->palette == SEG_PALETTE_MASK)
        memcpy(colour, mask->colour, sizeof mask->colour);
    else
        seg_mask_default_colours(colour);
    for (int label = 0; label < 256; label++) {
        const uint32_t a = label == 0 || label == SEG_VOID ? 0 : strength;
        t->keep[label] = 256 - a;
        for (int c = 0; c < 3; c++)
            t->add[label][c] = colour[label][c] * a + 128;
    }
}

/* Tint a row, run by run of equal labels. */
static void tint_row(const tints *t, const uint8_t *label, size_t width, uint8_t *to) {
    for (size_t from = 0, end; from < width; from = end) {
        const uint8_t l = label[from];
        end = seg_run_end(label, from, width);
        const uint32_t keep = t->keep[l], r = t->add[l][0], g = t->add[l][1], b = t->add[l][2];
        if (keep == 256)
            continue;
        for (size_t i = from; i < end; i++) {
            to[3 * i] = (uint8_t)((to[3 * i] * keep + r) >> 8);
            to[3 * i + 1] = (uint8_t)((to[3 * i + 1] * keep + g) >> 8);
            to[3 * i + 2] = (uint8_t)((to[3 * i + 2] * keep + b) >> 8);
        }
    }
}

/* Void counts as unmarked. `flip` 255 reverses the order of the labels. */
static uint8_t plain_label(uint8_t label, uint8_t flip) {
    return (uint8_t)((label == SEG_VOID ? 0 : label) ^ flip);
}

static uint8_t higher(uint8_t a, uint8_t b) {
    return a > b ? a : b;
}

/* The largest (with flip 255: smallest) label in the square of `reach` pixels around each pixel of row y.
 * `tall` is room for width + 2 * reach. */
static void largest_around(const seg_mask *mask, int y, int reach, uint8_t flip, uint8_t *restrict tall,
                           uint8_t *restrict largest) {
    const int width = mask->width, top = y - reach < 0 ? 0 : y - reach;
    const int bottom = y + reach >= mask->height ? mask->height - 1 : y + reach;
    uint8_t *restrict middle = tall + reach;
    memset(middle, 0, (size_t)width);
    for (int row = top; row <= bottom; row++) {
        const uint8_t *label = mask->label + (size_t)row * (size_t)width;
        for (int x = 0; x < width; x++)
            middle[x] = higher(middle[x], plain_label(label[x], flip));
    }
    memset(tall, middle[0], (size_t)reach);
    memset(middle + width, middle[width - 1], (size_t)reach);
    memcpy(largest, tall, (size_t)width);
    for (int shift = 1; shift <= 2 * reach; shift++)
        for (int x = 0; x < width; x++)
            largest[x] = higher(largest[x], tall[x + shift]);
}

/* The outline runs along both sides of a border: dark on the side of the smaller label, light on that of the larger, so
 * that one of them is visible on any image. An outline of one pixel is light on dark pixels and dark on light ones. */
static void draw_outline(const seg_mask *mask, int y, int outline, uint8_t *room, uint8_t *to) {
    const int width = mask->width, dark = (outline + 1) / 2, light = outline / 2;
    const uint8_t *label = mask->label + (size_t)y * (size_t)width;
    uint8_t *larger = room, *smaller = room + width, *tall = room + 2 * (size_t)width;
    largest_around(mask, y, dark, 0, tall, larger);
    largest_around(mask, y, light, 255, tall, smaller);
    for (int x = 0; x < width; x++) {
        const int at_dark = larger[x] > plain_label(label[x], 0), at_light = smaller[x] > plain_label(label[x], 255);
        if ((!at_dark && !at_light) || !label[x]) /* what lies outside of a region stays as it is */
            continue;
        int grey = at_dark ? DARK : LIGHT;
        if (outline == 1)
            grey = (3 * to[3 * x] + 6 * to[3 * x + 1] + to[3 * x + 2]) / 10 < MIDDLE ? LIGHT : DARK;
        memset(to + 3 * x, grey, 3);
    }
}

typedef struct drawing {
    const seg_image *photo;
    const seg_mask *mask;
    int outline;
    const tints *t;
    const uint8_t *own;
    uint8_t *picture, *rows;
    size_t room; /* bytes of `rows` per worker */
} drawing;

static void draw_rows(void *arg, size_t top, size_t bottom, int worker) {
    const drawing *d = arg;
    const int width = d->photo->width;
    for (int y = (int)top; y < (int)bottom; y++) {
        const size_t first = (size_t)y * (size_t)width;
        if (!d->own)
            seg_shown_row(d->photo, y, d->picture + 3 * first);
        tint_row(d->t, d->mask->label + first, (size_t)width, d->picture + 3 * first);
        if (d->outline > 0)
            draw_outline(d->mask, y, d->outline, d->rows + (size_t)worker * d->room, d->picture + 3 * first);
    }
}

/* Each row of the overlay depends only on the same row of the image and on the mask, so `own` may be the image's own
 * 8-bit samples, which are drawn over. NULL: the samples are allocated. `out` gets them in either case. */
static seg_status draw(seg_context *ctx, const seg_image *photo, const seg_mask *mask, const seg_overlay_style *style,
                       uint8_t *own, seg_image *out) {
    const int width = photo->width, height = photo->height, threads = seg_threads(ctx);
    const int blocks = (height + BLOCK_ROWS - 1) / BLOCK_ROWS;
    const size_t room = 3 * (size_t)width + 2 * MAX_OUTLINE;
    tints t;
    if (mask->width != width || mask->height != height)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the mask has %d x %d pixels, the image %d x %d; an overlay needs a mask of its own image",
                        mask->width, mask->height, width, height);
    if (!(style->alpha >= 0 && style->alpha <= 1))
        return seg_fail(ctx, SEG_ERR_USAGE, "the overlay's alpha is %g; it must be in 0..1", style->alpha);
    if (style->outline != SEG_OUTLINE_AUTO && (style->outline < 0 || style->outline > MAX_OUTLINE))
        return seg_fail(ctx, SEG_ERR_USAGE, "the overlay's outline is %d pixels; it must be in 0..%d", style->outline,
                        MAX_OUTLINE);
    if (style->palette != SEG_PALETTE_MASK && style->palette != SEG_PALETTE_OKABE_ITO)
        return seg_fail(ctx, SEG_ERR_USAGE, "%d is not a seg_overlay_palette", (int)style->palette);
    const int outline = style->outline == SEG_OUTLINE_AUTO ? seg_outline_width(width, height) : style->outline;
    make_tints(style, mask, &t);
    SEG_FREED uint8_t *rows = seg_alloc(ctx, (size_t)(blocks < threads ? blocks : threads), room);
    uint8_t *picture = !rows ? NULL : own ? own : seg_alloc(ctx, (size_t)width * (size_t)height, 3);
    SEG_TRY(seg_allocated(picture));
    seg_parallel(ctx, (size_t)height, BLOCK_ROWS, draw_rows,
                 &(drawing){photo, mask, outline, &t, own, picture, rows, room});
    *out = (seg_image){.width = width, .height = height, .depth = 8, .data = picture};
    return SEG_OK;
}

seg_status seg_overlay_draw(seg_context *ctx, const seg_image *photo, const seg_mask *mask,
                            const seg_overlay_style *style, seg_image *out) {
    static const seg_overlay_style usual = SEG_OVERLAY_STYLE_DEFAULT;
    seg_image picture = {0};
    const int over = out == photo;
    if (!style)
        style = &usual;
    const seg_status status = draw(ctx, photo, mask, style, over && photo->depth == 8 ? photo->data : NULL, &picture);
    if (over && status == SEG_OK && photo->depth != 8)
        seg_image_free(out);
    if (!over || status == SEG_OK)
        *out = picture;
    return status;
}

/* The opacity of a cut-out. */

enum { ACROSS = 3, ASKEW = 4, MOST = 255 }; /* distances in thirds of a pixel: the chamfer metric */

#define REACH        4.0 /* pixels on either side of a border, up to USUAL_PIXELS */
#define MOST_REACH   80.0
#define USUAL_PIXELS 0.3e6
#define SLOPE        2.0 /* of the opacity over the labels' share of the scores: 0 at 1/4, 1 at 3/4 */

typedef struct cutting {
    const seg_mask *mask;
    const seg_region_scores *scores;
    uint8_t is_in[256];
    uint8_t *far; /* distance of each pixel to the nearest one on the other side, in thirds of a pixel */
} cutting;

/* Update the distance of pixel p from that of its neighbour q, `step` away. */
static void learn(const cutting *c, size_t p, size_t q, int step) {
    const int far = step + (c->is_in[c->mask->label[p]] != c->is_in[c->mask->label[q]] ? 0 : c->far[q]);
    if (far < c->far[p])
        c->far[p] = (uint8_t)far;
}

/* Update a pixel from its neighbours before it in reading order (`forward` 1), or after it. */
static void learn_from(const cutting *c, int x, int y, int forward) {
    const size_t width = (size_t)c->mask->width, p = (size_t)y * width + (size_t)x;
    const int row = forward ? y > 0 : y + 1 < c->mask->height, west = x > 0, east = x + 1 < c->mask->width;
    const size_t beyond = forward ? p - width : p + width;
    if (forward ? west : east)
        learn(c, p, forward ? p - 1 : p + 1, ACROSS);
    if (!row)
        return;
    learn(c, p, beyond, ACROSS);
    if (west)
        learn(c, p, beyond - 1, ASKEW);
    if (east)
        learn(c, p, beyond + 1, ASKEW);
}

static seg_status find_distances(seg_context *ctx, const cutting *c) {
    const int width = c->mask->width, height = c->mask->height;
    memset(c->far, MOST, (size_t)width * (size_t)height);
    for (int forward = 1; forward >= 0; forward--)
        for (int v = 0; v < height; v++) {
            for (int u = 0; u < width; u++)
                learn_from(c, forward ? u : width - 1 - u, forward ? v : height - 1 - v, forward);
            SEG_TRY(v % 64 == 0 ? seg_poll(ctx) : SEG_OK);
        }
    return SEG_OK;
}

/* The evidence of the scores that a pixel belongs to the labels, -1 to 1. */
static double evidence(const cutting *c, size_t p) {
    const float *score = c->scores->probability + p * (size_t)c->scores->columns;
    double best[2] = {0, 0};
    for (int s = 0; s < c->scores->columns; s++) {
        const int in = c->is_in[c->scores->column_label[s]];
        best[in] = (double)score[s] > best[in] ? (double)score[s] : best[in];
    }
    const double both = best[0] + best[1];
    return both > 0 ? SLOPE * (best[1] / both - 0.5) : 0;
}

seg_status seg_cutout_alpha(seg_context *ctx, const seg_mask *mask, const seg_region_scores *scores,
                            const uint8_t labels[32], uint8_t *alpha) {
    const size_t pixels = (size_t)mask->width * (size_t)mask->height;
    const double scale = sqrt((double)pixels / USUAL_PIXELS), wide = REACH * (scale > 1 ? scale : 1);
    const double reach = wide < MOST_REACH ? wide : MOST_REACH;
    cutting c = {.mask = mask, .scores = scores};
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        c.is_in[l] = labels[l / 8] >> l % 8 & 1;
    if (!scores) {
        for (size_t p = 0; p < pixels; p++)
            alpha[p] = c.is_in[mask->label[p]] ? 255 : 0;
        return SEG_OK;
    }
    SEG_LOCAL(uint8_t, far_off, c.far = seg_alloc(ctx, pixels, 1));
    SEG_TRY(find_distances(ctx, &c));
    for (size_t p = 0; p < pixels; p++) {
        const int in = c.is_in[mask->label[p]];
        const double far = (double)c.far[p] / ACROSS - 0.5; /* the border runs between the pixels */
        const double least = c.far[p] == MOST || far > reach ? 0.5 : far / (2 * reach);
        const double t = in ? evidence(&c, p) : -evidence(&c, p), sure = t < least ? least : t > 0.5 ? 0.5 : t;
        const long value = lround(255 * (in ? 0.5 + sure : 0.5 - sure));
        alpha[p] = (uint8_t)(!mask->label[p] ? 0 : in && value < 128 ? 128 : !in && value > 127 ? 127 : value);
    }
    return SEG_OK;
}
