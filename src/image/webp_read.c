/* WebP, lossy and lossless, by libwebp. */
#include "base/base.h"
#include "image/colour.h"
#include "image/decoders.h"
#include "image/interleaved.h"
#include "image/late_library.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

#define FUNCTIONS(X) X(WebPGetFeaturesInternal) X(WebPInitDecoderConfigInternal) X(WebPDecode)

typedef struct webp_calls {
    FUNCTIONS(SEG_LATE_POINTER)
} webp_calls;

static const char *const names[] = {FUNCTIONS(SEG_LATE_NAME)};
static const seg_late_library library = {SEG_LIBRARY_WEBP, SEG_PACKAGE_WEBP, sizeof names / sizeof *names, names};

static seg_status why_it_failed(seg_context *ctx, const char *name, VP8StatusCode code) {
    if (code == VP8_STATUS_OUT_OF_MEMORY || errno == ENOMEM) /* it has other words for it, too */
        return seg_no_memory_to_read(ctx, name);
    switch (code) {
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED:
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a truncated WebP, its end is missing: copy or download it again",
                        name);
    default:
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a damaged WebP: use a good copy", name);
    }
}

/* What libwebp holds: of lossless images, and of opacities beside lossy ones, the pixels as it decodes them. */
static size_t bytes_of_library(const WebPBitstreamFeatures *about) {
    const size_t pixels = (size_t)about->width * (size_t)about->height;
    return (about->format == 1 ? (about->has_alpha ? 2 * pixels : 0) : 4 * pixels) + ((size_t)1 << 20);
}

/* The content of the first chunk of that kind, NULL where there is none. */
static const unsigned char *find_chunk(const unsigned char *bytes, size_t size, const char *kind, size_t *length) {
    for (size_t at = 12; at + 8 <= size;) {
        const unsigned char *b = bytes + at + 4;
        *length = (size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24;
        if (*length > size - at - 8)
            return NULL;
        if (memcmp(bytes + at, kind, 4) == 0)
            return bytes + at + 8;
        at += 8 + *length + *length % 2;
    }
    return NULL;
}

static seg_status read_pixels(seg_context *ctx, const webp_calls *webp, const unsigned char *bytes, size_t size,
                              const char *name, int opacity, seg_raster *out) {
    const size_t row = (size_t)out->width * (opacity ? 4 : 3);
    WebPDecoderConfig config;
    uint8_t *rows = NULL;
    if (!webp->WebPInitDecoderConfigInternal(&config, WEBP_DECODER_ABI_VERSION))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is a WebP image, and %s is of another kind than segment was built "
                        "with: build segment again, or convert the image to PNG",
                        name, library.file);
    seg_status status = seg_raster_allocate(ctx, out, opacity);
    if (status == SEG_OK && opacity && !(rows = seg_alloc(ctx, (size_t)out->height, row)))
        status = SEG_ERR_MEMORY;
    if (status == SEG_OK) {
        config.output.colorspace = opacity ? MODE_RGBA : MODE_RGB;
        config.output.is_external_memory = 1;
        config.output.u.RGBA.rgba = opacity ? rows : out->sample8;
        config.output.u.RGBA.stride = (int)row;
        config.output.u.RGBA.size = row * (size_t)out->height;
        const VP8StatusCode code = webp->WebPDecode(bytes, size, &config);
        if (code != VP8_STATUS_OK)
            status = why_it_failed(ctx, name, code);
    }
    for (int y = 0; y < out->height && opacity && status == SEG_OK; y++)
        seg_raster_put_row8(out, y, rows + (size_t)y * row);
    free(rows);
    seg_raster_drop_opaque(out);
    return status;
}

seg_status seg_webp_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                           seg_raster *out) {
    webp_calls webp;
    WebPBitstreamFeatures about;
    seg_status status = seg_late_load(ctx, &library, name, "a WebP image", &webp);
    if (status != SEG_OK)
        return status;
    errno = 0;
    const VP8StatusCode code = webp.WebPGetFeaturesInternal(bytes, size, &about, WEBP_DECODER_ABI_VERSION);
    if (code != VP8_STATUS_OK)
        return why_it_failed(ctx, name, code);
    if (about.has_animation)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is an animated WebP, which is not read: save one of its pictures as PNG", name);
    if ((status = seg_check_size(ctx, name, about.width, about.height)) != SEG_OK)
        return status;
    out->width = about.width;
    out->height = about.height;
    out->kind = SEG_RASTER_RGB;
    out->channels = 3;
    out->bits = 8;
    out->lossy = about.format != 2;
    out->decoding = seg_raster_bytes(out, about.has_alpha) + bytes_of_library(&about) +
                    (about.has_alpha ? (size_t)about.width * (size_t)about.height * 4 : 0);
    size_t length = 0;
    const unsigned char *chunk = find_chunk(bytes, size, "EXIF", &length);
    const int orientation = chunk ? seg_exif_plain_orientation(chunk, length) : 1;
    if (orientation == 0)
        return seg_no_memory_to_read(ctx, name);
    if (orientation > 1)
        out->decoding += seg_raster_bytes(out, about.has_alpha); /* turned into a copy */
    if (header_only) {
        seg_raster_turn_size(orientation, out);
        return SEG_OK;
    }
    if ((status = seg_check_room(ctx, name, out)) != SEG_OK ||
        (status = read_pixels(ctx, &webp, bytes, size, name, about.has_alpha, out)) != SEG_OK)
        return status;
    if ((chunk = find_chunk(bytes, size, "ICCP", &length)) &&
        (status = seg_raster_keep_profile(ctx, name, chunk, length, out)) != SEG_OK)
        return status;
    return seg_raster_turn(ctx, orientation, out);
}
