/* The smoothest eigenvectors of the normalized Laplacian L = I - S, S = D^-1/2 W D^-1/2.
 *
 * What is known exactly is not computed: a component of the graph gives the eigenvalue 0 with the vector sqrt(d) on it,
 * and an isolated node (degree 0, counted as 1) gives the eigenvalue 1 with its unit vector. Both are set apart, and
 * the solver sees the rest only, on which its operator is positive, while it is zero on the null vectors. That also
 * keeps the multiple eigenvalue 0 of a graph in several parts away from Lanczos' method, which would not count it
 * rightly. */
#include <segment/graph.h>

#include "base/base.h"
#include "graph/components.h"
#include "graph/spectrum/spectrum.h"
#include "graph/spectrum/spectrum_solver.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static seg_status check(seg_context *ctx, const seg_csr *W, int count) {
    if (W->rows != W->cols || W->rows == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "an affinity graph of %zu x %zu has no spectrum; it must be square",
                        W->rows, W->cols);
    if (count < 1 || (size_t)count > W->rows)
        return seg_fail(ctx, SEG_ERR_USAGE, "%d eigenvectors of a graph of %zu nodes: ask for 1 to %zu", count, W->rows,
                        W->rows);
    for (size_t e = 0; e < W->start[W->rows]; e++)
        if (!(W->value[e] >= 0) || isinf(W->value[e]) || W->column[e] < 0 || (size_t)W->column[e] >= W->rows)
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "an affinity graph holds a weight that is negative or not finite, or a node outside it; "
                            "weights must be >= 0");
    return SEG_OK;
}

/* The graph without its isolated nodes, and what is known of it. */
typedef struct reduced {
    size_t n;      /* nodes left */
    int32_t *node; /* n entries: their numbers in the whole graph, ascending */
    double *root;  /* n entries: square roots of their degrees, norm one within each component: the null vectors */
    seg_csr S;
    seg_components components;
} reduced;

static void reduced_free(reduced *r) {
    free(r->node);
    free(r->root);
    seg_csr_free(&r->S);
    seg_components_free(&r->components);
}

static seg_status number_nodes(seg_context *ctx, const seg_csr *W, reduced *r, int32_t *place, double *degree) {
    size_t n = W->rows;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
            sum += W->value[e];
        if (isinf(sum))
            return seg_fail(ctx, SEG_ERR_NUMERIC, "the weights at node %zu of a graph sum to infinity; scale them down",
                            i);
        place[i] = -1;
        if (sum > 0) {
            place[i] = (int32_t)r->n;
            r->node[r->n] = (int32_t)i;
            degree[r->n++] = sum;
        }
    }
    return SEG_OK;
}

/* The rows and columns of the nodes that are left. */
static seg_status induced(seg_context *ctx, const seg_csr *W, const int32_t *place, reduced *r) {
    seg_status status = seg_csr_create(ctx, r->n, r->n, W->start[W->rows], &r->S);
    size_t at = 0;
    for (size_t i = 0; status == SEG_OK && i < r->n; i++) {
        size_t from = (size_t)r->node[i];
        for (size_t e = W->start[from]; e < W->start[from + 1]; e++)
            if (place[W->column[e]] >= 0) {
                r->S.column[at] = place[W->column[e]];
                r->S.value[at++] = W->value[e];
            }
        r->S.start[i + 1] = at;
    }
    return status;
}

/* W -> S in place, and the null vectors. The products of roots never overflow where degrees do not. */
static seg_status normalise(seg_context *ctx, const double *degree, reduced *r) {
    double *norm = seg_alloc_zero(ctx, (size_t)r->components.count, sizeof *norm);
    if (!norm)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < r->n; i++)
        r->root[i] = sqrt(degree[i]);
    for (size_t i = 0; i < r->n; i++)
        for (size_t e = r->S.start[i]; e < r->S.start[i + 1]; e++)
            r->S.value[e] = r->S.value[e] / r->root[i] / r->root[r->S.column[e]];
    double largest = 0;
    for (size_t i = 0; i < r->n; i++)
        largest = fmax(largest, degree[i]);
    for (size_t i = 0; i < r->n; i++)
        norm[r->components.of[i]] += degree[i] / largest;
    for (size_t i = 0; i < r->n; i++)
        r->root[i] = sqrt(degree[i] / largest / norm[r->components.of[i]]);
    free(norm);
    return SEG_OK;
}

static seg_status reduce(seg_context *ctx, const seg_csr *W, reduced *r) {
    size_t n = W->rows;
    int32_t *place = seg_alloc(ctx, n, sizeof *place);
    double *degree = seg_alloc(ctx, n, sizeof *degree);
    seg_status status = SEG_ERR_MEMORY;
    r->node = seg_alloc(ctx, n, sizeof *r->node);
    r->root = seg_alloc(ctx, n, sizeof *r->root);
    if (place && degree && r->node && r->root)
        status = number_nodes(ctx, W, r, place, degree);
    if (status == SEG_OK)
        status = induced(ctx, W, place, r);
    if (status == SEG_OK)
        status = seg_components_find(ctx, &r->S, degree, &r->components);
    if (status == SEG_OK)
        status = normalise(ctx, degree, r);
    free(place);
    free(degree);
    return status;
}

typedef struct part {
    size_t size;
    int32_t component;
} part;

static int largest_first(const void *a, const void *b) {
    const part *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->component > y->component) - (x->component < y->component);
}

/* The components' places among the null vectors: the largest first, of equals the one with the first node, so that the
 * order of the rows decides nothing where sizes differ (CCSKL's weights fall from vector to vector). */
static seg_status order_components(seg_context *ctx, const reduced *r, int32_t *place) {
    const size_t count = (size_t)r->components.count;
    part *parts = seg_alloc(ctx, count, sizeof *parts);
    if (!parts)
        return SEG_ERR_MEMORY;
    for (size_t c = 0; c < count; c++)
        parts[c] = (part){0, (int32_t)c};
    for (size_t i = 0; i < r->n; i++)
        parts[r->components.of[i]].size++;
    qsort(parts, count, sizeof *parts, largest_first);
    for (size_t c = 0; c < count; c++)
        place[parts[c].component] = (int32_t)c;
    free(parts);
    return SEG_OK;
}

/* Null vectors first, then the computed pairs; isolated nodes come in where the eigenvalues pass 1, after equal ones.
 */
static void merge(const seg_csr *W, const reduced *r, const int32_t *place, int computed, const double *value,
                  const double *vector, seg_spectrum *out) {
    size_t count = (size_t)out->count, next_isolated = 0, skipped = 0;
    int nulls = r->components.count, taken = 0;
    for (size_t c = 0; c < count; c++) {
        if (c < (size_t)nulls) {
            for (size_t i = 0; i < r->n; i++)
                if (place[r->components.of[i]] == (int32_t)c)
                    out->vector[(size_t)r->node[i] * count + c] = r->root[i];
            continue;
        }
        int isolated_left = next_isolated + r->n < W->rows;
        if (taken < computed && (!isolated_left || value[taken] <= 1)) {
            for (size_t i = 0; i < r->n; i++)
                out->vector[(size_t)r->node[i] * count + c] = vector[i * (size_t)computed + (size_t)taken];
            out->value[c] = value[taken++];
            seg_spectrum_fix_sign(out, c);
            continue;
        }
        while (skipped < r->n && (size_t)r->node[skipped] == next_isolated + skipped)
            skipped++;
        out->vector[(next_isolated + skipped) * count + c] = 1;
        out->value[c] = 1;
        next_isolated++;
    }
}

seg_status seg_spectrum_compute(seg_context *ctx, const seg_csr *W, int count, seg_spectrum *out) {
    reduced r = {0};
    double *value = NULL, *vector = NULL;
    int32_t *place = NULL;
    size_t cells = 0;
    memset(out, 0, sizeof *out);
    seg_status status = check(ctx, W, count);
    if (status == SEG_OK)
        status = reduce(ctx, W, &r);
    if (status != SEG_OK)
        goto done;
    int nulls = r.components.count, wanted = (size_t)count < r.n ? count : (int)r.n;
    int computed = wanted > nulls ? wanted - nulls : 0;
    value = seg_alloc(ctx, (size_t)computed, sizeof *value);
    place = seg_alloc(ctx, (size_t)nulls, sizeof *place);
    if (seg_multiply(r.n, (size_t)computed, &cells))
        vector = seg_alloc(ctx, cells, sizeof *vector);
    out->value = seg_alloc_zero(ctx, (size_t)count, sizeof *out->value);
    if (seg_multiply(W->rows, (size_t)count, &cells))
        out->vector = seg_alloc_zero(ctx, cells, sizeof *out->vector);
    if (!value || !place || !vector || !out->value || !out->vector) {
        status = SEG_ERR_MEMORY;
        goto done;
    }
    out->n = W->rows;
    out->count = count;
    if (computed > 0)
        status = seg_spectrum_solve(ctx, &(seg_symmetric){.n = r.n, .sparse = &r.S}, &r.components, r.root, computed,
                                    value, vector, &out->iterations);
    if (status == SEG_OK)
        status = order_components(ctx, &r, place);
    if (status != SEG_OK)
        goto done;
    merge(W, &r, place, computed, value, vector, out);
    if (nulls > 1)
        seg_log(ctx, nulls > count ? SEG_LOG_WARNING : SEG_LOG_INFO,
                "the graph has %d components%s; more neighbours join them", nulls,
                nulls > count ? ", more than eigenvectors are used: the smaller ones cannot be told apart" : "");
done:
    if (status != SEG_OK)
        seg_spectrum_free(out);
    free(value);
    free(place);
    free(vector);
    reduced_free(&r);
    return status;
}

void seg_spectrum_fix_sign(seg_spectrum *s, size_t c) {
    size_t count = (size_t)s->count, at = c;
    for (size_t i = 0; i < s->n; i++)
        if (fabs(s->vector[i * count + c]) > fabs(s->vector[at]))
            at = i * count + c;
    if (s->vector[at] < 0)
        for (size_t i = 0; i < s->n; i++)
            s->vector[i * count + c] = -s->vector[i * count + c];
}

void seg_spectrum_free(seg_spectrum *spectrum) {
    if (!spectrum)
        return;
    free(spectrum->value);
    free(spectrum->vector);
    memset(spectrum, 0, sizeof *spectrum);
}
