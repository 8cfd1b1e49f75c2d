/* Read pairs from a CSV file, and write them. Parsing is strict: a line that cannot be parsed completely is refused, so
 * that a shifted column never becomes a constraint. */
#include "base/base.h"
#include "constraints/origins.h"
#include "features/grid.h"
#include "vectors/table.h"
#include "vectors/vectors_write.h"

#include <limits.h>

enum { MAX_FIELDS = 6, SHOWN = 40, STATED = 64 };

typedef struct reader {
    seg_context *ctx;
    seg_loaded file;
    seg_table table;
    const seg_patch_grid *grid;
    int base; /* number of the first sample */
    seg_constraints *constraints;
    seg_constraints *unknown; /* where pairs of sign 0 are added; NULL leaves them out */
} reader;

static void close_reader(reader *r) {
    seg_table_close(&r->table);
    free(r->file.at);
}

#define REFUSE(r, format, ...)                                                                                         \
    seg_fail((r)->ctx, SEG_ERR_INPUT, "%s:%zu: " format, (r)->table.label, (r)->table.line, __VA_ARGS__)
/* A field in a message, for %.*s. */
#define TEXT(field) (field)->length > SHOWN ? SHOWN : (int)(field)->length, (field)->text

static int is(const seg_field *field, const char *text) {
    return field->length == strlen(text) && memcmp(field->text, text, field->length) == 0;
}

/* A whole number of at most nine digits, nothing else. */
static seg_status number(reader *r, size_t at, const char *what, int limit, int *value) {
    const seg_field *field = &r->table.field[at];
    size_t digits = 0;
    for (*value = 0; digits < field->length && digits < 9; digits++) {
        const unsigned digit = (unsigned char)field->text[digits] - (unsigned)'0';
        if (digit > 9)
            break;
        *value = 10 * *value + (int)digit;
    }
    if (digits == 0 || digits < field->length)
        return REFUSE(r, "field %zu, '%.*s', is not a whole number from 0; write # before a line of names", at + 1,
                      TEXT(field));
    return *value >= limit ? REFUSE(r, "field %zu: the %s %d is outside 0..%d", at + 1, what, *value, limit - 1)
                           : SEG_OK;
}

/* Read a sample number and convert it to a zero-based index. One past the end, or 0, shows the base of the file. */
static seg_status sample_number(reader *r, size_t field, int32_t *sample) {
    const int count = (int)r->constraints->n, last = count - 1 + r->base;
    int value;
    SEG_TRY(number(r, field, "sample", INT_MAX, &value));
    if (value < r->base)
        return REFUSE(r,
                      "field %zu: the sample %d is outside %d..%d; the samples are counted from %d here, the file "
                      "counts them from 0",
                      field + 1, value, r->base, last, r->base);
    if (value > last)
        return REFUSE(r, "field %zu: the sample %d is outside %d..%d%s", field + 1, value, r->base, last,
                      value == count && r->base == 0 ? "; the samples are counted from 0 here, the file may count "
                                                       "them from 1"
                                                     : "");
    *sample = value - r->base;
    return SEG_OK;
}

static seg_status sign_and_weight(reader *r, size_t at, seg_pair *pair) {
    const seg_field *sign = &r->table.field[at], *weight = sign + 1;
    if (is(sign, "1") || is(sign, "+1"))
        pair->sign = 1;
    else if (is(sign, "-1"))
        pair->sign = -1;
    else if (is(sign, "0"))
        pair->sign = 0;
    else
        return REFUSE(r, "the sign '%.*s' must be 1 (must link), -1 (cannot link) or 0 (not known)", TEXT(sign));
    pair->weight = 1;
    if (at + 1 < r->table.fields &&
        (seg_number_parse(weight->text, weight->length, r->table.locale, &pair->weight) != SEG_NUMBER_GOOD ||
         !seg_is_weight(pair->weight)))
        return REFUSE(r, "the weight '%.*s' is not a number from %g to %g", TEXT(weight), SEG_LEAST_WEIGHT,
                      SEG_LARGEST_WEIGHT);
    return SEG_OK;
}

/* The two samples of a line: its first 2 (numbers) or 4 (pixels) fields. */
static seg_status samples(reader *r, seg_pair_origin *out) {
    int32_t *const sample[] = {&out->pair.i, &out->pair.j};
    if (!out->pixels) {
        SEG_TRY(sample_number(r, 0, sample[0]));
        return sample_number(r, 1, sample[1]);
    }
    if (!r->grid)
        return REFUSE(r, "%zu fields give pixels, but there is no image; write i,j,sign[,weight]", r->table.fields);
    for (size_t end = 0; end < 2; end++) {
        SEG_TRY(number(r, 2 * end, "column", r->grid->width, &out->x[end]));
        SEG_TRY(number(r, 2 * end + 1, "row", r->grid->height, &out->y[end]));
        *sample[end] = (int32_t)seg_patch_of_pixel(r->grid, out->x[end], out->y[end]);
    }
    return SEG_OK;
}

/* Refuse a cannot-link between two pixels of one patch. */
static seg_status refuse_inside(reader *r, const seg_pair_origin *o) {
    const int side = r->grid->side;
    if (o->x[0] == o->x[1] && o->y[0] == o->y[1])
        return REFUSE(r, "pixel (%d,%d) cannot link to itself; name two pixels", o->x[0], o->y[0]);
    return REFUSE(r,
                  "(%d,%d) != (%d,%d), but both pixels lie in one patch of %d x %d, which cannot be divided; use "
                  "smaller patches, or pixels further apart",
                  o->x[0], o->y[0], o->x[1], o->y[1], side, side);
}

static seg_status read_row(reader *r) {
    const size_t fields = r->table.fields;
    if (fields < 3 || fields > MAX_FIELDS)
        return REFUSE(r, "%s%zu fields; write i,j,sign[,weight] or x1,y1,x2,y2,sign[,weight]",
                      fields > MAX_FIELDS ? "more than " : "", fields > MAX_FIELDS ? MAX_FIELDS : fields);
    seg_pair_origin o = {.line = r->table.line, .pixels = fields >= 5, .base = r->base};
    seg_pair *pair = &o.pair;
    SEG_TRY(samples(r, &o));
    SEG_TRY(sign_and_weight(r, o.pixels ? 4 : 2, pair));
    if (pair->i == pair->j && o.pixels)
        return pair->sign >= 0 ? SEG_OK : refuse_inside(r, &o); /* a must-link within a patch always holds */
    if (pair->i == pair->j)
        return REFUSE(r, "sample %d is paired with itself", pair->i + r->base);
    if (pair->sign == 0) {
        pair->sign = 1;
        return r->unknown ? seg_constraints_add(r->ctx, r->unknown, *pair) : SEG_OK;
    }
    seg_status status = seg_constraints_add(r->ctx, r->constraints, *pair);
    return status ? status : seg_origins_add(r->ctx, r->constraints, &o);
}

/* Check the number of samples that a comment may state (#:samples); other comments are ignored. */
static seg_status check_statements(reader *r) {
    seg_table lines = r->table;
    for (seg_span line; seg_line_next(&lines.left, &line);) {
        char stated[STATED] = "", more;
        size_t samples;
        r->table.line++;
        memcpy(stated, line.at, seg_span_size(line) < STATED ? seg_span_size(line) : STATED - 1);
        if (strncmp(stated, "#:samples", 9) != 0)
            continue;
        if (sscanf(stated, "#:samples %9zu %c", &samples, &more) != 1)
            return REFUSE(r, "'%s' does not give a number of samples", stated);
        if (r->grid)
            return REFUSE(r, "the pairs are of %zu rows of a table, and this is an image", samples);
        if (samples != r->constraints->n)
            return REFUSE(r, "the pairs are of %zu samples, but there are %zu; this file belongs to other data",
                          samples, r->constraints->n);
    }
    r->table.line = 0;
    return SEG_OK;
}

static seg_status read_rows(reader *r) {
    int more = 1, header = 1;
    SEG_TRY(check_statements(r));
    while (more) {
        SEG_TRY(seg_table_next(r->ctx, &r->table, &more));
        if (more && header)
            SEG_TRY(seg_table_is_header(r->ctx, &r->table, 0, 0, &header));
        if (more && !header)
            SEG_TRY(read_row(r));
        header = 0;
    }
    return SEG_OK;
}

seg_status seg_constraints_read(seg_context *ctx, const char *path, const seg_patch_grid *grid, int base,
                                seg_constraints *constraints, seg_constraints *unknown) {
    SEG_RELEASED(close_reader)
    reader r = {.ctx = ctx, .grid = grid, .base = base, .constraints = constraints, .unknown = unknown};
    const size_t before = constraints->pairs, unknown_before = unknown ? unknown->pairs : 0;
    const seg_pair_origins *known = seg_constraints_noted(constraints).origins;
    const size_t origins_before = known ? known->entries : 0;
    const int files_before = known ? known->files : 0;
    if (base != 0 && base != 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "samples are counted from 0 or 1, not from %d", base);
    if (grid && (size_t)grid->columns * (size_t)grid->rows != constraints->n)
        return seg_fail(ctx, SEG_ERR_USAGE, "the grid has %d x %d patches, the constraints are of %zu samples",
                        grid->columns, grid->rows, constraints->n);
    SEG_TRY(seg_load(ctx, path, &r.file));
    SEG_TRY(seg_table_open(ctx, &r.file, 1, &r.table));
    SEG_TRY(seg_origins_begin(ctx, constraints, r.file.label));
    const seg_status status = read_rows(&r);
    if (status != SEG_OK) { /* a file is read completely or not at all */
        constraints->pairs = before;
        seg_origins_cut(constraints, files_before, origins_before);
        if (unknown)
            unknown->pairs = unknown_before;
    } else
        seg_log(ctx, SEG_LOG_INFO, "%s: %zu pairs", r.file.label, constraints->pairs - before);
    return status;
}

typedef struct listed {
    const seg_constraints *constraints;
    int base;
} listed;

static void pair_row(const void *user, size_t i, double *row) {
    const listed *l = user;
    const seg_pair *pair = &l->constraints->pair[i];
    row[0] = pair->i + l->base;
    row[1] = pair->j + l->base;
    row[2] = pair->sign;
    row[3] = pair->weight;
}

seg_status seg_constraints_write(seg_context *ctx, const char *path, int base, const seg_constraints *constraints) {
    char head[96];
    if (base != 0 && base != 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "samples are counted from 0 or 1, not from %d", base);
    snprintf(head, sizeof head, "# i,j,sign,weight: 1 must link, -1 cannot link\n#:samples %zu\n", constraints->n);
    return seg_rows_write(ctx, path, &(seg_rows){head, constraints->pairs, 4, pair_row, &(listed){constraints, base}});
}
