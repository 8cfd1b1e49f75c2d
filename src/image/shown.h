/* Images as they are shown: 16-bit samples in 8 bits, outlines, JPEG. */
#pragma once

#include "image/slices.h"

#include <math.h>
#include <string.h>

/* The sample values of black and white; those of 8 bits differ from 0 and 255 after seg_image_find_ends. */
static inline void seg_image_ends(const seg_image *image, int *black, int *white) {
    const int spread = image->low < image->high && image->high >> image->depth == 0;
    *black = spread ? image->low : 0;
    *white = spread ? image->high : image->depth == 16 ? 65535 : 255;
}

/* A sample, clamped to black..white and scaled to 0..255, rounded. */
static inline uint8_t seg_shown(unsigned sample, int black, int white) {
    const int v = (int)sample < black ? black : (int)sample > white ? white : (int)sample;
    const unsigned range = (unsigned)(white - black);
    return (uint8_t)(((unsigned)(v - black) * 255u + range / 2) / range);
}

static inline uint8_t seg_shown_sample(const seg_image *image, size_t at) {
    int black, white;
    seg_image_ends(image, &black, &white);
    return seg_shown(seg_image_sample(image, at), black, white);
}

/* Copy row y of an image at 8 bits per sample. */
static inline void seg_shown_row(const seg_image *image, int y, uint8_t *to) {
    const size_t samples = 3 * (size_t)image->width, first = (size_t)y * samples;
    int black, white;
    seg_image_ends(image, &black, &white);
    if (image->depth == 8 && white - black == 255)
        memcpy(to, (const uint8_t *)image->data + first, samples);
    else
        for (size_t i = 0; i < samples; i++)
            to[i] = seg_shown_sample(image, first + i);
}

/* A copy at 8 bits whose noise is smoothed; freed by the caller. No data: there is less noise than changes masks. Holds
 * another copy meanwhile. SEG_OK, SEG_ERR_MEMORY. Cost O(pixels). */
seg_status seg_image_smooth_noise(seg_context *ctx, const seg_image *image, seg_image *out);

/* The width of an outline that looks equally wide in any image when viewed whole: 2 pixels up to 0.3 megapixels, then
 * proportional to the square root of the number of pixels, rounded, at most 32. @return 2..32 */
static inline int seg_outline_width(int width, int height) {
    const double scale = sqrt((double)width * height / 0.3e6);
    const long scaled = lround(2 * (scale > 1 ? scale : 1));
    return scaled < 32 ? (int)scaled : 32;
}

/* Encode an 8-bit image as JPEG, for reports: small, and nothing is measured on it. quality 1..100; *bytes is the
 * caller's (free). SEG_OK, SEG_ERR_USAGE (16 bits), SEG_ERR_MEMORY. The same bytes for the same pixels. */
seg_status seg_jpeg_encode(seg_context *ctx, const seg_image *image, int quality, unsigned char **bytes, size_t *size);
