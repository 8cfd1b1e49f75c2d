/* segment cluster: read everything, compute everything, then write. */
#include "cluster_check.h"
#include "cluster_inputs.h"
#include "cluster_options.h"
#include "cluster_report.h"
#include "commands.h"
#include "cost.h"
#include "fail.h"
#include "limits.h"
#include "progress.h"

#include <string.h>

/* The paper's graph for the paper's variant, unless another one is asked for. */
static seg_status paper_graph(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
    const cli_table *table = &cli_cluster_table;
    run->spec = options->segment.graph;
    if (options->segment.variant == SEG_VARIANT_PAPER && !cli_given(table, options, "neighbours"))
        run->spec.search = SEG_SEARCH_EXACT;
    if (options->segment.variant != SEG_VARIANT_PAPER || !run->data.at || run->n < 2 ||
        run->spec.kind == SEG_GRAPH_FULL || cli_given(table, options, "knn") || cli_given(table, options, "edges") ||
        cli_given(table, options, "sigma"))
        return SEG_OK;
    return seg_graph_of_paper(ctx, options->method, &run->data, &run->spec);
}

static seg_status cluster(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
    double before = cli_now();
    seg_context_info info;
    const int by_graph = (options->data || options->kernel) && options->method->needs & SEG_NEEDS_GRAPH;
    const seg_problem coming = {.n = run->n,
                                .k = run->k,
                                .features = run->data.at ? &run->data : NULL,
                                .floats = run->floats.at ? &run->floats : NULL,
                                .affinity = run->graph.start ? &run->graph : NULL,
                                .kernel = run->kernel.at ? &run->kernel : NULL,
                                .constraints = &run->constraints};
    seg_status status = paper_graph(ctx, options, run);
    if (status != SEG_OK)
        return status;
    status = seg_cluster_plan(ctx, options->method, &options->segment.params, &coming, by_graph ? &run->spec : NULL,
                              &run->planned);
    if (status != SEG_OK)
        return status;
    if (options->data && options->method->needs & SEG_NEEDS_GRAPH) {
        if (run->spec.kind == SEG_GRAPH_FULL && run->n > SEG_FULL_LISTED) {
            status = seg_full_graph_create(ctx, &run->data, &run->spec, &run->full, &run->sigma);
        } else {
            status = seg_graph_build(ctx, &run->data, NULL, &run->spec, &run->graph, &run->sigma);
            seg_context_about(ctx, &info);
            run->recall = info.recall;
        }
    } else if (options->kernel && options->method->needs & SEG_NEEDS_GRAPH) {
        seg_graph_spec spec = run->spec;
        spec.kind = SEG_GRAPH_KERNEL;
        status = seg_graph_build(ctx, &run->kernel, NULL, &spec, &run->graph, NULL);
    }
    run->graph_seconds = cli_now() - before;
    if (status != SEG_OK)
        return status;
    const int printed =
        options->segment.variant == SEG_VARIANT_PAPER && !cli_given(&cli_cluster_table, options, "restarts");
    run->restarts = printed ? 1 : options->segment.restarts; /* no paper says: the best of several */
    before = cli_now();
    const seg_problem problem = {
        .n = run->n,
        .k = run->k,
        .features = run->data.at ? &run->data : NULL,
        .floats = run->floats.at ? &run->floats : NULL,
        .affinity = run->graph.start ? &run->graph : NULL,
        .full = run->full,
        .kernel = run->kernel.at ? &run->kernel : NULL,
        .constraints = &run->constraints,
        .restarts = run->restarts,
    };
    status = seg_cluster(ctx, options->method, &options->segment.params, &problem, &run->result);
    run->cluster_seconds = cli_now() - before;
    return status;
}

static seg_status score(seg_context *ctx, cli_cluster_run *run) {
    seg_contingency met = {0};
    const int32_t *label = run->result.label;
    if (!run->labels.label)
        return SEG_OK;
    seg_status status = seg_contingency_count(ctx, label, run->labels.label, run->n, &met);
    if (status == SEG_OK)
        status = seg_score(ctx, &met, &run->scores);
    seg_contingency_free(&met);
    return status;
}

static cli_end compute(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
    run->started = cli_now();
    cli_end end = cli_limits_check(options->common.max_memory);
    end = end == CLI_GO_ON ? cli_cluster_read(ctx, options, run) : end;
    if (end != CLI_GO_ON)
        return end;
    run->read_seconds = cli_now() - run->started;
    cli_catch_signals();
    seg_status status = cluster(ctx, options, run);
    if (status == SEG_OK) {
        seg_kept_count(ctx, run->constraints.pairs ? options->method : NULL, &run->constraints, &run->result,
                       &run->kept);
        status = score(ctx, run);
    }
    cli_bar_clear();
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_COMPUTING);
    if (cli_interrupted()) {
        cli_say("interrupted; nothing was written");
        return (cli_end)(CLI_SIGNAL + cli_interrupted());
    }
    if (cli_timed_out()) {
        cli_say_timeout("clustering");
        return CLI_TIMEOUT;
    }
    cli_begin_writing();
    run->seconds = cli_now() - run->started;
    return CLI_GO_ON;
}

/* The files that other programs read. */
static seg_status save(seg_context *ctx, const cli_cluster_options *options, const cli_cluster_run *run) {
    const char *const *path = options->save;
    seg_status status = SEG_OK;
    if (path[CLI_SAVE_CONSTRAINTS])
        status = seg_constraints_write(ctx, path[CLI_SAVE_CONSTRAINTS], run->base == 1, &run->constraints);
    if (status == SEG_OK && path[CLI_SAVE_EMBEDDING])
        status = seg_matrix_write(ctx, path[CLI_SAVE_EMBEDDING], &run->result.embedding, 0);
    if (status == SEG_OK && path[CLI_SAVE_KERNEL])
        status = seg_matrix_write(ctx, path[CLI_SAVE_KERNEL], &run->result.embedding, 1);
    return status;
}

/* Before anything is written: some methods have labels alone. */
static cli_end check_embedding(const cli_cluster_options *options, const cli_cluster_run *run) {
    if ((!options->save[CLI_SAVE_EMBEDDING] && !options->save[CLI_SAVE_KERNEL]) || run->result.embedding.cols > 0)
        return CLI_GO_ON;
    return cli_refuse(
        CLI_USAGE,
        "the method %s clusters without an embedding or a learned kernel, which could be saved; ccskl, ccsr, enpakl, "
        "tragek, pcp, spectral-learning and ncut have one",
        run->result.ran);
}

/* Labels on standard output leave no place for the scores there: they become part of the sentence on standard error. */
static cli_end write_results(seg_context *ctx, const cli_cluster_options *options, const cli_cluster_run *run) {
    const int beside = !options->output && !options->common.json;
    seg_status status = save(ctx, options, run);
    if (status == SEG_OK && (options->output || beside))
        status = seg_labels_write(ctx, beside ? "-" : options->output, run->result.label, run->n);
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_WRITING);
    if (options->common.verbose || (beside && run->labels.label && !options->common.quiet))
        cli_cluster_report_words(options, run);
    if (options->common.json)
        return cli_cluster_report_json(options, run);
    if (options->output && strcmp(options->output, "-") != 0 && !options->common.quiet && !options->common.verbose &&
        cli_on_terminal())
        cli_say("wrote %s", options->output);
    if (options->output && run->labels.label)
        cli_cluster_print_scores(&run->scores);
    return cli_finish_output(CLI_OK);
}

cli_end cli_run_cluster(int argc, char **argv) {
    seg_context *ctx = cli_context_create();
    cli_cluster_options options;
    cli_cluster_run run = {0};
    if (!ctx)
        return CLI_FAILED;
    cli_end end = cli_cluster_options_parse(argc, argv, &options);
    end = end == CLI_GO_ON ? cli_cluster_check(&options) : end;
    if (end == CLI_GO_ON) {
        seg_context_set_threads(ctx, options.common.threads);
        seg_context_set_seed(ctx, (uint64_t)options.common.seed);
        cli_limits_start(ctx, options.common.max_memory, options.common.timeout);
        cli_progress_start(ctx, (cli_progress_mode)options.common.progress,
                           options.common.quiet ? -1 : options.common.verbose);
        end = compute(ctx, &options, &run);
        end = end == CLI_GO_ON ? check_embedding(&options, &run) : end;
        if (end == CLI_GO_ON)
            end = write_results(ctx, &options, &run);
    }
    cli_limits_end();
    cli_cluster_run_free(&run);
    cli_cluster_options_free(&options);
    seg_context_free(ctx);
    return end;
}
