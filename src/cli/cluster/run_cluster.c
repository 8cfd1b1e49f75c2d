/* segment cluster: read everything, compute everything, then write. */
#include "base/base.h"
#include "cli/cluster/cluster_job.h"
#include "cli/common/commands.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"

#include <string.h>

/* What the library fills in is what no option chose. */
static seg_status settle(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
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

static seg_status cluster(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
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
    if (options->data && options->method->needs & SEG_NEEDS_GRAPH) {
        SEG_TRY(seg_graph_build(ctx, &run->data, NULL, &run->settings.graph, &run->graph, &run->sigma));
        seg_context_about(ctx, &info);
        run->recall = info.recall;
    } else if (options->kernel && options->method->needs & SEG_NEEDS_GRAPH) {
        seg_graph_spec spec = run->settings.graph;
        spec.kind = SEG_GRAPH_KERNEL;
        SEG_TRY(seg_graph_build(ctx, &run->kernel, NULL, &spec, &run->graph, NULL));
    }
    run->graph_seconds = seg_now() - before;
    before = seg_now();
    problem.affinity = run->graph.start ? &run->graph : NULL;
    problem.restarts = run->settings.restarts;
    SEG_TRY(seg_cluster(ctx, options->method, &options->segment.params, &problem, &run->result));
    run->cluster_seconds = seg_now() - before;
    return SEG_OK;
}

static seg_status score(seg_context *ctx, cli_cluster_run *run) {
    SEG_RELEASED(seg_contingency_free) seg_contingency met = {0};
    const int32_t *label = run->result.label;
    if (!run->labels.label)
        return SEG_OK;
    SEG_TRY(seg_contingency_count(ctx, label, run->labels.label, run->n, &met));
    return seg_score(ctx, &met, &run->scores);
}

static cli_end compute(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run) {
    CLI_TRY(cli_cluster_read(ctx, options, run));
    run->read_seconds = seg_now() - run->started;
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
    run->seconds = seg_now() - run->started;
    return cli_before_writing();
}

/* Write the files of --save-... */
static seg_status save(seg_context *ctx, const cli_cluster_options *options, const cli_cluster_run *run) {
    const char *const *path = options->save;
    if (path[CLI_SAVE_CONSTRAINTS])
        SEG_TRY(seg_constraints_write(ctx, path[CLI_SAVE_CONSTRAINTS], run->base == 1, &run->constraints));
    if (path[CLI_SAVE_EMBEDDING])
        SEG_TRY(seg_matrix_write(ctx, path[CLI_SAVE_EMBEDDING], &run->result.embedding, 0));
    return path[CLI_SAVE_KERNEL] ? seg_matrix_write(ctx, path[CLI_SAVE_KERNEL], &run->result.embedding, 1) : SEG_OK;
}

/* Check before anything is written: some methods produce only labels. */
static cli_end check_embedding(const cli_cluster_options *options, const cli_cluster_run *run) {
    if ((!options->save[CLI_SAVE_EMBEDDING] && !options->save[CLI_SAVE_KERNEL]) || run->result.embedding.cols > 0)
        return CLI_GO_ON;
    return cli_refuse(CLI_USAGE,
                      "method %s has no embedding or learned kernel to save; ccskl, ccsr, enpakl, tragek, pcp, "
                      "spectral-learning and ncut have one",
                      run->result.ran);
}

/* With labels on standard output, the scores are part of the message on standard error. */
static cli_end write_results(seg_context *ctx, const cli_cluster_options *options, const cli_cluster_run *run) {
    const int beside = !options->output && !options->common.json;
    CLI_TRY(cli_went(ctx, save(ctx, options, run), CLI_WRITING));
    if (options->output || beside)
        CLI_TRY(cli_went(ctx, seg_labels_write(ctx, beside ? "-" : options->output, run->result.label, run->n),
                         CLI_WRITING));
    if (options->common.verbose || (beside && run->labels.label && !options->common.quiet))
        cli_cluster_report_words(options, run);
    if (options->common.json)
        return cli_cluster_report_json(options, run);
    if (options->output && strcmp(options->output, "-") != 0 && !options->common.quiet && !options->common.verbose &&
        cli_on_terminal())
        cli_say("wrote %s", options->output);
    if (options->output && run->labels.label)
        cli_print_scores(stdout, &run->scores, NULL);
    return cli_finish_output(CLI_OK);
}

static cli_end work(seg_context *ctx, void *user) {
    cli_cluster_options *options = user;
    SEG_RELEASED(cli_cluster_run_free) cli_cluster_run run = {0};
    CLI_TRY(cli_cluster_check(options));
    run.started = seg_now();
    CLI_TRY(cli_start_limited(ctx, &options->common));
    CLI_TRY(compute(ctx, options, &run));
    CLI_TRY(check_embedding(options, &run));
    return write_results(ctx, options, &run);
}

cli_end cli_run_cluster(int argc, char **argv) {
    cli_cluster_options options = {.base = SEG_BASE_DETECT};
    return cli_run(&cli_cluster_table, argc, argv, &options, work);
}
