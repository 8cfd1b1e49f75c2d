#include "graph/spectrum/numbering.h"

#include "base/base.h"
#include "base/parallel.h"
#include "linalg/sparse.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 4096,      /* of a block that one thread takes */
    PART_NODES = 500, /* of a part that is not divided: their vectors fit the first cache */
    DEEPEST = 64      /* divisions above a part, where the mean cuts off few nodes each time */
};

typedef struct places {
    const seg_matrix *X;
    size_t dimensions;
    const double *unit;
    float *at;        /* rows x dimensions */
    int32_t *order;   /* rows */
    int32_t *waiting; /* rows: the upper half of a part that is being divided */
} places;

static void place_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const places *p = arg;
    for (size_t i = first; i < last; i++) {
        p->order[i] = (int32_t)i;
        for (size_t d = 0; d < p->dimensions; d++)
            p->at[i * p->dimensions + d] = (float)(p->X->at[i * p->X->cols + d] / p->unit[i]);
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

typedef struct part {
    size_t first, last;
    int depth;
} part;

static seg_status cut_all(seg_context *ctx, const places *p) {
    part waiting[DEEPEST + 2] = {{0, p->X->rows, 0}}; /* one waits at each depth at most, and the one that is cut */
    for (size_t parts = 1; parts > 0;) {
        const part whole = waiting[--parts];
        if (whole.last - whole.first <= PART_NODES || whole.depth == DEEPEST)
            continue;
        const seg_status status = seg_poll(ctx);
        if (status)
            return status;
        const size_t middle = cut(p, whole.first, whole.last);
        if (middle == whole.first || middle == whole.last)
            continue; /* all the same */
        waiting[parts++] = (part){whole.first, middle, whole.depth + 1};
        waiting[parts++] = (part){middle, whole.last, whole.depth + 1};
    }
    return SEG_OK;
}

seg_status seg_numbering_by_columns(seg_context *ctx, const seg_matrix *X, size_t dimensions, const double *unit,
                                    int32_t *order) {
    SEG_FREED float *at = seg_alloc(ctx, X->rows, dimensions * sizeof *at);
    SEG_FREED int32_t *waiting = seg_alloc(ctx, X->rows, sizeof *waiting);
    if (!at || !waiting)
        return SEG_ERR_MEMORY;
    places p = {X, dimensions, unit, at, order, waiting};
    seg_parallel(ctx, X->rows, ROWS, place_rows, &p);
    return cut_all(ctx, &p);
}

typedef struct copy {
    const seg_csr *S;
    const seg_components *components;
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
        c->out->components.root[k] = c->components->root[i];
    }
}

seg_status seg_numbering_create(seg_context *ctx, const seg_csr *S, const seg_components *components, int32_t *order,
                                seg_numbering *out) {
    const size_t n = S->rows;
    SEG_FREED int32_t *place = seg_alloc(ctx, n, sizeof *place);
    *out = (seg_numbering){.order = order, .components = {.n = n, .count = components->count}};
    seg_status status = place ? seg_csr_create(ctx, n, n, S->start[n], &out->S) : SEG_ERR_MEMORY;
    out->components.of = seg_alloc(ctx, n, sizeof *out->components.of);
    out->components.root = seg_alloc(ctx, n, sizeof *out->components.root);
    if (status || !out->components.of || !out->components.root) {
        seg_numbering_free(out);
        return SEG_ERR_MEMORY;
    }
    for (size_t k = 0; k < n; k++) {
        const size_t i = (size_t)order[k];
        place[i] = (int32_t)k;
        out->S.start[k + 1] = out->S.start[k] + S->start[i + 1] - S->start[i];
    }
    seg_parallel(ctx, n, ROWS, copy_rows, &(copy){S, components, place, out});
    return SEG_OK;
}

void seg_numbering_free(seg_numbering *numbering) {
    seg_csr_free(&numbering->S);
    seg_components_free(&numbering->components);
    free(numbering->order);
    memset(numbering, 0, sizeof *numbering);
}
