#include "cli/cluster/cluster_job.h"
#include "cli/common/process.h"

#include <string.h>

/* Where nothing but the method looks at the table, and the method goes through its rows only, floats may stay. */
static seg_status read_table(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
    const int stored = options->method->needs == SEG_NEEDS_FEATURES && options->label_column == SEG_LABELS_NONE &&
                       !options->standardise && !options->tf_idf && !options->active;
    const seg_status status =
        stored ? seg_vectors_read(ctx, options->data, SEG_LABELS_NONE_STORED, &run->data, NULL)
               : seg_vectors_read(ctx, options->data, options->label_column, &run->data, &run->labels);
    run->n = run->data.rows;
    return status;
}

static seg_status read_samples(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
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

static cli_end check_labels(const cli_cluster_options *options, const cli_cluster_run *run) {
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

static cli_end check_k(const cli_cluster_options *options, const cli_cluster_run *run) {
    if ((size_t)run->k <= run->n)
        return CLI_GO_ON;
    return cli_refuse(CLI_INPUT,
                      "'%s' has %zu sample%s, which cannot make %d clusters; -k is at most the number of samples",
                      cli_cluster_source(options), run->n, run->n == 1 ? "" : "s", run->k);
}

/* Draw pairs from the classes, which are groups only for this. */
static seg_status sample(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
    SEG_RELEASED(seg_constraints_free) seg_constraints classes = {0};
    SEG_TRY(seg_constraints_create(ctx, run->n, &classes));
    classes.groups = run->labels.classes;
    for (size_t i = 0; i < run->n; i++)
        classes.group[i] = (int16_t)run->labels.label[i];
    return seg_constraints_sample(ctx, &classes, (size_t)options->sample, &run->constraints);
}

/* Answer questions from the labels, given the constraints so far. */
static seg_status ask(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
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
static seg_status make_constraints(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
    if (options->standardise || options->tf_idf)
        SEG_TRY(seg_scale(ctx, options->standardise ? SEG_SCALING_STANDARDISED : SEG_SCALING_TF_IDF, &run->data));
    SEG_TRY(options->sample ? sample(ctx, options, run) : seg_constraints_create(ctx, run->n, &run->constraints));
    if (options->constraints)
        SEG_TRY(seg_constraints_read(ctx, options->constraints, NULL, run->base == 1, &run->constraints, NULL));
    if (options->segment.contradictions == SEG_CONTRADICTIONS_DROP)
        SEG_TRY(seg_constraints_close(ctx, &run->constraints, SEG_CONTRADICTIONS_DROP));
    return options->active ? ask(ctx, options, run) : SEG_OK;
}

cli_end cli_cluster_read(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
    CLI_TRY(cli_went(ctx, read_samples(ctx, options, run), CLI_READING));
    if (run->labels.label)
        CLI_TRY(check_labels(options, run));
    run->k = options->segment.k ? options->segment.k : run->labels.classes;
    CLI_TRY(check_k(options, run));
    return cli_went(ctx, make_constraints(ctx, options, run), CLI_READING);
}

void cli_cluster_run_free(cli_cluster_run *run) {
    seg_matrix_free(&run->data);
    seg_matrix_free(&run->kernel);
    seg_csr_free(&run->graph);
    seg_labels_free(&run->labels);
    seg_constraints_free(&run->constraints);
    seg_clustering_free(&run->result);
    memset(run, 0, sizeof *run);
}
