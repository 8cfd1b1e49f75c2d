/* Which patches lie beside which. */
#ifndef SEG_FEATURES_GRID_H
#define SEG_FEATURES_GRID_H

#include <segment/features.h>

#include <stdint.h>

/* The up to four patches that touch patch p, ascending. @return how many */
int seg_patches_touching(const seg_patch_grid *grid, size_t p, int32_t out[4]);

#endif
