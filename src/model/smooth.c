/* A posterior and the graph: a random walker whose seeds are priors alone [grady2005priors, Eq. 8]. */
#include "model/series.h"

#include "base/base.h"
#include "graph/laplacian.h"

#include <math.h>
#include <stdlib.h>

#define TOLERANCE 1e-6

seg_status seg_posterior_smooth(seg_context *ctx, const seg_csr *W, const seg_laplacian *laplacian, const seg_matrix *P,
                                double prior, seg_matrix *S) {
    const size_t n = P->rows, k = P->cols;
    double *absorb = seg_alloc(ctx, n, sizeof *absorb);
    seg_status status = absorb ? seg_matrix_create(ctx, n, k, S) : SEG_ERR_MEMORY;
    for (size_t i = 0; !status && i < n; i++) {
        double degree = 0;
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
            degree += W->value[e];
        absorb[i] = prior * (degree > 0 ? degree : 1);
        for (size_t c = 0; c < k; c++)
            S->at[i * k + c] = absorb[i] * P->at[i * k + c];
    }
    if (!status)
        status = seg_laplacian_solve(ctx, laplacian, &(seg_laplacian_system){absorb, k, TOLERANCE, S->at, S->at, NULL});
    for (size_t i = 0; !status && i < n; i++) {
        double sum = 0, *row = S->at + i * k;
        for (size_t c = 0; c < k; c++)
            sum += row[c] = fmax(row[c], 0);
        for (size_t c = 0; c < k; c++)
            row[c] = sum > 0 ? row[c] / sum : P->at[i * k + c];
    }
    free(absorb);
    if (status)
        seg_matrix_free(S);
    return status;
}
