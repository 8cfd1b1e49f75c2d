/* A model as the bytes of its file (docs/model-file.md), written and read by the same traversal of its fields. Bytes
 * that are read are untrusted: every value is checked before use. */
#include "model/model.h"

#include "base/base.h"
#include "features/channels.h"
#include "features/context_features.h"
#include "features/spec.h"
#include "likelihood/tree.h"

#include <zlib.h>

/* The source or destination of the bytes. If a file ends too early, everything reads as 0 and `short_of` is set. */
typedef struct stream {
    const unsigned char *from; /* the remaining bytes; NULL: the model is written */
    size_t left;
    int short_of;
    unsigned char *to; /* NULL: the bytes are only counted */
    size_t written;
    seg_context *ctx;
    const char *name; /* of the file that is read */
    unsigned format;
} stream;

/* Read the next bytes of the file into `at`, or write those at `at`. @return 0 if the file ends too early */
static int put_or_take(stream *s, void *at, size_t bytes) {
    if (!s->from) {
        if (s->to)
            memcpy(s->to + s->written, at, bytes);
        s->written += bytes;
        return 1;
    }
    s->short_of |= bytes > s->left;
    if (s->short_of) {
        memset(at, 0, bytes);
        return 0;
    }
    memcpy(at, s->from, bytes);
    s->from += bytes;
    s->left -= bytes;
    return 1;
}

/* Read or write integers and IEEE 754 numbers, least significant byte first. @return the number in the file */
static uint64_t whole(stream *s, uint64_t value, size_t bytes) {
    unsigned char byte[8];
    for (size_t b = 0; b < bytes; b++)
        byte[b] = (unsigned char)(value >> 8 * b);
    put_or_take(s, byte, bytes);
    value = 0;
    for (size_t b = 0; b < bytes; b++)
        value |= (uint64_t)byte[b] << 8 * b;
    return value;
}

static double real(stream *s, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = whole(s, bits, 8);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float single(stream *s, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (uint32_t)whole(s, bits, 4);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int in_range(double value, double low, double high) {
    return value >= low && value <= high; /* false for NaN */
}

/* Read or write `count` numbers. @return whether all numbers read are in the range */
static int reals(stream *s, double *at, size_t count, double low, double high) {
    int good = 1;
    for (size_t i = 0; i < count && s->from; i++)
        good &= in_range(at[i] = real(s, 0), low, high);
    for (size_t i = 0; i < count && !s->from; i++)
        real(s, at[i]);
    return good;
}

static int singles(stream *s, float *at, size_t count) {
    int good = 1;
    for (size_t i = 0; i < count && s->from; i++)
        good &= isfinite(at[i] = single(s, 0));
    for (size_t i = 0; i < count && !s->from; i++)
        single(s, at[i]);
    return good;
}

/* Read or write a text. @return whether a text that was read ends within its field and has no line breaks */
static int text(stream *s, char at[SEG_MODEL_TEXT]) {
    if (!put_or_take(s, at, SEG_MODEL_TEXT) || !memchr(at, 0, SEG_MODEL_TEXT))
        return 0;
    const size_t length = strlen(at);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)at[i] < 0x20 || at[i] == 0x7F)
            return 0;
    if (s->from)
        memset(at + length, 0, SEG_MODEL_TEXT - length);
    return 1;
}

static seg_status damaged(const stream *s, const char *what) {
    return seg_fail(s->ctx, SEG_ERR_INPUT, "'%.300s' is damaged: %s; learn the model again", s->name, what);
}

static seg_status walk_about(stream *s, struct seg_model *m) {
    seg_model_accuracy *a = &m->accuracy;
    const int is_text = text(s, m->version);
    m->seed = whole(s, m->seed, 8);
    const uint64_t images = whole(s, (uint64_t)m->images, 4), judged = whole(s, (uint64_t)a->images, 4);
    const double mean = real(s, a->images ? a->mean : 0), least = real(s, a->images ? a->least : 0);
    if (!is_text || images < 1 || images > INT32_MAX || judged > images || !in_range(mean, 0, 1) ||
        !in_range(least, 0, 1))
        return damaged(s, "its record of the training is invalid");
    m->images = (int)images;
    *a = (seg_model_accuracy){(int)judged, judged ? mean : NAN, -1, judged ? least : NAN};
    reals(s, m->features.weight, SEG_FEATURE_KINDS, 0, 0); /* checked together: */
    const uint64_t patch = whole(s, (uint64_t)m->patch, 4), reduce = whole(s, (uint64_t)m->reduce, 4);
    if (s->short_of || seg_feature_spec_check(NULL, &m->features) || patch > 64 || reduce > 64 ||
        (reduce && (!patch || patch % reduce)))
        return damaged(s, "its features are invalid");
    m->patch = (int)patch;
    m->reduce = (int)reduce;
    const uint64_t channels = s->format > SEG_MODEL_FORMAT ? whole(s, (uint64_t)m->channels, 4) : 1;
    if (channels > SEG_MAX_CHANNELS || channels < s->format)
        return damaged(s, "its number of channels is not 2 to 64");
    m->channels = (int)channels;
    const uint64_t labels = whole(s, (uint64_t)m->labels, 4);
    if (labels < 1 || labels > SEG_MAX_LABELS)
        return damaged(s, "its number of labels is not 1 to 254");
    m->labels = (int)labels;
    for (int c = 0; c < m->labels; c++) {
        m->number[c] = (uint8_t)whole(s, m->number[c], 1);
        put_or_take(s, m->colour[c], 3);
        if (!text(s, m->name[c]) || m->number[c] > SEG_MAX_LABELS || m->number[c] <= (c ? m->number[c - 1] : 0))
            return damaged(s, "a label has an invalid number or name");
    }
    m->sharpness = real(s, m->sharpness);
    m->prior = real(s, m->prior);
    if (s->short_of || !in_range(m->sharpness, 0.01, 100) || !in_range(m->prior, 1e-6, 1e3))
        return damaged(s, "its calibration is invalid");
    return SEG_OK;
}

/* Read a node of a tree. Children must follow their parents, so that every path from the root ends. */
static int take_node(stream *s, const seg_forest *forest, seg_tree *tree, int32_t i) {
    const uint32_t child = (uint32_t)whole(s, 0, 4), column = (uint32_t)whole(s, 0, 2);
    const int is_leaf = child > INT32_MAX;
    seg_tree_node *node = &tree->node[i];
    *node =
        (seg_tree_node){is_leaf ? -(int32_t)(UINT32_MAX - child) - 1 : (int32_t)child, (int32_t)column, single(s, 0)};
    return is_leaf ? UINT32_MAX - child < (uint32_t)tree->leaves
                   : node->child > i && node->child < tree->nodes - 1 && column < forest->columns &&
                         isfinite(node->threshold);
}

static seg_status walk_tree(stream *s, const seg_forest *forest, seg_tree *tree) {
    const uint64_t leaves = whole(s, (uint64_t)tree->leaves, 4);
    const size_t k = (size_t)forest->groups;
    if (s->from) {
        if (leaves < 1 || leaves > s->left / (SEG_MODEL_NODE + 4 * k) || leaves > 1u << 28)
            return damaged(s, "a tree has more leaves than the file has bytes");
        tree->leaves = (int32_t)leaves;
        tree->nodes = (int32_t)(2 * leaves - 1);
        SEG_TRY(SEG_ALLOC_ARRAYS(s->ctx, SEG_ARRAY(tree->node, (size_t)tree->nodes), SEG_TABLE(tree->vote, leaves, k)));
    }
    for (int32_t i = 0; i < tree->nodes; i++) {
        const seg_tree_node *node = &tree->node[i];
        if (s->from && !take_node(s, forest, tree, i))
            return damaged(s, "a node of a tree has an invalid child");
        if (!s->from) {
            whole(s, (uint32_t)node->child, 4);
            whole(s, node->child < 0 ? 0 : (uint64_t)node->column, 2);
            single(s, node->child < 0 ? 0 : node->threshold);
        }
    }
    singles(s, tree->vote, (size_t)leaves * k);
    for (size_t leaf = 0; s->from && !s->short_of && leaf < (size_t)leaves; leaf++) {
        double sum = 0;
        for (size_t c = 0; c < k; c++)
            sum += in_range((double)tree->vote[leaf * k + c], 0, 1) ? (double)tree->vote[leaf * k + c] : 2;
        if (fabs(sum - 1) > 1e-3)
            return damaged(s, "the votes of a leaf are not shares");
    }
    return s->short_of ? damaged(s, "it ends within a tree") : SEG_OK;
}

static seg_status walk_forest(stream *s, struct seg_model *m) {
    seg_forest *forest = &m->forest;
    const size_t columns = (size_t)whole(s, forest->columns, 4);
    if (columns != seg_series_columns(&m->features, m->channels) || (s->from && columns > s->left / 8))
        return damaged(s, "its forest does not match its features");
    if (s->from) {
        *forest = (seg_forest){.groups = m->labels, .columns = columns};
        SEG_TRY(SEG_ALLOC_ARRAYS(s->ctx, SEG_ARRAY(forest->scale, columns)));
    }
    if (!reals(s, forest->scale, columns, 1e-308, 1e308))
        return damaged(s, "the scale of a column is invalid");
    const uint64_t trees = whole(s, (uint64_t)forest->trees, 4);
    if (trees < 1 || trees > 1000 || (s->from && trees > s->left / SEG_MODEL_NODE))
        return damaged(s, "its number of trees is not 1 to 1000, or more than the file has bytes");
    if (s->from && !(forest->tree = seg_alloc_zero(s->ctx, (size_t)trees, sizeof *forest->tree)))
        return SEG_ERR_MEMORY;
    forest->trees = (int)trees;
    for (int t = 0; t < forest->trees; t++)
        SEG_TRY(walk_tree(s, forest, &forest->tree[t]));
    return SEG_OK;
}

static seg_status walk_novelty(stream *s, struct seg_model *m) {
    seg_novelty *novelty = &m->novelty;
    const size_t count = (size_t)whole(s, novelty->count, 4), columns = (size_t)whole(s, novelty->columns, 4);
    const double reach = real(s, novelty->reach);
    if (s->from) {
        if (count < 1 || count > SEG_NOVELTY_MOST || columns < 1 || columns > m->forest.columns ||
            columns > s->left / 8 || count > (s->left - 8 * columns) / (4 * columns) || !in_range(reach, 0, 1e30))
            return damaged(s, "it has more samples than the file has bytes");
        *novelty = (seg_novelty){.count = count, .columns = columns, .reach = reach};
        SEG_TRY(SEG_ALLOC_ARRAYS(s->ctx, SEG_TABLE(novelty->row, count, columns), SEG_ARRAY(novelty->scale, columns)));
    }
    if (!reals(s, novelty->scale, columns, 1e-30, 1e200))
        return damaged(s, "the scale of a sample column is invalid");
    if (!singles(s, novelty->row, count * columns))
        return damaged(s, "a number of a sample is not finite");
    return s->from && s->left != SEG_MODEL_CHECK ? damaged(s, "it has bytes after its end") : SEG_OK;
}

static seg_status walk(stream *s, struct seg_model *m) {
    SEG_TRY(walk_about(s, m));
    SEG_TRY(walk_forest(s, m));
    return walk_novelty(s, m);
}

/* Check the magic number, format, size and checksum of a file. */
static seg_status check_frame(stream *s, const unsigned char *bytes, size_t size) {
    char magic[8];
    put_or_take(s, magic, sizeof magic);
    s->format = (unsigned)whole(s, 0, 4);
    const uint64_t stated = whole(s, 0, 8);
    if (memcmp(magic, SEG_MODEL_MAGIC, sizeof magic) != 0)
        return seg_fail(s->ctx, SEG_ERR_INPUT, "'%.300s' is not a model; give a file that 'segment learn' wrote",
                        s->name);
    if (!s->short_of && s->format != SEG_MODEL_FORMAT && s->format != SEG_MODEL_FORMAT + 1)
        return seg_fail(s->ctx, SEG_ERR_INPUT,
                        "'%.300s' is a model of format %u, and this version reads formats %d and %d; learn it again, "
                        "or use the version that wrote it",
                        s->name, s->format, SEG_MODEL_FORMAT, SEG_MODEL_FORMAT + 1);
    if (s->short_of || stated > size || size < SEG_MODEL_HEADER + SEG_MODEL_CHECK)
        return seg_fail(s->ctx, SEG_ERR_INPUT, "'%.300s' is truncated: it has %zu of %llu bytes; copy it again",
                        s->name, size, s->short_of ? (unsigned long long)SEG_MODEL_HEADER : (unsigned long long)stated);
    if (stated != size)
        return damaged(s, "it is longer than its header states");
    stream end = {.from = bytes + size - SEG_MODEL_CHECK, .left = SEG_MODEL_CHECK};
    if (whole(&end, 0, SEG_MODEL_CHECK) != crc32_z(crc32(0, NULL, 0), bytes, size - SEG_MODEL_CHECK))
        return damaged(s, "its checksum does not match");
    return SEG_OK;
}

seg_status seg_model_decode(seg_context *ctx, const void *bytes, size_t size, const char *name, struct seg_model *out) {
    stream s = {.from = bytes, .left = size, .ctx = ctx, .name = name};
    memset(out, 0, sizeof *out);
    SEG_TRY(check_frame(&s, bytes, size));
    return walk(&s, out);
}

seg_status seg_model_encode(seg_context *ctx, const struct seg_model *model, void **bytes, size_t *size) {
    struct seg_model own = *model; /* the traversal sets each field to the value that it writes */
    stream s = {.ctx = ctx, .name = "the model", .format = SEG_MODEL_FORMAT + (model->channels > 1)};
    seg_status status = SEG_OK;
    *bytes = NULL;
    *size = 0;
    for (int counted = 0; counted < 2 && !status; counted++) { /* count, then write */
        const size_t all = s.written;
        if (counted && !(s.to = seg_alloc(ctx, all, 1)))
            return SEG_ERR_MEMORY;
        s.written = 0;
        put_or_take(&s, (char[]){SEG_MODEL_MAGIC}, 8);
        whole(&s, s.format, 4);
        whole(&s, all, 8);
        status = walk(&s, &own);
        whole(&s, s.to ? crc32_z(crc32(0, NULL, 0), s.to, s.written) : 0, SEG_MODEL_CHECK);
    }
    *bytes = s.to;
    *size = status ? 0 : s.written;
    SEG_RETURN_OR(status, free(seg_taken(bytes)));
}
