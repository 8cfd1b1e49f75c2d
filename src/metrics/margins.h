/* Sums of a contingency table's rows and columns, and the scores one by one; seg_scores says what each is. */
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

double seg_pairwise_accuracy(const seg_contingency *table);
double seg_adjusted_rand(const seg_contingency *table);
/* SEG_OK or SEG_ERR_MEMORY. By the Hungarian method on the table. */
seg_status seg_clustering_error(seg_context *ctx, const seg_contingency *table, double *error);
double seg_nmi(const seg_contingency *table);
double seg_pairwise_f(const seg_contingency *table);
double seg_mean_dice(const seg_contingency *table);
double seg_error_rate(const seg_contingency *table);

#endif
