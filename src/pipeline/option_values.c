#include "pipeline/option_values.h"
#include "base/base.h"
#include "features/spec.h"
#include "methods/method.h"
#include "pipeline/option_fields.h"

#include <inttypes.h>

/* Each reading function fails with a message that begins with the option's name. */

/* The set of characters excludes leading blanks, which strtoll would accept. */
static seg_status read_whole(seg_context *ctx, const seg_option *row, const char *text, int64_t *out) {
    const double limit = 9.2e18; /* as a double, INT64_MAX is beyond the type */
    const int64_t low = (int64_t)row->low, high = row->high > limit ? INT64_MAX : (int64_t)row->high;
    char *end = NULL;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (!*text || strspn(text, "+-0123456789") != strlen(text) || *end || errno || value < low || value > high)
        return seg_fail(ctx, SEG_ERR_USAGE, "%s takes a whole number from %" PRId64 " to %" PRId64 ", not '%s'",
                        row->name, low, high, text);
    *out = value;
    return SEG_OK;
}

/* Decimal notation only: no "inf", "nan", hexadecimal digits or leading blanks. */
static seg_status read_real(seg_context *ctx, const seg_option *row, const char *text, double *out) {
    char *end = NULL;
    const double value = seg_decimal(text, &end);
    if (*text && strspn(text, "+-.0123456789eE") == strlen(text) && !*end && isfinite(value) && value >= row->low &&
        value <= row->high) {
        *out = value;
        return SEG_OK;
    }
    if (isinf(row->high))
        return seg_fail(ctx, SEG_ERR_USAGE, "%s takes a number of at least %g, not '%s'", row->name, row->low, text);
    return seg_fail(ctx, SEG_ERR_USAGE, "%s takes a number from %g to %g, not '%s'", row->name, row->low, row->high,
                    text);
}

static seg_status read_choice(seg_context *ctx, const seg_option *row, const char *text, int *out) {
    char list[256];
    for (int i = 0; row->choices[i]; i++)
        if (strcasecmp(row->choices[i], text) == 0) {
            *out = i + (int)row->low;
            return SEG_OK;
        }
    seg_list_choices(row->choices, list, sizeof list);
    return seg_fail(ctx, SEG_ERR_USAGE, "%s takes %s, not '%s'", row->name, list, text);
}

/* Powers of 1000, for short and in full, and of 1024. */
static const char *const units[][3] = {
    {"", "B", "B"}, {"K", "kB", "KiB"}, {"M", "MB", "MiB"}, {"G", "GB", "GiB"}, {"T", "TB", "TiB"}};
enum { UNITS = sizeof units / sizeof *units };
#define MOST_BYTES 1e18

static seg_status read_bytes(seg_context *ctx, const seg_option *row, const char *text, size_t *out) {
    char *end = NULL;
    const double value = seg_decimal(text, &end);
    const size_t digits = strspn(text, "0123456789.");
    for (int u = 0; digits && end == text + digits && u < 3 * UNITS; u++) {
        const double bytes = value * pow(u % 3 < 2 ? 1000 : 1024, u / 3);
        if (strcasecmp(end, units[u / 3][u % 3]) == 0 && bytes >= 1 && bytes <= MOST_BYTES) {
            *out = (size_t)bytes;
            return SEG_OK;
        }
    }
    return seg_fail(ctx, SEG_ERR_USAGE, "%s takes a size like 500M, 2G or 1.5GiB, or a number of bytes, not '%s'",
                    row->name, text);
}

enum { LABEL_BYTES = sizeof((seg_options *)NULL)->islands.remove };

/* 1,3 or all; label 0 is none. */
static seg_status read_labels(seg_context *ctx, const seg_option *row, const char *text, uint8_t *out) {
    uint8_t bits[LABEL_BYTES] = {0};
    if (strcasecmp(text, "all") == 0) {
        memset(out, 0xFF, LABEL_BYTES);
        return SEG_OK;
    }
    for (int more = 1; more;) {
        char *end = NULL;
        const unsigned long label = strspn(text, "0123456789") ? strtoul(text, &end, 10) : 0;
        if (label < 1 || label > 255 || (*end && *end != ','))
            return seg_fail(ctx, SEG_ERR_USAGE, "%s takes labels from 1 to 255 separated by commas, or all, not '%s'",
                            row->name, text);
        bits[label / 8] |= (uint8_t)(1 << label % 8);
        more = *end == ',';
        text = end + more;
    }
    memcpy(out, bits, sizeof bits);
    return SEG_OK;
}

/* auto, keep, remove or remove:LABELS. */
static seg_status read_islands(seg_context *ctx, const seg_option *row, const char *text, seg_islands_rule *out) {
    static const char of[] = "remove:";
    seg_islands_rule rule = {0};
    int usual = SEG_ISLANDS_AUTO;
    SEG_TRY(strncasecmp(text, of, sizeof of - 1) == 0 ? read_labels(ctx, row, text + sizeof of - 1, rule.remove)
                                                      : read_choice(ctx, row, text, &usual));
    rule.usual = (seg_islands)usual;
    *out = rule;
    return SEG_OK;
}

/* X,Y,W,H */
static seg_status read_box(seg_context *ctx, const seg_option *row, const char *text, seg_box *out) {
    int number[4], used = 0;
    if (strspn(text, "0123456789,") == strlen(text) && strlen(text) < 40 &&
        sscanf(text, "%9d,%9d,%9d,%9d%n", &number[0], &number[1], &number[2], &number[3], &used) == 4 && !text[used] &&
        number[2] && number[3]) {
        *out = (seg_box){number[0], number[1], number[2], number[3]};
        return SEG_OK;
    }
    return seg_fail(ctx, SEG_ERR_USAGE, "%s takes left, top, width and height in pixels, as in 10,20,200,100, not '%s'",
                    row->name, text);
}

static seg_status add_text(seg_context *ctx, seg_texts *texts, const char *text) {
    SEG_TRY(seg_extend(ctx, &texts->at, (size_t)texts->count, sizeof *texts->at));
    texts->at[texts->count++] = text;
    return SEG_OK;
}

static seg_status set_method(seg_context *ctx, const seg_option *row, const char *text, seg_options *out) {
    const seg_method *method = NULL;
    seg_method_variant variant = SEG_VARIANT_IMPROVED;
    seg_params params;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    if (!seg_method_find(name))
        return seg_fail(ctx, SEG_ERR_USAGE, "%s: there is no method '%s'", row->name, text);
    SEG_TRY(seg_method_parse(ctx, text, &method, &variant));
    SEG_TRY(seg_params_variant(ctx, method, variant, &params));
    out->method = method->name;
    out->variant = variant;
    out->params = params;
    out->params_set = 1;
    return SEG_OK;
}

static seg_status set_param(seg_context *ctx, const seg_option *row, const char *text, seg_options *out) {
    const seg_method *method = out->method ? seg_method_find(out->method) : NULL;
    if (!method)
        return seg_fail(ctx, SEG_ERR_USAGE, "%s %s: name the method to which the parameter belongs", row->name, text);
    if (!out->params_set)
        out->params = seg_params_default(method);
    out->params_set = 1;
    return seg_params_set(ctx, method, text, &out->params);
}

seg_status seg_option_set(seg_context *ctx, const seg_option *row, void *base, const char *text) {
    void *field = (char *)base + row->offset;
    seg_feature_spec features;
    int64_t whole;
    int number = 0;
    switch (row->type) {
    case SEG_OPTION_FLAG:
        ++*(int *)field;
        break;
    case SEG_OPTION_INT:
        SEG_TRY(read_whole(ctx, row, text, &whole));
        *(int *)field = (int)whole;
        break;
    case SEG_OPTION_WHOLE:
        return read_whole(ctx, row, text, field);
    case SEG_OPTION_REAL:
        return read_real(ctx, row, text, field);
    case SEG_OPTION_CHOICE:
        SEG_TRY(read_choice(ctx, row, text, &number));
        memcpy(field, &number, sizeof number); /* an enum's type is not int, but of its size */
        break;
    case SEG_OPTION_BYTES:
        return read_bytes(ctx, row, text, field);
    case SEG_OPTION_TEXT:
        *(const char **)field = text;
        break;
    case SEG_OPTION_TEXTS:
        return add_text(ctx, field, text);
    case SEG_OPTION_FEATURES:
        SEG_TRY(seg_feature_spec_parse(ctx, text, &features));
        *(seg_feature_spec *)field = features;
        break;
    case SEG_OPTION_METHOD:
        return set_method(ctx, row, text, (seg_options *)(void *)((char *)field - offsetof(seg_options, method)));
    case SEG_OPTION_PARAM:
        return set_param(ctx, row, text, field);
    case SEG_OPTION_LABELS:
        return read_labels(ctx, row, text, field);
    case SEG_OPTION_ISLANDS:
        return read_islands(ctx, row, text, field);
    case SEG_OPTION_BOX:
        return read_box(ctx, row, text, field);
    case SEG_OPTION_SHARED:
        break;
    }
    return SEG_OK;
}

/* NAME or NAME:paper. */
static const char *method_text(const seg_options *options, char *text, size_t size) {
    if (!options->method || options->variant != SEG_VARIANT_PAPER)
        return options->method;
    snprintf(text, size, "%s:paper", options->method);
    return text;
}

/* As few digits as give the same number again. */
static const char *real_text(double value, char *text, size_t size) {
    snprintf(text, size, "%.15g", value);
    if (seg_decimal(text, NULL) != value)
        snprintf(text, size, "%.17g", value);
    return text;
}

static const char *bytes_text(size_t bytes, char *text, size_t size) {
    if (!bytes)
        return NULL;
    snprintf(text, size, "%zu", bytes);
    for (size_t u = 1, factor = 1000; u < UNITS; u++, factor *= 1000)
        if (bytes % factor == 0)
            snprintf(text, size, "%zu%s", bytes / factor, units[u][0]);
    return text;
}

/* "mean=1,spread=0.6" */
static const char *features_text(const seg_feature_spec *spec, char *text, size_t size) {
    char real[32];
    size_t used = 0;
    text[0] = 0;
    for (int kind = 0; kind < SEG_FEATURE_KINDS && used < size; kind++)
        if (spec->weight[kind] > 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used ? "," : "", seg_feature_names[kind],
                                     real_text(spec->weight[kind], real, sizeof real));
    return used < size ? text : NULL;
}

static const char *labels_text(const uint8_t *bits, char *text, size_t size) {
    size_t used = 0;
    int count = 0;
    for (int l = 1; l < 8 * LABEL_BYTES; l++)
        count += bits[l / 8] >> l % 8 & 1;
    if (count == 0)
        return NULL;
    if (count == 8 * LABEL_BYTES - 1)
        return "all";
    for (int l = 1; l < 8 * LABEL_BYTES && used < size; l++)
        if (bits[l / 8] >> l % 8 & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%d", used ? "," : "", l);
    return used < size ? text : NULL;
}

static const char *islands_text(const seg_option *row, const seg_islands_rule *rule, char *text, size_t size) {
    const size_t used = (size_t)snprintf(text, size, "%s:", row->choices[SEG_ISLANDS_REMOVE]);
    const char *labels = labels_text(rule->remove, text + used, size - used);
    if (labels && labels != text + used)
        snprintf(text + used, size - used, "%s", labels);
    return labels ? text : row->choices[rule->usual];
}

static const char *box_text(const seg_box *box, char *text, size_t size) {
    snprintf(text, size, "%d,%d,%d,%d", box->x, box->y, box->width, box->height);
    return box->width ? text : NULL;
}

const char *seg_option_get(const seg_option *row, const void *base, char *text, size_t size) {
    const void *field = (const char *)base + row->offset;
    int number = 0;
    if (size < 32)
        return NULL;
    switch (row->type) {
    case SEG_OPTION_FLAG:
        snprintf(text, size, "%d", *(const int *)field);
        return *(const int *)field ? text : NULL;
    case SEG_OPTION_INT:
        number = *(const int *)field;
        snprintf(text, size, "%d", number);
        return row->traits & SEG_OPTION_UNSET_BELOW && number < row->low ? NULL : text;
    case SEG_OPTION_WHOLE:
        snprintf(text, size, "%" PRId64, *(const int64_t *)field);
        return text;
    case SEG_OPTION_REAL:
        return real_text(*(const double *)field, text, size);
    case SEG_OPTION_CHOICE:
        memcpy(&number, field, sizeof number);
        return row->choices[number - (int)row->low];
    case SEG_OPTION_BYTES:
        return bytes_text(*(const size_t *)field, text, size);
    case SEG_OPTION_TEXT:
        return *(const char *const *)field;
    case SEG_OPTION_METHOD:
        return method_text((const seg_options *)(const void *)((const char *)field - offsetof(seg_options, method)),
                           text, size);
    case SEG_OPTION_FEATURES:
        return features_text(field, text, size);
    case SEG_OPTION_LABELS:
        return labels_text(field, text, size);
    case SEG_OPTION_ISLANDS:
        return islands_text(row, field, text, size);
    case SEG_OPTION_BOX:
        return box_text(field, text, size);
    case SEG_OPTION_TEXTS:
    case SEG_OPTION_PARAM:
    case SEG_OPTION_SHARED:
        break;
    }
    return NULL;
}
