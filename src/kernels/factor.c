#include "kernels/factor.h"

#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>

seg_status seg_factor_compress(seg_context *ctx, double lost, seg_matrix *Z) {
    const size_t n = Z->rows, r = Z->cols;
    double *gram = seg_alloc(ctx, r, r * sizeof *gram), *vector = seg_alloc(ctx, r, r * sizeof *vector);
    double *value = seg_alloc(ctx, r, sizeof *value), *leading = NULL;
    seg_matrix smaller = {0};
    double trace = 0, dropped = 0;
    size_t keep = r;
    seg_status status = SEG_ERR_MEMORY;
    if (!gram || !vector || !value)
        goto done;
    seg_gemm((seg_shape){1, 0, r, r, n}, 1, Z->at, Z->at, 0, gram);
    if ((status = seg_eigen_dense(ctx, r, gram, value, vector)) != SEG_OK)
        goto done;
    for (size_t c = 0; c < r; c++)
        trace += fmax(value[c], 0);
    while (keep > 1 && dropped + fmax(value[r - keep], 0) <= lost * trace)
        dropped += fmax(value[r - keep--], 0);
    if (keep == r)
        goto done;
    leading = seg_alloc(ctx, r, keep * sizeof *leading);
    if (!leading) {
        status = SEG_ERR_MEMORY;
        goto done;
    }
    for (size_t i = 0; i < r; i++)
        for (size_t c = 0; c < keep; c++)
            leading[i * keep + c] = vector[i * r + (r - 1 - c)];
    if ((status = seg_matrix_create(ctx, n, keep, &smaller)) != SEG_OK)
        goto done;
    seg_gemm((seg_shape){0, 0, n, keep, r}, 1, Z->at, leading, 0, smaller.at);
    seg_matrix_free(Z);
    *Z = smaller;
done:
    free(gram);
    free(vector);
    free(value);
    free(leading);
    return status;
}

seg_status seg_factor_of_kernel(seg_context *ctx, size_t m, const double *K, size_t r, double *V) {
    double *vector = seg_alloc(ctx, m, m * sizeof *vector), *value = seg_alloc(ctx, m, sizeof *value);
    seg_status status = SEG_ERR_MEMORY;
    if (!vector || !value || (status = seg_eigen_dense(ctx, m, K, value, vector)) != SEG_OK)
        goto done;
    for (size_t i = 0; i < m; i++)
        for (size_t c = 0; c < r; c++)
            V[i * r + c] = c < m ? vector[i * m + (m - 1 - c)] * sqrt(fmax(value[m - 1 - c], 0)) : 0;
    seg_rows_to_sphere(m, r, V);
done:
    free(vector);
    free(value);
    return status;
}
