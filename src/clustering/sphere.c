/* Rows as directions: what spherical k-means [dhillon2001concept] clusters. */
#include "clustering/kmeans.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 0 for zeros. The largest number is brought near one first: squares neither overflow nor vanish. */
static int to_length_one(size_t d, const double *from, double *to) {
    double largest = 0, square = 0;
    int exponent;
    for (size_t t = 0; t < d; t++)
        largest = fmax(largest, fabs(from[t]));
    if (!(largest > 0))
        return 0;
    frexp(largest, &exponent);
    for (size_t t = 0; t < d; t++) {
        to[t] = ldexp(from[t], -exponent);
        square += to[t] * to[t];
    }
    const double norm = sqrt(square);
    for (size_t t = 0; t < d; t++)
        to[t] /= norm;
    return 1;
}

seg_status seg_sphere_create(seg_context *ctx, const seg_matrix *X, seg_matrix *out) {
    SEG_FREED double *room = seg_rows_room(ctx, X, 1);
    *out = (seg_matrix){0};
    if (!room)
        return SEG_ERR_MEMORY;
    SEG_TRY(seg_matrix_create(ctx, X->rows, X->cols, out));
    for (size_t i = 0; i < X->rows; i++) {
        const double *row = seg_rows_at(X, i, 1, room);
        for (size_t t = 0; t < X->cols; t++)
            if (!isfinite(row[t]))
                return seg_fail(ctx, SEG_ERR_USAGE, "row %zu holds a number that is not finite; check the features",
                                i + 1);
        if (!to_length_one(X->cols, row, out->at + i * X->cols))
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "row %zu is all zeros and has no direction, which the cosine compares; leave the row out, "
                            "or use distance=euclidean",
                            i + 1);
    }
    return SEG_OK;
}

int seg_sphere_centre(size_t d, double *centre) {
    return to_length_one(d, centre, centre);
}
