/* What must hold of decoded pictures. */
#ifndef TESTS_FUZZ_PICTURE_H
#define TESTS_FUZZ_PICTURE_H

#include "fuzz.h"

#include "image/formats/decoders.h"

static inline size_t fuzz_pixels(int width, int height) {
    return (size_t)width * (size_t)height;
}

/* Sizes within the limits, samples within the depth, palette entries for all of them. */
static inline void fuzz_check_raster(const seg_raster *r) {
    CHECK(r->width >= 1 && r->height >= 1 && r->width <= SEG_MAX_SIDE && r->height <= SEG_MAX_SIDE);
    CHECK(r->channels == (r->kind == SEG_RASTER_RGB ? 3 : 1) && r->bits >= 1 && r->bits <= 16);
    CHECK(r->bits > 8 ? r->sample16 && !r->sample8 : r->sample8 && !r->sample16);
    const size_t pixels = fuzz_pixels(r->width, r->height);
    unsigned all = 0, opacity = 0, largest = 0;
    for (size_t i = 0; i < pixels * (size_t)r->channels; i++) {
        const unsigned value = r->sample8 ? r->sample8[i] : r->sample16[i];
        all |= value;
        largest = value > largest ? value : largest;
    }
    for (size_t i = 0; r->alpha && i < pixels; i++)
        opacity |= r->alpha[i];
    CHECK(all < 1u << r->bits);
    CHECK(r->kind != SEG_RASTER_PALETTE || (r->bits <= 8 && (int)largest < r->palette_count));
    CHECK(opacity <= 65535);
}

static inline void fuzz_check_mask(const seg_mask *mask) {
    CHECK(mask->width >= 1 && mask->height >= 1 && mask->labels >= 1 && mask->labels <= SEG_MAX_LABELS);
    for (size_t i = 0; i < fuzz_pixels(mask->width, mask->height); i++)
        CHECK(mask->label[i] <= mask->labels || mask->label[i] == SEG_VOID);
}

#ifndef PIXELS_MAY_DIFFER
#define PIXELS_MAY_DIFFER 0
#endif

typedef seg_status fuzz_decoder(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                                int header_only, seg_raster *out);

/* Decode; an image can be made of what comes out, and so can a second raster of the same bytes, which is the same.
 */
static inline void fuzz_decode(fuzz_decoder *decode, const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    SCOPED(seg_raster) raster = {0}, again = {0};
    seg_raster header = {0}; /* owns nothing */
    seg_image image;
    const seg_status status = decode(&ctx, bytes, size, "fuzz", 0, &raster);
    if (fuzz_outcome(&ctx, status, REFUSED, NULL, 0)) {
        fuzz_check_raster(&raster);
        CHECK(seg_image_from_raster(&ctx, &raster, &image) == SEG_OK);
        CHECK(image.width == raster.width && image.height == raster.height);
        seg_image_free(&image);
        const seg_status second = decode(&ctx, bytes, size, "fuzz", 0, &again);
        if (PIXELS_MAY_DIFFER && second == SEG_ERR_INPUT)
            return;
        CHECK(second == SEG_OK);
        CHECK(decode(&ctx, bytes, size, "fuzz", 1, &header) == SEG_OK && !header.sample8 && !header.sample16);
        CHECK(header.width == raster.width && header.height == raster.height && header.decoding > 0);
        CHECK(header.bits == raster.bits);
        CHECK(header.channels == raster.channels || raster.kind == SEG_RASTER_PALETTE); /* GIF's is found later */
        const size_t samples = fuzz_pixels(raster.width, raster.height) * (size_t)raster.channels;
        CHECK(again.width == raster.width && again.height == raster.height && again.kind == raster.kind);
        if (!PIXELS_MAY_DIFFER) {
            CHECK(raster.sample8 ? memcmp(raster.sample8, again.sample8, samples) == 0
                                 : memcmp(raster.sample16, again.sample16, 2 * samples) == 0);
            CHECK(!raster.alpha == !again.alpha);
            CHECK(!raster.alpha ||
                  memcmp(raster.alpha, again.alpha, 2 * fuzz_pixels(raster.width, raster.height)) == 0);
        }
    }
}

#endif
