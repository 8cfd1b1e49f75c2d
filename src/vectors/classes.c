#include "vectors/classes.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT = 32 }; /* bytes of a double in decimal notation with 17 digits */

typedef struct entry {
    double number;
    const char *text;
    size_t length, thing;
} entry;

/* Equal values by thing, so that a class takes its name from its first thing. */
static int by_thing(const entry *a, const entry *b) {
    return a->thing < b->thing ? -1 : a->thing > b->thing;
}

static int compare_numbers(const void *first, const void *second) {
    const entry *a = first, *b = second;
    return a->number < b->number ? -1 : a->number > b->number ? 1 : by_thing(a, b);
}

static int compare_bytes(const entry *a, const entry *b) {
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : a->length < b->length ? -1 : a->length > b->length;
}

static int compare_texts(const void *first, const void *second) {
    int order = compare_bytes(first, second);
    return order ? order : by_thing(first, second);
}

/* Copy the names of the classes' first entries into one block: the pointers, then the texts. */
static seg_status copy_names(seg_context *ctx, const entry *sorted, const size_t *first, seg_labels *out) {
    size_t classes = (size_t)out->classes, bytes = 0;
    for (size_t c = 0; c < classes; c++)
        bytes += sorted[first[c]].length + 1;
    out->name = seg_alloc(ctx, classes * sizeof *out->name + bytes, 1);
    if (!out->name)
        return SEG_ERR_MEMORY;
    char *at = (char *)(out->name + classes);
    for (size_t c = 0; c < classes; c++) {
        const entry *e = &sorted[first[c]];
        memcpy(at, e->text, e->length);
        at[e->length] = 0;
        out->name[c] = at;
        at += e->length + 1;
    }
    return SEG_OK;
}

static seg_status number_classes(seg_context *ctx, const char *label, entry *all, size_t n, int numeric,
                                 seg_labels *out) {
    seg_status status = SEG_ERR_MEMORY;
    size_t *first = seg_alloc(ctx, SEG_MAX_CLASSES, sizeof *first);
    out->n = n;
    out->label = seg_alloc(ctx, n, sizeof *out->label);
    if (!first || !out->label)
        goto done;
    qsort(all, n, sizeof *all, numeric ? compare_numbers : compare_texts);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || (numeric ? all[i].number != all[i - 1].number : compare_bytes(&all[i], &all[i - 1]) != 0)) {
            if (out->classes == SEG_MAX_CLASSES) {
                status = seg_fail(ctx, SEG_ERR_INPUT,
                                  "'%s' has more than %d different labels; is that column a measurement?", label,
                                  SEG_MAX_CLASSES);
                goto done;
            }
            first[out->classes++] = i;
        }
        out->label[all[i].thing] = out->classes - 1;
    }
    status = copy_names(ctx, all, first, out);
done:
    free(first);
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
        all[i] = (entry){.text = text[i].text, .length = text[i].length, .thing = i};
        numeric = numeric && seg_number_parse(text[i].text, text[i].length, locale, &all[i].number) == SEG_NUMBER_GOOD;
    }
    status = number_classes(ctx, label, all, n, numeric, out);
done:
    free(all);
    if (locale)
        freelocale(locale);
    return status;
}

seg_status seg_classes_of_numbers(seg_context *ctx, const char *label, const double *number, size_t n, size_t stride,
                                  seg_labels *out) {
    memset(out, 0, sizeof *out);
    entry *all = seg_alloc(ctx, n, sizeof *all);
    char(*text)[NUMBER_TEXT] = seg_alloc(ctx, n, sizeof *text);
    seg_status status = SEG_ERR_MEMORY;
    if (!all || !text)
        goto done;
    for (size_t i = 0; i < n; i++) {
        double value = number[i * stride];
        int length = snprintf(text[i], sizeof text[i], "%.17g", value);
        all[i] = (entry){.number = value, .text = text[i], .length = (size_t)length, .thing = i};
    }
    status = number_classes(ctx, label, all, n, 1, out);
done:
    free(all);
    free(text);
    return status;
}

void seg_labels_free(seg_labels *labels) {
    if (!labels)
        return;
    free(labels->label);
    free(labels->name);
    memset(labels, 0, sizeof *labels);
}
