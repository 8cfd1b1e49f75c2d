/* Pairs from a CSV file and into one. Numbers are read strictly: a line that is not understood to its end is refused,
 * so that a slipped column never becomes a constraint. */
#include "base/base.h"
#include "base/header_row.h"
#include "base/lines.h"
#include "constraints/closed.h"
#include "constraints/origins.h"
#include "features/grid.h"
#include "image/raster.h"
#include "vectors/vectors_write.h"

#include <segment/constraints.h>

#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FIELDS = 6, FIELD_SIZE = 64 };

typedef struct reader {
    seg_context *ctx;
    const char *path;
    size_t line; /* from 1 */
    const seg_patch_grid *grid;
    int base; /* number of the first sample */
    seg_constraints *constraints;
    seg_constraints *unknown; /* where pairs of sign 0 go; NULL leaves them out */
    locale_t locale;          /* "C": the point is the decimal sign whatever the program's locale */
    char field[MAX_FIELDS][FIELD_SIZE];
    int fields;
} reader;

#define REFUSE(r, format, ...) seg_fail((r)->ctx, SEG_ERR_INPUT, "%s:%zu: " format, (r)->path, (r)->line, __VA_ARGS__)

/* Copy the comma-separated fields of a line, trimmed. */
static seg_status split(reader *r, seg_span line) {
    seg_span field;
    for (r->fields = 0; seg_field_next(&line, ',', &field); r->fields++) {
        const size_t size = seg_span_size(field);
        if (r->fields == MAX_FIELDS)
            return REFUSE(r, "more than %d fields; write i,j,sign[,weight] or x1,y1,x2,y2,sign[,weight]", MAX_FIELDS);
        if (size >= FIELD_SIZE || memchr(field.at, 0, size))
            return REFUSE(r, "field %d is not a number", r->fields + 1);
        memcpy(r->field[r->fields], field.at, size);
        r->field[r->fields][size] = 0;
    }
    return SEG_OK;
}

/* A whole number of at most nine digits, nothing else. */
static int parse_whole(const char *text, int *value) {
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 9 || text[digits])
        return 0;
    *value = atoi(text);
    return 1;
}

static seg_status number(reader *r, int field, const char *what, int limit, int *value) {
    if (!parse_whole(r->field[field], value))
        return REFUSE(r, "field %d, '%s', is not a whole number from 0; write # before a line of names", field + 1,
                      r->field[field]);
    if (*value >= limit)
        return REFUSE(r, "field %d: the %s %d is outside 0..%d", field + 1, what, *value, limit - 1);
    return SEG_OK;
}

/* The number of a sample, which then counts from 0. One past the end shows what the file counts from, as a 0 does. */
static seg_status sample_number(reader *r, int field, int32_t *sample) {
    const int count = (int)r->constraints->n, last = count - 1 + r->base;
    int value;
    seg_status status = number(r, field, "sample", INT_MAX, &value);
    if (status != SEG_OK)
        return status;
    if (value < r->base)
        return REFUSE(r,
                      "field %d: the sample %d is outside %d..%d; the samples are counted from %d here, the file "
                      "counts them from 0",
                      field + 1, value, r->base, last, r->base);
    if (value > last)
        return REFUSE(r, "field %d: the sample %d is outside %d..%d%s", field + 1, value, r->base, last,
                      value == count && r->base == 0 ? "; the samples are counted from 0 here, the file may count "
                                                       "them from 1"
                                                     : "");
    *sample = value - r->base;
    return SEG_OK;
}

static seg_status sign_and_weight(reader *r, int field, seg_pair *pair) {
    const char *text = r->field[field];
    if (strcmp(text, "1") == 0 || strcmp(text, "+1") == 0)
        pair->sign = 1;
    else if (strcmp(text, "-1") == 0)
        pair->sign = -1;
    else if (strcmp(text, "0") == 0)
        pair->sign = 0;
    else
        return REFUSE(r, "the sign '%s' must be 1 (must link), -1 (cannot link) or 0 (not known)", text);
    pair->weight = 1;
    if (field + 1 == r->fields)
        return SEG_OK;
    text = r->field[field + 1];
    char *end = NULL;
    /* The characters are limited first, for strtod also takes hexadecimal, "inf" and "nan". */
    if (text[0] && strspn(text, "0123456789.eE+-") == strlen(text))
        pair->weight = strtod_l(text, &end, r->locale);
    if (!end || *end || !seg_is_weight(pair->weight))
        return REFUSE(r, "the weight '%s' is not a number from %g to %g", text, SEG_LEAST_WEIGHT, SEG_LARGEST_WEIGHT);
    return SEG_OK;
}

/* The two samples of a line: its first 2 (numbers) or 4 (pixels) fields. */
static seg_status samples(reader *r, seg_pair_origin *out) {
    seg_status status = SEG_OK;
    int32_t *const sample[] = {&out->pair.i, &out->pair.j};
    if (!out->pixels) {
        for (int end = 0; end < 2 && status == SEG_OK; end++)
            status = sample_number(r, end, sample[end]);
        return status;
    }
    if (!r->grid)
        return REFUSE(r, "%d fields give pixels, but there is no image; write i,j,sign[,weight]", r->fields);
    for (int end = 0; end < 2; end++) {
        if ((status = number(r, 2 * end, "column", r->grid->width, &out->x[end])) != SEG_OK ||
            (status = number(r, 2 * end + 1, "row", r->grid->height, &out->y[end])) != SEG_OK)
            return status;
        *sample[end] = (int32_t)seg_patch_of_pixel(r->grid, out->x[end], out->y[end]);
    }
    return SEG_OK;
}

/* A cannot-link between pixels that the patches do not tell apart. */
static seg_status refuse_inside(reader *r, const seg_pair_origin *o) {
    const int side = r->grid->side;
    if (o->x[0] == o->x[1] && o->y[0] == o->y[1])
        return REFUSE(r, "pixel (%d,%d) cannot link to itself; name two pixels", o->x[0], o->y[0]);
    return REFUSE(r,
                  "(%d,%d) != (%d,%d), but both pixels lie in one patch of %d x %d, which cannot be divided; use "
                  "smaller patches, or pixels further apart",
                  o->x[0], o->y[0], o->x[1], o->y[1], side, side);
}

static seg_status read_line(reader *r, seg_span line) {
    seg_status status = split(r, line);
    if (status != SEG_OK)
        return status;
    if (r->fields < 3)
        return REFUSE(r, "%d fields; write i,j,sign[,weight] or x1,y1,x2,y2,sign[,weight]", r->fields);
    seg_pair_origin o = {.line = r->line, .pixels = r->fields >= 5, .base = r->base};
    seg_pair *pair = &o.pair;
    if ((status = samples(r, &o)) != SEG_OK || (status = sign_and_weight(r, o.pixels ? 4 : 2, pair)) != SEG_OK)
        return status;
    if (pair->i == pair->j && o.pixels)
        return pair->sign >= 0 ? SEG_OK : refuse_inside(r, &o); /* a must-link is kept anyway */
    if (pair->i == pair->j)
        return REFUSE(r, "sample %d is paired with itself", pair->i + r->base);
    if (pair->sign == 0) {
        pair->sign = 1;
        return r->unknown ? seg_constraints_add(r->ctx, r->unknown, *pair) : SEG_OK;
    }
    status = seg_constraints_add(r->ctx, r->constraints, *pair);
    return status ? status : seg_origins_add(r->ctx, r->constraints, &o);
}

/* What a comment states about the samples that the pairs are of; other comments say nothing. */
static seg_status read_statement(reader *r, const char *text, size_t size) {
    char line[FIELD_SIZE], more;
    int width, height, side;
    size_t samples;
    memcpy(line, text, size < sizeof line ? size : sizeof line - 1);
    line[size < sizeof line ? size : sizeof line - 1] = 0;
    const int old = strncmp(line, "#:things", 8) == 0; /* the earlier name */
    if (old || strncmp(line, "#:samples", 9) == 0) {
        if (sscanf(line + (old ? 8 : 9), " %9zu %c", &samples, &more) != 1)
            return REFUSE(r, "'%s' does not give a number of samples", line);
        if (r->grid)
            return REFUSE(r, "the pairs are of %zu rows of a table, and this is an image", samples);
        if (samples != r->constraints->n)
            return REFUSE(r, "the pairs are of %zu samples, but there are %zu; this file belongs to other data",
                          samples, r->constraints->n);
    }
    if (strncmp(line, "#:photo", 7) == 0) {
        if (sscanf(line, "#:photo %9d %9d %9d %c", &width, &height, &side, &more) != 3)
            return REFUSE(r, "'%s' does not give a width, a height and a side of patches", line);
        if (!r->grid)
            return REFUSE(r, "the pairs are of an image of %d x %d pixels, and there is no image", width, height);
        if (width != r->grid->width || height != r->grid->height)
            return REFUSE(r, "the pairs are of an image of %d x %d pixels, and this one has %d x %d", width, height,
                          r->grid->width, r->grid->height);
        if (side != r->grid->side)
            return REFUSE(r, "the pairs are of patches of %d pixels, and these have %d; set patch to %d", side,
                          r->grid->side, side);
    }
    return SEG_OK;
}

/* The line is a header by the rule of base/header_row.h. */
static int is_header(seg_span line) {
    seg_row_look row = {0};
    for (seg_span field; seg_field_next(&line, ',', &field);) {
        while (field.at < field.end && (*field.at == '"' || seg_is_blank(*field.at)))
            field.at++;
        while (field.at < field.end && (field.end[-1] == '"' || seg_is_blank(field.end[-1])))
            field.end--;
        seg_row_look_at(&row, field.at, seg_span_size(field));
    }
    return seg_row_is_header(row);
}

static seg_status read_lines(reader *r, seg_span text) {
    seg_status status = SEG_OK;
    int header_possible = 1;
    seg_span line;
    if (seg_span_size(text) >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0) /* byte order mark */
        text.at += 3;
    while (status == SEG_OK && seg_line_next(&text, &line)) {
        r->line++;
        if (line.at == line.end)
            continue;
        if (*line.at == '#') {
            status = read_statement(r, line.at, seg_span_size(line));
            continue;
        }
        if (!(header_possible && is_header(line)))
            status = read_line(r, line);
        header_possible = 0;
    }
    return status;
}

seg_status seg_constraints_read(seg_context *ctx, const char *path, const seg_patch_grid *grid, int base,
                                seg_constraints *constraints, seg_constraints *unknown) {
    reader r = {.ctx = ctx,
                .path = strcmp(path, "-") == 0 ? "standard input" : path,
                .grid = grid,
                .base = base,
                .constraints = constraints,
                .unknown = unknown};
    SEG_FREED unsigned char *bytes = NULL;
    size_t size = 0, before = constraints->pairs, unknown_before = unknown ? unknown->pairs : 0;
    const size_t origins_before = constraints->origins ? constraints->origins->entries : 0;
    const int files_before = constraints->origins ? constraints->origins->files : 0;
    if (base != 0 && base != 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "samples are counted from 0 or 1, not from %d", base);
    if (grid && (size_t)grid->columns * (size_t)grid->rows != constraints->n)
        return seg_fail(ctx, SEG_ERR_USAGE, "the grid has %d x %d patches, the constraints are of %zu samples",
                        grid->columns, grid->rows, constraints->n);
    seg_status status = seg_file_read(ctx, path, &bytes, &size);
    if (status != SEG_OK)
        return status;
    r.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    status = r.locale ? seg_origins_begin(ctx, constraints, r.path)
                      : seg_fail(ctx, SEG_ERR_MEMORY, "out of memory: no locale for reading %s", r.path);
    if (status == SEG_OK)
        status = read_lines(&r, (seg_span){(const char *)bytes, (const char *)bytes + size});
    if (r.locale)
        freelocale(r.locale);
    if (status != SEG_OK) { /* all of a file or nothing */
        constraints->pairs = before;
        seg_origins_cut(constraints, files_before, origins_before);
        if (unknown)
            unknown->pairs = unknown_before;
    } else
        seg_log(ctx, SEG_LOG_INFO, "%s: %zu pairs", r.path, constraints->pairs - before);
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
    const listed l = {constraints, base};
    char head[96];
    if (base != 0 && base != 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "samples are counted from 0 or 1, not from %d", base);
    snprintf(head, sizeof head, "# i,j,sign,weight: 1 must link, -1 cannot link\n#:samples %zu\n", constraints->n);
    return seg_rows_write(ctx, path, &(seg_rows){head, constraints->pairs, 4, pair_row, &l});
}
