/* The smoothest eigenvectors of the normalized Laplacian L = I - S, S = D^-1/2 W D^-1/2.
 *
 * Pairs that are known exactly are not computed: a component of the graph has the eigenvalue 0 with the vector sqrt(d)
 * on it, and an isolated node (degree 0, counted as 1) has the eigenvalue 1 with its unit vector. The solver works on
 * the orthogonal complement, where its operator is positive, while it is zero on the null vectors. So the Lanczos
 * method does not meet the multiple eigenvalue 0 of a disconnected graph, whose multiplicity it may miss. */

#include "graph/spectrum/spectrum.h"
#include "base/base.h"

static seg_status check(seg_context *ctx, const seg_csr *W, int count) {
    if (W->rows != W->cols || W->rows == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "an affinity graph of %zu x %zu has no spectrum; it must be square",
                        W->rows, W->cols);
    for (size_t e = 0; e < W->start[W->rows]; e++)
        if (!(W->value[e] >= 0) || isinf(W->value[e]) || W->column[e] < 0 || (size_t)W->column[e] >= W->rows)
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "an affinity graph holds a weight that is negative or not finite, or a node outside it; "
                            "weights must be >= 0");
    return count >= 1 && (size_t)count <= W->rows
               ? SEG_OK
               : seg_fail(ctx, SEG_ERR_USAGE, "%d eigenvectors of a graph of %zu nodes: ask for 1 to %zu", count,
                          W->rows, W->rows);
}

/* Allocate a spectrum of zeros. */
static seg_status spectrum_create(seg_context *ctx, size_t n, int count, seg_spectrum *out) {
    *out = (seg_spectrum){.n = n, .count = count};
    return SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->value, (size_t)count), SEG_TABLE(out->vector, n, (size_t)count));
}

/* The graph without its isolated nodes, and its components. */
typedef struct reduced {
    size_t n;      /* nodes left */
    int32_t *node; /* n entries: their indices in the whole graph, ascending */
    seg_csr S;
    seg_components components; /* root: square roots of the degrees, norm one within each component */
} reduced;

static void reduced_free(reduced *r) {
    free(r->node);
    seg_csr_free(&r->S);
    seg_components_free(&r->components);
}

static seg_status number_nodes(seg_context *ctx, const seg_csr *W, reduced *r, int32_t *place, double *degree) {
    size_t n = W->rows;
    for (size_t i = 0; i < n; i++) {
        const double sum = seg_csr_row_sum(W, i);
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

/* The subgraph of the nodes that are left. */
static seg_status induced(seg_context *ctx, const seg_csr *W, const int32_t *place, reduced *r) {
    size_t at = 0;
    SEG_TRY(seg_csr_create(ctx, r->n, r->n, W->start[W->rows], &r->S));
    for (size_t i = 0; i < r->n; i++) {
        size_t from = (size_t)r->node[i];
        for (size_t e = W->start[from]; e < W->start[from + 1]; e++)
            if (place[W->column[e]] >= 0) {
                r->S.column[at] = place[W->column[e]];
                r->S.value[at++] = W->value[e];
            }
        r->S.start[i + 1] = at;
    }
    return SEG_OK;
}

/* W -> S in place, and the null vectors. Roots of degrees are divided by one at a time: nothing overflows. */
static seg_status normalise(seg_context *ctx, const double *degree, reduced *r) {
    SEG_FREED double *norm = seg_alloc_zero(ctx, (size_t)r->components.count, sizeof *norm);
    double *root = r->components.root = seg_alloc(ctx, r->n, sizeof *root), largest = 0;
    SEG_TRY(seg_allocated(norm && root));
    for (size_t i = 0; i < r->n; i++) {
        root[i] = sqrt(degree[i]);
        largest = fmax(largest, degree[i]);
    }
    for (size_t i = 0; i < r->n; i++) {
        for (size_t e = r->S.start[i]; e < r->S.start[i + 1]; e++)
            r->S.value[e] = r->S.value[e] / root[i] / root[r->S.column[e]];
        norm[r->components.of[i]] += degree[i] / largest;
    }
    for (size_t i = 0; i < r->n; i++)
        root[i] = sqrt(degree[i] / largest / norm[r->components.of[i]]);
    return SEG_OK;
}

static seg_status reduce(seg_context *ctx, const seg_csr *W, reduced *r) {
    const size_t n = W->rows;
    SEG_LOCAL(int32_t, place, seg_alloc(ctx, n, sizeof *place));
    SEG_LOCAL(double, degree, seg_alloc(ctx, n, sizeof *degree));
    SEG_TRY(seg_allocated(r->node = seg_alloc(ctx, n, sizeof *r->node)));
    SEG_TRY(number_nodes(ctx, W, r, place, degree));
    SEG_TRY(induced(ctx, W, place, r));
    SEG_TRY(seg_components_find(ctx, &r->S, degree, &r->components));
    return normalise(ctx, degree, r);
}

/* The order of the components among the null vectors: the largest first, of equals the one with the first node, so that
 * the order of the rows does not matter where sizes differ (CCSKL's weights decrease from vector to vector). */
static seg_status order_components(seg_context *ctx, const reduced *r, int32_t *place) {
    const size_t count = (size_t)r->components.count;
    SEG_LOCAL(seg_ranked, parts, seg_alloc(ctx, count, sizeof *parts));
    for (size_t c = 0; c < count; c++)
        parts[c] = (seg_ranked){0, 0, (int32_t)c};
    for (size_t i = 0; i < r->n; i++)
        parts[r->components.of[i]].size++;
    qsort(parts, count, sizeof *parts, seg_by_rank);
    for (size_t c = 0; c < count; c++)
        place[parts[c].which] = (int32_t)c;
    return SEG_OK;
}

void seg_fix_sign(size_t n, size_t count, size_t c, double *vector) {
    size_t at = c;
    for (size_t i = 0; i < n; i++)
        if (fabs(vector[i * count + c]) > fabs(vector[at]))
            at = i * count + c;
    if (vector[at] < 0)
        for (size_t i = 0; i < n; i++)
            vector[i * count + c] = -vector[i * count + c];
}

/* Null vectors first, then the computed pairs; isolated nodes, of eigenvalue 1, follow the computed pairs up to 1. */
static void merge(const reduced *r, const int32_t *place, const seg_spectrum *computed, seg_spectrum *out) {
    const size_t count = (size_t)out->count, columns = (size_t)computed->count, nulls = (size_t)r->components.count;
    size_t taken = 0, next_isolated = 0, skipped = 0;
    for (size_t c = 0; c < count; c++) {
        if (c < nulls) {
            for (size_t i = 0; i < r->n; i++)
                if (place[r->components.of[i]] == (int32_t)c)
                    out->vector[(size_t)r->node[i] * count + c] = r->components.root[i];
        } else if (taken < columns && (next_isolated + r->n >= out->n || computed->value[taken] <= 1)) {
            for (size_t i = 0; i < r->n; i++)
                out->vector[(size_t)r->node[i] * count + c] = computed->vector[i * columns + taken];
            out->value[c] = computed->value[taken++];
            seg_fix_sign(out->n, count, c, out->vector);
        } else {
            while (skipped < r->n && (size_t)r->node[skipped] == next_isolated + skipped)
                skipped++;
            out->vector[(next_isolated++ + skipped) * count + c] = 1;
            out->value[c] = 1;
        }
    }
}

static seg_status compute(seg_context *ctx, const seg_csr *W, int count, reduced *r, seg_spectrum *out) {
    SEG_TRY(reduce(ctx, W, r));
    const int nulls = r->components.count, wanted = (size_t)count < r->n ? count : (int)r->n;
    SEG_RELEASED(seg_spectrum_free) seg_spectrum computed = {0};
    SEG_LOCAL(int32_t, place, seg_alloc(ctx, (size_t)nulls, sizeof *place));
    SEG_TRY(spectrum_create(ctx, r->n, wanted > nulls ? wanted - nulls : 0, &computed));
    SEG_TRY(spectrum_create(ctx, W->rows, count, out));
    if (computed.count > 0)
        SEG_TRY(seg_spectrum_solve(ctx, &r->S, &r->components, &computed));
    out->iterations = computed.iterations;
    SEG_TRY(order_components(ctx, r, place));
    merge(r, place, &computed, out);
    if (nulls > 1)
        seg_log(ctx, nulls > count ? SEG_LOG_WARNING : SEG_LOG_INFO,
                "the graph has %d components%s; more neighbours join them", nulls,
                nulls > count ? ", more than eigenvectors are used: the smaller ones cannot be told apart" : "");
    return SEG_OK;
}

seg_status seg_spectrum_compute(seg_context *ctx, const seg_csr *W, int count, seg_spectrum *out) {
    SEG_RELEASED(reduced_free) reduced r = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(check(ctx, W, count));
    SEG_RETURN_OR(compute(ctx, W, count, &r, out), seg_spectrum_free(out));
}

void seg_spectrum_free(seg_spectrum *spectrum) {
    SEG_CLEAR(spectrum, spectrum->value);
}

struct seg_spectra_entry {
    const seg_csr *W;
    seg_spectrum spectrum;
};

static const seg_spectrum *find(const seg_spectra *spectra, const seg_csr *W, int count) {
    for (size_t e = 0; spectra && e < spectra->entries; e++)
        if (spectra->entry[e].W == W && spectra->entry[e].spectrum.count == count)
            return &spectra->entry[e].spectrum;
    return NULL;
}

seg_status seg_spectra_add(seg_context *ctx, seg_spectra *spectra, const seg_csr *W, int count) {
    SEG_RELEASED(seg_spectrum_free) seg_spectrum spectrum = {0};
    if (find(spectra, W, count))
        return SEG_OK;
    const seg_status status = seg_spectrum_compute(ctx, W, count, &spectrum);
    if (status)
        return status == SEG_ERR_NUMERIC || status == SEG_ERR_USAGE ? SEG_OK : status;
    SEG_TRY(seg_extend(ctx, &spectra->entry, spectra->entries, sizeof *spectra->entry));
    spectra->entry[spectra->entries].W = W;
    return SEG_HANDED_OVER(&spectra->entry[spectra->entries++].spectrum, spectrum);
}

seg_status seg_spectra_take(seg_context *ctx, const seg_spectra *spectra, const seg_csr *W, int count, int *found,
                            seg_spectrum *out) {
    const seg_spectrum *from = find(spectra, W, count);
    const size_t columns = (size_t)count;
    memset(out, 0, sizeof *out);
    *found = from != NULL;
    if (!from)
        return SEG_OK;
    SEG_TRY(spectrum_create(ctx, from->n, count, out));
    out->iterations = from->iterations;
    memcpy(out->value, from->value, columns * sizeof *out->value);
    memcpy(out->vector, from->vector, from->n * columns * sizeof *out->vector);
    return SEG_OK;
}

void seg_spectra_free(seg_spectra *spectra) {
    for (size_t e = 0; e < spectra->entries; e++)
        seg_spectrum_free(&spectra->entry[e].spectrum);
    SEG_CLEAR(spectra, spectra->entry);
}
