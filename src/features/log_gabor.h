/* Log-Gabor filters, defined in the frequency domain [field1987; kovesi1999]: a Gaussian of the logarithm of the
 * frequency times a Gaussian of the angle, on one half plane only, so that the magnitude of the response is the local
 * amplitude and does not depend on the phase. */
#pragma once

#include "base/base.h"

#define SEG_TEXTURE_SCALES       4
#define SEG_TEXTURE_ORIENTATIONS 4
#define SEG_TEXTURE_FILTERS      (SEG_TEXTURE_SCALES * SEG_TEXTURE_ORIENTATIONS)

#define SEG_LOG_GABOR_ANGLES 5 /* -45, 0, 45, 90, 135 degrees */

/* A filter is the product of a function of the radius, one per scale, and a function of the angle; by symmetry five
 * such functions on the quarter of the frequency plane with u, v >= 0 suffice. */
typedef struct seg_log_gabor {
    size_t width, height; /* of the transform, both even */
    size_t stride;        /* height / 2 + 1; entry (u, v) of a table is at u * stride + v */
    float *radial[SEG_TEXTURE_SCALES], *angular[SEG_LOG_GABOR_ANGLES];
    float *scratch;
} seg_log_gabor;

/* Wavelength of a scale in pixels: 3, 6, 12, 24. */
double seg_log_gabor_wavelength(int scale);

seg_status seg_log_gabor_create(seg_context *ctx, size_t width, size_t height, seg_arena *arena, seg_log_gabor *out);

/* The largest index below n / 2 + 1 of a frequency at which filters of a scale are not zero everywhere. */
size_t seg_log_gabor_last(int scale, size_t n);
/* The same for minus the least index. */
size_t seg_log_gabor_first(int scale, size_t n);

/* The filter, times `gain`, along a column of frequencies: u in -width/2+1 .. width/2; v = 0 .. last, -first .. -1. */
void seg_log_gabor_column(const seg_log_gabor *bank, int scale, int orientation, long u, float gain, float *value);
