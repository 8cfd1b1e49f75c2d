#include "base/base.h"
#include "image/file.h"
#include "vectors/table.h"

#define SYMMETRY 1e-8 /* as a share of the largest entry: the rounding error of nine written digits */

/* Average the matrix with its transpose, from which it may differ by rounding only. */
static seg_status make_symmetric(seg_context *ctx, const char *label, seg_matrix *K) {
    const size_t n = K->rows;
    double largest = 0;
    for (size_t e = 0; e < n * n; e++)
        largest = fmax(largest, fabs(K->at[e]));
    if (largest > SEG_LARGEST_SIMILARITY)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' contains a similarity of magnitude %g, above %g; scale the kernel down", label, largest,
                        SEG_LARGEST_SIMILARITY);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double a = K->at[i * n + j], b = K->at[j * n + i];
            if (fabs(a - b) > SYMMETRY * largest)
                return seg_fail(ctx, SEG_ERR_INPUT,
                                "'%s' is not symmetric: row %zu, column %zu is %g, and row %zu, column %zu is %g (from "
                                "1); a kernel is symmetric",
                                label, i + 1, j + 1, a, j + 1, i + 1, b);
            K->at[i * n + j] = K->at[j * n + i] = 0.5 * (a + b);
        }
    return SEG_OK;
}

/* Every 2 x 2 minor of a positive semidefinite matrix is at least 0. */
static seg_status check_minors(seg_context *ctx, const char *label, const seg_matrix *K) {
    const size_t n = K->rows;
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(K->at[i * n + i]));
    for (size_t i = 0; i < n; i++) {
        if (K->at[i * n + i] < -SYMMETRY * largest)
            return seg_fail(
                ctx, SEG_ERR_INPUT,
                "'%s' is not a kernel: entry %zu of its diagonal (from 1) is %g, below 0; give similarities", label,
                i + 1, K->at[i * n + i]);
        for (size_t j = 0; j < i; j++) {
            double bound = sqrt(fmax(K->at[i * n + i], 0)) * sqrt(fmax(K->at[j * n + j], 0));
            if (fabs(K->at[i * n + j]) > bound + SYMMETRY * largest + SYMMETRY * bound)
                return seg_fail(
                    ctx, SEG_ERR_INPUT,
                    "'%s' is not a kernel: row %zu, column %zu (from 1) is %g, above the mean %g of the two "
                    "diagonal entries; is it a matrix of distances?",
                    label, i + 1, j + 1, K->at[i * n + j], bound);
        }
    }
    return SEG_OK;
}

seg_status seg_kernel_read(seg_context *ctx, const char *path, seg_matrix *out) {
    const char *label = seg_file_label(path, "standard input");
    SEG_RELEASED(seg_matrix_free) seg_matrix K = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_vectors_read(ctx, path, SEG_LABELS_NONE, &K, NULL));
    if (K.rows != K.cols)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %zu rows and %zu columns; a kernel has as many rows as columns",
                        label, K.rows, K.cols);
    SEG_TRY(make_symmetric(ctx, label, &K));
    SEG_TRY(check_minors(ctx, label, &K));
    return SEG_HANDED_OVER(out, K);
}
