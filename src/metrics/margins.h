/* Sums of a contingency table's rows and columns. */
#ifndef SEG_METRICS_MARGINS_H
#define SEG_METRICS_MARGINS_H

#include <segment/metrics.h>

static inline uint64_t seg_row_sum(const seg_contingency *table, int row) {
    uint64_t sum = 0;
    for (int col = 0; col < table->cols; col++)
        sum += table->count[(size_t)row * (size_t)table->cols + (size_t)col];
    return sum;
}

static inline uint64_t seg_col_sum(const seg_contingency *table, int col) {
    uint64_t sum = 0;
    for (int row = 0; row < table->rows; row++)
        sum += table->count[(size_t)row * (size_t)table->cols + (size_t)col];
    return sum;
}

#endif
