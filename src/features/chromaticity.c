#include "features/columns.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

#define OFFSET    0.16  /* added to L / 100: the 16 of 116 f - 16 in CIELAB */
#define MIDDLE    0.5   /* L / 100 at which the columns equal a and b */
#define NO_CHROMA 0.005 /* half a unit of CIELAB: chroma of grey images by rounding or a scanner's tint */

static int any_colour(const seg_matrix *X, double weight) {
    for (size_t i = 0; i < X->rows; i++)
        for (size_t c = 1; c < 3; c++)
            if (fabs(X->at[i * X->cols + c]) > NO_CHROMA * weight)
                return 1;
    return 0;
}

seg_status seg_chromaticity_append(seg_context *ctx, const seg_feature_spec *spec, seg_matrix *X) {
    const double weight = spec->weight[SEG_FEATURE_MEAN];
    seg_matrix wider;
    if (!(weight > 0) || !any_colour(X, weight))
        return SEG_OK;
    SEG_TRY(seg_matrix_create(ctx, X->rows, X->cols + 2, &wider));
    for (size_t i = 0; i < X->rows; i++) {
        const double *from = X->at + i * X->cols;
        double *to = wider.at + i * wider.cols;
        const double factor = (MIDDLE + OFFSET) / (from[0] / weight + OFFSET); /* L >= 0 */
        memcpy(to, from, X->cols * sizeof *to);
        to[X->cols] = from[1] * factor;
        to[X->cols + 1] = from[2] * factor;
    }
    seg_matrix_free(X);
    *X = wider;
    return SEG_OK;
}
