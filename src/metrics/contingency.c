/* The contingency table, made in one pass over the data. Every metric is computed from it. */
#include "base/base.h"

#include <segment/metrics.h>

#include <stdlib.h>
#include <string.h>

#define LABEL_LIMIT 65536             /* labels of seg_contingency_count are below this */
#define CELL_LIMIT  ((size_t)1 << 28) /* 2 GiB of counts; labels that need more should be renumbered */

/* Allocate a table of rows x cols zeros, unless it is too large. */
static seg_status make_table(seg_context *ctx, int rows, int cols, seg_contingency *out) {
    size_t cells = (size_t)rows * (size_t)cols;
    if (cells > CELL_LIMIT)
        return seg_fail(ctx, SEG_ERR_MEMORY,
                        "a table of %d x %d labels is too large; renumber the labels from 0 without gaps", rows, cols);
    out->count = seg_alloc_zero(ctx, cells, sizeof *out->count);
    if (!out->count)
        return SEG_ERR_MEMORY;
    out->rows = rows;
    out->cols = cols;
    return SEG_OK;
}

seg_status seg_contingency_count(seg_context *ctx, const int *prediction, const int *truth, size_t n,
                                 seg_contingency *out) {
    int rows = 0, cols = 0;
    memset(out, 0, sizeof *out);
    /* Below 2^32 samples the number of pairs fits 64 bits (scores.c). */
    if (n > UINT32_MAX)
        return seg_fail(ctx, SEG_ERR_USAGE, "%zu samples are too many; the metrics count up to 4294967295", n);
    for (size_t i = 0; i < n; i++) {
        if (truth[i] < 0)
            continue;
        if (prediction[i] < 0 || prediction[i] >= LABEL_LIMIT || truth[i] >= LABEL_LIMIT)
            return seg_fail(ctx, SEG_ERR_USAGE, "sample %zu has the labels %d and %d; labels must be in 0..%d", i,
                            prediction[i], truth[i], LABEL_LIMIT - 1);
        rows = prediction[i] >= rows ? prediction[i] + 1 : rows;
        cols = truth[i] >= cols ? truth[i] + 1 : cols;
    }
    if (rows == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "no sample has a true label, so none can be scored");
    SEG_TRY(make_table(ctx, rows, cols, out));
    for (size_t i = 0; i < n; i++) {
        if (truth[i] < 0)
            continue;
        out->count[(size_t)prediction[i] * (size_t)cols + (size_t)truth[i]]++;
        out->total++;
    }
    return SEG_OK;
}

seg_status seg_contingency_masks(seg_context *ctx, const seg_mask *prediction, const seg_mask *truth,
                                 seg_contingency *out) {
    memset(out, 0, sizeof *out);
    if (prediction->width != truth->width || prediction->height != truth->height)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the prediction has %d x %d pixels, the truth %d x %d; compare masks of the same image",
                        prediction->width, prediction->height, truth->width, truth->height);
    const size_t pixels = (size_t)truth->width * (size_t)truth->height;
    SEG_FREED uint32_t *count = seg_alloc_zero(ctx, (size_t)256 * 256, sizeof *count);
    if (!count)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < pixels; p++)
        count[(size_t)prediction->label[p] << 8 | truth->label[p]]++;
    int rows = 0, cols = 0;
    for (int row = 0; row < 256; row++)
        for (int col = 0; col < SEG_VOID; col++)
            if (count[row * 256 + col]) {
                rows = row + 1;
                cols = col >= cols ? col + 1 : cols;
            }
    if (rows == 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "there is nothing to score: every pixel of the truth is void");
    SEG_TRY(make_table(ctx, rows, cols, out));
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            out->count[(size_t)row * (size_t)cols + (size_t)col] = count[row * 256 + col];
            out->total += count[row * 256 + col];
        }
    return SEG_OK;
}

void seg_contingency_free(seg_contingency *table) {
    if (!table)
        return;
    free(table->count);
    memset(table, 0, sizeof *table);
}
