/* The patch grid: neighbours, and the default size of patches. */
#pragma once

#include <segment/features.h>

#define SEG_PATCH_SIDE 5 /* side of a patch in pixels, for images of the size used in the papers and data sets */

/* The default side: the multiple of SEG_PATCH_SIDE that gives an image about 25,000 patches at most, a volume 100,000.
 * `apart`: from slice to slice, in pixels. */
int seg_patch_side_auto(int width, int height, int slices, double apart);

/* Slices of a patch of a volume whose features are computed on pixels of `factor` x `factor`: as deep as wide. */
int seg_patch_deep_of(int slices, double apart, int factor);

/* The layers of patches of a volume, of one or more slices each, and how many slices these are, but for the last. */
int seg_patch_layers(const seg_patch_grid *grid);
int seg_patch_deep(const seg_patch_grid *grid);

#define SEG_TOUCHING 6 /* the most patches that touch one */

/* Patches that touch patch p, ascending: up to four in its slice, and those of the layers beside. @return how many */
int seg_patches_touching(const seg_patch_grid *grid, size_t p, int32_t out[SEG_TOUCHING]);

#define SEG_AHEAD 3 /* directions: to the right, below, and into the next layer */

/* The patch that touches patch p in direction d of these; p where there is none. */
static inline size_t seg_patch_ahead(const seg_patch_grid *grid, size_t p, int d) {
    const size_t columns = (size_t)grid->columns, all = columns * (size_t)grid->rows;
    const size_t slice = all / (size_t)seg_patch_layers(grid);
    const int is_there = d == 0 ? (p + 1) % columns != 0 : d == 1 ? p % slice + columns < slice : p + slice < all;
    return !is_there ? p : p + (d == 0 ? 1 : d == 1 ? columns : slice);
}

/* Distance in patches from patch p to the frame of its slice (of a single row: its two ends), 0 at the frame. */
int seg_patch_to_frame(const seg_patch_grid *grid, size_t p);

/* The grid of an image. Cost O(1). @return the grid; owns nothing */
seg_patch_grid seg_patch_grid_make(int width, int height, int side);

/* The same of a volume: `slices` images, a divisor of the height, of which a patch has `deep`. */
seg_patch_grid seg_patch_grid_stack(int width, int height, int slices, int deep, int side);

/* The grid of one slice. */
seg_patch_grid seg_patch_grid_slice(const seg_patch_grid *grid);

/* The row of patches with row y of pixels; rows top .. bottom-1 of row r of patches, in its layer's first slice. */
int seg_patch_row(const seg_patch_grid *grid, int y);
int seg_patch_top(const seg_patch_grid *grid, int r);
int seg_patch_bottom(const seg_patch_grid *grid, int r);
/* The row of pixels behind row y in row r of patches, also in its layer's next slice; the height where none is left. */
int seg_patch_row_after(const seg_patch_grid *grid, int r, int y);

/* The patch that holds pixel (x, y). @return its number */
size_t seg_patch_of_pixel(const seg_patch_grid *grid, int x, int y);

/* Columns of pixels left .. right-1 of patch column c. */
static inline int seg_patch_left(const seg_patch_grid *grid, int c) {
    return c * grid->side;
}
static inline int seg_patch_right(const seg_patch_grid *grid, int c) {
    return grid->side < grid->width - c * grid->side ? (c + 1) * grid->side : grid->width;
}
