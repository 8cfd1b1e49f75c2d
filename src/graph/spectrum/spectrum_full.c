/* The smoothest eigenvectors of a complete graph. It is connected: its one null vector is known, and nothing is
 * isolated. */
#include "base/base.h"
#include "graph/full/full_graph.h"
#include "graph/spectrum/spectrum.h"
#include "graph/spectrum/spectrum_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WITHOUT_MATRIX = 4000 }; /* beyond, a third of all eigenvectors is out of the question */

/* S = D^-1/2 W D^-1/2. */
typedef struct normalised {
    seg_context *ctx;
    seg_full_graph *graph;
    double *scale; /* n: degrees to the power -1/2; 0 where nothing has a weight */
    double *scaled;
    size_t room; /* columns of `scaled` */
} normalised;

static seg_status times(void *user, size_t cols, const double *X, double *Y) {
    normalised *S = user;
    const size_t n = S->graph->n;
    if (cols > S->room) {
        double *more = seg_realloc(S->ctx, S->scaled, n, cols * sizeof *more);
        if (!more)
            return SEG_ERR_MEMORY;
        S->scaled = more;
        S->room = cols;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < cols; c++)
            S->scaled[i * cols + c] = S->scale[i] * X[i * cols + c];
    const seg_status status = seg_full_graph_multiply(S->ctx, S->graph, cols, S->scaled, Y);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < cols; c++)
            Y[i * cols + c] *= S->scale[i];
    return status;
}

static seg_status check(seg_context *ctx, const seg_full_graph *graph, int count) {
    const size_t n = graph->n;
    if (count < 1 || (size_t)count > n)
        return seg_fail(ctx, SEG_ERR_USAGE, "%d eigenvectors of a graph of %zu nodes: ask for 1 to %zu", count, n, n);
    if (n > WITHOUT_MATRIX && (size_t)count > n / 3)
        return seg_fail(ctx, SEG_ERR_USAGE, "%d eigenvectors of a complete graph of %zu nodes: ask for at most %zu",
                        count, n, n / 3);
    return SEG_OK;
}

seg_status seg_spectrum_compute_full(seg_context *ctx, seg_full_graph *graph, int count, seg_spectrum *out) {
    const size_t n = graph->n;
    const int computed = count - 1;
    normalised own = {.ctx = ctx, .graph = graph};
    const seg_symmetric S = {.n = n, .times = times, .user = &own};
    seg_components whole = {.n = n, .count = 1};
    double *root = NULL, *value = NULL, *vector = NULL, total = 0;
    memset(out, 0, sizeof *out);
    seg_status status = check(ctx, graph, count);
    if (status != SEG_OK)
        return status;
    own.scale = seg_alloc(ctx, n, sizeof *own.scale);
    whole.of = seg_alloc_zero(ctx, n, sizeof *whole.of);
    root = seg_alloc(ctx, n, sizeof *root);
    value = seg_alloc(ctx, (size_t)computed, sizeof *value);
    vector = seg_alloc(ctx, n, (size_t)computed * sizeof *vector);
    out->value = seg_alloc_zero(ctx, (size_t)count, sizeof *out->value);
    out->vector = seg_alloc(ctx, n, (size_t)count * sizeof *out->vector);
    if (!own.scale || !whole.of || !root || !value || !vector || !out->value || !out->vector) {
        status = SEG_ERR_MEMORY;
        goto done;
    }
    out->n = n;
    out->count = count;
    for (size_t i = 0; i < n; i++)
        total += graph->degree[i];
    for (size_t i = 0; i < n; i++) {
        root[i] = sqrt(graph->degree[i] / total);
        own.scale[i] = graph->degree[i] > 0 ? 1 / sqrt(graph->degree[i]) : 0;
    }
    if (computed > 0)
        status = seg_spectrum_solve(ctx, &S, &whole, root, computed, value, vector, &out->iterations);
    for (size_t c = 0; status == SEG_OK && c < (size_t)count; c++) {
        out->value[c] = c ? value[c - 1] : 0;
        for (size_t i = 0; i < n; i++)
            out->vector[i * (size_t)count + c] = c ? vector[i * (size_t)computed + c - 1] : root[i];
        seg_spectrum_fix_sign(out, c);
    }
done:
    free(own.scale);
    free(own.scaled);
    free(root);
    free(value);
    free(vector);
    seg_components_free(&whole);
    if (status != SEG_OK)
        seg_spectrum_free(out);
    return status;
}
