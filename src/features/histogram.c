/* Histograms of the colour over a patch, eight bins a channel [chen2011npkl, Sec. 5.5]. */
#include "features/strip.h"

#include "image/shown.h"

#define BINS    8
#define COLUMNS (3 * BINS)

/* The range from black to white in equal parts. */
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
    for (int c = 0; c < grid->columns; c++, out += stride) {
        const int left = seg_patch_left(grid, c), right = seg_patch_right(grid, c);
        unsigned count[COLUMNS] = {0};
        for (int y = strip->top; y < strip->bottom; y++) {
            const size_t first = 3 * ((size_t)y * (size_t)grid->width + (size_t)left);
            const size_t samples = 3 * (size_t)(right - left);
            if (strip->image->depth == 16) {
                const uint16_t *sample = (const uint16_t *)strip->image->data + first;
                for (size_t i = 0; i < samples; i += 3)
                    for (size_t channel = 0; channel < 3; channel++)
                        count[channel * BINS + bin_of_sample(sample[i + channel], black, white)]++;
            } else {
                const uint8_t *sample = (const uint8_t *)strip->image->data + first;
                for (size_t i = 0; i < samples; i += 3)
                    for (size_t channel = 0; channel < 3; channel++)
                        count[channel * BINS + (sample[i + channel] >> 5)]++;
            }
        }
        write_shares(count, (double)(right - left) * rows, weight, out);
    }
}

/* Bin of a value in low .. low + BINS / scale; what lies outside falls into the first or last bin. */
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
