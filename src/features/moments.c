/* Mean and standard deviation of the colour over a patch. */
#include "features/strip.h"

#include <math.h>

#define LAB_UNIT 100.0 /* colours are in CIELAB units / 100, so that they compare with positions in 0..1 */

typedef struct moments {
    double mean, spread;
} moments;

/* Sums are taken of the differences to the patch's first pixel: a patch of one colour has spread exactly 0, and the
 * difference of the two sums loses no digits. */
static moments patch_moments(const float *plane, size_t width, int left, int right, int rows) {
    const double first = plane[left], count = (double)(right - left) * rows;
    double sum = 0, squares = 0, mean, variance;
    for (int y = 0; y < rows; y++, plane += width)
        for (int x = left; x < right; x++) {
            double t = plane[x] - first;
            sum += t;
            squares += t * t;
        }
    mean = sum / count;
    variance = squares / count - mean * mean;
    return (moments){first + mean, variance > 0 ? sqrt(variance) : 0};
}

void seg_strip_moments(const seg_strip *strip, double mean_weight, double *mean, double spread_weight, double *spread,
                       size_t stride) {
    const seg_patch_grid *grid = strip->grid;
    const float *planes[3] = {strip->L, strip->a, strip->b};
    const int rows = strip->bottom - strip->top;
    for (int c = 0; c < grid->columns; c++)
        for (int channel = 0; channel < 3; channel++) {
            moments m = patch_moments(planes[channel], (size_t)grid->width, seg_patch_left(grid, c),
                                      seg_patch_right(grid, c), rows);
            size_t at = (size_t)c * stride + (size_t)channel;
            if (mean)
                mean[at] = mean_weight * (m.mean / LAB_UNIT);
            if (spread)
                spread[at] = spread_weight * (m.spread / LAB_UNIT);
        }
}
