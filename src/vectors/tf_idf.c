#include <segment/vectors.h>

#include "base/base.h"
#include "linalg/dense.h"
#include "vectors/scaling.h"

#include <math.h>
#include <stdlib.h>

/* How many rows have each column; negative numbers are refused. */
static seg_status count_rows(seg_context *ctx, const seg_matrix *X, size_t *rows_with) {
    for (size_t i = 0; i < X->rows; i++)
        for (size_t c = 0; c < X->cols; c++) {
            const double value = X->at[i * X->cols + c];
            if (!(value >= 0) || isinf(value))
                return seg_fail(ctx, SEG_ERR_INPUT,
                                "tf-idf weighs counts: column %zu of row %zu is %g; counts are 0 or more", c + 1, i + 1,
                                value);
            rows_with[c] += value > 0;
        }
    return SEG_OK;
}

/* The row's weights, of length one; the largest is one first, so that squares stay in range.
 * @return 0 for zeros */
static int weigh(size_t cols, const double *idf, double *row) {
    double largest = 0, largest_weight = 0;
    for (size_t c = 0; c < cols; c++)
        if (idf[c] > 0)
            largest = fmax(largest, row[c]);
    for (size_t c = 0; c < cols; c++) {
        row[c] = idf[c] > 0 && largest > 0 ? row[c] / largest * idf[c] : 0;
        largest_weight = fmax(largest_weight, row[c]);
    }
    for (size_t c = 0; largest_weight > 0 && c < cols; c++)
        row[c] /= largest_weight;
    seg_rows_to_sphere(1, cols, row);
    return largest_weight > 0;
}

seg_status seg_tf_idf(seg_context *ctx, seg_matrix *matrix) {
    const size_t n = matrix->rows, d = matrix->cols;
    size_t zeros = 0, *rows_with = seg_alloc_zero(ctx, d, sizeof *rows_with);
    double *idf = seg_alloc(ctx, d, sizeof *idf);
    seg_status status = rows_with && idf ? count_rows(ctx, matrix, rows_with) : SEG_ERR_MEMORY;
    for (size_t c = 0; !status && c < d; c++)
        idf[c] = rows_with[c] ? log((double)n / (double)rows_with[c]) : 0;
    for (size_t i = 0; !status && i < n; i++)
        zeros += !weigh(d, idf, matrix->at + i * d);
    if (!status && zeros == n)
        status = seg_fail(ctx, SEG_ERR_INPUT,
                          "tf-idf: every column is above zero in all %zu rows or in none, so all weights are zero", n);
    else if (!status && zeros)
        seg_log(ctx, SEG_LOG_INFO, "%zu of %zu rows are all zeros, because their terms occur in every row", zeros, n);
    free(rows_with);
    free(idf);
    return status;
}
