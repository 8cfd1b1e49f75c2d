#include "vectors/table.h"
#include "base/base.h"
#include "base/header_row.h"

enum {
    LONGEST = 400,     /* characters: more digits than any double has in decimal notation with a small exponent */
    EXACT_DIGITS = 19, /* decimal digits that 64 bits can hold */
    EXACT_POWER = 22   /* the largest power of ten that a double holds exactly */
};

static const double power_of_ten[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static seg_number_kind classify_word(const char *text, size_t length) {
    if (seg_is_missing_value(text, length))
        return SEG_NUMBER_MISSING;
    const size_t sign = length > 0 && (*text == '+' || *text == '-'), letters = length - sign;
    const int infinite = (letters == 3 || letters == 8) && strncasecmp(text + sign, "infinity", letters) == 0;
    return infinite ? SEG_NUMBER_LARGE : SEG_NUMBER_WORD;
}

static seg_number_kind bounded(double value, double *out) {
    *out = value;
    return fabs(value) <= SEG_LARGEST_NUMBER ? SEG_NUMBER_GOOD : SEG_NUMBER_LARGE;
}

/* The caller has checked the grammar: strtod would also accept hexadecimal, "inf" and leading blanks. */
static seg_number_kind parse_slowly(const char *text, size_t length, locale_t locale, double *value) {
    char copy[LONGEST + 1], *end;
    if (length > LONGEST)
        return SEG_NUMBER_WORD;
    memcpy(copy, text, length);
    copy[length] = 0;
    double read = strtod_l(copy, &end, locale);
    return *end ? SEG_NUMBER_WORD : bounded(read, value);
}

seg_number_kind seg_number_parse(const char *text, size_t length, locale_t locale, double *value) {
    const char *at = text, *end = text + length;
    uint64_t digits = 0; /* the digits as one whole number */
    int seen = 0, significant = 0, power = 0, negative = 0;
    if (at < end && (*at == '+' || *at == '-'))
        negative = *at++ == '-';
    for (int behind_point = 0; at < end; at++) {
        unsigned digit = (unsigned char)*at - (unsigned)'0';
        if (digit < 10) {
            seen = 1;
            power -= behind_point;
            if (significant < EXACT_DIGITS)
                digits = 10 * digits + digit;
            significant += significant > 0 || digit > 0;
        } else if (*at == '.' && !behind_point) {
            behind_point = 1;
        } else {
            break;
        }
    }
    if (!seen)
        return classify_word(text, length);
    if (at < end) { /* an exponent, and nothing else */
        int exponent = 0, lower = 0;
        if (*at != 'e' && *at != 'E')
            return SEG_NUMBER_WORD;
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            lower = *at++ == '-';
        if (at == end)
            return SEG_NUMBER_WORD;
        for (; at < end; at++) {
            unsigned digit = (unsigned char)*at - (unsigned)'0';
            if (digit > 9)
                return SEG_NUMBER_WORD;
            exponent = exponent < 100000 ? 10 * exponent + (int)digit : exponent;
        }
        power += lower ? -exponent : exponent;
    }
    /* Digits and power of ten are exact, so their product or quotient is rounded once, and correctly. */
    if (significant <= EXACT_DIGITS && digits <= (uint64_t)1 << 53 && power >= -EXACT_POWER && power <= EXACT_POWER) {
        double read = (double)digits;
        read = power < 0 ? read / power_of_ten[-power] : read * power_of_ten[power];
        return bounded(negative ? -read : read, value);
    }
    return parse_slowly(text, length, locale, value);
}

const char *seg_number_fault(seg_number_kind kind) {
    static const char *const faults[] = {
        [SEG_NUMBER_GOOD] = "is a number",
        [SEG_NUMBER_MISSING] = "is a missing value; fill it in or leave the row out",
        [SEG_NUMBER_LARGE] = "is infinite or above 1e200; leave the row out or scale the column down",
        [SEG_NUMBER_WORD] = ("is not a number; write numbers with a decimal point, # before a line of names, and say "
                             "which column holds labels, if one does")};
    return faults[kind];
}

/* ---- Lines and fields. ---- */

#define MARKET "%%MatrixMarket" /* without this check, its first lines would be read as a comment and a row */

enum { LONGEST_QUOTED = 40 }; /* bytes of a field that a message shows */

/* Read the next line that is neither blank nor a comment. @return 0 at the end, else 1 */
static int take_line(seg_table *table, seg_span *line) {
    while (seg_line_next(&table->left, line)) {
        table->line++;
        if (line->at < line->end && *line->at != '#' && *line->at != '%')
            return 1;
    }
    return 0;
}

/* Find the separator in the first line, outside quotes: a semicolon, else a comma, else a tab. A comma between
 * semicolons is a decimal comma, and is refused later. */
static char find_separator(const seg_table *table, int split_blanks) {
    seg_table ahead = *table;
    seg_span line = {NULL, NULL};
    int seen[256] = {0}, quoted = 0;
    for (const int got = take_line(&ahead, &line); got && line.at < line.end; line.at++) {
        quoted ^= *line.at == '"';
        seen[(unsigned char)*line.at] |= !quoted;
    }
    return seen[';'] ? ';' : seen[','] ? ',' : seen['\t'] ? '\t' : split_blanks ? ' ' : 0;
}

seg_status seg_table_open(seg_context *ctx, const seg_loaded *file, int split_blanks, seg_table *out) {
    const char *label = file->label;
    const unsigned char *bytes = file->at;
    const size_t size = file->size;
    memset(out, 0, sizeof *out);
    out->label = label;
    out->left = (seg_span){(const char *)bytes, (const char *)bytes + size};
    const char *zero = memchr(bytes, 0, size);
    if (zero) {
        size_t line = 1;
        for (const char *c = out->left.at; c < zero; c++)
            line += *c == '\n';
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s:%zu: this is not text (a zero byte); give a UTF-8 text, also as gzip, or data as NPY",
                        label, line);
    }
    if (size >= sizeof MARKET - 1 && strncasecmp(out->left.at, MARKET, sizeof MARKET - 1) == 0)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s:1: this is a MatrixMarket file; write a table as CSV or NPY, a graph as lines i j weight",
                        label);
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        out->left.at += 3; /* byte order mark */
    out->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!out->locale)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory: no locale for reading '%s'", label);
    out->separator = find_separator(out, split_blanks);
    return SEG_OK;
}

void seg_table_close(seg_table *table) {
    free(table->field);
    if (table->locale)
        freelocale(table->locale);
    memset(table, 0, sizeof *table);
}

/* Find the closing quote of a field; `at` is behind the opening one. A doubled quote is part of the text. */
static const char *closing_quote(const char *at, const char *last) {
    for (; at < last; at++)
        if (*at == '"') {
            if (at + 1 == last || at[1] != '"')
                return at;
            at++;
        }
    return NULL;
}

static int separates(const seg_table *table, char c) {
    return table->separator == ' ' ? seg_is_blank(c) : c == table->separator;
}

static seg_status split(seg_context *ctx, seg_table *table, const char *at, const char *last) {
    table->fields = 0;
    for (;;) {
        const char *from, *to;
        while (at < last && seg_is_blank(*at) && *at != table->separator)
            at++;
        if (at < last && *at == '"') {
            from = at + 1;
            to = closing_quote(from, last);
            at = to ? to + 1 : last;
            while (at < last && seg_is_blank(*at) && !separates(table, *at))
                at++;
            if (!to || (at < last && !separates(table, *at)))
                return seg_fail(ctx, SEG_ERR_INPUT, "%s:%zu: column %zu has a quote that does not end with the field",
                                table->label, table->line, table->fields + 1);
        } else {
            from = at;
            while (at < last && !separates(table, *at))
                at++;
            to = at;
            while (to > from && seg_is_blank(to[-1]))
                to--;
        }
        SEG_TRY(seg_extend(ctx, &table->field, table->fields, sizeof *table->field));
        table->field[table->fields++] = (seg_field){from, (size_t)(to - from)};
        if (at >= last)
            return SEG_OK;
        at++;
        while (table->separator == ' ' && at < last && seg_is_blank(*at))
            at++; /* a run of blanks is one separator; none ends the line, which is trimmed */
    }
}

seg_status seg_table_next(seg_context *ctx, seg_table *table, int *more) {
    seg_span line = {NULL, NULL};
    table->fields = 0;
    *more = take_line(table, &line);
    return *more ? split(ctx, table, line.at, line.end) : SEG_OK;
}

size_t seg_table_lines_left(const seg_table *table) {
    seg_span left = table->left, line;
    size_t lines = 0;
    while (seg_line_next(&left, &line))
        lines++;
    return lines;
}

seg_status seg_table_refuse(seg_context *ctx, const seg_table *table, size_t column, const char *fault) {
    const seg_field *field = &table->field[column];
    int cut = field->length > LONGEST_QUOTED;
    if (field->length == 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "%s:%zu: column %zu is empty: it %s", table->label, table->line, column + 1,
                        fault);
    return seg_fail(ctx, SEG_ERR_INPUT, "%s:%zu: column %zu, '%.*s%s', %s", table->label, table->line, column + 1,
                    cut ? LONGEST_QUOTED : (int)field->length, field->text, cut ? "..." : "", fault);
}

seg_status seg_table_number(seg_context *ctx, const seg_table *table, size_t column, double *value) {
    const seg_field *field = &table->field[column];
    seg_number_kind kind = seg_number_parse(field->text, field->length, table->locale, value);
    return kind == SEG_NUMBER_GOOD ? SEG_OK : seg_table_refuse(ctx, table, column, seg_number_fault(kind));
}

char **seg_fields_copy(seg_context *ctx, const seg_field *field, size_t count) {
    size_t bytes = 0;
    for (size_t f = 0; f < count; f++)
        bytes += field[f].length + 1;
    char **name = seg_alloc(ctx, count * sizeof *name + bytes, 1), *at = name ? (char *)(name + count) : NULL;
    for (size_t f = 0; name && f < count; f++) {
        name[f] = memcpy(at, field[f].text, field[f].length);
        at[field[f].length] = 0;
        at += field[f].length + 1;
    }
    return name;
}

seg_status seg_table_is_header(seg_context *ctx, const seg_table *table, size_t first, size_t count, int *header) {
    seg_row_look row = {0};
    for (size_t c = 0; c < table->fields; c++)
        seg_row_look_at(&row, table->field[c].text, table->field[c].length);
    *header = seg_row_is_header(row);
    for (size_t c = first; *header && c < first + count && c < table->fields; c++)
        if (table->field[c].length == 0)
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "%s:%zu: the header leaves a column without a name; is it a row number? Leave that column "
                            "out",
                            table->label, table->line);
    return SEG_OK;
}
