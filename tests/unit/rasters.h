/* Pictures made in memory, for the tests of scribbles and truths. */
#ifndef TESTS_RASTERS_H
#define TESTS_RASTERS_H

#include "check.h"
#include "image_makers.h"

#include "image/labels.h"
#include "scribbles/scribbles.h"

BEFORE_EACH {
    ctx.threads = 2;
    check_listen(&ctx);
}

/* seg_scribbles_from_raster; kind may be NULL. */
static inline seg_status read_raster(const seg_raster *raster, const char *name, const seg_image *photo,
                                     const seg_labelmap *map, seg_mask *out, seg_scribbles_kind *kind) {
    seg_scribbles_about about;
    const seg_status status =
        seg_scribbles_from_raster(&(seg_scribbles_job){&ctx, name, photo, map, out, &about}, raster);
    if (kind)
        *kind = about.kind;
    return status;
}

/* Scribbles that are read, which must be of that kind and have so many labels. */
static inline seg_mask read_as(const seg_raster *raster, const seg_image *photo, seg_scribbles_kind kind, int labels) {
    seg_mask made;
    seg_scribbles_kind found;
    assert_ok(&ctx, read_raster(raster, "m.png", photo, NULL, &made, &found));
    assert_int_equal(found, kind);
    assert_int_equal(made.labels, labels);
    return made;
}

static inline seg_image photo_of(const seg_raster *raster) {
    seg_image made;
    assert_ok(&ctx, seg_image_from_raster(&ctx, raster, &made));
    return made;
}

/* A raster of zeros. */
static inline seg_raster make(int width, int height, seg_raster_kind kind, int bits) {
    seg_raster r = {.width = width, .height = height, .kind = kind, .bits = bits};
    r.channels = kind == SEG_RASTER_RGB ? 3 : 1;
    size_t samples = (size_t)width * (size_t)height * (size_t)r.channels;
    if (bits > 8)
        r.sample16 = calloc(samples, 2);
    else
        r.sample8 = calloc(samples, 1);
    return r;
}

static inline void set_rgb(seg_raster *r, int x, int y, uint32_t colour) {
    for (int c = 0; c < 3; c++)
        r->sample8[3 * (y * r->width + x) + c] = (uint8_t)seg_colour_channel(colour, c);
}

static inline uint32_t get_rgb(const seg_raster *r, int x, int y) {
    return seg_raster_colour(r, (size_t)(y * r->width + x));
}

static inline void rectangle(seg_raster *r, int x0, int y0, int width, int height, uint32_t colour) {
    for (int y = y0; y < y0 + height; y++)
        for (int x = x0; x < x0 + width; x++) {
            if (r->channels == 3)
                set_rgb(r, x, y, colour);
            else if (r->sample8)
                r->sample8[y * r->width + x] = (uint8_t)colour;
            else
                r->sample16[y * r->width + x] = (uint16_t)colour;
        }
}

static int levels = 255;  /* of a brush's coverage */
static int mix_light = 0; /* a program that mixes light instead of sRGB values */

static inline double mix(double under, double over, double a) {
    return mix_light ? pow((1 - a) * pow(under, 2.2) + a * pow(over, 2.2), 1 / 2.2) : (1 - a) * under + a * over;
}

/* A round brush with a soft edge of about `soft` pixels, dragged from one point to another. */
static inline void soft_stroke(seg_raster *r, double x0, double y0, double x1, double y1, double radius, double soft,
                               uint32_t colour) {
    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            double dx = x1 - x0, dy = y1 - y0, t = ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy);
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            double a = (radius - hypot(x - x0 - t * dx, y - y0 - t * dy)) / soft + 0.5;
            a = round(levels * (a < 0 ? 0 : a > 1 ? 1 : a)) / levels;
            uint32_t under = get_rgb(r, x, y), mixed = 0;
            for (int c = 0; c < 3; c++)
                mixed =
                    mixed << 8 | (uint32_t)lround(mix(seg_colour_channel(under, c), seg_colour_channel(colour, c), a));
            set_rgb(r, x, y, mixed);
        }
}

/* Something like an image: smooth colours, an edge, noise. */
static inline seg_raster image(int width, int height) {
    seg_raster r = make(width, height, SEG_RASTER_RGB, 8);
    seg_random random = seg_random_seeded(4, 0);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double base[3] = {90 + 60 * sin(x / 17.0), 110 + 50 * cos(y / 23.0), x > width / 2 ? 60 : 150};
            uint32_t colour = 0;
            for (int c = 0; c < 3; c++)
                colour = colour << 8 | (uint32_t)(base[c] + (double)seg_random_below(&random, 12));
            set_rgb(&r, x, y, colour);
        }
    return r;
}

static inline seg_raster copy_of(const seg_raster *r) {
    seg_raster copy = *r;
    size_t samples = (size_t)r->width * (size_t)r->height * (size_t)r->channels;
    copy.sample8 = malloc(samples);
    memcpy(copy.sample8, r->sample8, samples);
    return copy;
}

/* The raster after a trip through JPEG. */
static inline seg_raster through_jpeg(const seg_raster *r, int quality) {
    const jpeg_recipe recipe =
        JPEG_RECIPE(r->width, r->height, r->channels, r->sample8, .subsample = 1, .quality = quality);
    SCOPED(made_file) file = make_jpeg(&recipe);
    seg_raster out;
    assert_ok(&ctx, seg_raster_decode(&ctx, file.bytes, file.size, "t.jpg", &out));
    return out;
}

static inline size_t count_label(const seg_mask *mask, int label) {
    size_t count = 0;
    for (int i = 0; i < mask->width * mask->height; i++)
        count += mask->label[i] == label;
    return count;
}

static inline void assert_colour(const seg_mask *mask, int label, int r, int g, int b) {
    const uint8_t expected[3] = {(uint8_t)r, (uint8_t)g, (uint8_t)b};
    assert_memory_equal(mask->colour[label], expected, 3);
}

#endif
