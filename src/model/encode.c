/* A model as the bytes of its file. */
#include "model/model.h"

#include "base/base.h"
#include "likelihood/tree.h"
#include "model/file_format.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Bytes that are written one behind the other; without room they are counted only. */
typedef struct sink {
    unsigned char *at;
    size_t size;
} sink;

static void put_bytes(sink *s, const void *bytes, size_t size) {
    if (s->at)
        memcpy(s->at + s->size, bytes, size);
    s->size += size;
}

static void put_whole(sink *s, uint64_t value, int bytes) {
    for (int b = 0; b < bytes; b++) {
        const unsigned char one = (unsigned char)(value >> 8 * b);
        put_bytes(s, &one, 1);
    }
}

static void put_real(sink *s, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(s, bits, 8);
}

static void put_single(sink *s, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(s, bits, 4);
}

static void put_about(sink *s, const struct seg_model *model) {
    put_bytes(s, model->version, sizeof model->version);
    put_whole(s, model->seed, 8);
    put_whole(s, (uint64_t)model->images, 4);
    put_whole(s, (uint64_t)model->accuracy.images, 4);
    put_real(s, model->accuracy.images ? model->accuracy.mean : 0);
    put_real(s, model->accuracy.images ? model->accuracy.least : 0);
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
        put_real(s, model->features.weight[kind]);
    put_whole(s, (uint64_t)model->patch, 4);
    put_whole(s, (uint64_t)model->reduce, 4);
    put_whole(s, (uint64_t)model->labels, 4);
    for (int c = 0; c < model->labels; c++) {
        put_whole(s, model->number[c], 1);
        put_bytes(s, model->colour[c], 3);
        put_bytes(s, model->name[c], SEG_MODEL_TEXT);
    }
    put_real(s, model->sharpness);
    put_real(s, model->prior);
}

static void put_forest(sink *s, const seg_forest *forest) {
    put_whole(s, forest->columns, 4);
    for (size_t c = 0; c < forest->columns; c++)
        put_real(s, forest->scale[c]);
    put_whole(s, (uint64_t)forest->trees, 4);
    for (int t = 0; t < forest->trees; t++) {
        const seg_tree *tree = &forest->tree[t];
        put_whole(s, (uint64_t)tree->leaves, 4);
        for (int32_t i = 0; i < tree->nodes; i++) {
            const seg_tree_node *node = &tree->node[i];
            put_whole(s, (uint32_t)node->child, 4);
            put_whole(s, node->child < 0 ? 0 : (uint64_t)node->column, 2);
            put_single(s, node->child < 0 ? 0 : node->threshold);
        }
        for (size_t v = 0; v < (size_t)tree->leaves * (size_t)forest->groups; v++)
            put_single(s, tree->vote[v]);
    }
}

static void put_novelty(sink *s, const seg_novelty *novelty) {
    put_whole(s, novelty->count, 4);
    put_whole(s, novelty->columns, 4);
    put_real(s, novelty->reach);
    for (size_t c = 0; c < novelty->columns; c++)
        put_real(s, novelty->scale[c]);
    for (size_t e = 0; e < novelty->count * novelty->columns; e++)
        put_single(s, novelty->row[e]);
}

static void put_model(sink *s, const struct seg_model *model, size_t size) {
    put_bytes(s, SEG_MODEL_MAGIC, 8);
    put_whole(s, SEG_MODEL_FORMAT, 4);
    put_whole(s, size, 8);
    put_about(s, model);
    put_forest(s, &model->forest);
    put_novelty(s, &model->novelty);
    put_whole(s, s->at ? crc32_z(crc32(0, NULL, 0), s->at, s->size) : 0, SEG_MODEL_CHECK);
}

seg_status seg_model_encode(seg_context *ctx, const struct seg_model *model, unsigned char **bytes, size_t *size) {
    sink counted = {0}, written = {0};
    *bytes = NULL;
    *size = 0;
    if (!model->forest.tree)
        return seg_fail(ctx, SEG_ERR_USAGE, "the model has not learned yet; call seg_model_learn first");
    put_model(&counted, model, 0);
    written.at = seg_alloc(ctx, counted.size, 1);
    if (!written.at)
        return SEG_ERR_MEMORY;
    put_model(&written, model, counted.size);
    *bytes = written.at;
    *size = written.size;
    return SEG_OK;
}
