/* Metrics that compare equal label numbers. */
#include "metrics/margins.h"

/* Samples that have the label in both. */
static uint64_t met(const seg_contingency *table, int label) {
    return label >= 0 && label < table->rows && label < table->cols
               ? table->count[(size_t)label * (size_t)table->cols + (size_t)label]
               : 0;
}

static uint64_t predicted(const seg_contingency *table, int label) {
    return label >= 0 && label < table->rows ? seg_row_sum(table, label) : 0;
}

static uint64_t true_ones(const seg_contingency *table, int label) {
    return label >= 0 && label < table->cols ? seg_col_sum(table, label) : 0;
}

double seg_mean_dice(const seg_contingency *table) {
    double sum = 0;
    int labels = 0;
    for (int label = 0; label < table->cols; label++) {
        uint64_t truth = true_ones(table, label);
        if (truth == 0)
            continue;
        sum += 2 * (double)met(table, label) / (double)(predicted(table, label) + truth);
        labels++;
    }
    return labels ? sum / labels : 0;
}

double seg_error_rate(const seg_contingency *table) {
    uint64_t equal = 0;
    for (int label = 0; label < table->rows && label < table->cols; label++)
        equal += met(table, label);
    return table->total ? (double)(table->total - equal) / (double)table->total : 0;
}
