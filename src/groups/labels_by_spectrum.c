/* Spectral starts of labels by votes. */
#include "groups/pair_labels.h"

#include "base/base.h"
#include "clustering/kmeans.h"
#include "linalg/dense.h"

#define SPECTRAL_STREAM 0x2180
#define TOLERANCE       1e-6

typedef struct signed_graph {
    const seg_pair_labels *l;
    const seg_csr *met;
    const int32_t *of;
    double repel;
    double *met_scale, *apart_scale; /* of each neighbourhood: 1 / sqrt(degree), 0 where that is 0 */
} signed_graph;

/* The sums over the edges of neighbourhood p of their weights, or of these times what is scaled of x at their ends. */
static void add_up(const signed_graph *g, int32_t p, const double *x, double *met, double *apart) {
    const seg_neighbourhoods *f = &g->l->near;
    *met = *apart = 0;
    for (size_t m = f->start[p]; m < f->start[p + 1]; m++) {
        const size_t c = (size_t)f->member[m];
        for (size_t e = g->met->start[c]; e < g->met->start[c + 1]; e++) {
            const int32_t q = g->of[g->met->column[e]];
            const double weight = q == p ? 0 : g->met->value[e];
            *met += x ? weight * g->met_scale[q] * x[q] : weight;
        }
    }
    for (size_t e = f->cannot_start[p]; e < f->cannot_start[p + 1]; e++)
        *apart += x ? f->apart[e] * g->apart_scale[f->cannot[e]] * x[f->cannot[e]] : f->apart[e];
}

static void times(void *user, const double *x, double *y) {
    const signed_graph *g = user;
    for (int32_t p = 0; p < g->l->near.count; p++) {
        double met, apart;
        add_up(g, p, x, &met, &apart);
        y[p] = g->met_scale[p] * met - g->repel * g->apart_scale[p] * apart;
    }
}

static void scale(signed_graph *g) {
    for (int32_t p = 0; p < g->l->near.count; p++) {
        double met, apart;
        add_up(g, p, NULL, &met, &apart);
        g->met_scale[p] = met > 0 ? 1 / sqrt(met) : 0;
        g->apart_scale[p] = apart > 0 ? 1 / sqrt(apart) : 0;
    }
}

seg_status seg_labels_by_spectrum(seg_context *ctx, const seg_problem *problem, const seg_csr *met, const int32_t *of,
                                  double repel, seg_pair_labels *l) {
    const size_t rows = (size_t)l->near.count, k = l->k;
    signed_graph g = {.l = l, .met = met, .of = of, .repel = repel};
    const seg_lanczos_options lanczos = {.count = (int)k, .largest = 1, .tolerance = TOLERANCE};
    const seg_kmeans_options options = {.k = problem->k,
                                        .restarts = problem->restarts,
                                        .iterations = SEG_PAIR_LABELS_ITERATIONS,
                                        .stream = SPECTRAL_STREAM};
    SEG_RELEASED(seg_matrix_free) seg_matrix vectors = {0};
    seg_kmeans_result result;
    double *value, *centre;
    int32_t *label;
    if (rows <= k + 1)
        return SEG_OK;
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(value, k), SEG_TABLE(centre, k, k), SEG_ARRAY(label, rows),
                     SEG_ARRAY(g.met_scale, rows), SEG_ARRAY(g.apart_scale, rows));
    SEG_TRY(seg_matrix_create(ctx, rows, k, &vectors));
    scale(&g);
    const seg_status status = seg_lanczos(ctx, &(seg_operator){rows, times, &g}, &lanczos, value, vectors.at, NULL);
    if (status)
        return status == SEG_ERR_NUMERIC ? SEG_OK : status; /* this start is left out */
    seg_rows_to_sphere(rows, k, vectors.at);
    SEG_TRY(seg_kmeans(ctx, &vectors, &options, label, centre, &result));
    for (size_t c = 0; c < l->count; c++)
        l->label[c] = label[of[c]];
    seg_pair_labels_count(l);
    return SEG_OK;
}
