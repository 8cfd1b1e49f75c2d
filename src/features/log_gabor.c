#include "features/log_gabor.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI             3.14159265358979323846
#define WAVELENGTH     3.0  /* of the finest scale; below it lies little but noise [kovesi1999] */
#define RADIAL_SIGMA   0.65 /* of the filter's own frequency: two octaves wide, which suits scales an octave apart */
#define ANGULAR_SIGMA  (PI / SEG_TEXTURE_ORIENTATIONS / 1.5)
#define LOWPASS_CUTOFF 0.45  /* cycles per pixel; Butterworth of order 15 */
#define LN_NEGLIGIBLE  -9.25 /* values below 1e-4 of the peak are zero: whole columns then need no transform */

double seg_log_gabor_wavelength(int scale) {
    return WAVELENGTH * (double)(1 << scale);
}

/* 1 / (2 ln(sigma)^2): the factor of the squared logarithmic distance in the exponent. */
static double radial_factor(void) {
    double ln_sigma = log(RADIAL_SIGMA);
    return 1 / (2 * ln_sigma * ln_sigma);
}

static void fill_columns(void *arg, size_t first, size_t last, int worker) {
    const seg_log_gabor *out = arg;
    const size_t width = out->width, height = out->height, stride = out->stride;
    (void)worker;
    for (size_t u = first; u < last; u++)
        for (size_t v = 0; v < stride; v++) {
            float x = (float)u / (float)width, y = (float)v / (float)height, square = x * x + y * y;
            float ratio = square / (float)(LOWPASS_CUTOFF * LOWPASS_CUTOFF), cube = ratio * ratio * ratio;
            size_t at = u * stride + v;
            out->ln_radius[at] = 0.5f * logf(square > 0 ? square : 1e-30f);
            out->angle[at] = atan2f(y, x);
            out->ln_lowpass[at] = -log1pf(cube * cube * cube * cube * cube);
        }
}

seg_status seg_log_gabor_create(seg_context *ctx, size_t width, size_t height, seg_log_gabor *out) {
    const size_t columns = width / 2 + 1, stride = height / 2 + 1, entries = columns * stride;
    memset(out, 0, sizeof *out);
    out->width = width;
    out->height = height;
    out->stride = stride;
    out->ln_radius = seg_alloc(ctx, entries, sizeof(float));
    out->angle = seg_alloc(ctx, entries, sizeof(float));
    out->ln_lowpass = seg_alloc(ctx, entries, sizeof(float));
    if (!out->ln_radius || !out->angle || !out->ln_lowpass) {
        seg_log_gabor_free(out);
        return SEG_ERR_MEMORY;
    }
    seg_parallel(ctx, columns, 0, fill_columns, out);
    return SEG_OK;
}

void seg_log_gabor_free(seg_log_gabor *bank) {
    if (!bank)
        return;
    free(bank->ln_radius);
    free(bank->angle);
    free(bank->ln_lowpass);
    memset(bank, 0, sizeof *bank);
}

size_t seg_log_gabor_last_column(const seg_log_gabor *bank, int scale) {
    double highest = exp(sqrt(-LN_NEGLIGIBLE / radial_factor())) / seg_log_gabor_wavelength(scale);
    double last = floor(highest * (double)bank->width);
    return last < (double)(bank->width / 2) ? (size_t)last : bank->width / 2;
}

/* exp(x) for x in -10 .. 0, right to about 1e-7: 2 to the whole part of x / ln 2 by building the exponent bits, 2 to
 * the rest by its power series. Unlike expf it can be vectorised. */
static inline float exp_small(float x) {
    float t = x * 1.44269504f + 16.0f;
    int32_t whole = (int32_t)(t + 0.5f), bits;
    float r = (t - (float)whole) * 0.693147181f, power;
    bits = (whole - 16 + 127) << 23;
    memcpy(&power, &bits, sizeof power);
    return power * (1 + r * (1 + r * (0.5f + r * (1.0f / 6 + r * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720)))))));
}

SEG_WIDER_TOO static void column(const seg_log_gabor *bank, int scale, int orientation, long u, float gain,
                                 float *value) {
    const size_t half = bank->stride - 1, line = (size_t)(u < 0 ? -u : u) * bank->stride;
    const float *restrict ln_radius = bank->ln_radius + line;
    const float *restrict angle = bank->angle + line;
    const float *restrict ln_lowpass = bank->ln_lowpass + line;
    const float centre = -(float)log(seg_log_gabor_wavelength(scale)), radial = (float)radial_factor();
    const float angular = (float)(1 / (2 * ANGULAR_SIGMA * ANGULAR_SIGMA)), quarter = (float)(PI / 2);
    /* Directions 0, 45, 90, -45 degrees: with those, the half plane within 90 degrees needs no wrapping of angles. */
    const float towards = (float)(orientation == 3 ? -PI / 4 : orientation * PI / 4);
    /* The angle of (u, v) is flip * angle + offset for v >= 0 and the negative of that for v < 0. */
    const float flip = u < 0 ? -1.0f : 1.0f, offset = u < 0 ? (float)PI : 0.0f;
    for (int sign = 1; sign >= -1; sign -= 2) {
        const float s = (float)sign;
        for (size_t v = sign > 0 ? 0 : 1; v < half + (sign > 0); v++) {
            float dr = ln_radius[v] - centre, da = s * (flip * angle[v] + offset) - towards;
            float exponent = ln_lowpass[v] - radial * dr * dr - angular * da * da;
            float clamped = exponent > (float)LN_NEGLIGIBLE ? exponent : (float)LN_NEGLIGIBLE;
            float inside = (da < 0 ? -da : da) < quarter && exponent > (float)LN_NEGLIGIBLE ? gain : 0;
            value[sign > 0 ? v : 2 * half - v] = inside * exp_small(clamped);
        }
    }
}

/* Apart, because a function with two bodies must not be called from other files everywhere. */
void seg_log_gabor_column(const seg_log_gabor *bank, int scale, int orientation, long u, float gain, float *value) {
    column(bank, scale, orientation, u, gain, value);
}
