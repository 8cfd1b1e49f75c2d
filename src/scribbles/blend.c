#include "scribbles/strokes.h"

/* In sRGB values. */
static int is_mix_of_values(uint32_t x, uint32_t flat, uint32_t ground, int residual) {
    int v[3], u[3], uu = 0, uv = 0;
    for (int c = 0; c < 3; c++) {
        v[c] = seg_colour_channel(x, c) - seg_colour_channel(ground, c);
        u[c] = seg_colour_channel(flat, c) - seg_colour_channel(ground, c);
        uu += u[c] * u[c];
        uv += u[c] * v[c];
    }
    if (uv <= 0 || uv >= uu)
        return 0;
    for (int c = 0; c < 3; c++) {
        int off = v[c] * uu - uv * u[c]; /* at most 2 * 255 * 3 * 255^2 < 2^27 */
        if (off > residual * uu || off < -residual * uu)
            return 0;
    }
    return 1;
}

static int64_t light(int value) {
    return value < 0 ? 0 : (int64_t)value * value;
}

#define CURVE_ERROR 5 /* of the square in place of sRGB's curve */

/* In light, taken as the square of the value. */
static int is_mix_of_light(uint32_t x, uint32_t flat, uint32_t ground, int residual) {
    int64_t u[3], uu = 0, uv = 0;
    for (int c = 0; c < 3; c++) {
        u[c] = light(seg_colour_channel(flat, c)) - light(seg_colour_channel(ground, c));
        uu += u[c] * u[c];
        uv += u[c] * (light(seg_colour_channel(x, c)) - light(seg_colour_channel(ground, c)));
    }
    if (uv <= 0 || uv >= uu)
        return 0;
    const double a = (double)uv / (double)uu;
    for (int c = 0; c < 3; c++) {
        double mixed = (double)light(seg_colour_channel(ground, c)) + a * (double)u[c];
        if (mixed < (double)light(seg_colour_channel(x, c) - residual) ||
            mixed > (double)light(seg_colour_channel(x, c) + residual))
            return 0;
    }
    return 1;
}

int seg_is_blend(uint32_t x, uint32_t flat, uint32_t ground, int residual) {
    return is_mix_of_values(x, flat, ground, residual) || is_mix_of_light(x, flat, ground, residual + CURVE_ERROR);
}
