/* A model's label probabilities for the patches of an image: from their features, then smoothed over the graph. */
#include "model/series.h"

#include "base/base.h"
#include "graph/laplacian.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>

#define TOLERANCE 1e-6

void seg_sharpen(double sharpness, seg_matrix *P) {
    for (size_t i = 0; sharpness != 1 && i < P->rows; i++) {
        double *row = P->at + i * P->cols, sum = 0;
        for (size_t c = 0; c < P->cols; c++)
            sum += row[c] = pow(row[c], sharpness);
        for (size_t c = 0; c < P->cols; c++)
            row[c] /= sum;
    }
}

seg_status seg_model_posterior(seg_context *ctx, const struct seg_model *model, const seg_matrix *F, seg_matrix *P) {
    SEG_TRY(seg_forest_votes(ctx, &model->forest, F, SEG_MODEL_FLOOR, P));
    seg_sharpen(model->sharpness, P);
    return SEG_OK;
}

/* A random walker with priors but without seeds [grady2005priors, Eq. 8]. */
seg_status seg_posterior_smooth(seg_context *ctx, const seg_csr *W, const seg_laplacian *laplacian, const seg_matrix *P,
                                double prior, seg_matrix *S) {
    const size_t n = P->rows, k = P->cols;
    SEG_FREED double *absorb = seg_alloc(ctx, n, sizeof *absorb);
    if (!absorb)
        return SEG_ERR_MEMORY;
    SEG_TRY(seg_matrix_create(ctx, n, k, S));
    for (size_t i = 0; i < n; i++) {
        const double degree = seg_csr_row_sum(W, i);
        absorb[i] = prior * (degree > 0 ? degree : 1);
        for (size_t c = 0; c < k; c++)
            S->at[i * k + c] = absorb[i] * P->at[i * k + c];
    }
    SEG_TRY(seg_laplacian_solve(ctx, laplacian, &(seg_laplacian_system){absorb, k, TOLERANCE, S->at, S->at, NULL}));
    for (size_t i = 0; i < n; i++) {
        double sum = 0, *row = S->at + i * k;
        for (size_t c = 0; c < k; c++)
            sum += row[c] = fmax(row[c], 0);
        for (size_t c = 0; c < k; c++)
            row[c] = sum > 0 ? row[c] / sum : P->at[i * k + c];
    }
    return SEG_OK;
}
