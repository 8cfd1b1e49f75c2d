/* Constrained clustering of points that have nothing to do with an image: two half moons that reach into each other
 * and a blob, a few points of each known, and one pair known to belong together. k-means is fooled; methods that learn
 * a kernel from what is known are not.
 * Built against an installed library: cc cluster_vectors.c -lsegment -lm */
#include <segment/segment.h>

#include <math.h>
#include <stdio.h>

enum { EACH = 100, CLUSTERS = 3, N = EACH * CLUSTERS, KNOWN = 4 };

/* Noise that is the same on every machine: a linear congruential generator, uniform in -1..1. */
static double noise(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1;
}

/* Row i of the matrix is the i-th point; truth[i] is where it comes from. */
static void make_points(seg_matrix *points, int *truth) {
    uint32_t state = 7;
    for (int i = 0; i < N; i++) {
        const double angle = 3.14159265358979 * (i / CLUSTERS) / EACH;
        double *at = points->at + 2 * i;
        truth[i] = i % CLUSTERS;
        at[0] = truth[i] == 0 ? cos(angle) : truth[i] == 1 ? 1 - cos(angle) : 3 + 0.3 * noise(&state);
        at[1] = truth[i] == 0 ? sin(angle) : truth[i] == 1 ? 0.4 - sin(angle) : 0.3 * noise(&state);
        at[0] += 0.1 * noise(&state);
        at[1] += 0.1 * noise(&state);
    }
}

/* A group is a set of points known to belong together and apart from the other groups: all pairs, never listed. */
static seg_status make_constraints(seg_context *ctx, seg_constraints *out) {
    const seg_pair pair = {.i = 0, .j = 3 * (EACH - 1), .sign = +1, .weight = 1}; /* both ends of the first moon */
    seg_status status = seg_constraints_create(ctx, N, out);
    if (status != SEG_OK)
        return status;
    out->groups = CLUSTERS;
    for (int i = 0; i < CLUSTERS * KNOWN; i++) /* spread evenly; a label's cluster carries its number */
        out->group[i / CLUSTERS * CLUSTERS * (EACH / KNOWN) + i % CLUSTERS] = (int16_t)(i % CLUSTERS);
    return seg_constraints_add(ctx, out, pair);
}

static seg_status run(seg_context *ctx, const char *method, const seg_problem *problem, const int *truth) {
    seg_clustering found = {0};
    seg_contingency table = {0};
    seg_scores scores = {0};
    int label[N], size[CLUSTERS] = {0};
    seg_status status = seg_cluster(ctx, seg_method_find(method), NULL, problem, &found); /* NULL: its defaults */
    for (int i = 0; i < N && status == SEG_OK; i++)
        size[label[i] = found.label[i]]++;
    if (status == SEG_OK)
        status = seg_contingency_count(ctx, label, truth, N, &table);
    if (status == SEG_OK)
        status = seg_score(ctx, &table, &scores);
    if (status == SEG_OK)
        printf("%-6s sizes %d %d %d, NMI %.3f\n", method, size[0], size[1], size[2], scores.nmi);
    seg_contingency_free(&table);
    seg_clustering_free(&found);
    return status;
}

int main(void) {
    /* Zeros first, so that everything can be freed wherever the way ends. */
    seg_matrix points = {0};
    seg_constraints known = {0};
    seg_csr graph = {0};
    int truth[N];
    const seg_graph_spec nearest = {.kind = SEG_GRAPH_KNN, .neighbours = 10, .sigma_scale = 1};
    seg_status status;

    seg_context *ctx = seg_context_create();
    if (!ctx)
        return 1;
    if ((status = seg_matrix_create(ctx, N, 2, &points)) != SEG_OK)
        goto done;
    make_points(&points, truth);
    if ((status = make_constraints(ctx, &known)) != SEG_OK)
        goto done;
    if ((status = seg_graph_build(ctx, &points, NULL, &nearest, &graph, NULL)) != SEG_OK)
        goto done;

    const seg_problem problem = {
        .n = N, .k = CLUSTERS, .features = &points, .affinity = &graph, .constraints = &known, .restarts = 5};
    const char *const methods[] = {"kmeans", "ccskl", "enpakl"};
    for (int m = 0; m < 3 && status == SEG_OK; m++)
        status = run(ctx, methods[m], &problem, truth);

done:
    seg_csr_free(&graph);
    seg_constraints_free(&known);
    seg_matrix_free(&points);
    if (status != SEG_OK)
        fprintf(stderr, "cluster_vectors: %s: %s\n", seg_status_text(status), seg_context_message(ctx));
    seg_context_free(ctx);
    return status != SEG_OK;
}
