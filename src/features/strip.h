/* A strip is a row of patches, the unit of parallel work of all features except texture. Each kind has one function
 * that writes its columns for the strip's patches; its first column of patch c is out[c * stride]. */
#ifndef SEG_FEATURES_STRIP_H
#define SEG_FEATURES_STRIP_H

#include <segment/features.h>

typedef struct seg_strip {
    const seg_image *image;
    const seg_patch_grid *grid;
    int row;                /* of patches */
    int top, bottom;        /* rows of pixels top .. bottom-1 */
    const float *L, *a, *b; /* CIELAB of these rows, width floats per row; NULL where no kind needs them */
} seg_strip;

/* Columns of pixels left .. right-1 of patch column c. */
static inline int seg_patch_left(const seg_patch_grid *grid, int c) {
    return c * grid->side;
}
static inline int seg_patch_right(const seg_patch_grid *grid, int c) {
    return grid->side < grid->width - c * grid->side ? (c + 1) * grid->side : grid->width;
}

/* Mean and standard deviation of L, a, b; NULL for the one that is not wanted. */
void seg_strip_moments(const seg_strip *strip, double mean_weight, double *mean, double spread_weight, double *spread,
                       size_t stride);
void seg_strip_position(const seg_strip *strip, double weight, double *out, size_t stride);
void seg_strip_histogram(const seg_strip *strip, double weight, double *out, size_t stride);
void seg_strip_lab_histogram(const seg_strip *strip, double weight, double *out, size_t stride);

#endif
