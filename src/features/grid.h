/* Which patches lie beside which, and how large they are by default. */
#ifndef SEG_FEATURES_GRID_H
#define SEG_FEATURES_GRID_H

#include <segment/features.h>

#include <stdint.h>

#define SEG_PATCH_SIDE 5 /* pixels of a patch in the images that the papers and data sets show */

/* A multiple of SEG_PATCH_SIDE that keeps the patches of an image at 25,000 or so. */
int seg_patch_side_auto(int width, int height);

/* The up to four patches that touch patch p, ascending. @return how many */
int seg_patches_touching(const seg_patch_grid *grid, size_t p, int32_t out[4]);

/* Patches between patch p and the frame of the image, 0 at the frame. The frame of a line is its ends. */
int seg_patch_to_frame(const seg_patch_grid *grid, size_t p);

/* The grid of an image. Cost O(1). @return the grid; owns nothing */
seg_patch_grid seg_patch_grid_make(int width, int height, int side);

/* The patch that holds pixel (x, y). @return its number */
size_t seg_patch_of_pixel(const seg_patch_grid *grid, int x, int y);

#endif
