/* Display of 16-bit samples in 8 bits. */
#ifndef SEG_IMAGE_SHOWN_H
#define SEG_IMAGE_SHOWN_H

#include <segment/image.h>

#include <string.h>

/* The sample values of black and white. */
static inline void seg_image_ends(const seg_image *image, int *black, int *white) {
    const int spread = image->depth == 16 && image->low < image->high;
    *black = spread ? image->low : 0;
    *white = spread ? image->high : image->depth == 16 ? 65535 : 255;
}

/* A sample of a 16-bit image, clamped to black..white and scaled to 0..255, rounded. */
static inline uint8_t seg_shown(unsigned sample, int black, int white) {
    const int v = (int)sample < black ? black : (int)sample > white ? white : (int)sample;
    const unsigned range = (unsigned)(white - black);
    return (uint8_t)(((unsigned)(v - black) * 255u + range / 2) / range);
}

/* Copy row y of an image at 8 bits per sample. */
static inline void seg_shown_row(const seg_image *image, int y, uint8_t *to) {
    const size_t samples = 3 * (size_t)image->width, first = (size_t)y * samples;
    int black, white;
    seg_image_ends(image, &black, &white);
    if (image->depth == 8)
        memcpy(to, (const uint8_t *)image->data + first, samples);
    for (size_t i = 0; image->depth == 16 && i < samples; i++)
        to[i] = seg_shown(((const uint16_t *)image->data)[first + i], black, white);
}

#endif
