#include "pipeline/scan.h"

#include "base/base.h"
#include "constraints/from_scribbles.h"
#include "features/grid.h"

#include <stdlib.h>
#include <string.h>

static void number_labels(const size_t pixels[256], seg_scan *out) {
    for (int l = 0; l < 256; l++) {
        out->marks.column[l] = -1;
        if (pixels[l] == 0)
            continue;
        out->pixels += pixels[l];
        out->marked[out->labels] = pixels[l];
        out->label[out->labels] = (uint8_t)l;
        out->marks.column[l] = (int16_t)out->labels++;
    }
}

seg_status seg_scan_scribbles(seg_context *ctx, const seg_mask *scribbles, const seg_patch_grid *grid, seg_scan *out,
                              seg_constraints *groups) {
    size_t pixels[256] = {0};
    memset(out, 0, sizeof *out);
    const seg_status status = scribbles
                                  ? seg_scribbles_read_patches(ctx, scribbles, grid, pixels, groups)
                                  : seg_constraints_create(ctx, (size_t)grid->columns * (size_t)grid->rows, groups);
    out->marks.label = scribbles ? scribbles->label : NULL;
    number_labels(pixels, out);
    return status;
}

seg_status seg_scan_extend(seg_context *ctx, int k, seg_scan *scan) {
    int next = scan->labels ? scan->label[scan->labels - 1] : 0;
    for (int c = scan->labels; c < k; c++) {
        if (++next > SEG_MAX_LABELS)
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "k = %d: regions without strokes get numbers after label %d, but the largest number is %d; "
                            "use smaller label numbers",
                            k, scan->label[scan->labels - 1], SEG_MAX_LABELS);
        scan->label[c] = (uint8_t)next;
    }
    return SEG_OK;
}

/* Add the pixels of a label in row y of runs to the counts of the patches in it. */
static void count_row(const seg_label_rows *rows, int y, uint8_t label, const seg_patch_grid *grid, uint32_t *count) {
    for (size_t i = rows->first[y]; i < rows->first[y + 1]; i++)
        for (int x = rows->run[i].from, next; rows->run[i].label == label && x < rows->run[i].to; x = next) {
            next = (x / grid->side + 1) * grid->side;
            next = next < rows->run[i].to ? next : rows->run[i].to;
            count[x / grid->side] += (uint32_t)(next - x);
        }
}

/* The label of most marked pixels of a patch, the smaller if equal, as in seg_scribbles_read_patches. */
static void group_patches(const seg_label_rows *rows, const seg_patch_grid *grid, const seg_scan *scan, uint32_t *count,
                          uint32_t *most, seg_constraints *groups) {
    const size_t columns = (size_t)grid->columns;
    for (int r = 0; r < grid->rows; r++) {
        const int top = r * grid->side, bottom = grid->height - top < grid->side ? grid->height : top + grid->side;
        memset(most, 0, columns * sizeof *most);
        for (int g = 0; g < scan->labels; g++) {
            memset(count, 0, columns * sizeof *count);
            for (int y = top; y < bottom; y++)
                count_row(rows, y, scan->label[g], grid, count);
            for (size_t c = 0; c < columns; c++)
                if (count[c] > most[c]) {
                    most[c] = count[c];
                    groups->group[(size_t)r * columns + c] = (int16_t)(scan->label[g] - 1);
                }
        }
    }
}

seg_status seg_scan_rows(seg_context *ctx, const seg_mask *header, const seg_label_rows *rows,
                         const seg_patch_grid *grid, seg_scan *out, seg_constraints *groups) {
    size_t pixels[256] = {0};
    memset(out, 0, sizeof *out);
    seg_status status = seg_constraints_create(ctx, (size_t)grid->columns * (size_t)grid->rows, groups);
    for (size_t i = 0; i < rows->first[rows->height]; i++)
        pixels[rows->run[i].label] += (size_t)(rows->run[i].to - rows->run[i].from);
    pixels[0] = pixels[SEG_VOID] = 0;
    number_labels(pixels, out);
    out->marks.rows = rows;
    uint32_t *count = seg_alloc(ctx, 2 * (size_t)grid->columns, sizeof *count);
    if (!status && !count)
        status = SEG_ERR_MEMORY;
    if (!status) {
        groups->groups = header->labels;
        group_patches(rows, grid, out, count, count + grid->columns, groups);
    }
    free(count);
    return status;
}

/* The patch with most pixels of a label among those that are not the last patch of another group. */
static int32_t best_patch(const seg_mask *scribbles, const seg_label_rows *rows, const seg_patch_grid *grid,
                          uint8_t label, const seg_constraints *constraints, const size_t *members, uint32_t *count) {
    int32_t best = -1;
    memset(count, 0, constraints->n * sizeof *count);
    for (int y = 0; rows && y < rows->height; y++)
        count_row(rows, y, label, grid, count + (size_t)(y / grid->side) * (size_t)grid->columns);
    for (int y = 0; !rows && y < scribbles->height; y++)
        for (int x = 0; x < scribbles->width; x++)
            if (scribbles->label[(size_t)y * (size_t)scribbles->width + (size_t)x] == label)
                count[seg_patch_of_pixel(grid, x, y)]++;
    for (size_t i = 0; i < constraints->n; i++)
        if (count[i] && (constraints->group[i] < 0 || members[constraints->group[i]] > 1) &&
            (best < 0 || count[i] > count[best]))
            best = (int32_t)i;
    return best;
}

seg_status seg_scan_settle(seg_context *ctx, const seg_scan *scan, const seg_mask *scribbles,
                           const seg_patch_grid *grid, seg_constraints *constraints) {
    size_t members[SEG_MAX_LABELS] = {0};
    uint32_t *count = seg_alloc(ctx, constraints->n, sizeof *count);
    seg_status status = count ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t i = 0; !status && constraints->groups && i < constraints->n; i++)
        if (constraints->group[i] >= 0) {
            constraints->group[i] = scan->marks.column[constraints->group[i] + 1];
            members[constraints->group[i]]++;
        }
    constraints->groups = scan->labels;
    for (int g = 0; g < scan->labels && !status; g++) {
        int32_t patch;
        if (members[g])
            continue;
        patch = best_patch(scribbles, scan->marks.rows, grid, scan->label[g], constraints, members, count);
        if (patch < 0) {
            status =
                seg_fail(ctx, SEG_ERR_INPUT,
                         "label %d is marked only where other labels mark the same patches; mark it elsewhere too, "
                         "or use smaller patches",
                         scan->label[g]);
            break;
        }
        if (constraints->group[patch] >= 0)
            members[constraints->group[patch]]--;
        constraints->group[patch] = (int16_t)g;
        members[g]++;
    }
    free(count);
    return status;
}
