/* Clustering error [li2009ccskl, Eq. 17]. */
#include "base/base.h"
#include "metrics/margins.h"
#include "optim/matching.h"

#include <stdlib.h>

seg_status seg_clustering_error(seg_context *ctx, const seg_contingency *table, double *error) {
    /* Labels nobody has would only make the matching longer: keep the rows and columns that hold something. */
    seg_status status = SEG_ERR_MEMORY;
    size_t rows = 0, cols = 0;
    uint64_t best = 0, *gain = NULL;
    int *col = seg_alloc(ctx, (size_t)table->cols, sizeof *col);
    int *row = seg_alloc(ctx, (size_t)table->rows, sizeof *row);
    *error = 0;
    if (!col || !row)
        goto done;
    for (int j = 0; j < table->cols; j++)
        if (seg_col_sum(table, j))
            col[cols++] = j;
    for (int i = 0; i < table->rows; i++)
        if (seg_row_sum(table, i))
            row[rows++] = i;
    gain = seg_alloc(ctx, rows * cols, sizeof *gain);
    if (!gain)
        goto done;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            gain[i * cols + j] = table->count[(size_t)row[i] * (size_t)table->cols + (size_t)col[j]];
    status = seg_matching_best(ctx, gain, rows, cols, NULL, &best);
    if (status == SEG_OK && table->total)
        *error = (double)(table->total - best) / (double)table->total;
done:
    free(gain);
    free(col);
    free(row);
    return status;
}
