#include "base/base.h"
#include "vectors/scaling.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* A column whose deviation is lost among the roundings of its mean is constant. */
#define CONSTANT 1e-13

/* Take the mean of every column out; `mean` is zero before. Row after row, so that the inner loops run along the
 * memory. */
static void centre(seg_matrix *matrix, double *mean) {
    const size_t n = matrix->rows, d = matrix->cols;
    double *x = matrix->at;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++)
            mean[c] += x[i * d + c];
    for (size_t c = 0; c < d; c++)
        mean[c] /= (double)n;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++)
            x[i * d + c] -= mean[c];
}

seg_status seg_standardise(seg_context *ctx, seg_matrix *matrix) {
    const size_t n = matrix->rows, d = matrix->cols;
    size_t constant = 0, room;
    if (!seg_multiply(4, d, &room))
        room = SIZE_MAX; /* refused by seg_alloc_zero */
    double *x = matrix->at, *largest = seg_alloc_zero(ctx, room, sizeof *largest);
    if (!largest)
        return SEG_ERR_MEMORY;
    double *mean = largest + d, *rest = largest + 2 * d, *deviation = largest + 3 * d;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            double magnitude = fabs(x[i * d + c]);
            largest[c] = magnitude > largest[c] ? magnitude : largest[c];
        }
    /* Sums of numbers of at most one cannot overflow. */
    for (size_t c = 0; c < d; c++)
        largest[c] = largest[c] > 0 ? largest[c] : 1;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++)
            x[i * d + c] /= largest[c];
    centre(matrix, mean);
    centre(matrix, rest); /* what rounding left of the mean: a large common offset would eat digits */
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
    free(largest);
    return SEG_OK;
}

seg_status seg_scale(seg_context *ctx, seg_scaling scaling, seg_matrix *matrix) {
    switch (scaling) {
    case SEG_SCALING_NONE:
        return SEG_OK;
    case SEG_SCALING_STANDARDISED:
        return seg_standardise(ctx, matrix);
    case SEG_SCALING_TF_IDF:
        return seg_tf_idf(ctx, matrix);
    }
    return seg_fail(ctx, SEG_ERR_USAGE, "there is no scaling %d of columns", (int)scaling);
}
