#include "base/base.h"
#include "cli/cluster/cluster_job.h"
#include "cli/common/report_parts.h"

#include <math.h>
#include <stdio.h>

static json_t *whole_numbers(const int32_t *number, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(number[i]));
    return list;
}

/* Samples of every cluster; every cluster has some (seg_cluster). */
static json_t *sizes_json(const seg_clustering *result) {
    int32_t size[SEG_MAX_LABELS] = {0};
    for (size_t i = 0; i < result->n; i++)
        size[result->label[i]]++;
    return whole_numbers(size, (size_t)result->k);
}

static json_t *classes_json(const seg_labels *labels) {
    if (!labels->label)
        return json_null();
    json_t *list = json_array();
    for (int c = 0; c < labels->classes; c++)
        json_array_append_new(list, cli_json_text(labels->name[c]));
    return list;
}

static json_t *asked_json(const cli_cluster_options *options, const cli_cluster_run *run) {
    if (!options->active)
        return json_null();
    return json_pack("{s:s, s:I, s:I, s:I, s:I}", "strategy", cli_active_names[options->strategy], "queries",
                     (json_int_t)run->asked.asked, "unknown", (json_int_t)run->asked.unknown, "inferred",
                     (json_int_t)run->asked.inferred, "neighbourhoods", (json_int_t)run->asked.neighbourhoods);
}

static json_t *kernel_json(const seg_clustering *result) {
    if (isnan(result->kernel_psd))
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "psd", cli_json_real(result->kernel_psd), "diagonal",
                     cli_json_real(result->kernel_diagonal), "duality_gap", cli_json_real(result->kernel_gap));
}

cli_end cli_cluster_report_json(const cli_cluster_options *options, const cli_cluster_run *run) {
    const seg_clustering *result = &run->result;
    const int graph = run->graph.start != NULL;
    json_t *inputs = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:i, s:b, s:b}", "program", "segment", "version",
                               seg_version(), "data", cli_json_text(options->data), "graph",
                               cli_json_text(run->settings.graph.kind == SEG_GRAPH_FULL ? "full" : options->graph),
                               "kernel", cli_json_text(options->kernel), "labels_from", cli_json_text(options->labels),
                               "constraints_file", cli_json_text(options->constraints), "sample", options->sample,
                               "standardise", options->standardise, "tf_idf", options->tf_idf);
    json_t *how =
        json_pack("{s:s, s:s, s:o, s:o, s:i, s:i, s:I}", "method", options->method->name, "variant",
                  options->segment.variant == SEG_VARIANT_PAPER ? "paper" : "improved", "ran",
                  cli_json_text(result->ran), "parameters", cli_json_params(options->method, &options->segment.params),
                  "k", run->k, "restarts", run->settings.restarts, "seed", (json_int_t)options->common.seed);
    json_t *what = json_pack("{s:I, s:o, s:o, s:o, s:o}", "samples", (json_int_t)run->n, "features",
                             options->data ? json_integer((json_int_t)run->data.cols) : json_null(), "classes",
                             classes_json(&run->labels), "constraints", cli_json_kept(&run->kept), "active",
                             asked_json(options, run));
    const seg_graph_spec *spec = &run->settings.graph;
    const int built = options->data && graph, full = spec->kind == SEG_GRAPH_FULL;
    const int by_neighbours = graph && !options->graph && !full;
    const size_t edges = graph ? run->graph.start[run->graph.rows] / 2 : 0;
    json_t *made =
        json_pack("{s:o, s:o, s:o, s:o}", "neighbours", by_neighbours ? json_integer(spec->neighbours) : json_null(),
                  "recall", by_neighbours && built ? cli_json_real(run->recall) : json_null(), "sigma",
                  built ? cli_json_real(run->sigma) : json_null(), "graph_edges",
                  graph ? json_integer((json_int_t)edges) : json_null());
    json_t *found = json_pack(
        "{s:o, s:o, s:o, s:i, s:b, s:o, s:o, s:o, s:o}", "objective", cli_json_real(result->objective),
        "objective_bound", cli_json_real(result->objective_bound), "learned_kernel", kernel_json(result), "iterations",
        result->iterations, "converged", result->converged, "sizes", sizes_json(result), "scores",
        run->labels.label ? cli_json_scores(&run->scores, NULL) : json_null(), "output", cli_json_text(options->output),
        "labels", options->output ? json_null() : whole_numbers(result->label, result->n));
    json_t *cost = json_pack(
        "{s:{s:f, s:f, s:f}, s:f, s:I, s:{s:o, s:I}}", "stages", "read", run->read_seconds, "graph", run->graph_seconds,
        "cluster", run->cluster_seconds, "seconds", run->seconds, "peak_memory", (json_int_t)seg_peak_memory(), "plan",
        "limit", options->common.max_memory ? json_integer((json_int_t)options->common.max_memory) : json_null(),
        "clustering", (json_int_t)run->planned);
    json_t *parts[] = {how, what, made, found, cost};
    return cli_json_print_parts(stdout, inputs, parts, sizeof parts / sizeof *parts);
}

void cli_cluster_report_words(const cli_cluster_options *options, const cli_cluster_run *run) {
    char scores[128] = "", pairs[96] = "", method[64];
    if (run->labels.label) {
        snprintf(scores, sizeof scores, "; clustering error %.4f, NMI %.4f, pairwise accuracy %.4f",
                 run->scores.clustering_error, run->scores.nmi, run->scores.pairwise_accuracy);
    }
    if (run->constraints.pairs) {
        snprintf(pairs, sizeof pairs, "; %zu constraints, %zu violated", run->constraints.pairs,
                 run->kept.broken_must_links + run->kept.broken_cannot_links);
    }
    cli_method_text(options->method, options->segment.variant, run->result.ran, method, sizeof method);
    cli_say("%s: %zu samples in %d clusters in %.3f s%s%s", method, run->n, run->k, run->seconds, pairs, scores);
}
