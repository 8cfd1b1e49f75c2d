/* The patch grid: which pixels belong to which patch. */
#include <segment/features.h>

static int ceil_divide(int a, int b) {
    return a / b + (a % b != 0);
}

seg_patch_grid seg_patch_grid_make(int width, int height, int side) {
    seg_patch_grid grid = {width, height, side, 0, 0};
    if (width > 0 && height > 0 && side > 0) {
        grid.columns = ceil_divide(width, side);
        grid.rows = ceil_divide(height, side);
    }
    return grid;
}

size_t seg_patch_of_pixel(const seg_patch_grid *grid, int x, int y) {
    return (size_t)(y / grid->side) * (size_t)grid->columns + (size_t)(x / grid->side);
}
