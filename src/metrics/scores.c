/* The contingency table, made in one pass over the data. Every metric is computed from it. */
#include "base/base.h"

#include "optim/matching.h"

#include <segment/metrics.h>

#define LABEL_LIMIT 65536             /* labels of seg_contingency_count are below this */
#define CELL_LIMIT  ((size_t)1 << 28) /* 2 GiB of counts; labels that need more should be renumbered */

/* Allocate a table of rows x cols zeros, unless it is too large. */
static seg_status make_table(seg_context *ctx, int rows, int cols, seg_contingency *out) {
    size_t cells = (size_t)rows * (size_t)cols;
    if (cells > CELL_LIMIT)
        return seg_fail(ctx, SEG_ERR_MEMORY,
                        "a table of %d x %d labels is too large; renumber the labels from 0 without gaps", rows, cols);
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->count, cells)));
    out->rows = rows;
    out->cols = cols;
    return SEG_OK;
}

seg_status seg_contingency_count(seg_context *ctx, const int *prediction, const int *truth, size_t n,
                                 seg_contingency *out) {
    int rows = 0, cols = 0;
    memset(out, 0, sizeof *out);
    /* Below 2^32 samples the number of pairs fits 64 bits. */
    if (n > UINT32_MAX)
        return seg_fail(ctx, SEG_ERR_USAGE, "%zu samples are too many; the metrics count up to 4294967295", n);
    for (size_t i = 0; i < n; i++) {
        if (truth[i] < 0)
            continue;
        if (prediction[i] < 0 || prediction[i] >= LABEL_LIMIT || truth[i] >= LABEL_LIMIT)
            return seg_fail(ctx, SEG_ERR_USAGE, "sample %zu has the labels %d and %d; labels must be in 0..%d", i,
                            prediction[i], truth[i], LABEL_LIMIT - 1);
        rows = prediction[i] >= rows ? prediction[i] + 1 : rows;
        cols = truth[i] >= cols ? truth[i] + 1 : cols;
    }
    if (rows == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "no sample has a true label, so none can be scored");
    SEG_TRY(make_table(ctx, rows, cols, out));
    for (size_t i = 0; i < n; i++) {
        if (truth[i] < 0)
            continue;
        out->count[(size_t)prediction[i] * (size_t)cols + (size_t)truth[i]]++;
        out->total++;
    }
    return SEG_OK;
}

seg_status seg_contingency_masks(seg_context *ctx, const seg_mask *prediction, const seg_mask *truth,
                                 seg_contingency *out) {
    memset(out, 0, sizeof *out);
    if (prediction->width != truth->width || prediction->height != truth->height)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the prediction has %d x %d pixels, the truth %d x %d; compare masks of the same image",
                        prediction->width, prediction->height, truth->width, truth->height);
    const size_t pixels = (size_t)truth->width * (size_t)truth->height;
    SEG_LOCAL(uint32_t, count, seg_alloc_zero(ctx, (size_t)256 * 256, sizeof *count));
    for (size_t p = 0; p < pixels; p++)
        count[(size_t)prediction->label[p] << 8 | truth->label[p]]++;
    int rows = 0, cols = 0;
    for (int row = 0; row < 256; row++)
        for (int col = 0; col < SEG_VOID; col++)
            if (count[row * 256 + col]) {
                rows = row + 1;
                cols = col >= cols ? col + 1 : cols;
            }
    if (rows == 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "there is nothing to score: every pixel of the truth is void");
    SEG_TRY(make_table(ctx, rows, cols, out));
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            out->count[(size_t)row * (size_t)cols + (size_t)col] = count[row * 256 + col];
            out->total += count[row * 256 + col];
        }
    return SEG_OK;
}

void seg_contingency_free(seg_contingency *table) {
    SEG_CLEAR(table, table->count);
}

/* The scores of a contingency table (defined at seg_scores). */
/* A table with the sums of its rows and columns: how many samples have each label. */
typedef struct margins {
    const seg_contingency *table;
    uint64_t *row, *col;
} margins;

static uint64_t count_of(const margins *m, int row, int col) {
    return m->table->count[(size_t)row * (size_t)m->table->cols + (size_t)col];
}

/* A cell of c samples stands for c(c-1)/2 pairs that both labellings put together, and a row or column sum for those
 * that one of them puts together, so pairs need not be listed. 64 bits hold every count for up to 2^32 - 1 samples. */
static uint64_t pairs_of(uint64_t n) {
    return n < 2 ? 0 : (n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1));
}

static void score_pairs(const margins *m, seg_scores *out) {
    const uint64_t all = pairs_of(m->table->total);
    uint64_t both = 0, prediction = 0, truth = 0; /* pairs together in both, in the prediction, in the truth */
    for (int row = 0; row < m->table->rows; row++) {
        prediction += pairs_of(m->row[row]);
        for (int col = 0; col < m->table->cols; col++)
            both += pairs_of(count_of(m, row, col));
    }
    for (int col = 0; col < m->table->cols; col++)
        truth += pairs_of(m->col[col]);
    /* Pairs together in both plus pairs apart in both; unsigned wrap-around cancels out. */
    out->pairwise_accuracy = all ? (double)(all + 2 * both - prediction - truth) / (double)all : 1;
    /* Harmonic mean of both/prediction (precision) and both/truth (recall); 1 if each sample is alone in both. */
    out->pairwise_f = prediction || truth ? 2 * (double)both / ((double)prediction + (double)truth) : 1;
    /* (both - e) / ((prediction + truth) / 2 - e), e = prediction x truth / all [hubert1985, Eq. 5] */
    const double expected = all ? (double)prediction * ((double)truth / (double)all) : 0;
    const double most = ((double)prediction + (double)truth) / 2;
    out->adjusted_rand =
        prediction == truth && (truth == 0 || truth == all) ? 1 : ((double)both - expected) / (most - expected);
}

/* -p log p, where p is the share of `part` samples; 0 if p is 0. */
static double entropy_term(const margins *m, uint64_t part) {
    const double p = (double)part / (double)m->table->total;
    return part ? -p * log(p) : 0;
}

/* Normalised mutual information [basu2004active, Sec. 5.2], with I(A;B) = H(A) + H(B) - H(A,B). */
static double nmi(const margins *m) {
    double prediction = 0, truth = 0, joint = 0;
    for (int col = 0; col < m->table->cols; col++)
        truth += entropy_term(m, m->col[col]);
    for (int row = 0; row < m->table->rows; row++) {
        prediction += entropy_term(m, m->row[row]);
        for (int col = 0; col < m->table->cols; col++)
            joint += entropy_term(m, count_of(m, row, col));
    }
    if (m->table->total == 0 || prediction + truth <= 0)
        return 1; /* a single label each: both entropies are 0 */
    return fmin(fmax(2 * (prediction + truth - joint) / (prediction + truth), 0), 1);
}

/* Scores that match labels by their numbers. */
static void score_names(const margins *m, seg_scores *out) {
    const seg_contingency *table = m->table;
    double sum = 0;
    uint64_t equal = 0;
    int labels = 0;
    for (int label = 0; label < table->cols; label++) {
        const uint64_t met = label < table->rows ? count_of(m, label, label) : 0;
        equal += met;
        if (!m->col[label])
            continue;
        sum += 2 * (double)met / (double)((label < table->rows ? m->row[label] : 0) + m->col[label]);
        labels++;
    }
    out->mean_dice = labels ? sum / labels : 0;
    out->error_rate = table->total ? (double)(table->total - equal) / (double)table->total : 0;
}

/* Clustering error [li2009ccskl, Eq. 17]. Rows and columns without samples are left out: they slow the matching. */
static seg_status clustering_error(seg_context *ctx, const margins *m, double *error) {
    const seg_contingency *table = m->table;
    size_t rows = 0, cols = 0, used = 0;
    uint64_t best = 0;
    for (int row = 0; row < table->rows; row++)
        rows += m->row[row] > 0;
    for (int col = 0; col < table->cols; col++)
        cols += m->col[col] > 0;
    SEG_LOCAL(uint64_t, gain, seg_alloc(ctx, rows * cols, sizeof *gain));
    for (int row = 0; row < table->rows; row++)
        for (int col = 0; col < table->cols; col++)
            if (m->row[row] && m->col[col])
                gain[used++] = count_of(m, row, col);
    SEG_TRY(seg_matching_best(ctx, gain, rows, cols, NULL, &best));
    *error = table->total ? (double)(table->total - best) / (double)table->total : 0;
    return SEG_OK;
}

seg_status seg_score(seg_context *ctx, const seg_contingency *table, seg_scores *out) {
    memset(out, 0, sizeof *out);
    SEG_LOCAL(uint64_t, sums, seg_alloc_zero(ctx, (size_t)table->rows + (size_t)table->cols, sizeof *sums));
    const margins m = {.table = table, .row = sums, .col = sums + table->rows};
    for (int row = 0; row < table->rows; row++)
        for (int col = 0; col < table->cols; col++) {
            m.row[row] += count_of(&m, row, col);
            m.col[col] += count_of(&m, row, col);
        }
    SEG_TRY(clustering_error(ctx, &m, &out->clustering_error));
    score_pairs(&m, out);
    out->nmi = nmi(&m);
    score_names(&m, out);
    out->scored = table->total;
    return SEG_OK;
}
