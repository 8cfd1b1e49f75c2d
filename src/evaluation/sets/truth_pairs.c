#include "evaluation/sets/truth_pairs.h"

#include "base/base.h"

#include <string.h>

/* The label of more than half of the patch's pixels, 0 where there is none (void counts as none). */
static int patch_label(const seg_mask *truth, const seg_patch_grid *grid, int column, int row) {
    const int left = column * grid->side, top = row * grid->side;
    const int right = left + grid->side < grid->width ? left + grid->side : grid->width;
    const int bottom = top + grid->side < grid->height ? top + grid->side : grid->height;
    int count[256] = {0};
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            count[truth->label[(size_t)y * (size_t)grid->width + (size_t)x]]++;
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        if (2 * count[l] > (right - left) * (bottom - top))
            return l;
    return 0;
}

seg_status seg_truth_pairs(seg_context *ctx, const seg_mask *truth, const seg_patch_grid *grid, int per_cluster,
                           seg_constraints *out) {
    seg_constraints groups;
    memset(out, 0, sizeof *out);
    seg_status status = seg_constraints_create(ctx, (size_t)grid->columns * (size_t)grid->rows, &groups);
    if (status)
        return status;
    groups.groups = truth->labels;
    for (int row = 0; row < grid->rows; row++)
        for (int column = 0; column < grid->columns; column++)
            groups.group[(size_t)row * (size_t)grid->columns + (size_t)column] =
                (int16_t)(patch_label(truth, grid, column, row) - 1);
    status = seg_constraints_sample(ctx, &groups, (size_t)per_cluster, out);
    seg_constraints_free(&groups);
    if (status == SEG_OK && out->pairs == 0) {
        seg_constraints_free(out);
        status = seg_fail(ctx, SEG_ERR_INPUT,
                          "no pair of patches can be drawn from the truth: its regions are too "
                          "small for patches of %d x %d pixels",
                          grid->side, grid->side);
    }
    return status;
}
