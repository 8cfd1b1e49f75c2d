#include "graph/components.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Union-find; the root of a tree is its smallest member, paths are halved on the way up. */
static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void unite(int32_t *parent, int32_t a, int32_t b) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

seg_status seg_components_find(seg_context *ctx, const seg_csr *W, const double *degree, seg_components *out) {
    memset(out, 0, sizeof *out);
    out->of = seg_alloc(ctx, W->rows, sizeof *out->of);
    if (!out->of)
        return SEG_ERR_MEMORY;
    out->n = W->rows;
    int32_t n = (int32_t)W->rows, *parent = out->of;
    for (int32_t i = 0; i < n; i++)
        parent[i] = i;
    for (int32_t i = 0; i < n; i++)
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
            int32_t j = W->column[e];
            double least = degree[i] < degree[j] ? degree[i] : degree[j];
            if (W->value[e] > SEG_NEGLIGIBLE_EDGE * least)
                unite(parent, i, j);
        }
    /* A parent is never larger than its children, so one ascending pass replaces roots by component numbers; entries
     * below i are already replaced, stored as -1 - number. */
    for (int32_t i = 0; i < n; i++) {
        int32_t root = parent[i];
        parent[i] = root == i ? -1 - out->count++ : parent[root];
    }
    for (int32_t i = 0; i < n; i++)
        parent[i] = -1 - parent[i];
    return SEG_OK;
}

void seg_components_free(seg_components *components) {
    free(components->of);
    free(components->root);
    memset(components, 0, sizeof *components);
}

void seg_components_take_away(const seg_components *components, size_t cols, double *along, double *X) {
    const double *root = components->root;
    memset(along, 0, (size_t)components->count * cols * sizeof *along);
    for (size_t i = 0; i < components->n; i++) {
        double *sum = along + (size_t)components->of[i] * cols;
        for (size_t c = 0; c < cols; c++)
            sum[c] += root[i] * X[i * cols + c];
    }
    for (size_t i = 0; i < components->n; i++) {
        const double *sum = along + (size_t)components->of[i] * cols;
        for (size_t c = 0; c < cols; c++)
            X[i * cols + c] -= sum[c] * root[i];
    }
}

seg_status seg_components_clean(seg_context *ctx, const seg_components *components, size_t cols, double *X) {
    SEG_FREED double *along = seg_alloc(ctx, (size_t)components->count, cols * sizeof *along);
    if (!along)
        return SEG_ERR_MEMORY;
    seg_components_take_away(components, cols, along, X);
    return SEG_OK;
}
