#include "graph/spectrum/numbering.h"

#include "base/base.h"
#include "base/parallel.h"
#include "linalg/sparse.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 4096,      /* of a block that one thread takes */
    PART_NODES = 500, /* of a part that is not cut: their vectors surely fit the nearest cache */
    DEEPEST = 64      /* cuts above a part, where means cut off little */
};

typedef struct places {
    size_t n, cols, dimensions;
    const double *X, *unit;
    float *at;        /* n x dimensions */
    int32_t *order;   /* n */
    int32_t *waiting; /* n: the upper half of a part that is being cut */
} places;

static void place_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const places *p = arg;
    for (size_t i = first; i < last; i++) {
        p->order[i] = (int32_t)i;
        for (size_t d = 0; d < p->dimensions; d++)
            p->at[i * p->dimensions + d] = (float)(p->X[i * p->cols + d] / p->unit[i]);
    }
}

/* The column that varies most among the nodes first .. last - 1 of the order, and its mean. */
static size_t widest(const places *p, size_t first, size_t last, double *middle) {
    const double count = (double)(last - first);
    double most = -1;
    size_t column = 0;
    for (size_t d = 0; d < p->dimensions; d++) {
        const double base = (double)p->at[(size_t)p->order[first] * p->dimensions + d];
        double sum = 0, square = 0;
        for (size_t k = first; k < last; k++) {
            const double x = (double)p->at[(size_t)p->order[k] * p->dimensions + d] - base;
            sum += x;
            square += x * x;
        }
        const double spread = square - sum / count * sum;
        if (spread > most) {
            most = spread;
            column = d;
            *middle = base + sum / count;
        }
    }
    return column;
}

/* Nodes below the mean come first. @return where the others begin */
static size_t cut(const places *p, size_t first, size_t last) {
    double middle = 0;
    const size_t column = widest(p, first, last, &middle);
    size_t low = first, high = 0;
    for (size_t k = first; k < last; k++) {
        const int32_t node = p->order[k];
        if ((double)p->at[(size_t)node * p->dimensions + column] < middle)
            p->order[low++] = node;
        else
            p->waiting[high++] = node;
    }
    memcpy(p->order + low, p->waiting, high * sizeof *p->order);
    return low;
}

static seg_status cut_all(seg_context *ctx, const places *p) {
    struct {
        size_t first, last;
        int depth;
    } part[DEEPEST + 2] = {{0, p->n, 0}}; /* one waits at each depth at most, and the one that is cut */
    size_t parts = 1;
    while (parts > 0) {
        const size_t first = part[parts - 1].first, last = part[parts - 1].last;
        const int depth = part[--parts].depth;
        if (last - first <= PART_NODES || depth == DEEPEST)
            continue;
        const seg_status status = seg_poll(ctx);
        if (status != SEG_OK)
            return status;
        const size_t middle = cut(p, first, last);
        if (middle == first || middle == last)
            continue; /* all the same */
        part[parts].first = first;
        part[parts].last = middle;
        part[parts++].depth = depth + 1;
        part[parts].first = middle;
        part[parts].last = last;
        part[parts++].depth = depth + 1;
    }
    return SEG_OK;
}

seg_status seg_numbering_by_columns(seg_context *ctx, size_t n, size_t cols, const double *X, size_t dimensions,
                                    const double *unit, int32_t *order) {
    places p = {.n = n, .cols = cols, .dimensions = dimensions, .X = X, .unit = unit, .order = order};
    p.at = seg_alloc(ctx, n, dimensions * sizeof *p.at);
    p.waiting = seg_alloc(ctx, n, sizeof *p.waiting);
    seg_status status = p.at && p.waiting ? SEG_OK : SEG_ERR_MEMORY;
    if (!status) {
        seg_parallel(ctx, n, ROWS, place_rows, &p);
        status = cut_all(ctx, &p);
    }
    free(p.at);
    free(p.waiting);
    return status;
}

typedef struct copy {
    const seg_csr *S;
    const seg_components *components;
    const double *root;
    const int32_t *place; /* of each node of the caller's */
    seg_numbering *out;
} copy;

static void copy_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const copy *c = arg;
    const seg_csr *S = c->S;
    for (size_t k = first; k < last; k++) {
        const size_t i = (size_t)c->out->order[k];
        size_t at = c->out->S.start[k];
        for (size_t e = S->start[i]; e < S->start[i + 1]; e++, at++) {
            c->out->S.column[at] = c->place[S->column[e]];
            c->out->S.value[at] = S->value[e];
        }
        c->out->components.of[k] = c->components->of[i];
        c->out->root[k] = c->root[i];
    }
}

seg_status seg_numbering_create(seg_context *ctx, const seg_csr *S, const seg_components *components,
                                const double *root, int32_t *order, seg_numbering *out) {
    const size_t n = S->rows;
    *out = (seg_numbering){.n = n, .order = order, .components = {.n = n, .count = components->count}};
    int32_t *place = seg_alloc(ctx, n, sizeof *place);
    seg_status status = place ? seg_csr_create(ctx, n, n, S->start[n], &out->S) : SEG_ERR_MEMORY;
    out->components.of = seg_alloc(ctx, n, sizeof *out->components.of);
    out->root = seg_alloc(ctx, n, sizeof *out->root);
    if (!status && out->components.of && out->root) {
        copy c = {S, components, root, place, out};
        out->S.start[0] = 0;
        for (size_t k = 0; k < n; k++) {
            const size_t i = (size_t)order[k];
            place[i] = (int32_t)k;
            out->S.start[k + 1] = out->S.start[k] + S->start[i + 1] - S->start[i];
        }
        seg_parallel(ctx, n, ROWS, copy_rows, &c);
    } else {
        status = SEG_ERR_MEMORY;
        seg_numbering_free(out);
    }
    free(place);
    return status;
}

void seg_numbering_free(seg_numbering *numbering) {
    if (!numbering)
        return;
    seg_csr_free(&numbering->S);
    seg_components_free(&numbering->components);
    free(numbering->root);
    free(numbering->order);
    memset(numbering, 0, sizeof *numbering);
}
