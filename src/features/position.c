/* Where a patch lies, in units of the image's longer side. */
#include "features/strip.h"

void seg_strip_position(const seg_strip *strip, double weight, double *out, size_t stride) {
    const seg_patch_grid *grid = strip->grid;
    double longer = grid->width > grid->height ? grid->width : grid->height;
    double y = weight * (0.5 * (strip->top + strip->bottom) / longer);
    for (int c = 0; c < grid->columns; c++, out += stride) {
        out[0] = weight * (0.5 * (seg_patch_left(grid, c) + seg_patch_right(grid, c)) / longer);
        out[1] = y;
    }
}
