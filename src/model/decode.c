/* A model from the bytes of a file, which anybody may have made: nothing is believed before it is checked. */
#include "model/model.h"

#include "base/base.h"
#include "features/context_features.h"
#include "features/spec.h"
#include "likelihood/tree.h"
#include "model/file_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* What is left to read. Where it ends too early everything reads as 0, and `short_of` says so. */
typedef struct source {
    const unsigned char *at;
    size_t left;
    int short_of;
} source;

static const unsigned char *take(source *s, size_t bytes) {
    const unsigned char *at = s->at;
    if (s->short_of || bytes > s->left) {
        s->short_of = 1;
        return NULL;
    }
    s->at += bytes;
    s->left -= bytes;
    return at;
}

static uint64_t whole(source *s, size_t bytes) {
    const unsigned char *at = take(s, bytes);
    uint64_t value = 0;
    for (size_t b = 0; at && b < bytes; b++)
        value |= (uint64_t)at[b] << 8 * b;
    return value;
}

static double real(source *s) {
    const uint64_t bits = whole(s, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float single(source *s) {
    const uint32_t bits = (uint32_t)whole(s, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static seg_status damaged(seg_context *ctx, const char *name, const char *what) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%.300s' is damaged: %s; learn the model again", name, what);
}

/* A text that ends within its field and breaks no line. */
static int text(source *s, char out[SEG_MODEL_TEXT]) {
    const unsigned char *at = take(s, SEG_MODEL_TEXT);
    if (!at || !memchr(at, 0, SEG_MODEL_TEXT))
        return 0;
    memset(out, 0, SEG_MODEL_TEXT);
    for (size_t i = 0; at[i]; i++) {
        if (at[i] < 0x20 || at[i] == 0x7F)
            return 0;
        out[i] = (char)at[i];
    }
    return 1;
}

/* Magic, format, size and checksum. */
static seg_status check_frame(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name) {
    source s = {bytes, size, 0};
    const unsigned char *magic = take(&s, 8);
    const uint64_t format = whole(&s, 4), stated = whole(&s, 8);
    if (!magic || memcmp(magic, SEG_MODEL_MAGIC, 8) != 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%.300s' is not a model; give a file that 'segment learn' wrote", name);
    if (!s.short_of && format != SEG_MODEL_FORMAT)
        return seg_fail(
            ctx, SEG_ERR_INPUT,
            "'%.300s' is a model of format %u, and this version reads format %d; learn it again, or use the "
            "version that wrote it",
            name, (unsigned)format, SEG_MODEL_FORMAT);
    if (s.short_of || stated > size || size < SEG_MODEL_HEADER + SEG_MODEL_CHECK)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%.300s' is truncated: it has %zu of %llu bytes; copy it again", name,
                        size, s.short_of ? (unsigned long long)SEG_MODEL_HEADER : (unsigned long long)stated);
    if (stated != size)
        return damaged(ctx, name, "it is longer than its header states");
    s = (source){bytes + size - SEG_MODEL_CHECK, SEG_MODEL_CHECK, 0};
    if (whole(&s, SEG_MODEL_CHECK) != crc32_z(crc32(0, NULL, 0), bytes, size - SEG_MODEL_CHECK))
        return damaged(ctx, name, "its checksum does not match");
    return SEG_OK;
}

static int in_range(double value, double low, double high) {
    return value >= low && value <= high; /* a NaN is not */
}

static seg_status read_labels(seg_context *ctx, source *s, const char *name, struct seg_model *out) {
    const uint64_t labels = whole(s, 4);
    if (labels < 1 || labels > SEG_MAX_LABELS)
        return damaged(ctx, name, "its number of labels is not 1 to 254");
    for (int c = 0; c < (int)labels; c++) {
        out->number[c] = (uint8_t)whole(s, 1);
        const unsigned char *colour = take(s, 3);
        if (colour)
            memcpy(out->colour[c], colour, 3);
        if (!text(s, out->name[c]) || out->number[c] > SEG_MAX_LABELS || out->number[c] <= (c ? out->number[c - 1] : 0))
            return damaged(ctx, name, "a label has an invalid number or name");
    }
    out->labels = (int)labels;
    return SEG_OK;
}

static seg_status read_about(seg_context *ctx, source *s, const char *name, struct seg_model *out) {
    const int is_text = text(s, out->version);
    out->seed = whole(s, 8);
    const uint64_t images = whole(s, 4), judged = whole(s, 4);
    const double mean = real(s), least = real(s);
    if (!is_text || images < 1 || images > INT32_MAX || judged > images || !in_range(mean, 0, 1) ||
        !in_range(least, 0, 1))
        return damaged(ctx, name, "its record of the training is invalid");
    out->images = (int)images;
    out->accuracy = (seg_model_accuracy){(int)judged, judged ? mean : NAN, -1, judged ? least : NAN};
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
        out->features.weight[kind] = real(s);
    const uint64_t patch = whole(s, 4), reduce = whole(s, 4);
    if (s->short_of || seg_feature_spec_check(NULL, &out->features) || patch > 64 || reduce > 64 ||
        (reduce && (!patch || patch % reduce)))
        return damaged(ctx, name, "its features are invalid");
    out->patch = (int)patch;
    out->reduce = (int)reduce;
    const seg_status status = read_labels(ctx, s, name, out);
    if (status)
        return status;
    out->sharpness = real(s);
    out->prior = real(s);
    if (s->short_of || !in_range(out->sharpness, 0.01, 100) || !in_range(out->prior, 1e-6, 1e3))
        return damaged(ctx, name, "its calibration is invalid");
    return SEG_OK;
}

/* Children stand behind their parents, so that every way down ends. */
static seg_status read_tree(seg_context *ctx, source *s, const char *name, const seg_forest *forest, seg_tree *tree) {
    const uint64_t leaves = whole(s, 4), k = (uint64_t)forest->groups;
    if (leaves < 1 || leaves > s->left / (SEG_MODEL_NODE + 4 * k) || leaves > 1u << 28)
        return damaged(ctx, name, "a tree has more leaves than the file has bytes");
    tree->leaves = (int32_t)leaves;
    tree->nodes = (int32_t)(2 * leaves - 1);
    tree->node = seg_alloc(ctx, (size_t)tree->nodes, sizeof *tree->node);
    tree->vote = seg_alloc(ctx, (size_t)leaves, (size_t)k * sizeof *tree->vote);
    if (!tree->node || !tree->vote)
        return SEG_ERR_MEMORY;
    for (int32_t i = 0; i < tree->nodes; i++) {
        const uint32_t child = (uint32_t)whole(s, 4), column = (uint32_t)whole(s, 2);
        const int is_leaf = child > INT32_MAX;
        tree->node[i] =
            (seg_tree_node){is_leaf ? -(int32_t)(UINT32_MAX - child) - 1 : (int32_t)child, (int32_t)column, single(s)};
        if (is_leaf ? UINT32_MAX - child >= leaves
                    : (int32_t)child <= i || (int32_t)child >= tree->nodes - 1 || column >= forest->columns ||
                          !isfinite(tree->node[i].threshold))
            return damaged(ctx, name, "a node of a tree has an invalid child");
    }
    for (size_t leaf = 0; leaf < (size_t)leaves; leaf++) {
        double sum = 0;
        for (size_t c = 0; c < (size_t)k; c++) {
            const float vote = tree->vote[leaf * (size_t)k + c] = single(s);
            sum += in_range((double)vote, 0, 1) ? (double)vote : 2;
        }
        if (!s->short_of && fabs(sum - 1) > 1e-3)
            return damaged(ctx, name, "the votes of a leaf are not shares");
    }
    return s->short_of ? damaged(ctx, name, "it ends within a tree") : SEG_OK;
}

static seg_status read_forest(seg_context *ctx, source *s, const char *name, struct seg_model *out) {
    seg_forest *forest = &out->forest;
    const size_t columns = (size_t)whole(s, 4);
    if (columns != seg_series_columns(&out->features) || columns > s->left / 8)
        return damaged(ctx, name, "its forest does not match its features");
    *forest = (seg_forest){.groups = out->labels, .columns = columns};
    forest->scale = seg_alloc(ctx, columns, sizeof *forest->scale);
    if (!forest->scale)
        return SEG_ERR_MEMORY;
    for (size_t c = 0; c < columns; c++)
        if (!in_range(forest->scale[c] = real(s), 1e-308, 1e308))
            return damaged(ctx, name, "the scale of a column is invalid");
    const uint64_t trees = whole(s, 4);
    if (trees < 1 || trees > s->left / SEG_MODEL_NODE || trees > 1000)
        return damaged(ctx, name, "its number of trees is not 1 to 1000, or more than the file has bytes");
    forest->tree = seg_alloc_zero(ctx, (size_t)trees, sizeof *forest->tree);
    if (!forest->tree)
        return SEG_ERR_MEMORY;
    forest->trees = (int)trees;
    for (int t = 0; t < forest->trees; t++) {
        const seg_status status = read_tree(ctx, s, name, forest, &forest->tree[t]);
        if (status)
            return status;
    }
    return SEG_OK;
}

static seg_status read_novelty(seg_context *ctx, source *s, const char *name, struct seg_model *out) {
    seg_novelty *novelty = &out->novelty;
    const size_t count = (size_t)whole(s, 4), columns = (size_t)whole(s, 4);
    const double reach = real(s);
    if (count < 1 || count > SEG_NOVELTY_MOST || columns < 1 || columns > out->forest.columns ||
        columns > s->left / 8 || count > (s->left - 8 * columns) / (4 * columns) || !in_range(reach, 0, 1e30))
        return damaged(ctx, name, "it has more samples than the file has bytes");
    *novelty = (seg_novelty){.count = count, .columns = columns, .reach = reach};
    novelty->scale = seg_alloc(ctx, columns, sizeof *novelty->scale);
    novelty->row = seg_alloc(ctx, count, columns * sizeof *novelty->row);
    if (!novelty->scale || !novelty->row)
        return SEG_ERR_MEMORY;
    for (size_t c = 0; c < columns; c++)
        if (!in_range(novelty->scale[c] = real(s), 1e-30, 1e200))
            return damaged(ctx, name, "the scale of a sample column is invalid");
    for (size_t e = 0; e < count * columns; e++)
        if (!isfinite(novelty->row[e] = single(s)))
            return damaged(ctx, name, "a number of a sample is not finite");
    return s->left != SEG_MODEL_CHECK ? damaged(ctx, name, "it has bytes after its end") : SEG_OK;
}

seg_status seg_model_decode(seg_context *ctx, const void *bytes, size_t size, const char *name, struct seg_model *out) {
    seg_status status = check_frame(ctx, bytes, size, name);
    source s = {bytes, size, 0};
    memset(out, 0, sizeof *out);
    take(&s, SEG_MODEL_HEADER);
    if (!status)
        status = read_about(ctx, &s, name, out);
    if (!status)
        status = read_forest(ctx, &s, name, out);
    if (!status)
        status = read_novelty(ctx, &s, name, out);
    return status;
}
