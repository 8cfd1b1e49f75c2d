/* Read a table of numbers, with or without a column of labels. */

#include "base/base.h"
#include "vectors/npy.h"
#include "vectors/table.h"

typedef struct reader {
    seg_context *ctx;
    seg_table table;
    seg_label_column column;
    size_t fields, first_line;   /* of every row; line number of the first */
    size_t first_feature, width; /* columns that are features */
    size_t rows, room;           /* room in rows */
    double *value;               /* rows x width; owned */
    char **name;                 /* of the features, from a header; owned */
    seg_field *text;             /* rows labels; owned */
} reader;

static seg_status set_fields(reader *r) {
    const size_t labels = r->column != SEG_LABELS_NONE;
    r->fields = r->table.fields;
    r->first_line = r->table.line;
    r->first_feature = r->column == SEG_LABELS_FIRST;
    r->width = r->fields - labels;
    if (r->width == 0)
        return seg_fail(r->ctx, SEG_ERR_INPUT, "%s:%zu: the only column contains the labels; no features are left",
                        r->table.label, r->table.line);
    return SEG_OK;
}

/* Allocate room for all rows that can follow: at most one per line, and a field takes two bytes at least. */
static seg_status make_room(reader *r) {
    size_t lines = seg_table_lines_left(&r->table) + 1, bytes = seg_span_size(r->table.left);
    size_t most = bytes / (2 * r->fields) + 2;
    r->room = lines < most ? lines : most;
    r->value = seg_alloc(r->ctx, r->room, r->width * sizeof *r->value);
    r->text = seg_alloc(r->ctx, r->column != SEG_LABELS_NONE ? r->room : 0, sizeof *r->text);
    return r->value && r->text ? SEG_OK : SEG_ERR_MEMORY;
}

static seg_status read_row(reader *r) {
    const seg_table *table = &r->table;
    if (table->fields != r->fields)
        return seg_fail(r->ctx, SEG_ERR_INPUT, "%s:%zu: %zu columns, but line %zu has %zu; every row needs as many",
                        table->label, table->line, table->fields, r->first_line, r->fields);
    double *row = r->value + r->rows * r->width;
    for (size_t c = 0; c < r->width; c++)
        SEG_TRY(seg_table_number(r->ctx, table, r->first_feature + c, &row[c]));
    if (r->column != SEG_LABELS_NONE) {
        size_t at = r->first_feature ? 0 : r->width;
        double value;
        if (seg_number_parse(table->field[at].text, table->field[at].length, table->locale, &value) ==
            SEG_NUMBER_MISSING)
            return seg_table_refuse(r->ctx, table, at, "is a missing label; fill it in or leave the row out");
        r->text[r->rows] = table->field[at];
    }
    r->rows++;
    return SEG_OK;
}

static seg_status read_rows(reader *r) {
    seg_table *table = &r->table;
    int more, header = 0;
    SEG_TRY(seg_table_next(r->ctx, table, &more));
    if (more) {
        SEG_TRY(set_fields(r));
        SEG_TRY(seg_table_is_header(r->ctx, &r->table, r->first_feature, r->width, &header));
    }
    if (header) {
        if (!(r->name = seg_fields_copy(r->ctx, table->field + r->first_feature, r->width)))
            return SEG_ERR_MEMORY;
        SEG_TRY(seg_table_next(r->ctx, table, &more));
        if (more && table->fields != r->fields)
            return seg_fail(r->ctx, SEG_ERR_INPUT, "%s:%zu: %zu columns, but the header in line %zu names %zu",
                            table->label, table->line, table->fields, r->first_line, r->fields);
    }
    if (!more)
        return seg_fail(r->ctx, SEG_ERR_INPUT, "'%s' has no row of numbers; write one sample per line", table->label);
    SEG_TRY(make_room(r));
    while (more) {
        SEG_TRY(read_row(r));
        SEG_TRY(seg_table_next(r->ctx, table, &more));
    }
    seg_log(r->ctx, SEG_LOG_INFO, "%s: %zu samples x %zu features%s", table->label, r->rows, r->width,
            header ? ", with a header" : "");
    return SEG_OK;
}

static void end(reader *r) {
    seg_table_close(&r->table);
    SEG_CLEAR(r, r->value, r->text, r->name);
}

static seg_status read_text(seg_context *ctx, const seg_loaded *file, seg_label_column column, seg_matrix *out,
                            seg_labels *labels) {
    SEG_RELEASED(end) reader r = {.ctx = ctx, .column = column};
    SEG_TRY(seg_table_open(ctx, file, 1, &r.table));
    SEG_TRY(read_rows(&r));
    if (column != SEG_LABELS_NONE)
        SEG_TRY(seg_classes_of_texts(ctx, &r.table, r.text, r.rows, labels));
    if (labels)
        labels->column = seg_taken(&r.name);
    double *cut = seg_realloc(NULL, r.value, r.rows * r.width, sizeof *cut);
    *out = (seg_matrix){.rows = r.rows, .cols = r.width, .at = cut ? cut : r.value};
    r.value = NULL;
    return SEG_OK;
}

/* Move the labels, the first or last column, out of the matrix. */
static seg_status take_labels(seg_context *ctx, const seg_loaded *file, seg_label_column column, seg_matrix *X,
                              seg_labels *labels) {
    const size_t cols = X->cols, width = cols - 1, first = column == SEG_LABELS_FIRST;
    if (width == 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "the only column of '%s' contains the labels; no features are left",
                        file->label);
    SEG_TRY(seg_classes_of_column(ctx, file, X, first ? 0 : width, labels));
    for (size_t i = 0; i < X->rows; i++)
        memmove(X->at + i * width, X->at + i * cols + first, width * sizeof *X->at);
    X->cols = width;
    return SEG_OK;
}

seg_status seg_vectors_read(seg_context *ctx, const char *path, seg_label_column column, seg_matrix *out,
                            seg_labels *labels) {
    const int stored = column == SEG_LABELS_NONE_STORED;
    if (stored)
        column = SEG_LABELS_NONE;
    const int plain = column == SEG_LABELS_NONE;
    SEG_RELEASED(seg_loaded_free) seg_loaded file = {0};
    int whole = 0;
    memset(out, 0, sizeof *out);
    if (labels)
        memset(labels, 0, sizeof *labels);
    if (!plain && !labels)
        return seg_fail(ctx, SEG_ERR_USAGE, "labels are requested, but there is no array for them");
    seg_status status = plain ? seg_npy_read_blocks(ctx, path, stored, out, &whole) : SEG_OK;
    if (whole || status != SEG_OK || (status = seg_load(ctx, path, &file)) != SEG_OK)
        return status;
    if (!seg_npy_is(file.at, file.size))
        status = read_text(ctx, &file, column, out, labels);
    else if ((status = seg_npy_decode(ctx, file.label, file.at, file.size, out)) == SEG_OK && !plain)
        status = take_labels(ctx, &file, column, out, labels);
    SEG_RETURN_OR(status, seg_matrix_free(out));
}
