#include "constraints/from_scribbles.h"
#include "base/base.h"
#include "features/grid.h"

int seg_scribble_count_row(const seg_label_rows *rows, int y, uint8_t label, int side, uint32_t *count) {
    int any = 0;
    for (size_t i = rows->first[y]; i < rows->first[y + 1]; i++)
        for (int x = rows->run[i].from, next; rows->run[i].label == label && x < rows->run[i].to; x = next) {
            next = (x / side + 1) * side;
            next = next < rows->run[i].to ? next : rows->run[i].to;
            count[x / side] += (uint32_t)(next - x);
            any = 1;
        }
    return any;
}

/* For each patch of a row of patches, find the label of most of its scribbled pixels, the smaller label if equal.
 * count: room for two rows of patches. */
static void group_row(const seg_label_rows *rows, const seg_patch_grid *grid, int row, const size_t pixels[256],
                      uint32_t *count, int16_t *group) {
    const int top = seg_patch_top(grid, row);
    const size_t columns = (size_t)grid->columns;
    uint32_t *most = count + columns;
    memset(count, 0, 2 * columns * sizeof *count);
    for (int l = 1; l <= SEG_MAX_LABELS; l++) {
        int any = 0;
        for (int y = top; pixels[l] && y < grid->height; y = seg_patch_row_after(grid, row, y))
            any |= seg_scribble_count_row(rows, y, (uint8_t)l, grid->side, count);
        for (size_t c = 0; any && c < columns; c++) {
            if (count[c] > most[c]) {
                most[c] = count[c];
                group[c] = (int16_t)(l - 1);
            }
            count[c] = 0;
        }
    }
}

seg_status seg_scribble_groups(seg_context *ctx, int labels, const seg_label_rows *rows, const seg_patch_grid *grid,
                               size_t pixels[256], seg_constraints *out) {
    memset(out, 0, sizeof *out);
    memset(pixels, 0, 256 * sizeof *pixels);
    for (size_t i = 0; i < rows->first[rows->height]; i++)
        pixels[rows->run[i].label] += (size_t)(rows->run[i].to - rows->run[i].from);
    pixels[0] = pixels[SEG_VOID] = 0;
    for (int l = SEG_MAX_LABELS; l > labels; l--)
        if (pixels[l])
            return seg_fail(ctx, SEG_ERR_INPUT, "the scribbles contain the label %d, but declare %d labels", l, labels);
    SEG_LOCAL(uint32_t, count, seg_alloc(ctx, 2 * (size_t)grid->columns, sizeof *count));
    SEG_TRY(seg_constraints_create(ctx, (size_t)grid->columns * (size_t)grid->rows, out));
    for (int row = 0; row < grid->rows; row++)
        group_row(rows, grid, row, pixels, count, out->group + (size_t)row * (size_t)grid->columns);
    out->groups = labels;
    return SEG_OK;
}

seg_status seg_scribble_rows(seg_context *ctx, const seg_mask *scribbles, const seg_patch_grid *grid,
                             seg_label_rows *out) {
    if (scribbles->width != grid->width || scribbles->height != grid->height)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the scribbles have %d x %d pixels, but the image has %d x %d; paint them on a copy of it",
                        scribbles->width, scribbles->height, grid->width, grid->height);
    if (scribbles->labels < 0 || scribbles->labels > SEG_MAX_LABELS)
        return seg_fail(ctx, SEG_ERR_INPUT, "the scribbles have %d labels; 0..%d are possible", scribbles->labels,
                        SEG_MAX_LABELS);
    return seg_label_rows_append(ctx, scribbles->width, scribbles->height, scribbles->label, out);
}

seg_status seg_constraints_from_scribbles(seg_context *ctx, const seg_mask *scribbles, const seg_patch_grid *grid,
                                          seg_constraints *out) {
    SEG_RELEASED(seg_label_rows_free) seg_label_rows rows = {0};
    size_t pixels[256];
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_scribble_rows(ctx, scribbles, grid, &rows));
    return seg_scribble_groups(ctx, scribbles->labels, &rows, grid, pixels, out);
}
