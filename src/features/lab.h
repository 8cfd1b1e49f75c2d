/* From sRGB samples to CIELAB under D65: L in 0..100, a and b about -110..110. */
#ifndef SEG_FEATURES_LAB_H
#define SEG_FEATURES_LAB_H

#include <segment/image.h>

/* The sRGB curve as a table: linear light 0..1 of every sample value of the image; free() it. NULL (message set)
 * where memory is short. A table a call, not a static one: the library keeps no state. */
float *seg_lab_table(seg_context *ctx, const seg_image *image);

/* Convert `count` pixels from pixel number `first` on. a and b may both be NULL where only the lightness is wanted. */
void seg_lab_pixels(const seg_image *image, const float *table, size_t first, size_t count, float *L, float *a,
                    float *b);

/* Convert a whole image into planes of width * height floats, row by row; a and b may both be NULL.
 * Within 1e-3 of the exact conversion. Same bytes for any number of threads. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_lab_planes(seg_context *ctx, const seg_image *image, float *L, float *a, float *b);

#endif
