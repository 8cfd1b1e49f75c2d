/* What a model takes the patches of an image for, before anything connects them. */
#include "model/model.h"

#include <math.h>

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
    const seg_status status = seg_forest_votes(ctx, &model->forest, F, SEG_MODEL_FLOOR, P);
    if (!status)
        seg_sharpen(model->sharpness, P);
    return status;
}
