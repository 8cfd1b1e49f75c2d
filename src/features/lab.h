/* From sRGB samples to CIELAB under D65: L in 0..100, a and b about -110..110. */
#pragma once

#include <segment/image.h>

/* The sRGB curve as a table: linear light 0..1 of every sample value of the image; free() it. NULL (message set) if out
 * of memory. Each call allocates a table, since the library keeps no static state. */
float *seg_lab_table(seg_context *ctx, const seg_image *image);

/* Output arrays; a and b are NULL if only the lightness is wanted. */
typedef struct seg_lab {
    float *L, *a, *b;
} seg_lab;

/* Convert `count` pixels from pixel number `first` on. */
void seg_lab_pixels(const seg_image *image, const float *table, size_t first, size_t count, seg_lab out);

/* Convert a whole image into planes of width * height floats, row by row. Within 1e-3 of the exact conversion. Same
 * bytes for any number of threads. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_lab_planes(seg_context *ctx, const seg_image *image, seg_lab out);
