#include "vectors/classes.h"

#include "base/base.h"
#include "vectors/npy.h"
#include "vectors/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_WHOLE 9007199254740992. /* 2^53: doubles represent all smaller whole numbers exactly */
enum { NUMBER_TEXT = 32 };              /* bytes of a double in decimal notation with 17 digits */

typedef struct entry {
    double number;
    const char *text;
    size_t length, sample;
} entry;

/* Equal values are ordered by sample, so that a class takes its name from its first sample. */
static int by_sample(const entry *a, const entry *b) {
    return a->sample < b->sample ? -1 : a->sample > b->sample;
}

static int compare_numbers(const void *first, const void *second) {
    const entry *a = first, *b = second;
    return a->number != b->number ? (a->number < b->number ? -1 : 1) : by_sample(a, b);
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
    SEG_RELEASED(seg_labels_free) seg_labels made = {.n = n};
    SEG_FREED seg_field *name = seg_alloc(ctx, SEG_MAX_CLASSES, sizeof *name); /* of the first sample of each class */
    made.label = seg_alloc(ctx, n, sizeof *made.label);
    SEG_TRY(seg_allocated(name && made.label));
    qsort(all, n, sizeof *all, numeric ? compare_numbers : compare_texts);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || (numeric ? all[i].number != all[i - 1].number : compare_bytes(&all[i], &all[i - 1]) != 0)) {
            if (made.classes == SEG_MAX_CLASSES)
                return seg_fail(ctx, SEG_ERR_INPUT,
                                "'%s' has more than %d different labels; is that column a measurement?", label,
                                SEG_MAX_CLASSES);
            name[made.classes++] = (seg_field){all[i].text, all[i].length};
        }
        made.label[all[i].sample] = made.classes - 1;
    }
    made.name = seg_fields_copy(ctx, name, (size_t)made.classes);
    SEG_TRY(seg_allocated(made.name));
    *out = made;
    made = (seg_labels){0};
    return SEG_OK;
}

seg_status seg_classes_of_texts(seg_context *ctx, const char *label, const seg_field *text, size_t n, seg_labels *out) {
    memset(out, 0, sizeof *out);
    SEG_FREED entry *all = seg_alloc(ctx, n, sizeof *all);
    int numeric = 1;
    SEG_TRY(seg_allocated(all));
    const locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!locale)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory: no locale for reading '%s'", label);
    for (size_t i = 0; i < n; i++) {
        all[i] = (entry){.text = text[i].text, .length = text[i].length, .sample = i};
        numeric = numeric &&
                  seg_number_parse(text[i].text, text[i].length, locale, &all[i].number) == SEG_NUMBER_GOOD &&
                  fabs(all[i].number) < LARGEST_WHOLE;
    }
    freelocale(locale);
    return number_classes(ctx, label, all, n, numeric, out);
}

seg_status seg_classes_of_column(seg_context *ctx, const seg_loaded *file, const seg_matrix *X, size_t column,
                                 seg_labels *out) {
    memset(out, 0, sizeof *out);
    SEG_FREED entry *all = seg_alloc(ctx, X->rows, sizeof *all);
    SEG_FREED char(*text)[NUMBER_TEXT] = seg_alloc(ctx, X->rows, sizeof *text);
    seg_npy_layout l = {0};
    SEG_TRY(seg_allocated(all && text));
    SEG_TRY(seg_npy_open(ctx, file, &l));
    for (size_t i = 0; i < X->rows; i++) {
        const double value = X->at[i * X->cols + column];
        const int length = snprintf(text[i], sizeof text[i], "%.17g", value);
        all[i] = (entry){.number = value, .text = text[i], .length = (size_t)length, .sample = i};
        if (l.kind != 'f' && !(fabs(value) < LARGEST_WHOLE))
            return seg_fail(
                ctx, SEG_ERR_INPUT,
                "'%s' has the label %.17g in row %zu (from 0); whole numbers that are labels are below 2^53",
                file->label, value, i);
    }
    return number_classes(ctx, file->label, all, X->rows, 1, out);
}

void seg_labels_free(seg_labels *labels) {
    if (!labels)
        return;
    free(labels->label);
    free(labels->name);
    free(labels->column);
    memset(labels, 0, sizeof *labels);
}
