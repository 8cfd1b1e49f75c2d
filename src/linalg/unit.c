#include "linalg/unit.h"

#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A largest magnitude of 2^-COMFORTABLE .. 2^COMFORTABLE leaves room for squares of differences below the rounding of
 * the numbers, and for sums of fourth powers. */
#define COMFORTABLE 60

seg_status seg_in_unit_create(seg_context *ctx, const seg_matrix *X, int doubles, const char *what, seg_in_unit *out) {
    double largest = 0;
    *out = (seg_in_unit){.X = X};
    for (size_t e = 0; e < X->rows * X->cols; e++) {
        const double magnitude = fabs(seg_rows_number(X, e));
        if (!isfinite(magnitude))
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "%s: column %zu of row %zu is not a finite number; remove or replace it", what,
                            e % X->cols + 1, e / X->cols + 1);
        largest = magnitude > largest ? magnitude : largest;
    }
    const int comfortable = largest == 0 || (ilogb(largest) >= -COMFORTABLE && ilogb(largest) <= COMFORTABLE);
    if (comfortable && (X->at || !doubles))
        return SEG_OK;
    SEG_TRY(seg_matrix_create(ctx, X->rows, X->cols, &out->own));
    out->X = &out->own;
    out->exponent = comfortable ? 0 : ilogb(largest);
    for (size_t e = 0; e < X->rows * X->cols; e++)
        out->own.at[e] = ldexp(seg_rows_number(X, e), -out->exponent);
    return SEG_OK;
}

void seg_in_unit_free(seg_in_unit *unit) {
    seg_matrix_free(&unit->own);
    memset(unit, 0, sizeof *unit);
}

double seg_to_unit(const seg_in_unit *unit, double value, int power) {
    const double turned = ldexp(value, -power * unit->exponent);
    if (value == 0 || !isfinite(value) || unit->exponent == 0)
        return value;
    return copysign(fmin(fmax(fabs(turned), DBL_MIN), DBL_MAX), value);
}
