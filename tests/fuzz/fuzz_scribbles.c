/* Scribbles of every kind, from rasters made of the bytes: palette, grey, RGB, with opacity, JPEG's ground, strokes
 * painted on a copy of the image, with and without a label map. */
#include "fuzz_picture.h"

#include "scribbles/scribbles.h"

enum { SIDE = 24 };

typedef struct source {
    const uint8_t *at;
    size_t left;
} source;

static unsigned next(source *from) {
    return fuzz_take(&from->at, &from->left);
}

/* An image with smooth colours and some noise. */
static void make_photo(int width, int height, unsigned seed, uint8_t *to) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int c = 0; c < 3; c++) {
                seed = seed * 1664525u + 1013904223u;
                *to++ = (uint8_t)(40 + 5 * x + (c + 1) * 2 * y + (seed >> 30));
            }
}

/* Runs over the image: how long, which colour, how much of it covers what is there. */
static void paint(source *from, seg_raster *raster, int lossy) {
    const size_t pixels = fuzz_pixels(raster->width, raster->height);
    size_t at = 0;
    while (from->left && at < pixels) {
        const unsigned skip = next(from), length = next(from) % 64 + 1, strength = next(from) % 4;
        uint8_t colour[3];
        for (int c = 0; c < raster->channels; c++)
            colour[c] = (uint8_t)next(from);
        at += skip;
        for (unsigned i = 0; i < length && at < pixels; i++, at++)
            for (int c = 0; c < raster->channels; c++) {
                uint8_t *sample = &raster->sample8[at * (size_t)raster->channels + (size_t)c];
                const unsigned cover = strength == 3 ? 4 : strength + 1, noise = lossy ? (unsigned)(at * 7 + i) % 5 : 0;
                const unsigned mixed = (*sample * (4 - cover) + colour[c] * cover) / 4 + noise;
                *sample = (uint8_t)(mixed > 255 ? 255 : mixed);
            }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    enum { HAS_PHOTO = 1, COPY = 2, HAS_MAP = 4, LOSSY = 8, HAS_ALPHA = 16, DEEP = 32 };
    source from = {bytes, size};
    const unsigned what = next(&from), kind = next(&from) % 3 + 1;
    seg_context ctx = fuzz_context();
    uint8_t samples[SIDE * SIDE * 3] = {0}, pixels_of_photo[SIDE * SIDE * 3];
    uint16_t alpha[SIDE * SIDE], deep[SIDE * SIDE * 3];
    seg_raster raster = {.width = (int)(next(&from) % SIDE) + 1,
                         .height = (int)(next(&from) % SIDE) + 1,
                         .kind = (seg_raster_kind)kind,
                         .channels = kind == SEG_RASTER_RGB ? 3 : 1,
                         .bits = 8,
                         .lossy = what & LOSSY && kind != SEG_RASTER_PALETTE,
                         .palette_count = kind == SEG_RASTER_PALETTE ? 256 : 0,
                         .sample8 = samples};
    const size_t pixels = fuzz_pixels(raster.width, raster.height), count = pixels * (size_t)raster.channels;
    seg_image photo = {.width = raster.width, .height = raster.height, .depth = 8, .data = pixels_of_photo};
    static const seg_labelmap map = {
        .count = 3, .colour = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}}, .name = {"red", "green", "blue"}};
    make_photo(raster.width, raster.height, next(&from), pixels_of_photo);
    if (kind == SEG_RASTER_RGB && what & COPY)
        memcpy(samples, pixels_of_photo, count);
    for (int i = 0; i < raster.palette_count; i++)
        for (int c = 0; c < 3; c++)
            raster.palette[i][c] = (uint8_t)(what & COPY ? i : i * (c * 64 + 37));
    if (what & HAS_ALPHA) {
        raster.alpha = alpha;
        for (size_t i = 0; i < pixels; i++)
            alpha[i] = (uint16_t)(next(&from) * 257);
    }
    paint(&from, &raster, raster.lossy);
    if (what & DEEP && kind != SEG_RASTER_PALETTE && !raster.lossy) {
        for (size_t i = 0; i < count; i++)
            deep[i] = (uint16_t)(samples[i] * (what & HAS_MAP ? 257 : 1));
        raster.sample16 = deep;
        raster.sample8 = NULL;
        raster.bits = 16;
    }
    SCOPED(seg_mask) scribbles, truth;
    seg_scribbles_about about = {0};
    const seg_scribbles_job job = {&ctx,       "fuzz", what & HAS_PHOTO ? &photo : NULL, what & HAS_MAP ? &map : NULL,
                                   &scribbles, &about};
    const seg_status status = seg_scribbles_from_raster(&job, &raster);
    if (fuzz_outcome(&ctx, status, REFUSED, &scribbles, sizeof scribbles)) {
        CHECK(about.kind >= SEG_SCRIBBLES_PALETTE && about.kind <= SEG_SCRIBBLES_SNAPPED);
        CHECK(scribbles.width == raster.width && scribbles.height == raster.height);
        fuzz_check_mask(&scribbles);
        CHECK(!memchr(scribbles.label, SEG_VOID, pixels));
        /* Written as a palette, the labels are what they were. */
        SCOPED(seg_mask) again;
        SCOPED(seg_raster) written;
        CHECK(seg_mask_write(&ctx, fuzz_sink(), &scribbles, SEG_MASK_PNG) == SEG_OK);
        const unsigned char *png = fuzz_written(&size);
        CHECK(seg_raster_decode(&ctx, png, size, "again", &written) == SEG_OK);
        CHECK(seg_scribbles_from_raster(&(seg_scribbles_job){&ctx, "again", NULL, NULL, &again, &about}, &written) ==
              SEG_OK);
        CHECK(memcmp(again.label, scribbles.label, pixels) == 0);
    }
    if (fuzz_outcome(&ctx, seg_truth_from_raster(&ctx, &raster, "fuzz", &truth), REFUSED, &truth, sizeof truth)) {
        fuzz_check_mask(&truth);
        CHECK(!memchr(truth.label, 0, pixels));
    }
    return 0;
}
