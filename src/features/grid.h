/* The patch grid: neighbours, and the default size of patches. */
#pragma once

#include <segment/features.h>

#include <stdint.h>

#define SEG_PATCH_SIDE 5 /* side of a patch in pixels, for images of the size used in the papers and data sets */

/* The default side: the multiple of SEG_PATCH_SIDE that gives an image about 25,000 patches at most. */
int seg_patch_side_auto(int width, int height);

/* The up to four patches that touch patch p, ascending. @return how many */
int seg_patches_touching(const seg_patch_grid *grid, size_t p, int32_t out[4]);

/* Distance in patches from patch p to the frame of the image (of a single row: its two ends), 0 at the frame. */
int seg_patch_to_frame(const seg_patch_grid *grid, size_t p);

/* The grid of an image. Cost O(1). @return the grid; owns nothing */
seg_patch_grid seg_patch_grid_make(int width, int height, int side);

/* The patch that holds pixel (x, y). @return its number */
size_t seg_patch_of_pixel(const seg_patch_grid *grid, int x, int y);

/* Columns of pixels left .. right-1 of patch column c. */
static inline int seg_patch_left(const seg_patch_grid *grid, int c) {
    return c * grid->side;
}
static inline int seg_patch_right(const seg_patch_grid *grid, int c) {
    return grid->side < grid->width - c * grid->side ? (c + 1) * grid->side : grid->width;
}
