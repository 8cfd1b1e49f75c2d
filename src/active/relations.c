#include "active/selector.h"

#include "base/base.h"

seg_status seg_relations_create(seg_context *ctx, size_t n, seg_relations *out) {
    memset(out, 0, sizeof *out);
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->parent, n), SEG_ARRAY(out->ring, n), SEG_ARRAY(out->size, n),
                             SEG_ARRAY(out->degree, n), SEG_ARRAY(out->first, n), SEG_ARRAY(out->last, n)));
    SEG_TRY(seg_pair_set_create(ctx, &out->cannot));
    SEG_TRY(seg_pair_set_create(ctx, &out->refused));
    for (size_t i = 0; i < n; i++) {
        out->parent[i] = out->ring[i] = (int32_t)i;
        out->size[i] = 1;
        out->first[i] = out->last[i] = -1;
    }
    return SEG_OK;
}

void seg_relations_free(seg_relations *relations) {
    seg_pair_set_free(&relations->cannot);
    seg_pair_set_free(&relations->refused);
    SEG_CLEAR(relations, relations->parent, relations->edge);
}

int32_t seg_relations_root(seg_relations *relations, int32_t sample) {
    int32_t *parent = relations->parent;
    while (parent[sample] != sample)
        sample = parent[sample] = parent[parent[sample]];
    return sample;
}

int seg_relations_between(seg_relations *relations, int32_t i, int32_t j) {
    const int32_t a = seg_relations_root(relations, i), b = seg_relations_root(relations, j);
    return a == b ? 1 : seg_pair_set_has(&relations->cannot, seg_pair_key(a, b)) ? -1 : 0;
}

int seg_relations_open(seg_relations *relations, int32_t i, int32_t j) {
    return seg_relations_between(relations, i, j) == 0 && !seg_pair_set_has(&relations->refused, seg_pair_key(i, j));
}

seg_status seg_relations_must(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j) {
    int32_t kept = seg_relations_root(relations, i), gone = seg_relations_root(relations, j);
    int added;
    if (kept == gone)
        return SEG_OK;
    if (relations->degree[kept] < relations->degree[gone] ||
        (relations->degree[kept] == relations->degree[gone] && relations->size[kept] < relations->size[gone]))
        SEG_SWAP(int32_t, kept, gone);
    for (int32_t e = relations->first[gone]; e >= 0; e = relations->edge[e].next) {
        const int32_t other = seg_relations_root(relations, relations->edge[e].other);
        SEG_TRY(seg_pair_set_put(ctx, &relations->cannot, seg_pair_key(kept, other), &added));
    }
    if (relations->first[gone] >= 0) { /* the kept root has at least as many, so it has edges too */
        relations->edge[relations->last[kept]].next = relations->first[gone];
        relations->last[kept] = relations->last[gone];
    }
    relations->parent[gone] = kept;
    relations->size[kept] += relations->size[gone];
    relations->degree[kept] += relations->degree[gone];
    SEG_SWAP(int32_t, relations->ring[kept], relations->ring[gone]); /* joins the rings */
    return SEG_OK;
}

static void append(seg_relations *relations, int32_t root, int32_t other) {
    const int32_t e = (int32_t)relations->edges++;
    relations->edge[e] = (seg_cannot_edge){.other = other, .next = -1};
    if (relations->first[root] < 0)
        relations->first[root] = e;
    else
        relations->edge[relations->last[root]].next = e;
    relations->last[root] = e;
    relations->degree[root]++;
}

seg_status seg_relations_cannot(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j) {
    const int32_t a = seg_relations_root(relations, i), b = seg_relations_root(relations, j);
    int added;
    SEG_TRY(seg_pair_set_put(ctx, &relations->cannot, seg_pair_key(a, b), &added));
    if (!added)
        return SEG_OK;
    if (relations->edges > INT32_MAX - 2)
        return seg_fail(ctx, SEG_ERR_MEMORY, "too many cannot-links; at most %d are possible", INT32_MAX);
    SEG_TRY(seg_extend(ctx, &relations->edge, relations->edges + 1, sizeof *relations->edge));
    append(relations, a, b);
    append(relations, b, a);
    return SEG_OK;
}

seg_status seg_relations_refuse(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j) {
    int added;
    return seg_pair_set_put(ctx, &relations->refused, seg_pair_key(i, j), &added);
}
