/* A large table end to end: read, nearest neighbours, eigenvectors, CCSKL and k-means, each with what it cost. */
#include "base/base.h"
#include "bench.h"
#include "evaluation/runner/runner.h"

#include <stdio.h>

typedef struct cost {
    double wall, processor;
} cost;

static cost now(void) {
    const cost c = {seg_now(), seg_processor_seconds()};
    return c;
}

static void print(const char *name, cost since) {
    const cost c = now();
    printf("%-9s %8.3f %8.3f\n", name, c.wall - since.wall, c.processor - since.processor);
}

int bench_usps(const bench_options *options) {
    SCOPED(seg_matrix) X = {0};
    SCOPED(seg_labels) labels = {0};
    SCOPED(seg_constraints) pairs = {0};
    SCOPED(seg_csr) W = {0};
    SCOPED(seg_clustering) found = {0};
    SCOPED(seg_contingency) met = {0};
    seg_scores scores;
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 20, .sigma_scale = 1};
    const cost started = now();
    cost stage = started;
    seg_context ctx = seg_context_default();
    ctx.threads = options->threads < 0 ? 2 : options->threads;
    seg_status status = seg_vectors_read(&ctx, options->data, SEG_LABELS_LAST, &X, &labels);
    if (status == SEG_OK && labels.classes > SEG_MAX_LABELS)
        status = SEG_ERR_INPUT;
    printf("stage         wall      cpu   (seconds, %d threads)\n", ctx.threads);
    print("read", stage);
    stage = now();
    if (status == SEG_OK)
        status = seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL);
    print("graph", stage);
    stage = now();
    if (status == SEG_OK)
        status = bench_pairs_draw(&ctx, &labels, 20, &pairs);
    const seg_problem problem = {
        .n = X.rows, .k = labels.classes, .features = &X, .affinity = &W, .constraints = &pairs, .restarts = 10};
    if (status == SEG_OK)
        status = seg_cluster(&ctx, seg_method_find("ccskl"), NULL, &problem, &found);
    print("ccskl", stage);
    print("total", started);
    if (status == SEG_OK)
        status = seg_contingency_count(&ctx, found.label, labels.label, X.rows, &met);
    if (status == SEG_OK && (status = seg_score(&ctx, &met, &scores)) == SEG_OK)
        printf("%zu samples x %zu, NMI %.3f\n", X.rows, X.cols, scores.nmi);
    seg_context_end(&ctx);
    return status == SEG_OK ? 0 : bench_fail("%s", ctx.message[0] ? ctx.message : "the labels are not classes");
}
