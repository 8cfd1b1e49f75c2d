#include "vectors/classes.h"

#include "base/base.h"
#include "vectors/npy.h"
#include "vectors/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT = 32 }; /* bytes of a double in decimal notation with 17 digits */

typedef struct entry {
    double number;
    const char *text;
    size_t length, sample;
} entry;

/* Equal values by sample, so that a class takes its name from its first sample. */
static int by_sample(const entry *a, const entry *b) {
    return a->sample < b->sample ? -1 : a->sample > b->sample;
}

/* A decimal number without sign, point and outer zeros: 0.digits times 10^power. */
typedef struct decimal {
    const char *first, *end; /* from the first digit that is not 0; a point may stand in between */
    long power;              /* 0 where there are no digits */
} decimal;

static decimal decimal_of(const entry *e) {
    const char *at = e->text, *end = e->text + e->length;
    decimal d = {NULL, NULL, 0};
    int behind = 0;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        behind |= *at == '.';
        if (*at < '0' || *at > '9')
            continue;
        if (*at != '0' && !d.first)
            d.first = at;
        if (d.first && *at != '0')
            d.end = at + 1;
        d.power += d.first && !behind;
        d.power -= !d.first && behind;
    }
    if (!d.first)
        return (decimal){end, end, 0};
    if (at < end) {
        long exponent = 0;
        const int lower = at[1] == '-';
        for (at++; at < end; at++)
            if (*at >= '0' && *at <= '9' && exponent < 1000000)
                exponent = 10 * exponent + (*at - '0');
        d.power += lower ? -exponent : exponent;
    }
    return d;
}

static char next_digit(const char **at, const char *end) {
    *at += *at < end && **at == '.';
    return *at < end ? *(*at)++ : '0';
}

/* By value, every digit of it: doubles round whole numbers beyond 2^53. */
static int compare_values(const entry *a, const entry *b) {
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    decimal x = decimal_of(a), y = decimal_of(b);
    const int sign = x.first == x.end ? 0 : a->text[0] == '-' ? -1 : 1;
    const int other = y.first == y.end ? 0 : b->text[0] == '-' ? -1 : 1;
    if (sign != other || sign == 0)
        return (sign > other) - (sign < other);
    if (x.power != y.power)
        return x.power < y.power ? -sign : sign;
    while (x.first < x.end || y.first < y.end) {
        const char p = next_digit(&x.first, x.end), q = next_digit(&y.first, y.end);
        if (p != q)
            return p < q ? -sign : sign;
    }
    return 0;
}

static int compare_numbers(const void *first, const void *second) {
    const int order = compare_values(first, second);
    return order ? order : by_sample(first, second);
}

static int compare_bytes(const entry *a, const entry *b) {
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : a->length < b->length ? -1 : a->length > b->length;
}

static int compare_texts(const void *first, const void *second) {
    int order = compare_bytes(first, second);
    return order ? order : by_sample(first, second);
}

static seg_status number_classes(seg_context *ctx, const char *label, entry *all, size_t n, int numeric,
                                 seg_labels *out) {
    seg_status status = SEG_ERR_MEMORY;
    seg_field *name = seg_alloc(ctx, SEG_MAX_CLASSES, sizeof *name); /* of the first sample of each class */
    out->n = n;
    out->label = seg_alloc(ctx, n, sizeof *out->label);
    if (!name || !out->label)
        goto done;
    qsort(all, n, sizeof *all, numeric ? compare_numbers : compare_texts);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || (numeric ? compare_values(&all[i], &all[i - 1]) : compare_bytes(&all[i], &all[i - 1])) != 0) {
            if (out->classes == SEG_MAX_CLASSES) {
                status = seg_fail(ctx, SEG_ERR_INPUT,
                                  "'%s' has more than %d different labels; is that column a measurement?", label,
                                  SEG_MAX_CLASSES);
                goto done;
            }
            name[out->classes++] = (seg_field){all[i].text, all[i].length};
        }
        out->label[all[i].sample] = out->classes - 1;
    }
    out->name = seg_fields_copy(ctx, name, (size_t)out->classes);
    status = out->name ? SEG_OK : SEG_ERR_MEMORY;
done:
    free(name);
    if (status != SEG_OK)
        seg_labels_free(out);
    return status;
}

seg_status seg_classes_of_texts(seg_context *ctx, const char *label, const seg_field *text, size_t n, seg_labels *out) {
    memset(out, 0, sizeof *out);
    entry *all = seg_alloc(ctx, n, sizeof *all);
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    seg_status status = SEG_ERR_MEMORY;
    int numeric = 1;
    if (!locale) {
        seg_fail(ctx, status, "out of memory: no locale for reading '%s'", label);
        goto done;
    }
    if (!all)
        goto done;
    for (size_t i = 0; i < n; i++) {
        all[i] = (entry){.text = text[i].text, .length = text[i].length, .sample = i};
        numeric = numeric && seg_number_parse(text[i].text, text[i].length, locale, &all[i].number) == SEG_NUMBER_GOOD;
    }
    status = number_classes(ctx, label, all, n, numeric, out);
done:
    free(all);
    if (locale)
        freelocale(locale);
    return status;
}

static seg_status classes_of_numbers(seg_context *ctx, const char *label, const seg_matrix *X, size_t column,
                                     seg_labels *out) {
    memset(out, 0, sizeof *out);
    entry *all = seg_alloc(ctx, X->rows, sizeof *all);
    char(*text)[NUMBER_TEXT] = seg_alloc(ctx, X->rows, sizeof *text);
    for (size_t i = 0; all && text && i < X->rows; i++) {
        const double value = X->at[i * X->cols + column];
        const int length = snprintf(text[i], sizeof text[i], "%.17g", value);
        all[i] = (entry){.number = value, .text = text[i], .length = (size_t)length, .sample = i};
    }
    const seg_status status = all && text ? number_classes(ctx, label, all, X->rows, 1, out) : SEG_ERR_MEMORY;
    free(all);
    free(text);
    return status;
}

seg_status seg_classes_of_npy(seg_context *ctx, const seg_loaded *file, const seg_matrix *X, size_t column,
                              seg_labels *out) {
    memset(out, 0, sizeof *out);
    char *text = seg_alloc(ctx, X->rows, SEG_NPY_TEXT);
    seg_field *field = seg_alloc(ctx, X->rows, sizeof *field);
    int whole = 0;
    seg_status status = text && field ? seg_npy_whole_column(ctx, file, column, text, &whole) : SEG_ERR_MEMORY;
    for (size_t i = 0; whole && i < X->rows; i++)
        field[i] = (seg_field){text + i * SEG_NPY_TEXT, strlen(text + i * SEG_NPY_TEXT)};
    if (status == SEG_OK)
        status = whole ? seg_classes_of_texts(ctx, file->label, field, X->rows, out)
                       : classes_of_numbers(ctx, file->label, X, column, out);
    free(text);
    free(field);
    return status;
}

void seg_labels_free(seg_labels *labels) {
    if (!labels)
        return;
    free(labels->label);
    free(labels->name);
    free(labels->column);
    memset(labels, 0, sizeof *labels);
}
