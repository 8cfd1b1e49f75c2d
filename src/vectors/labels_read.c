/* Read a file of labels; class numbers of labels. */
#include "vectors/table.h"

#include "base/base.h"
#include "base/header_row.h"
#include "vectors/npy.h"

#define LARGEST_WHOLE 9007199254740992. /* 2^53: doubles represent all smaller whole numbers exactly */
enum { NUMBER_TEXT = 32 };              /* bytes of a double in decimal notation with 17 digits */

typedef struct entry {
    double number;
    seg_field text;
    size_t sample; /* orders equal values, so that a class takes its name from its first sample */
} entry;

static int by_number(const void *first, const void *second) {
    const entry *a = first, *b = second;
    SEG_ORDER_BY(a->number, b->number);
    return (a->sample > b->sample) - (a->sample < b->sample);
}

static int compare_bytes(const entry *a, const entry *b) {
    const size_t length = a->text.length < b->text.length ? a->text.length : b->text.length;
    const int order = memcmp(a->text.text, b->text.text, length);
    return order ? order : (a->text.length > b->text.length) - (a->text.length < b->text.length);
}

static int by_text(const void *first, const void *second) {
    const entry *a = first, *b = second;
    const int order = compare_bytes(a, b);
    return order ? order : (a->sample > b->sample) - (a->sample < b->sample);
}

static seg_status number_classes(seg_context *ctx, const char *label, entry *all, size_t n, int numeric,
                                 seg_labels *out) {
    SEG_RELEASED(seg_labels_free) seg_labels made = {.n = n};
    SEG_LOCAL(seg_field, name, seg_alloc(ctx, SEG_MAX_CLASSES, sizeof *name)); /* of the first sample of each class */
    SEG_TRY(seg_allocated(made.label = seg_alloc(ctx, n, sizeof *made.label)));
    qsort(all, n, sizeof *all, numeric ? by_number : by_text);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || (numeric ? all[i].number != all[i - 1].number : compare_bytes(&all[i], &all[i - 1]) != 0)) {
            if (made.classes == SEG_MAX_CLASSES)
                return seg_fail(ctx, SEG_ERR_INPUT,
                                "'%s' has more than %d different labels; is that column a measurement?", label,
                                SEG_MAX_CLASSES);
            name[made.classes++] = all[i].text;
        }
        made.label[all[i].sample] = made.classes - 1;
    }
    SEG_TRY(seg_allocated(made.name = seg_fields_copy(ctx, name, (size_t)made.classes)));
    return SEG_HANDED_OVER(out, made);
}

seg_status seg_classes_of_texts(seg_context *ctx, const seg_table *table, const seg_field *text, size_t n,
                                seg_labels *out) {
    memset(out, 0, sizeof *out);
    int numeric = 1;
    SEG_LOCAL(entry, all, seg_alloc(ctx, n, sizeof *all));
    for (size_t i = 0; i < n; i++) {
        all[i] = (entry){.text = text[i], .sample = i};
        numeric = numeric &&
                  seg_number_parse(text[i].text, text[i].length, table->locale, &all[i].number) == SEG_NUMBER_GOOD &&
                  fabs(all[i].number) < LARGEST_WHOLE;
    }
    return number_classes(ctx, table->label, all, n, numeric, out);
}

seg_status seg_classes_of_column(seg_context *ctx, const seg_loaded *file, const seg_matrix *X, size_t column,
                                 seg_labels *out) {
    memset(out, 0, sizeof *out);
    SEG_FREED entry *all = seg_alloc(ctx, X->rows, sizeof *all);
    SEG_FREED char(*text)[NUMBER_TEXT] = seg_alloc(ctx, X->rows, sizeof *text);
    seg_npy_layout l = {0};
    SEG_TRY(seg_allocated(all && text));
    SEG_TRY(seg_npy_open(ctx, file, 2, &l));
    for (size_t i = 0; i < X->rows; i++) {
        const double value = X->at[i * X->cols + column];
        const int length = snprintf(text[i], sizeof text[i], "%.17g", value);
        all[i] = (entry){value, {text[i], (size_t)length}, i};
        if (l.kind != 'f' && !(fabs(value) < LARGEST_WHOLE))
            return seg_fail(
                ctx, SEG_ERR_INPUT,
                "'%s' has the label %.17g in row %zu (from 0); whole numbers that are labels are below 2^53",
                file->label, value, i);
    }
    return number_classes(ctx, file->label, all, X->rows, 1, out);
}

void seg_labels_free(seg_labels *labels) {
    SEG_CLEAR(labels, labels->label, labels->name, labels->column);
}

/* ---- A file of labels. All lines are read first, since their number shows whether the first is a header. ---- */

typedef struct reader {
    seg_context *ctx;
    seg_table table;
    size_t n;      /* samples */
    size_t fields; /* per line: 1, or 2 if the sample's number precedes the label */
    size_t seen;   /* lines, n + 1 at most */
    seg_field *text, *number;
    size_t *line;
} reader;

static seg_status wrong_count(seg_context *ctx, const char *label, size_t seen, size_t n) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %s%zu labels for %zu samples; write one label per line", label,
                    seen > n ? "more than " : "", seen > n ? n : seen, n);
}

static seg_status read_lines(reader *r) {
    const seg_table *table = &r->table;
    for (;;) {
        int more;
        SEG_TRY(seg_table_next(r->ctx, &r->table, &more));
        if (!more)
            return SEG_OK;
        r->fields = r->seen ? r->fields : table->fields;
        if (table->fields != r->fields || r->fields > 2)
            return seg_fail(r->ctx, SEG_ERR_INPUT, "%s:%zu: %zu columns; write one label per line", table->label,
                            table->line, table->fields);
        const seg_field *last = &table->field[r->fields - 1];
        double value;
        if (seg_number_parse(last->text, last->length, table->locale, &value) == SEG_NUMBER_MISSING)
            return seg_table_refuse(r->ctx, table, r->fields - 1, "is a missing label; every sample needs one");
        if (r->seen > r->n)
            return wrong_count(r->ctx, table->label, r->seen, r->n);
        r->text[r->seen] = *last;
        r->number[r->seen] = table->field[0];
        r->line[r->seen++] = table->line;
    }
}

/* There is one line more than samples: the first must be a header by the rule of base/header_row.h. If the labels are
 * words, there must also be a single column, and no label may equal the header. */
static seg_status check_header(const reader *r) {
    const size_t last = r->fields - 1;
    seg_row_look row = {0};
    int words = 1, same = 0;
    for (size_t i = 0; i < r->seen; i++) {
        const seg_field *field = last ? &r->number[i] : &r->text[i];
        const int number = seg_looks_like_number(field->text, field->length);
        words = words && (i == 0 || !number);
        same |= i > 0 && r->text[i].length == r->text[0].length &&
                memcmp(r->text[i].text, r->text[0].text, r->text[0].length) == 0;
    }
    seg_row_look_at(&row, r->number[0].text, r->number[0].length);
    seg_row_look_at(&row, r->text[0].text, r->text[0].length);
    if (seg_row_is_header(row) && (words ? !last && !same : 1))
        return SEG_OK;
    return seg_fail(r->ctx, SEG_ERR_INPUT,
                    "%s:%zu: column %zu, '%.*s', is a label like those below, so there are %zu labels for %zu "
                    "samples; write one label per line, and # before a header",
                    r->table.label, r->line[0], r->fields, (int)(r->text[0].length < 40 ? r->text[0].length : 40),
                    r->text[0].text, r->seen, r->n);
}

/* Numbers before the labels must count the samples in order, from 0 or 1; otherwise the file is for other samples. */
static seg_status check_numbers(const reader *r, size_t header) {
    double first = 0, value;
    for (size_t i = 0; i < r->n; i++) {
        const seg_field *field = &r->number[i + header];
        int good = seg_number_parse(field->text, field->length, r->table.locale, &value) == SEG_NUMBER_GOOD;
        first = i == 0 && good && value == 1 ? 1 : first;
        if (!good || value != first + (double)i)
            return seg_fail(r->ctx, SEG_ERR_INPUT,
                            "%s:%zu: the first of two columns must count the samples, %zu here; sort the lines, or "
                            "write the labels only",
                            r->table.label, r->line[i + header], (size_t)first + i);
    }
    return SEG_OK;
}

static void end(reader *r) {
    free(r->text); /* with number and line */
    seg_table_close(&r->table);
}

static seg_status read_text(seg_context *ctx, const seg_loaded *file, size_t n, seg_labels *out) {
    SEG_RELEASED(end) reader r = {.ctx = ctx, .n = n};
    const size_t room = n < file->size ? n + 1 : file->size + 1; /* a line has at least one byte */
    SEG_TRY(seg_table_open(ctx, file, 0, &r.table));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(r.text, room), SEG_ARRAY(r.number, room), SEG_ARRAY(r.line, room)));
    SEG_TRY(read_lines(&r));
    if (r.seen < n || n == 0)
        return wrong_count(ctx, file->label, r.seen, n);
    if (r.seen > n)
        SEG_TRY(check_header(&r));
    if (r.fields == 2)
        SEG_TRY(check_numbers(&r, r.seen - n));
    return seg_classes_of_texts(ctx, &r.table, r.text + (r.seen - n), n, out);
}

static seg_status read_npy(seg_context *ctx, const seg_loaded *file, size_t n, seg_labels *out) {
    const char *label = file->label;
    SEG_RELEASED(seg_matrix_free) seg_matrix column = {0};
    SEG_TRY(seg_npy_decode(ctx, label, file->at, file->size, &column));
    if (column.cols != 1)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %zu columns; labels are one column", label, column.cols);
    return column.rows != n ? wrong_count(ctx, label, column.rows, n)
                            : seg_classes_of_column(ctx, file, &column, 0, out);
}

seg_status seg_labels_read(seg_context *ctx, const char *path, size_t n, seg_labels *out) {
    SEG_RELEASED(seg_loaded_free) seg_loaded file = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_load(ctx, path, &file));
    return (seg_npy_is(file.at, file.size) ? read_npy : read_text)(ctx, &file, n, out);
}
