#include "clustering/neighbourhoods.h"

#include "base/base.h"
#include "constraints/closed.h"

#include <stdlib.h>
#include <string.h>

/* A listed pair between neighbourhoods; a == b for a must-link. */
typedef struct bond {
    int32_t a, b;
    double weight;
} bond;

static int by_ends(const void *x, const void *y) {
    const bond *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return p->weight < q->weight ? -1 : p->weight > q->weight;
}

/* Number the components: a group's takes the group's number. */
static seg_status number(seg_context *ctx, const seg_constraints *constraints, const seg_closure *closure,
                         seg_neighbourhoods *out) {
    const size_t n = constraints->n;
    int32_t *name = seg_alloc(ctx, (size_t)closure->components, sizeof *name);
    if (!name)
        return SEG_ERR_MEMORY;
    for (int c = 0; c < closure->components; c++)
        name[c] = -1;
    for (size_t i = 0; out->groups && i < n; i++)
        if (constraints->group[i] >= 0)
            name[closure->component[i]] = constraints->group[i];
    out->count = out->groups;
    for (int c = 0; c < closure->components; c++)
        if (name[c] < 0)
            name[c] = out->count++;
    for (size_t i = 0; i < n; i++)
        out->of[i] = closure->component[i] < 0 ? -1 : name[closure->component[i]];
    free(name);
    return SEG_OK;
}

static seg_status list_members(seg_context *ctx, seg_neighbourhoods *out) {
    size_t total = 0;
    out->start = seg_alloc_zero(ctx, (size_t)out->count + 2, sizeof *out->start);
    if (!out->start)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < out->n; i++)
        if (out->of[i] >= 0) {
            out->start[out->of[i] + 2]++;
            total++;
        }
    for (int32_t f = 0; f < out->count; f++)
        out->start[f + 2] += out->start[f + 1]; /* start[f + 1] moves on to the end of f while the list is filled */
    out->member = seg_alloc(ctx, total, sizeof *out->member);
    if (!out->member)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < out->n; i++)
        if (out->of[i] >= 0)
            out->member[out->start[out->of[i] + 1]++] = (int32_t)i;
    return SEG_OK;
}

/* Mean weights of equal bonds, at the front of the list; returns their number. Sorted bonds are added in one order,
 * whatever the order of the pairs. */
static size_t merge(bond *list, size_t count) {
    size_t kept = 0;
    for (size_t from = 0, to; from < count; from = to) {
        double sum = 0;
        for (to = from; to < count && list[to].a == list[from].a && list[to].b == list[from].b; to++)
            sum += list[to].weight;
        list[kept] = list[from];
        list[kept++].weight = sum / (double)(to - from);
    }
    return kept;
}

static seg_status weigh(seg_context *ctx, const seg_constraints *constraints, seg_neighbourhoods *out) {
    const int32_t groups = out->groups;
    bond *list = seg_alloc(ctx, constraints->pairs, sizeof *list);
    seg_status status = SEG_ERR_MEMORY;
    size_t bonds = 0;
    out->must = seg_alloc(ctx, (size_t)out->count, sizeof *out->must);
    out->cannot_start = seg_alloc_zero(ctx, (size_t)out->count + 2, sizeof *out->cannot_start);
    if (!list || !out->must || !out->cannot_start)
        goto done;
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        int32_t a = out->of[pair->i], b = out->of[pair->j];
        if (a < groups && b < groups)
            continue; /* the groups imply it */
        list[bonds++] = (bond){a < b ? a : b, a < b ? b : a, pair->weight};
    }
    qsort(list, bonds, sizeof *list, by_ends);
    bonds = merge(list, bonds);
    for (int32_t f = 0; f < out->count; f++)
        out->must[f] = 1;
    for (size_t e = 0; e < bonds; e++)
        if (list[e].a == list[e].b)
            out->must[list[e].a] = list[e].weight;
        else {
            out->cannot_start[list[e].a + 2]++;
            out->cannot_start[list[e].b + 2]++;
        }
    for (int32_t f = 0; f < out->count; f++)
        out->cannot_start[f + 2] += out->cannot_start[f + 1];
    const size_t ends = out->cannot_start[out->count + 1];
    out->cannot = seg_alloc(ctx, ends, sizeof *out->cannot);
    out->apart = seg_alloc(ctx, ends, sizeof *out->apart);
    if (!out->cannot || !out->apart)
        goto done;
    for (size_t e = 0; e < bonds; e++)
        for (int side = 0; side < 2 && list[e].a != list[e].b; side++) {
            size_t at = out->cannot_start[(side ? list[e].b : list[e].a) + 1]++;
            out->cannot[at] = side ? list[e].a : list[e].b;
            out->apart[at] = list[e].weight;
        }
    status = SEG_OK;
done:
    free(list);
    return status;
}

seg_status seg_neighbourhoods_create(seg_context *ctx, const seg_constraints *constraints, seg_neighbourhoods *out) {
    const seg_closure *closure;
    seg_closure own;
    memset(out, 0, sizeof *out);
    seg_status status = seg_closure_of(ctx, constraints, &own, &closure);
    if (status != SEG_OK)
        return status;
    out->n = constraints->n;
    out->groups = constraints->groups;
    out->of = seg_alloc(ctx, out->n, sizeof *out->of);
    if (!out->of)
        status = SEG_ERR_MEMORY;
    else if ((status = number(ctx, constraints, closure, out)) == SEG_OK && (status = list_members(ctx, out)) == SEG_OK)
        status = weigh(ctx, constraints, out);
    seg_closure_free(&own);
    if (status != SEG_OK)
        seg_neighbourhoods_free(out);
    return status;
}

void seg_neighbourhoods_free(seg_neighbourhoods *neighbourhoods) {
    if (!neighbourhoods)
        return;
    free(neighbourhoods->of);
    free(neighbourhoods->start);
    free(neighbourhoods->member);
    free(neighbourhoods->must);
    free(neighbourhoods->cannot_start);
    free(neighbourhoods->cannot);
    free(neighbourhoods->apart);
    memset(neighbourhoods, 0, sizeof *neighbourhoods);
}
