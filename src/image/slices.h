/* The slices of a volume: images one below the other in one image. */
#pragma once

#include <segment/image.h>

/* Sample `at` of an image, as it is stored, and to set it. */
static inline unsigned seg_image_sample(const seg_image *image, size_t at) {
    return image->depth == 16 ? ((const uint16_t *)image->data)[at] : ((const uint8_t *)image->data)[at];
}

static inline void seg_image_put(const seg_image *image, size_t at, unsigned sample) {
    if (image->depth == 16)
        ((uint16_t *)image->data)[at] = (uint16_t)sample;
    else
        ((uint8_t *)image->data)[at] = (uint8_t)sample;
}

/* Where a slice is seen with those beside: the weight of each of these, of 256; a half of the slice's own where slices
 * are as far apart as pixels. */
static inline uint32_t seg_slice_beside(double spacing) {
    return (uint32_t)(128 / (1 + spacing * spacing));
}

/* Slice i of `slices`; its pixels are borrowed. */
static inline seg_image seg_image_slice(const seg_image *image, int slices, int i) {
    seg_image slice = *image;
    slice.height = image->height / slices;
    if (i > 0) /* an image that is read by tiles has no pixels here */
        slice.data = (uint8_t *)image->data +
                     (size_t)i * (size_t)slice.height * (size_t)image->width * 3 * (size_t)(image->depth / 8);
    return slice;
}
