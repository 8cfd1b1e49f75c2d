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
#define AT_A_TIME      128   /* values of a filter */
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

/* The largest frequency, in cycles per pixel, at which filters of this scale are not zero everywhere. */
static double highest_of(int scale) {
    return exp(sqrt(-LN_NEGLIGIBLE / radial_factor())) / seg_log_gabor_wavelength(scale);
}

size_t seg_log_gabor_last_column(const seg_log_gabor *bank, int scale) {
    double last = floor(highest_of(scale) * (double)bank->width);
    return last < (double)(bank->width / 2) ? (size_t)last : bank->width / 2;
}

/* How many of the v >= 0 of a column to look at: beyond, the frequency is above the highest by more than rounding. */
static size_t rows_of(const seg_log_gabor *bank, int scale, size_t u) {
    const double highest = 1.001 * highest_of(scale), across = (double)u / (double)bank->width;
    const double left = highest * highest - across * across;
    const double rows = left > 0 ? ceil(sqrt(left) * (double)bank->height) + 1 : 0;
    return rows < (double)bank->stride ? (size_t)rows : bank->stride;
}

/* Which way a filter looks, and a quarter of the frequency plane: the angle of (u, v) there is
 * sign * (flip * angle + offset). */
typedef struct quarter {
    float towards, flip, offset, sign;
} quarter;

static inline float from_direction(const quarter *q, float angle) {
    return q->sign * (q->flip * angle + q->offset) - q->towards;
}

/* All of the quarter is 90 degrees and more away: rounding is monotone, so that its two ends tell. */
static int is_zero(const quarter *q) {
    const float right = (float)(PI / 2), one = from_direction(q, 0), other = from_direction(q, right);
    return (one >= right && other >= right) || (one <= -right && other <= -right);
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

/* The filter's values in one quarter of a column, whose first entry is at `line`, for v = 0 .. rows - 1. Two loops,
 * for the compiler makes branches of one, and vectors of these. */
SEG_WIDER_TOO static void fill_quarter(const seg_log_gabor *bank, int scale, size_t line, const quarter *given,
                                       size_t rows, float gain, float *restrict value) {
    const float centre = -(float)log(seg_log_gabor_wavelength(scale)), radial = (float)radial_factor();
    const float angular = (float)(1 / (2 * ANGULAR_SIGMA * ANGULAR_SIGMA)), right = (float)(PI / 2);
    const quarter q = *given;
    float exponent[AT_A_TIME], factor[AT_A_TIME];
    for (size_t first = 0; first < rows; first += AT_A_TIME) {
        const size_t count = rows - first < AT_A_TIME ? rows - first : AT_A_TIME;
        const float *restrict ln_radius = bank->ln_radius + line + first;
        const float *restrict angle = bank->angle + line + first;
        const float *restrict ln_lowpass = bank->ln_lowpass + line + first;
        for (size_t i = 0; i < count; i++) {
            const float dr = ln_radius[i] - centre, da = from_direction(&q, angle[i]), away = da < 0 ? -da : da;
            const float sum = ln_lowpass[i] - radial * dr * dr - angular * da * da;
            exponent[i] = sum > (float)LN_NEGLIGIBLE ? sum : (float)LN_NEGLIGIBLE;
            factor[i] = (away < right) & (sum > (float)LN_NEGLIGIBLE) ? gain : 0;
        }
        for (size_t i = 0; i < count; i++)
            value[first + i] = factor[i] * exp_small(exponent[i]);
    }
}

static void turn_round(size_t n, float *value) {
    for (size_t i = 0; i < n / 2; i++) {
        const float kept = value[i];
        value[i] = value[n - 1 - i];
        value[n - 1 - i] = kept;
    }
}

void seg_log_gabor_column(const seg_log_gabor *bank, int scale, int orientation, long u, float gain, float *value) {
    const size_t half = bank->stride - 1, across = (size_t)(u < 0 ? -u : u), line = across * bank->stride;
    const size_t rows = rows_of(bank, scale, across), behind = rows < half ? rows : half;
    /* Directions 0, 45, 90, -45 degrees: with those, the half plane within 90 degrees needs no wrapping of angles. */
    quarter q = {.towards = (float)(orientation == 3 ? -PI / 4 : orientation * PI / 4), .flip = 1, .sign = 1};
    float *negative = value + half + 1; /* v = -half + 1 .. -1 */
    if (u < 0) {
        q.flip = -1;
        q.offset = (float)PI;
    }
    memset(value, 0, 2 * half * sizeof *value);
    if (!is_zero(&q))
        fill_quarter(bank, scale, line, &q, rows, gain, value);
    q.sign = -1;
    if (behind < 2 || is_zero(&q))
        return;
    if (orientation == 0) /* the same on both sides */
        memcpy(negative, value + 1, (behind - 1) * sizeof *value);
    else
        fill_quarter(bank, scale, line + 1, &q, behind - 1, gain, negative);
    turn_round(half - 1, negative);
}
