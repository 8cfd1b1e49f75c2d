/* Agreement over pairs of samples. Nothing is listed: a cell of c samples holds c(c-1)/2 pairs placed together by both
 * labellings, a row or column sum those placed together by one of them. Whole numbers of 64 bits hold every count for
 * up to 2^32 - 1 samples. */
#include "metrics/margins.h"

typedef struct pair_counts {
    uint64_t all, both, prediction, truth; /* pairs: all, together in both, in the prediction, in the truth */
} pair_counts;

static uint64_t pairs_of(uint64_t n) {
    return n < 2 ? 0 : (n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1));
}

static pair_counts count_pairs(const seg_contingency *table) {
    pair_counts pairs = {.all = pairs_of(table->total)};
    for (int row = 0; row < table->rows; row++) {
        pairs.prediction += pairs_of(seg_row_sum(table, row));
        for (int col = 0; col < table->cols; col++)
            pairs.both += pairs_of(table->count[(size_t)row * (size_t)table->cols + (size_t)col]);
    }
    for (int col = 0; col < table->cols; col++)
        pairs.truth += pairs_of(seg_col_sum(table, col));
    return pairs;
}

double seg_pairwise_accuracy(const seg_contingency *table) {
    pair_counts pairs = count_pairs(table);
    if (pairs.all == 0)
        return 1;
    /* Together in both, plus apart in both; the unsigned sum wraps and comes back. */
    uint64_t agree = pairs.all + 2 * pairs.both - pairs.prediction - pairs.truth;
    return (double)agree / (double)pairs.all;
}

double seg_pairwise_f(const seg_contingency *table) {
    pair_counts pairs = count_pairs(table);
    /* Harmonic mean of both/prediction (precision) and both/truth (recall). */
    if (pairs.prediction == 0 && pairs.truth == 0)
        return 1; /* each sample alone in both */
    return 2 * (double)pairs.both / ((double)pairs.prediction + (double)pairs.truth);
}

double seg_adjusted_rand(const seg_contingency *table) {
    const pair_counts pairs = count_pairs(table);
    /* (both - e) / ((prediction + truth) / 2 - e), e = prediction x truth / all [hubert1985, Eq. 5] */
    const double expected = pairs.all ? (double)pairs.prediction * ((double)pairs.truth / (double)pairs.all) : 0;
    const double most = ((double)pairs.prediction + (double)pairs.truth) / 2;
    return pairs.prediction == pairs.truth && (pairs.truth == 0 || pairs.truth == pairs.all)
               ? 1
               : ((double)pairs.both - expected) / (most - expected);
}
