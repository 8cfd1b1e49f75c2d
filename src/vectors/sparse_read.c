#include "vectors/sparse_read.h"

#include "base/base.h"
#include "vectors/table.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define BANNER       "%%MatrixMarket"
#define MOST_NUMBERS ((size_t)1 << 30) /* of the dense matrix: 8 GiB */
#define POLL_EVERY   65536             /* entries between two cancellation checks */

int seg_matrix_market_is(const unsigned char *bytes, size_t size) {
    return size >= sizeof BANNER - 1 && strncasecmp((const char *)bytes, BANNER, sizeof BANNER - 1) == 0;
}

typedef struct reader {
    seg_context *ctx;
    seg_table table;
    size_t rows, cols, entries;
    int pattern; /* entries have no value and are ones */
} reader;

/* The next word of a line, between blanks. @return 0 if there is none */
static int next_word(seg_span *left, seg_span *word) {
    *left = seg_span_trim(*left);
    word->at = left->at;
    while (left->at < left->end && !seg_is_blank(*left->at))
        left->at++;
    word->end = left->at;
    return word->end > word->at;
}

static int is(seg_span word, const char *text) {
    return seg_span_size(word) == strlen(text) && strncasecmp(word.at, text, strlen(text)) == 0;
}

/* `%%MatrixMarket matrix coordinate FIELD general`, in any case. */
static seg_status read_banner(reader *r) {
    seg_span text = r->table.left, line = {0}, word[5] = {{0}}, rest;
    size_t words = 0;
    seg_line_next(&text, &line);
    while (words < 5 && next_word(&line, &word[words]))
        words++;
    if (words < 5 || next_word(&line, &rest) || !is(word[0], BANNER) || !is(word[1], "matrix"))
        return seg_fail(
            r->ctx, SEG_ERR_INPUT,
            "%s:1: the first line of a MatrixMarket file is '%%%%MatrixMarket matrix coordinate real general', "
            "or has integer or pattern for real",
            r->table.label);
    if (!is(word[2], "coordinate"))
        return seg_fail(
            r->ctx, SEG_ERR_INPUT,
            "%s:1: of MatrixMarket files those with coordinates are read; write a dense array as CSV or NPY",
            r->table.label);
    r->pattern = is(word[3], "pattern");
    if (!r->pattern && !is(word[3], "real") && !is(word[3], "integer"))
        return seg_fail(r->ctx, SEG_ERR_INPUT, "%s:1: entries are real, integer or pattern, not '%.*s'", r->table.label,
                        seg_span_size(word[3]) > 40 ? 40 : (int)seg_span_size(word[3]), word[3].at);
    if (!is(word[4], "general"))
        return seg_fail(r->ctx, SEG_ERR_INPUT,
                        "%s:1: a table of samples and features is a general matrix; write all entries, and 'general'",
                        r->table.label);
    return SEG_OK;
}

/* A whole number from `low` to `high`. */
static seg_status read_whole(const reader *r, size_t column, double low, double high, const char *fault, size_t *out) {
    double value;
    seg_status status = seg_table_number(r->ctx, &r->table, column, &value);
    if (status)
        return status;
    if (value != floor(value) || value < low || value > high)
        return seg_table_refuse(r->ctx, &r->table, column, fault);
    *out = (size_t)value;
    return SEG_OK;
}

/* Sizes that the bytes and the memory allow. */
static seg_status read_sizes(reader *r) {
    static const char *const count = "is not a possible size, a whole number below 2^31";
    const seg_table *table = &r->table;
    const size_t least = r->pattern ? 4 : 6; /* bytes of an entry and its line end */
    size_t numbers;
    int more;
    seg_status status = seg_table_next(r->ctx, &r->table, &more);
    if (status)
        return status;
    if (!more || table->fields != 3)
        return seg_fail(r->ctx, SEG_ERR_INPUT,
                        "%s:%zu: the numbers of rows, columns and entries are missing below the first line",
                        table->label, table->line);
    if ((status = read_whole(r, 0, 0, INT32_MAX, count, &r->rows)) != SEG_OK ||
        (status = read_whole(r, 1, 0, INT32_MAX, count, &r->cols)) != SEG_OK ||
        (status = read_whole(r, 2, 0, 1e15, "is not a possible number of entries", &r->entries)) != SEG_OK)
        return status;
    if (r->rows == 0 || r->cols == 0)
        return seg_fail(r->ctx, SEG_ERR_INPUT, "%s:%zu: %zu rows and %zu columns; there must be one of each at least",
                        table->label, table->line, r->rows, r->cols);
    if (r->entries > seg_span_size(table->left) / least + 1)
        return seg_fail(r->ctx, SEG_ERR_INPUT,
                        "%s:%zu: %zu entries are declared, more than the file can contain; is it truncated?",
                        table->label, table->line, r->entries);
    if (!seg_multiply(r->rows, r->cols, &numbers) || numbers > MOST_NUMBERS)
        return seg_fail(
            r->ctx, SEG_ERR_INPUT,
            "%s:%zu: %zu rows of %zu columns are more than 2^30 numbers, zeros included; leave out rare columns",
            table->label, table->line, r->rows, r->cols);
    return SEG_OK;
}

static seg_status read_entry(reader *r, seg_matrix *out) {
    const seg_table *table = &r->table;
    const size_t fields = r->pattern ? 2 : 3;
    size_t i = 0, j = 0;
    double value = 1;
    seg_status status;
    if (table->fields != fields)
        return seg_fail(r->ctx, SEG_ERR_INPUT, "%s:%zu: %zu fields; an entry is written %s", table->label, table->line,
                        table->fields, r->pattern ? "row column" : "row column value");
    if ((status = read_whole(r, 0, 1, (double)r->rows, "is not the number of a row, from 1 to the number of rows",
                             &i)) != SEG_OK ||
        (status = read_whole(r, 1, 1, (double)r->cols, "is not the number of a column, from 1 to the number of columns",
                             &j)) != SEG_OK ||
        (!r->pattern && (status = seg_table_number(r->ctx, table, 2, &value)) != SEG_OK))
        return status;
    double *at = &out->at[(i - 1) * r->cols + j - 1];
    *at += value;
    if (!(fabs(*at) <= SEG_LARGEST_NUMBER))
        return seg_fail(r->ctx, SEG_ERR_INPUT,
                        "%s:%zu: the entries of row %zu and column %zu add up to more than %g; scale them down",
                        table->label, table->line, i, j, SEG_LARGEST_NUMBER);
    return SEG_OK;
}

static seg_status read_entries(reader *r, seg_matrix *out) {
    size_t found = 0;
    seg_status status = SEG_OK;
    for (;; found++) {
        int more;
        if ((status = seg_table_next(r->ctx, &r->table, &more)) != SEG_OK)
            return status;
        if (!more)
            break;
        if (found == r->entries)
            return seg_fail(r->ctx, SEG_ERR_INPUT, "%s:%zu: more than the %zu entries that are declared",
                            r->table.label, r->table.line, r->entries);
        if ((status = read_entry(r, out)) != SEG_OK ||
            (found % POLL_EVERY == POLL_EVERY - 1 && (status = seg_poll(r->ctx)) != SEG_OK))
            return status;
    }
    if (found < r->entries)
        return seg_fail(r->ctx, SEG_ERR_INPUT, "'%s' has %zu entries, but declares %zu; is it truncated?",
                        r->table.label, found, r->entries);
    return SEG_OK;
}

seg_status seg_matrix_market_read(seg_context *ctx, const seg_loaded *file, seg_matrix *out) {
    reader r = {.ctx = ctx};
    memset(out, 0, sizeof *out);
    seg_status status = seg_table_open(ctx, file, 1, &r.table);
    r.table.separator = ' ';
    if (!status && (status = read_banner(&r)) == SEG_OK && (status = read_sizes(&r)) == SEG_OK &&
        (status = seg_matrix_create(ctx, r.rows, r.cols, out)) == SEG_OK)
        status = read_entries(&r, out);
    if (!status)
        seg_log(ctx, SEG_LOG_INFO, "%s: %zu samples x %zu features, %zu entries", file->label, r.rows, r.cols,
                r.entries);
    else
        seg_matrix_free(out);
    seg_table_close(&r.table);
    return status;
}
