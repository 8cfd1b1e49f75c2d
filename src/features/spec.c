#include "features/spec.h"
#include "base/base.h"

#define LARGEST_WEIGHT 1e100 /* features stay within SEG_LARGEST_FEATURE */
#define LEGAL_NAMES    "mean, spread, position, histogram, lab-histogram, texture"

const char *const seg_feature_names[] = {[SEG_FEATURE_MEAN] = "mean",
                                         [SEG_FEATURE_SPREAD] = "spread",
                                         [SEG_FEATURE_POSITION] = "position",
                                         [SEG_FEATURE_HISTOGRAM] = "histogram",
                                         [SEG_FEATURE_LAB_HISTOGRAM] = "lab-histogram",
                                         [SEG_FEATURE_TEXTURE] = "texture",
                                         [SEG_FEATURE_KINDS] = NULL};

static const size_t columns[SEG_FEATURE_KINDS] = {3, 3, 2, 24, 24, 16};

size_t seg_feature_columns(seg_feature_kind kind) {
    return columns[kind];
}

seg_status seg_feature_spec_check(seg_context *ctx, const seg_feature_spec *spec) {
    int on = 0;
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++) {
        double weight = spec->weight[kind];
        if (!(weight >= 0 && weight <= LARGEST_WEIGHT))
            return seg_fail(ctx, SEG_ERR_USAGE, "features: the weight of '%s' must be a number from 0 to %g",
                            seg_feature_names[kind], LARGEST_WEIGHT);
        on += weight > 0;
    }
    if (!on)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "features: all are switched off; give at least one of " LEGAL_NAMES " a weight above 0");
    return SEG_OK;
}

static int find_kind(const char *name, size_t length) {
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
        if (strlen(seg_feature_names[kind]) == length && strncasecmp(seg_feature_names[kind], name, length) == 0)
            return kind;
    return -1;
}

/* Quoted text is truncated, so that the rest of the message still fits. */
static int shown(size_t length) {
    return length > 64 ? 64 : (int)length;
}

/* Parse one entry, NAME or NAME=WEIGHT. */
static seg_status parse_entry(seg_context *ctx, const char *entry, size_t length, seg_feature_spec *spec,
                              int given[SEG_FEATURE_KINDS]) {
    const char *equals = memchr(entry, '=', length);
    size_t name_length = equals ? (size_t)(equals - entry) : length;
    int kind = find_kind(entry, name_length);
    double weight = 1;
    if (kind < 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "features: '%.*s' is not a feature; the features are " LEGAL_NAMES,
                        shown(name_length), entry);
    if (given[kind])
        return seg_fail(ctx, SEG_ERR_USAGE, "features: '%s' is named twice; name it once", seg_feature_names[kind]);
    given[kind] = 1;
    if (equals) {
        char *end;
        weight = seg_decimal(equals + 1, &end);
        if (end == equals + 1 || end != entry + length || !(weight >= 0 && weight <= LARGEST_WEIGHT))
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "features: '%.*s' is not a weight of '%s'; a weight is a number from 0 to %g",
                            shown(length - name_length - 1), equals + 1, seg_feature_names[kind], LARGEST_WEIGHT);
    }
    spec->weight[kind] = weight;
    return SEG_OK;
}

seg_status seg_feature_spec_parse(seg_context *ctx, const char *text, seg_feature_spec *out) {
    seg_feature_spec spec = {{0}};
    int given[SEG_FEATURE_KINDS] = {0};
    const char *entry = text;
    memset(out, 0, sizeof *out);
    for (size_t length;; entry += length + 1) {
        length = strcspn(entry, ",");
        SEG_TRY(parse_entry(ctx, entry, length, &spec, given));
        if (entry[length] == 0)
            break;
    }
    SEG_TRY(seg_feature_spec_check(ctx, &spec));
    *out = spec;
    return SEG_OK;
}
