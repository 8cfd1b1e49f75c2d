/* Read a file of labels. All lines are read first, since their number shows whether the first is a header. */
#include <segment/vectors.h>

#include "base/base.h"
#include "base/header_row.h"
#include "vectors/classes.h"
#include "vectors/load.h"
#include "vectors/npy.h"
#include "vectors/table.h"

#include <string.h>

typedef struct reader {
    seg_context *ctx;
    seg_table table;
    size_t n;      /* samples */
    size_t fields; /* per line: 1, or 2 if the sample's number precedes the label */
    size_t seen;   /* lines, n + 1 at most */
    seg_field *text, *number;
    size_t *line;
    seg_arena arena;
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
    seg_arena_free(&r->arena);
    seg_table_close(&r->table);
}

static seg_status read_text(seg_context *ctx, const seg_loaded *file, size_t n, seg_labels *out) {
    SEG_RELEASED(end) reader r = {.ctx = ctx, .n = n};
    const size_t room = n < file->size ? n + 1 : file->size + 1; /* a line has at least one byte */
    SEG_TRY(seg_table_open(ctx, file, 0, &r.table));
    r.text = seg_arena_alloc(ctx, &r.arena, room, sizeof *r.text);
    r.number = seg_arena_alloc(ctx, &r.arena, room, sizeof *r.number);
    r.line = seg_arena_alloc(ctx, &r.arena, room, sizeof *r.line);
    SEG_TRY(r.arena.status);
    SEG_TRY(read_lines(&r));
    if (r.seen < n || n == 0)
        return wrong_count(ctx, file->label, r.seen, n);
    if (r.seen > n)
        SEG_TRY(check_header(&r));
    if (r.fields == 2)
        SEG_TRY(check_numbers(&r, r.seen - n));
    return seg_classes_of_texts(ctx, file->label, r.text + (r.seen - n), n, out);
}

static seg_status read_npy(seg_context *ctx, const seg_loaded *file, size_t n, seg_labels *out) {
    const char *label = file->label;
    SEG_RELEASED(seg_matrix_free) seg_matrix column = {0};
    SEG_TRY(seg_npy_decode(ctx, label, file->at, file->size, &column));
    if (column.cols != 1)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %zu columns; labels are one column", label, column.cols);
    if (column.rows != n)
        return wrong_count(ctx, label, column.rows, n);
    return seg_classes_of_column(ctx, file, &column, 0, out);
}

seg_status seg_labels_read(seg_context *ctx, const char *path, size_t n, seg_labels *out) {
    SEG_RELEASED(seg_loaded_free) seg_loaded file = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_load(ctx, path, &file));
    return (seg_npy_is(file.at, file.size) ? read_npy : read_text)(ctx, &file, n, out);
}
