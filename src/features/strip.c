/* The features of a row of patches: mean and standard deviation of the colour, position, histograms. */
#include "features/strip.h"

#include "image/shown.h"

#include <math.h>

#define LAB_UNIT 100.0 /* colours are in CIELAB units / 100, a range comparable to positions in 0..1 */
#define BINS     8     /* per channel [chen2011npkl, Sec. 5.5] */
#define COLUMNS  (3 * BINS)

typedef struct moments {
    double mean, spread;
} moments;

/* Differences from the patch's first pixel are summed: a patch of one colour has a spread of exactly 0, and the
 * variance suffers no cancellation. */
static moments patch_moments(const float *plane, size_t width, int left, int right, int rows) {
    const double first = plane[left], count = (double)(right - left) * rows;
    double sum = 0, squares = 0;
    for (int y = 0; y < rows; y++, plane += width)
        for (int x = left; x < right; x++) {
            double t = plane[x] - first;
            sum += t;
            squares += t * t;
        }
    const double mean = sum / count, variance = squares / count - mean * mean;
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

/* The position of each patch in units of the longer side of the image. */
void seg_strip_position(const seg_strip *strip, double weight, double *out, size_t stride) {
    const seg_patch_grid *grid = strip->grid;
    double longer = grid->width > grid->height ? grid->width : grid->height;
    double y = weight * (0.5 * (strip->top + strip->bottom) / longer);
    for (int c = 0; c < grid->columns; c++, out += stride) {
        out[0] = weight * (0.5 * (seg_patch_left(grid, c) + seg_patch_right(grid, c)) / longer);
        out[1] = y;
    }
}

/* The bin of a sample: the range from black to white in equal parts. */
static inline unsigned bin_of_sample(int sample, int black, int white) {
    const int v = sample < black ? black : sample > white ? white : sample;
    return (unsigned)(v - black) * BINS / (unsigned)(white - black + 1);
}

static void write_shares(const unsigned count[COLUMNS], double pixels, double weight, double *out) {
    for (int i = 0; i < COLUMNS; i++)
        out[i] = weight * (count[i] / pixels);
}

void seg_strip_histogram(const seg_strip *strip, double weight, double *out, size_t stride) {
    const seg_patch_grid *grid = strip->grid;
    const int rows = strip->bottom - strip->top;
    int black, white;
    seg_image_ends(strip->image, &black, &white);
    const int wide = strip->image->depth == 16;
    for (int c = 0; c < grid->columns; c++, out += stride) {
        const int left = seg_patch_left(grid, c), right = seg_patch_right(grid, c);
        unsigned count[COLUMNS] = {0};
        for (int y = strip->top; y < strip->bottom; y++) {
            const size_t first = 3 * ((size_t)y * (size_t)grid->width + (size_t)left);
            const size_t samples = 3 * (size_t)(right - left);
            const uint16_t *two = wide ? (const uint16_t *)strip->image->data + first : NULL;
            const uint8_t *one = (const uint8_t *)strip->image->data + first;
            for (size_t i = 0; i < samples; i++)
                count[i % 3 * BINS + (wide ? bin_of_sample(two[i], black, white) : (unsigned)one[i] >> 5)]++;
        }
        write_shares(count, (double)(right - left) * rows, weight, out);
    }
}

/* Bin of a value in low .. low + BINS / scale; values outside fall into the first or last bin. */
static inline int bin_of(float value, float low, float scale) {
    float t = (value - low) * scale;
    t = t > 0 ? t : 0;
    t = t < BINS - 1 ? t : BINS - 1;
    return (int)t;
}

void seg_strip_lab_histogram(const seg_strip *strip, double weight, double *out, size_t stride) {
    const seg_patch_grid *grid = strip->grid;
    const int rows = strip->bottom - strip->top;
    for (int c = 0; c < grid->columns; c++, out += stride) {
        const int left = seg_patch_left(grid, c), right = seg_patch_right(grid, c);
        unsigned count[COLUMNS] = {0};
        for (int y = 0; y < rows; y++) {
            const size_t line = (size_t)y * (size_t)grid->width;
            for (size_t i = line + (size_t)left; i < line + (size_t)right; i++) {
                count[bin_of(strip->L[i], 0, BINS / 100.0f)]++;
                count[BINS + bin_of(strip->a[i], -64, BINS / 128.0f)]++;
                count[2 * BINS + bin_of(strip->b[i], -64, BINS / 128.0f)]++;
            }
        }
        write_shares(count, (double)(right - left) * rows, weight, out);
    }
}
