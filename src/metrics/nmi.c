/* Normalised mutual information [basu2004active, Sec. 5.2]. */
#include "metrics/margins.h"

#include <math.h>

/* -p log p of a share of the samples, 0 for an empty one. */
static double entropy_term(uint64_t part, uint64_t total) {
    double p = (double)part / (double)total;
    return part ? -p * log(p) : 0;
}

double seg_nmi(const seg_contingency *table) {
    if (table->total == 0)
        return 1;
    double prediction = 0, truth = 0, joint = 0;
    for (int col = 0; col < table->cols; col++)
        truth += entropy_term(seg_col_sum(table, col), table->total);
    for (int row = 0; row < table->rows; row++) {
        prediction += entropy_term(seg_row_sum(table, row), table->total);
        for (int col = 0; col < table->cols; col++)
            joint += entropy_term(table->count[(size_t)row * (size_t)table->cols + (size_t)col], table->total);
    }
    if (prediction + truth <= 0)
        return 1; /* one label each: nothing to be told, nothing missing */
    /* I(A;B) = H(A) + H(B) - H(A,B) */
    double nmi = 2 * (prediction + truth - joint) / (prediction + truth);
    return nmi < 0 ? 0 : nmi > 1 ? 1 : nmi;
}
