#include "features/log_gabor.h"
#include "base/lanes.h"

#define PI             3.14159265358979323846
#define WAVELENGTH     3.0  /* pixels, at the finest scale; shorter wavelengths are mostly noise [kovesi1999] */
#define RADIAL_SIGMA   0.65 /* relative to the centre frequency: two octaves wide, for scales one octave apart */
#define ANGULAR_SIGMA  (PI / SEG_TEXTURE_ORIENTATIONS / 1.5)
#define LOWPASS_CUTOFF 0.45 /* cycles per pixel; Butterworth of order 15 */
#define LN_NEGLIGIBLE  -6.9 /* values below 1e-3 of the peak are zero: whole columns then need no transform */

double seg_log_gabor_wavelength(int scale) {
    return WAVELENGTH * (double)(1 << scale);
}

/* 1 / (2 ln(sigma)^2): the factor of the squared logarithmic distance in the exponent. */
static double radial_factor(void) {
    double ln_sigma = log(RADIAL_SIGMA);
    return 1 / (2 * ln_sigma * ln_sigma);
}

/* exp(x) for x in -10 .. 0, to about 1e-7: 2 to the integer part of x / ln 2 from the exponent bits, times 2 to the
 * fraction by a power series. Unlike expf it can be vectorised. */
static inline float exp_small(float x) {
    float t = x * 1.44269504f + 16.0f;
    int32_t whole = (int32_t)(t + 0.5f), bits;
    float r = (t - (float)whole) * 0.693147181f, power;
    bits = (whole - 16 + 127) << 23;
    memcpy(&power, &bits, sizeof power);
    return power * (1 + r * (1 + r * (0.5f + r * (1.0f / 6 + r * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720)))))));
}

/* Fill one column of every table from the logarithm of the frequency, the angle and the logarithm of the low-pass. */
SEG_WIDER_TOO static void fill_column(const seg_log_gabor *out, size_t u, const float *restrict ln_radius,
                                      const float *restrict angle, const float *restrict ln_lowpass) {
    const float radial = (float)radial_factor(), angular = (float)(1 / (2 * ANGULAR_SIGMA * ANGULAR_SIGMA));
    for (int scale = 0; scale < SEG_TEXTURE_SCALES; scale++) {
        float *restrict to = out->radial[scale] + u * out->stride;
        const float centre = -(float)log(seg_log_gabor_wavelength(scale));
        for (size_t v = 0; v < out->stride; v++) {
            float d = ln_radius[v] - centre, exponent = ln_lowpass[v] - radial * d * d;
            float clamped = exponent > (float)LN_NEGLIGIBLE ? exponent : (float)LN_NEGLIGIBLE;
            to[v] = exponent > (float)LN_NEGLIGIBLE ? exp_small(clamped) : 0;
        }
    }
    for (int k = 0; k < SEG_LOG_GABOR_ANGLES; k++) {
        float *restrict to = out->angular[k] + u * out->stride;
        const float towards = (float)((k - 1) * PI / 4), quarter = (float)(PI / 2);
        for (size_t v = 0; v < out->stride; v++) {
            float d = angle[v] - towards, beyond = (d < 0 ? -d : d) < quarter ? 1.0f : 0.0f;
            to[v] = beyond * exp_small(-angular * d * d > -9.0f ? -angular * d * d : -9.0f);
        }
    }
}

static void fill_columns(void *arg, size_t first, size_t last, int worker) {
    const seg_log_gabor *out = arg;
    float *ln_radius = out->scratch + 3 * (size_t)worker * out->stride;
    float *angle = ln_radius + out->stride, *ln_lowpass = angle + out->stride;
    for (size_t u = first; u < last; u++) {
        for (size_t v = 0; v < out->stride; v++) {
            float x = (float)u / (float)out->width, y = (float)v / (float)out->height, square = x * x + y * y;
            float ratio = square / (float)(LOWPASS_CUTOFF * LOWPASS_CUTOFF), cube = ratio * ratio * ratio;
            ln_radius[v] = 0.5f * logf(square > 0 ? square : 1e-30f);
            angle[v] = atan2f(y, x);
            ln_lowpass[v] = -log1pf(cube * cube * cube * cube * cube);
        }
        fill_column(out, u, ln_radius, angle, ln_lowpass);
    }
}

seg_status seg_log_gabor_create(seg_context *ctx, size_t width, size_t height, seg_arena *arena, seg_log_gabor *out) {
    const size_t columns = width / 2 + 1, stride = height / 2 + 1, entries = columns * stride;
    *out = (seg_log_gabor){.width = width, .height = height, .stride = stride};
    for (size_t k = 0; k < SEG_TEXTURE_SCALES; k++)
        out->radial[k] = seg_arena_alloc(ctx, arena, entries, sizeof(float));
    for (size_t k = 0; k < SEG_LOG_GABOR_ANGLES; k++)
        out->angular[k] = seg_arena_alloc(ctx, arena, entries, sizeof(float));
    out->scratch = seg_arena_alloc(ctx, arena, 3 * (size_t)seg_threads(ctx) * stride, sizeof(float));
    if (!arena->status)
        seg_parallel(ctx, columns, 0, fill_columns, out);
    return arena->status;
}

size_t seg_log_gabor_last(int scale, size_t n) {
    double highest = exp(sqrt(-LN_NEGLIGIBLE / radial_factor())) / seg_log_gabor_wavelength(scale);
    double last = floor(highest * (double)n);
    return last < (double)(n / 2) ? (size_t)last : n / 2;
}

size_t seg_log_gabor_first(int scale, size_t n) {
    const size_t last = seg_log_gabor_last(scale, n);
    return last < n / 2 ? last : n / 2 - 1;
}

/* The angular table for each quarter plane (u >= 0 or u < 0, v >= 0 or v < 0); -1: the filter is zero there. The angle
 * of (u, v) is a, pi - a or the negative of these, where a is the angle of (|u|, |v|). */
static int angle_of(int orientation, int u_negative, int v_negative) {
    static const signed char table[SEG_TEXTURE_ORIENTATIONS][2][2] = {
        {{1, 1}, {-1, -1}}, {{2, 0}, {4, -1}}, {{3, -1}, {3, -1}}, {{0, 2}, {-1, 4}}};
    return table[orientation][u_negative][v_negative];
}

SEG_WIDER_TOO static void multiply(size_t n, const float *restrict a, const float *restrict b, float gain,
                                   float *restrict out) {
    for (size_t v = 0; v < n; v++)
        out[v] = gain * a[v] * b[v];
}

/* The product for v = last down to 1, at the end of the line. */
SEG_WIDER_TOO static void multiply_turned(size_t n, const float *restrict a, const float *restrict b, float gain,
                                          float *restrict out) {
    for (size_t v = 0; v < n; v++)
        out[v] = gain * a[n - v] * b[n - v];
}

void seg_log_gabor_column(const seg_log_gabor *bank, int scale, int orientation, long u, float gain, float *value) {
    const size_t line = (size_t)(u < 0 ? -u : u) * bank->stride;
    const size_t below = seg_log_gabor_last(scale, bank->height), above = seg_log_gabor_first(scale, bank->height);
    const float *radial = bank->radial[scale] + line;
    const int positive = angle_of(orientation, u < 0, 0), negative = angle_of(orientation, u < 0, 1);
    if (positive >= 0)
        multiply(below + 1, radial, bank->angular[positive] + line, gain, value);
    else
        memset(value, 0, (below + 1) * sizeof *value);
    if (negative >= 0)
        multiply_turned(above, radial, bank->angular[negative] + line, gain, value + below + 1);
    else
        memset(value + below + 1, 0, above * sizeof *value);
}
