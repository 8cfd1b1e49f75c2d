/* segment cluster: read everything, compute everything, then write. */
#include "cli/cluster/cluster_job.h"
#include "cli/common/commands.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"

/* Everything one run reads and makes. Zero at the start. */
typedef struct cluster_run {
    size_t n; /* samples */
    int k;
    seg_matrix data, kernel;
    seg_csr graph;
    int base;          /* first number of the nodes and of the samples of constraints in their files */
    seg_labels labels; /* label is or NULL */
    seg_constraints constraints;
    seg_active_tally asked; /* of --active */
    seg_cluster_settings settings;
    double sigma;  /* of the graph made from the data, else 0 */
    double recall; /* of its nearest neighbours; 1 where the search was exact */
    seg_clustering result;
    seg_scores scores;
    seg_kept kept;  /* pairs that the result satisfies and violates */
    size_t planned; /* predicted bytes of the graph and the clustering */
    double started, read_seconds, graph_seconds, cluster_seconds, seconds;
} cluster_run;

/* --- The inputs. --- */

/* Where nothing but the method looks at the table, and the method goes through its rows only, floats may stay. */
static seg_status read_table(seg_context *ctx, const cli_cluster_options *options, cluster_run *run) {
    const int stored = options->method->needs == SEG_NEEDS_FEATURES && options->label_column == SEG_LABELS_NONE &&
                       !options->standardise && !options->tf_idf && !options->active;
    const seg_status status =
        stored ? seg_vectors_read(ctx, options->data, SEG_LABELS_NONE_STORED, &run->data, NULL)
               : seg_vectors_read(ctx, options->data, options->label_column, &run->data, &run->labels);
    run->n = run->data.rows;
    return status;
}

static seg_status read_samples(seg_context *ctx, const cli_cluster_options *options, cluster_run *run) {
    run->base = options->base;
    if (options->graph) {
        SEG_TRY(seg_edges_read(ctx, options->graph, &run->base, (size_t)options->nodes, &run->graph));
        run->n = run->graph.rows;
    } else if (options->kernel) {
        SEG_TRY(seg_kernel_read(ctx, options->kernel, &run->kernel));
        run->n = run->kernel.rows;
    } else {
        SEG_TRY(read_table(ctx, options, run));
    }
    return options->labels_file ? seg_labels_read(ctx, options->labels_file, run->n, &run->labels) : SEG_OK;
}

static cli_end check_labels(const cli_cluster_options *options, const cluster_run *run) {
    const char *file = options->labels_file ? options->labels_file : cli_cluster_source(options);
    const int classes = run->labels.classes;
    if (classes == 1)
        return cli_refuse(CLI_INPUT, "'%s': all %zu labels are '%s'; at least two classes are needed", file, run->n,
                          run->labels.name[0]);
    if (classes > SEG_MAX_LABELS && (!options->segment.k || options->sample))
        return cli_refuse(CLI_INPUT,
                          "'%s' has %d different labels, and at most %d are possible; is that column a measurement?",
                          file, classes, SEG_MAX_LABELS);
    return CLI_GO_ON;
}

/* Draw pairs from the classes, which are groups only for this. */
static seg_status sample(seg_context *ctx, const cli_cluster_options *options, cluster_run *run) {
    SEG_RELEASED(seg_constraints_free) seg_constraints classes = {0};
    SEG_TRY(seg_constraints_create(ctx, run->n, &classes));
    classes.groups = run->labels.classes;
    for (size_t i = 0; i < run->n; i++)
        classes.group[i] = (int16_t)run->labels.label[i];
    return seg_constraints_sample(ctx, &classes, (size_t)options->sample, &run->constraints);
}

/* Answer questions from the labels, given the constraints so far. */
static seg_status ask(seg_context *ctx, const cli_cluster_options *options, cluster_run *run) {
    const seg_active_spec spec = {
        .strategy = (seg_active_strategy)options->strategy,
        .k = run->k,
        .budget = (size_t)options->queries,
        .n = run->n,
        .features = run->data.rows ? &run->data : NULL,
        .known = &run->constraints,
    };
    const seg_label_oracle oracle = {.label = run->labels.label, .unknown_rate = options->unknown_rate};
    seg_constraints answered;
    SEG_TRY(seg_active_from_labels(ctx, &spec, &oracle, &answered, &run->asked));
    seg_constraints_free(&run->constraints);
    run->constraints = answered;
    return SEG_OK;
}

/* The table as it is used, and the constraints. */
static seg_status make_constraints(seg_context *ctx, const cli_cluster_options *options, cluster_run *run) {
    if (options->standardise || options->tf_idf)
        SEG_TRY(seg_scale(ctx, options->standardise ? SEG_SCALING_STANDARDISED : SEG_SCALING_TF_IDF, &run->data));
    SEG_TRY(options->sample ? sample(ctx, options, run) : seg_constraints_create(ctx, run->n, &run->constraints));
    if (options->constraints)
        SEG_TRY(seg_constraints_read(ctx, options->constraints, NULL, run->base == 1, &run->constraints, NULL));
    if (options->segment.contradictions == SEG_CONTRADICTIONS_DROP)
        SEG_TRY(seg_constraints_close(ctx, &run->constraints, SEG_CONTRADICTIONS_DROP));
    return options->active ? ask(ctx, options, run) : SEG_OK;
}

static cli_end read_inputs(seg_context *ctx, const cli_cluster_options *options, cluster_run *run) {
    CLI_TRY(cli_went(ctx, read_samples(ctx, options, run), CLI_READING));
    if (run->labels.label)
        CLI_TRY(check_labels(options, run));
    run->k = options->segment.k ? options->segment.k : run->labels.classes;
    if ((size_t)run->k > run->n)
        return cli_refuse(CLI_INPUT,
                          "'%s' has %zu sample%s, which cannot make %d clusters; -k is at most the number of samples",
                          cli_cluster_source(options), run->n, run->n == 1 ? "" : "s", run->k);
    return cli_went(ctx, make_constraints(ctx, options, run), CLI_READING);
}

static void run_free(cluster_run *run) {
    seg_matrix_free(&run->data);
    seg_matrix_free(&run->kernel);
    seg_csr_free(&run->graph);
    seg_labels_free(&run->labels);
    seg_constraints_free(&run->constraints);
    seg_clustering_free(&run->result);
}

/* --- The reports. --- */

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

static json_t *asked_json(const cli_cluster_options *options, const cluster_run *run) {
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

/* The report of --json on standard output. @return the exit code */
static cli_end report_json(const cli_cluster_options *options, const cluster_run *run) {
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

/* A summary in a sentence on standard error. */
static void report_words(const cli_cluster_options *options, const cluster_run *run) {
    char scores[128] = "", pairs[96] = "", method[64];
    if (run->labels.label)
        snprintf(scores, sizeof scores, "; clustering error %.4f, NMI %.4f, pairwise accuracy %.4f",
                 run->scores.clustering_error, run->scores.nmi, run->scores.pairwise_accuracy);
    if (run->constraints.pairs)
        snprintf(pairs, sizeof pairs, "; %zu constraints, %zu violated", run->constraints.pairs,
                 run->kept.broken_must_links + run->kept.broken_cannot_links);
    cli_method_text(options->method, options->segment.variant, run->result.ran, method, sizeof method);
    cli_say("%s: %zu samples in %d clusters in %.3f s%s%s", method, run->n, run->k, run->seconds, pairs, scores);
}

/* --- The run. --- */

/* What the library fills in is what no option chose. */
static seg_status settle(seg_context *ctx, const cli_cluster_options *options, cluster_run *run) {
    static const struct {
        const char *name;
        unsigned chosen;
    } rows[] = {{"knn", SEG_CHOSEN_NEIGHBOURS},
                {"sigma", SEG_CHOSEN_SIGMA},
                {"neighbours", SEG_CHOSEN_SEARCH},
                {"restarts", SEG_CHOSEN_RESTARTS}};
    run->settings.graph = options->segment.graph;
    run->settings.restarts = options->segment.restarts;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        run->settings.chosen |= cli_given(&cli_cluster_table, options, rows[i].name) ? rows[i].chosen : 0;
    return seg_cluster_settings_fill(ctx, options->method, options->segment.variant, run->data.at ? &run->data : NULL,
                                     &run->settings);
}

static seg_status cluster(seg_context *ctx, const cli_cluster_options *options, cluster_run *run) {
    double before = seg_now();
    seg_context_info info;
    const int by_graph = (options->data || options->kernel) && options->method->needs & SEG_NEEDS_GRAPH;
    seg_problem problem = {.n = run->n,
                           .k = run->k,
                           .features = run->data.rows ? &run->data : NULL,
                           .affinity = run->graph.start ? &run->graph : NULL,
                           .kernel = run->kernel.at ? &run->kernel : NULL,
                           .constraints = &run->constraints};
    SEG_TRY(settle(ctx, options, run));
    SEG_TRY(seg_cluster_plan(ctx, options->method, &options->segment.params, &problem,
                             by_graph ? &run->settings.graph : NULL, &run->planned));
    if (by_graph) {
        seg_graph_spec spec = run->settings.graph;
        spec.kind = options->kernel ? SEG_GRAPH_KERNEL : spec.kind;
        SEG_TRY(
            seg_graph_build(ctx, options->kernel ? &run->kernel : &run->data, NULL, &spec, &run->graph, &run->sigma));
        seg_context_about(ctx, &info);
        run->recall = info.recall;
    }
    run->graph_seconds = seg_now() - before;
    before = seg_now();
    problem.affinity = run->graph.start ? &run->graph : NULL;
    problem.restarts = run->settings.restarts;
    SEG_TRY(seg_cluster(ctx, options->method, &options->segment.params, &problem, &run->result));
    run->cluster_seconds = seg_now() - before;
    return SEG_OK;
}

static seg_status score(seg_context *ctx, cluster_run *run) {
    SEG_RELEASED(seg_contingency_free) seg_contingency met = {0};
    const int32_t *label = run->result.label;
    if (!run->labels.label)
        return SEG_OK;
    SEG_TRY(seg_contingency_count(ctx, label, run->labels.label, run->n, &met));
    return seg_score(ctx, &met, &run->scores);
}

static cli_end compute(seg_context *ctx, cli_cluster_options *options, cluster_run *run) {
    CLI_TRY(read_inputs(ctx, options, run));
    options->unanswered = !run->constraints.pairs;
    if (!options->segment.method && !options->segment.params_set)
        CLI_TRY(cli_cluster_choose(options));
    run->read_seconds = seg_now() - run->started;
    cli_catch_signals();
    CLI_TRY(cli_went(ctx, cluster(ctx, options, run), CLI_COMPUTING));
    seg_kept_count(ctx, run->constraints.pairs ? options->method : NULL, &run->constraints, &run->result, &run->kept);
    CLI_TRY(cli_went(ctx, score(ctx, run), CLI_COMPUTING));
    cli_bar_clear();
    run->seconds = seg_now() - run->started;
    return cli_before_writing();
}

/* Write the files of --save-... */
static seg_status save(seg_context *ctx, const cli_cluster_options *options, const cluster_run *run) {
    const char *const *path = options->save;
    if (path[CLI_SAVE_CONSTRAINTS])
        SEG_TRY(seg_constraints_write(ctx, path[CLI_SAVE_CONSTRAINTS], run->base == 1, &run->constraints));
    if (path[CLI_SAVE_EMBEDDING])
        SEG_TRY(seg_matrix_write(ctx, path[CLI_SAVE_EMBEDDING], &run->result.embedding, 0));
    return path[CLI_SAVE_KERNEL] ? seg_matrix_write(ctx, path[CLI_SAVE_KERNEL], &run->result.embedding, 1) : SEG_OK;
}

/* Check before anything is written: some methods produce only labels. */
static cli_end check_embedding(const cli_cluster_options *options, const cluster_run *run) {
    if ((!options->save[CLI_SAVE_EMBEDDING] && !options->save[CLI_SAVE_KERNEL]) || run->result.embedding.cols > 0)
        return CLI_GO_ON;
    return cli_refuse(CLI_USAGE,
                      "method %s has no embedding or learned kernel to save; ccskl, ccsr, enpakl, tragek, pcp, "
                      "spectral-learning and ncut have one",
                      run->result.ran);
}

/* With labels on standard output, the scores are part of the message on standard error. */
static cli_end write_results(seg_context *ctx, const cli_cluster_options *options, const cluster_run *run) {
    const int beside = !options->output && !options->common.json;
    CLI_TRY(cli_went(ctx, save(ctx, options, run), CLI_WRITING));
    if (options->output || beside)
        CLI_TRY(cli_went(ctx, seg_labels_write(ctx, beside ? "-" : options->output, run->result.label, run->n),
                         CLI_WRITING));
    if (options->common.verbose || (beside && run->labels.label && !options->common.quiet))
        report_words(options, run);
    if (options->common.json)
        return report_json(options, run);
    if (options->output && strcmp(options->output, "-") != 0 && !options->common.quiet && !options->common.verbose &&
        cli_on_terminal())
        cli_say("wrote %s", options->output);
    if (options->output && run->labels.label)
        cli_print_scores(stdout, &run->scores, NULL);
    return cli_finish_output(CLI_OK);
}

static cli_end work(seg_context *ctx, void *user) {
    cli_cluster_options *options = user;
    SEG_RELEASED(run_free) cluster_run run = {0};
    CLI_TRY(cli_cluster_check(options));
    run.started = seg_now();
    CLI_TRY(cli_start_limited(ctx, &options->common));
    CLI_TRY(compute(ctx, options, &run));
    CLI_TRY(check_embedding(options, &run));
    return write_results(ctx, options, &run);
}

CLI_COMMAND_RUNS(cluster, cli_cluster_options, .base = SEG_BASE_DETECT, work)
