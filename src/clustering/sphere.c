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
    double *room = seg_rows_room(ctx, X, 1);
    seg_status status = room ? seg_matrix_create(ctx, X->rows, X->cols, out) : SEG_ERR_MEMORY;
    if (!room)
        memset(out, 0, sizeof *out);
    for (size_t i = 0; !status && i < X->rows; i++) {
        const double *row = seg_rows_at(X, i, 1, room);
        for (size_t t = 0; !status && t < X->cols; t++)
            if (!isfinite(row[t]))
                status = seg_fail(ctx, SEG_ERR_USAGE, "row %zu holds a number that is not finite; check the features",
                                  i + 1);
        if (!status && !to_length_one(X->cols, row, out->at + i * X->cols))
            status =
                seg_fail(ctx, SEG_ERR_USAGE,
                         "row %zu is all zeros and has no direction, which the cosine compares; leave the row out, "
                         "or use distance=euclidean",
                         i + 1);
    }
    free(room);
    if (status)
        seg_matrix_free(out);
    return status;
}

int seg_sphere_centre(size_t d, double *centre) {
    return to_length_one(d, centre, centre);
}
