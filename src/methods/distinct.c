#include "methods/distinct.h"

#include "base/base.h"
#include "methods/method.h"

#include <stdlib.h>

static int equal(const seg_matrix *X, size_t i, size_t j) {
    const size_t columns = X->cols;
    if (!X->at) {
        const float *a = X->single + i * columns, *b = X->single + j * columns;
        for (size_t c = 0; c < columns; c++)
            if (a[c] != b[c])
                return 0;
        return 1;
    }
    const double *a = X->at + i * columns, *b = X->at + j * columns;
    for (size_t c = 0; c < columns; c++)
        if (a[c] != b[c]) /* 0 and -0 are equal */
            return 0;
    return 1;
}

seg_status seg_rows_distinct(seg_context *ctx, const seg_matrix *rows, int most, int *count) {
    size_t *seen = seg_alloc(ctx, (size_t)most, sizeof *seen);
    int found = 0;
    if (!seen)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < rows->rows && found < most; i++) {
        int s = found - 1;
        while (s >= 0 && !equal(rows, i, seen[s]))
            s--;
        if (s < 0)
            seen[found++] = i;
    }
    free(seen);
    *count = found;
    return SEG_OK;
}

seg_status seg_distinct_warn(seg_context *ctx, const seg_problem *problem) {
    int count = problem->k;
    if (!problem->features || problem->patches)
        return SEG_OK;
    const seg_status status = seg_rows_distinct(ctx, problem->features, problem->k, &count);
    if (!status && count < problem->k)
        seg_log(ctx, SEG_LOG_WARNING,
                "the samples have %d different row%s of numbers for %d clusters: where no constraint says how, equal "
                "samples are divided without a reason; ask for fewer clusters",
                count, count == 1 ? "" : "s", problem->k);
    return status;
}
