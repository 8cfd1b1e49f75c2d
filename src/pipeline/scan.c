#include "pipeline/scan.h"
#include "base/base.h"
#include "constraints/from_scribbles.h"
#include "features/grid.h"

#define HARDLY 0.4 /* of the marked pixels of a patch beside it: fewer do not mark a patch */

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

seg_status seg_scan_scribbles(seg_context *ctx, const seg_mask *scribbles, const seg_label_rows *rows,
                              const seg_patch_grid *grid, seg_scan *out, seg_constraints *groups) {
    size_t pixels[256] = {0};
    memset(out, 0, sizeof *out);
    if (!scribbles) {
        SEG_TRY(seg_constraints_create(ctx, (size_t)grid->columns * (size_t)grid->rows, groups));
    } else {
        if (!rows)
            SEG_TRY(seg_scribble_rows(ctx, scribbles, grid, &out->own));
        out->marks.rows = rows ? rows : &out->own;
        out->marks.label = scribbles->label;
        SEG_TRY(seg_scribble_groups(ctx, scribbles->labels, out->marks.rows, grid, pixels, groups));
    }
    number_labels(pixels, out);
    return SEG_OK;
}

seg_status seg_scan_extend(seg_context *ctx, int k, seg_scan *scan) {
    int next = scan->labels ? scan->label[scan->labels - 1] : 0;
    next = next < scan->taken ? scan->taken : next;
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

/* Pixels of a label in each of n patches. */
static void count_label(const seg_label_rows *rows, const seg_patch_grid *grid, uint8_t label, size_t n,
                        uint32_t *count) {
    memset(count, 0, n * sizeof *count);
    for (int y = 0; y < rows->height; y++)
        seg_scribble_count_row(rows, y, label, grid->side,
                               count + (size_t)seg_patch_row(grid, y) * (size_t)grid->columns);
}

/* The patch with most pixels of a label among those that are not the last patch of another group. */
static int32_t best_patch(const seg_label_rows *rows, const seg_patch_grid *grid, uint8_t label,
                          const seg_constraints *constraints, const size_t *members, uint32_t *count) {
    int32_t best = -1;
    count_label(rows, grid, label, constraints->n, count);
    for (size_t i = 0; i < constraints->n; i++)
        if (count[i] && (constraints->group[i] < 0 || members[constraints->group[i]] > 1) &&
            (best < 0 || count[i] > count[best]))
            best = (int32_t)i;
    return best;
}

seg_status seg_scan_settle(seg_context *ctx, const seg_scan *scan, const seg_patch_grid *grid,
                           seg_constraints *constraints) {
    size_t members[SEG_MAX_LABELS] = {0};
    SEG_LOCAL(uint32_t, count, seg_alloc(ctx, constraints->n, sizeof *count));
    for (size_t i = 0; constraints->groups && i < constraints->n; i++)
        if (constraints->group[i] >= 0) {
            constraints->group[i] = scan->marks.column[constraints->group[i] + 1];
            members[constraints->group[i]]++;
        }
    constraints->groups = scan->labels;
    for (int g = 0; g < scan->labels; g++) {
        if (members[g])
            continue;
        const int32_t patch = best_patch(scan->marks.rows, grid, scan->label[g], constraints, members, count);
        if (patch < 0)
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "label %d is marked only where other labels mark the same patches; mark it elsewhere too, "
                            "or use smaller patches",
                            scan->label[g]);
        if (constraints->group[patch] >= 0)
            members[constraints->group[patch]]--;
        constraints->group[patch] = (int16_t)g;
        members[g]++;
    }
    return SEG_OK;
}

seg_status seg_scan_unmark(seg_context *ctx, const seg_scan *scan, const seg_patch_grid *grid,
                           seg_constraints *constraints) {
    const size_t n = constraints->n;
    SEG_LOCAL(int16_t, was, seg_alloc(ctx, n, sizeof *was));
    SEG_LOCAL(uint32_t, count, seg_alloc(ctx, n, sizeof *count));
    memcpy(was, constraints->group, n * sizeof *was);
    for (int g = 0; g < scan->labels; g++) {
        count_label(scan->marks.rows, grid, scan->label[g], n, count);
        for (size_t i = 0; i < n; i++) {
            int32_t beside[SEG_TOUCHING];
            const int touching = was[i] == g ? seg_patches_touching(grid, i, beside) : 0;
            for (int t = 0; t < touching; t++)
                if (was[beside[t]] == g && count[i] < HARDLY * count[beside[t]])
                    constraints->group[i] = -1;
        }
    }
    return SEG_OK;
}
