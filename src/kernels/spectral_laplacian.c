/* The Laplacian of Spectral Learning's affinities. */
#include "kernels/spectral_learning.h"

#include "base/base.h"
#include "clustering/listed_pairs.h"
#include "linalg/sparse.h"

#include <math.h>
#include <string.h>

static seg_status check(seg_context *ctx, const seg_csr *W, double *largest) {
    *largest = 0;
    for (size_t e = 0; e < W->start[W->rows]; e++) {
        if (!(W->value[e] >= 0) || isinf(W->value[e]))
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "an affinity graph holds a weight that is negative or not finite; weights must be >= 0");
        *largest = fmax(*largest, W->value[e]);
    }
    return SEG_OK;
}

/* Row i of the result under construction: entries in ascending columns, with a place for the diagonal. */
typedef struct writer {
    seg_csr *L;
    size_t at, diagonal, row;
    double degree;
} writer;

static void put(writer *w, int32_t column, double value) {
    w->L->column[w->at] = column;
    w->L->value[w->at++] = value;
}

static void pass_diagonal(writer *w, int32_t next) {
    if (w->diagonal == SIZE_MAX && next > (int32_t)w->row) {
        w->diagonal = w->at;
        put(w, (int32_t)w->row, 0);
    }
}

static void put_edge(writer *w, int32_t column, double affinity) {
    if ((size_t)column == w->row || !(affinity > 0))
        return;
    pass_diagonal(w, column);
    w->degree += affinity;
    put(w, column, -affinity);
}

/* Merge the graph's row with the listed links of the sample, which take precedence: affinity 1 or 0. */
static void sample_row(writer *w, const seg_csr *W, double scale, const int16_t *group, const seg_csr *links) {
    const size_t i = w->row, end = W->start[i + 1], links_end = links->start[i + 1];
    size_t e = W->start[i], l = links->start[i];
    while (e < end || l < links_end) {
        if (l == links_end || (e < end && W->column[e] < links->column[l])) {
            const size_t j = (size_t)W->column[e];
            if (!group || group[i] < 0 || group[j] < 0) /* between samples of groups, the groups decide */
                put_edge(w, W->column[e], W->value[e] * scale);
            e++;
            continue;
        }
        if (e < end && W->column[e] == links->column[l])
            e++;
        put_edge(w, links->column[l], links->value[l] > 0);
        for (l++; l < links_end && links->column[l] == links->column[l - 1];)
            l++;
    }
}

static void begin_row(writer *w, size_t row) {
    w->row = row;
    w->diagonal = SIZE_MAX;
    w->degree = 0;
}

static void finish_row(writer *w, double ridge) {
    pass_diagonal(w, INT32_MAX);
    w->L->value[w->diagonal] = w->degree + ridge;
    w->L->start[w->row + 1] = w->at;
}

seg_status seg_spectral_learning_laplacian(seg_context *ctx, const seg_csr *W, const seg_constraints *constraints,
                                           double ridge, seg_csr *out) {
    const size_t n = W->rows, groups = (size_t)constraints->groups;
    const int16_t *group = groups ? constraints->group : NULL;
    double size[SEG_MAX_LABELS] = {0}, largest;
    seg_csr links = {0};
    seg_status status = check(ctx, W, &largest);
    memset(out, 0, sizeof *out);
    if (status || (status = seg_pairs_by_sample(ctx, constraints, 1, &links)) != SEG_OK ||
        (status = seg_csr_create(ctx, n + groups, n + groups, W->start[n] + 2 * constraints->pairs + 4 * n + groups,
                                 out)) != SEG_OK)
        goto done;
    for (size_t i = 0; group && i < n; i++)
        if (group[i] >= 0)
            size[group[i]] += 1;
    writer w = {.L = out};
    for (size_t i = 0; i < n; i++) {
        begin_row(&w, i);
        sample_row(&w, W, largest > 0 ? 1 / largest : 0, group, &links);
        if (group && group[i] >= 0)
            put_edge(&w, (int32_t)(n + (size_t)group[i]), size[group[i]]);
        finish_row(&w, ridge);
    }
    for (size_t g = 0; g < groups; g++) {
        begin_row(&w, n + g);
        for (size_t i = 0; i < n; i++)
            if (group[i] == (int)g)
                put_edge(&w, (int32_t)i, size[g]);
        finish_row(&w, size[g] > 0 ? 0 : 1);
    }
done:
    seg_csr_free(&links);
    return status;
}
