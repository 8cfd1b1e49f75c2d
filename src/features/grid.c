#include "features/grid.h"

static int ceil_divide(int a, int b) {
    return a / b + (a % b != 0);
}

int seg_patch_to_frame(const seg_patch_grid *grid, size_t p) {
    const int rows = grid->rows / seg_patch_layers(grid);
    const int x = (int)(p % (size_t)grid->columns), y = (int)(p / (size_t)grid->columns) % rows;
    const int across = x < grid->columns - 1 - x ? x : grid->columns - 1 - x;
    const int down = y < rows - 1 - y ? y : rows - 1 - y;
    return rows == 1 ? across : grid->columns == 1 ? down : across < down ? across : down;
}

seg_patch_grid seg_patch_grid_stack(int width, int height, int slices, int deep, int side) {
    seg_patch_grid grid = {.width = width, .height = height, .side = side, .slices = slices};
    if (width > 0 && height > 0 && side > 0 && slices > 0) {
        grid.columns = ceil_divide(width, side);
        grid.rows = ceil_divide(slices, deep) * ceil_divide(height / slices, side);
    }
    return grid;
}

int seg_patch_layers(const seg_patch_grid *grid) {
    return grid->slices > 1 ? grid->rows / ceil_divide(grid->height / grid->slices, grid->side) : 1;
}

int seg_patch_deep(const seg_patch_grid *grid) { /* of as many layers no other number of slices leaves that many */
    return grid->slices > 1 ? ceil_divide(grid->slices, seg_patch_layers(grid)) : 1;
}

/* Rows of pixels of a slice. */
static int slice_height(const seg_patch_grid *grid) {
    return grid->slices > 1 ? grid->height / grid->slices : grid->height;
}

seg_patch_grid seg_patch_grid_make(int width, int height, int side) {
    return seg_patch_grid_stack(width, height, 1, 1, side);
}

seg_patch_grid seg_patch_grid_slice(const seg_patch_grid *grid) {
    return seg_patch_grid_make(grid->width, slice_height(grid), grid->side);
}

int seg_patch_row(const seg_patch_grid *grid, int y) {
    const int layers = seg_patch_layers(grid), height = slice_height(grid);
    return y / height / seg_patch_deep(grid) * (grid->rows / layers) + y % height / grid->side;
}

int seg_patch_top(const seg_patch_grid *grid, int r) {
    const int rows = grid->rows / seg_patch_layers(grid);
    return r / rows * seg_patch_deep(grid) * slice_height(grid) + r % rows * grid->side;
}

int seg_patch_bottom(const seg_patch_grid *grid, int r) {
    const int rows = grid->rows / seg_patch_layers(grid), top = seg_patch_top(grid, r);
    const int end = (r / rows * seg_patch_deep(grid) + 1) * slice_height(grid);
    return grid->side < end - top ? top + grid->side : end;
}

int seg_patch_row_after(const seg_patch_grid *grid, int r, int y) {
    const int height = slice_height(grid), top = seg_patch_top(grid, r), slice = (y - top) / height;
    if (y + 1 - slice * height < seg_patch_bottom(grid, r))
        return y + 1;
    return slice + 1 < seg_patch_deep(grid) && top + (slice + 1) * height < grid->height ? top + (slice + 1) * height
                                                                                         : grid->height;
}

size_t seg_patch_of_pixel(const seg_patch_grid *grid, int x, int y) {
    return (size_t)seg_patch_row(grid, y) * (size_t)grid->columns + (size_t)(x / grid->side);
}

int seg_patches_touching(const seg_patch_grid *grid, size_t p, int32_t out[SEG_TOUCHING]) {
    const size_t columns = (size_t)grid->columns, all = columns * (size_t)grid->rows;
    const size_t slice = all / (size_t)seg_patch_layers(grid), place = p % slice, column = p % columns;
    int count = 0;
    if (p >= slice)
        out[count++] = (int32_t)(p - slice);
    if (place >= columns)
        out[count++] = (int32_t)(p - columns);
    if (column > 0)
        out[count++] = (int32_t)(p - 1);
    if (column + 1 < columns)
        out[count++] = (int32_t)(p + 1);
    if (place + columns < slice)
        out[count++] = (int32_t)(p + columns);
    if (p + slice < all)
        out[count++] = (int32_t)(p + slice);
    return count;
}

/* Largest number of pixels of an image with patches of SEG_PATCH_SIDE, and how many times as many a volume may have. */
#define PAPER_PIXELS 625000ll
#define VOLUME_TIMES 4

int seg_patch_deep_of(int slices, double apart, int factor) {
    const double deep = factor / apart + 0.5;
    return slices == 1 || factor == 1 || deep < 2 ? 1 : deep < slices ? (int)deep : slices;
}

int seg_patch_side_auto(int width, int height, int slices, double apart) {
    const int slice = height / slices;
    int factor = 1;
    while ((long long)ceil_divide(width, factor) * ceil_divide(slice, factor) *
               ceil_divide(slices, seg_patch_deep_of(slices, apart, factor)) >
           PAPER_PIXELS * (slices > 1 ? VOLUME_TIMES : 1))
        factor++;
    return SEG_PATCH_SIDE * factor;
}
