/* The patch grid: which pixels belong to which patch. */
#include "features/grid.h"

static int ceil_divide(int a, int b) {
    return a / b + (a % b != 0);
}

int seg_patch_to_frame(const seg_patch_grid *grid, size_t p) {
    const int x = (int)(p % (size_t)grid->columns), y = (int)(p / (size_t)grid->columns);
    const int across = x < grid->columns - 1 - x ? x : grid->columns - 1 - x;
    const int down = y < grid->rows - 1 - y ? y : grid->rows - 1 - y;
    return grid->rows == 1 ? across : grid->columns == 1 ? down : across < down ? across : down;
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

int seg_patches_touching(const seg_patch_grid *grid, size_t p, int32_t out[4]) {
    const size_t columns = (size_t)grid->columns, row = p / columns, column = p % columns;
    int count = 0;
    if (row > 0)
        out[count++] = (int32_t)(p - columns);
    if (column > 0)
        out[count++] = (int32_t)(p - 1);
    if (column + 1 < columns)
        out[count++] = (int32_t)(p + 1);
    if (row + 1 < (size_t)grid->rows)
        out[count++] = (int32_t)(p + columns);
    return count;
}

/* Largest number of pixels of an image with patches of SEG_PATCH_SIDE. */
#define PAPER_PIXELS 625000ll

int seg_patch_side_auto(int width, int height) {
    int factor = 1;
    while ((long long)((width + factor - 1) / factor) * ((height + factor - 1) / factor) > PAPER_PIXELS)
        factor++;
    return SEG_PATCH_SIDE * factor;
}
