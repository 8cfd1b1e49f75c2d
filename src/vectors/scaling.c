/* How columns are scaled (seg_scaling). */
#include <segment/vectors.h>

#include "base/base.h"
#include "linalg/dense.h"
#include "linalg/wide_rows.h"

/* A column is constant if its deviation, as a share of its largest magnitude, is within the mean's rounding error. */
#define CONSTANT 1e-13

/* Subtract the mean of every column. */
static void centre(seg_matrix *matrix, double *mean) {
    seg_rows_scatter(matrix, NULL, mean);
    for (size_t i = 0; i < matrix->rows; i++)
        for (size_t c = 0; c < matrix->cols; c++)
            matrix->at[i * matrix->cols + c] -= mean[c];
}

static seg_status standardise(seg_context *ctx, seg_matrix *matrix) {
    const size_t n = matrix->rows, d = matrix->cols;
    size_t constant = 0;
    double *x = matrix->at;
    SEG_LOCAL(double, largest, seg_alloc_zero(ctx, d, 4 * sizeof *largest));
    double *mean = largest + d, *rest = largest + 2 * d, *deviation = largest + 3 * d;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++)
            largest[c] = fmax(largest[c], fabs(x[i * d + c]));
    /* Divide by the largest magnitude, so that sums cannot overflow. */
    for (size_t c = 0; c < d; c++)
        largest[c] = largest[c] > 0 ? largest[c] : 1;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++)
            x[i * d + c] /= largest[c];
    centre(matrix, mean);
    centre(matrix, rest); /* removes what rounding left of the mean, which matters with a large common offset */
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++)
            deviation[c] += x[i * d + c] * x[i * d + c];
    for (size_t c = 0; c < d; c++) {
        deviation[c] = sqrt(deviation[c] / (double)n);
        if (!(deviation[c] > CONSTANT)) {
            deviation[c] = 0;
            constant++;
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++)
            x[i * d + c] = deviation[c] > 0 ? x[i * d + c] / deviation[c] : 0;
    if (constant)
        seg_log(ctx, SEG_LOG_INFO, "%zu of %zu columns are constant and become 0", constant, d);
    return SEG_OK;
}

/* Count the rows in which each column is above zero; negative numbers are refused. */
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

/* Replace a row of counts by its weights, normalized to length one. They are first divided by the largest, so that
 * their squares stay in range.
 * @return 0 if all weights are zero */
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

static seg_status tf_idf(seg_context *ctx, seg_matrix *matrix) {
    const size_t n = matrix->rows, d = matrix->cols;
    size_t zeros = 0;
    SEG_LOCAL(size_t, rows_with, seg_alloc_zero(ctx, d, sizeof *rows_with));
    SEG_LOCAL(double, idf, seg_alloc(ctx, d, sizeof *idf));
    SEG_TRY(count_rows(ctx, matrix, rows_with));
    for (size_t c = 0; c < d; c++)
        idf[c] = rows_with[c] ? log((double)n / (double)rows_with[c]) : 0;
    for (size_t i = 0; i < n; i++)
        zeros += !weigh(d, idf, matrix->at + i * d);
    if (zeros == n)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "tf-idf: every column is above zero in all %zu rows or in none, so all weights are zero", n);
    if (zeros)
        seg_log(ctx, SEG_LOG_INFO, "%zu of %zu rows are all zeros, because their terms occur in every row", zeros, n);
    return SEG_OK;
}

seg_status seg_scale(seg_context *ctx, seg_scaling scaling, seg_matrix *matrix) {
    switch (scaling) {
    case SEG_SCALING_NONE:
        return SEG_OK;
    case SEG_SCALING_STANDARDISED:
        return standardise(ctx, matrix);
    case SEG_SCALING_TF_IDF:
        return tf_idf(ctx, matrix);
    }
    return seg_fail(ctx, SEG_ERR_USAGE, "there is no scaling %d of columns", (int)scaling);
}
