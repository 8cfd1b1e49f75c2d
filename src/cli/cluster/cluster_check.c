#include "cli/cluster/cluster_check.h"
#include "cli/common/errors.h"
#include "cli/common/extensions.h"
#include "cli/common/same_files.h"
#include "cli/segment/output_names.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

static cli_end refuse(const char *sentence) {
    return cli_refuse(CLI_USAGE, "%s", sentence);
}

/* A word that replaces a file name: in lower case always, otherwise unless a file has that name. */
static int is_word(const char *text, const char *word) {
    return strcmp(text, word) == 0 || (strcasecmp(text, word) == 0 && access(text, F_OK) != 0);
}

static int is_full(const cli_cluster_options *options) {
    return options->segment.graph.kind == SEG_GRAPH_FULL;
}

/* The word `full` in place of a file of edges: a complete graph has no neighbours to count. */
static cli_end check_full(cli_cluster_options *options) {
    if (!options->graph || !is_word(options->graph, "full"))
        return CLI_GO_ON;
    if (!options->data)
        return refuse("--graph full needs a table; write ./full for a file of that name");
    if (cli_given(&cli_cluster_table, options, "knn") || cli_given(&cli_cluster_table, options, "neighbours"))
        return refuse(
            "--knn or --neighbours and --graph full exclude each other: in a complete graph all are neighbours");
    options->graph = NULL;
    options->segment.graph.kind = SEG_GRAPH_FULL;
    return CLI_GO_ON;
}

static cli_end check_sources(cli_cluster_options *options) {
    int sources = (options->data != NULL) + (options->graph != NULL) + (options->kernel != NULL);
    if (sources == 0)
        return refuse("nothing to cluster; name a table, --graph EDGES or --kernel K");
    if (sources > 1)
        return refuse("a table, --graph and --kernel exclude each other; give one");
    if (options->standardise && !options->data)
        return refuse("--standardise needs a table; graphs and kernels have no columns");
    if (options->tf_idf && !options->data)
        return refuse("--tf-idf needs a table of counts");
    if (options->tf_idf && options->standardise)
        return refuse("--tf-idf and --standardise exclude each other; give one");
    const cli_table *table = &cli_cluster_table;
    const int neighbours = cli_given(table, options, "knn") || cli_given(table, options, "edges");
    if (cli_given(table, options, "neighbours") && !options->data)
        return refuse("--neighbours needs a table, whose rows it searches");
    if (neighbours && options->graph)
        return refuse("--knn and --edges need a table or a kernel; --graph gives the edges itself");
    if (cli_given(table, options, "sigma") && !options->data)
        return refuse("--sigma needs a table, from which it weights a graph");
    if (options->nodes && !options->graph)
        return refuse("--nodes needs --graph EDGES");
    if (options->base != SEG_BASE_DETECT && !options->graph && !options->constraints)
        return refuse("--base needs --graph EDGES or --constraints FILE");
    return CLI_GO_ON;
}

static cli_end check_labels(cli_cluster_options *options) {
    const char *where = options->labels ? options->labels : "none";
    const int last = is_word(where, "last");
    if (last || is_word(where, "first")) {
        options->label_column = last ? SEG_LABELS_LAST : SEG_LABELS_FIRST;
        if (!options->data)
            return cli_refuse(CLI_USAGE, "--labels %s is a column of a table; name the file of the labels here", where);
    } else if (!is_word(where, "none")) {
        options->labels_file = where;
    }
    if (options->sample && !cli_cluster_has_labels(options))
        return refuse("--sample draws constraints from labels; name them with --labels");
    if (options->active && !cli_cluster_has_labels(options))
        return refuse(
            "--active answers questions from labels; name them with --labels, or answer yourself with segment query");
    if (options->active && !options->queries)
        return refuse("--active needs the number of questions: --queries N");
    if (options->active && !options->data && options->strategy != SEG_ACTIVE_RANDOM)
        return refuse(
            "--active measures distances between the rows of a table; without a table only random is possible");
    if (!options->segment.k && !cli_cluster_has_labels(options))
        return refuse("without labels the number of clusters is needed: -k K");
    return CLI_GO_ON;
}

static cli_end check_method(cli_cluster_options *options) {
    const int constrained = options->constraints || options->sample || options->active;
    if (options->segment.variant != SEG_VARIANT_IMPROVED && !options->segment.method)
        return refuse("--variant paper needs --method M: the default method is not from a paper");
    const seg_method *method =
        options->segment.method ? seg_method_find(options->segment.method) : cli_cluster_usual(options);
    options->method = method;
    if (!method)
        return cli_refuse(CLI_USAGE, "there is no default method for a kernel; name one with --method");
    if (method->needs & SEG_NEEDS_CONSTRAINTS && !constrained)
        return cli_refuse(CLI_USAGE, "method %s needs --constraints, or --sample or --active with labels",
                          method->name);
    if (method->needs & SEG_NEEDS_FEATURES && !options->data)
        return cli_refuse(CLI_USAGE, "method %s needs a table of vectors, and there is only a %s", method->name,
                          options->graph ? "graph" : "kernel");
    if (is_full(options) && !(method->needs & SEG_NEEDS_GRAPH))
        return cli_refuse(CLI_USAGE, "method %s does not use a graph; leave out --graph full", method->name);
    for (int i = 0; !options->segment.params_set && i < method->param_count; i++)
        options->segment.params.value[i] = method->param[i].initial;
    return CLI_GO_ON;
}

/* Outputs besides the labels: none on standard output, no two in one file, and none that replaces an input. */
static cli_end check_saves(const cli_cluster_options *options, const char *const *inputs, size_t count) {
    static const char *const flags[] = {"--save-constraints", "--save-embedding", "--save-kernel"};
    cli_end end = CLI_GO_ON;
    if (options->save[CLI_SAVE_CONSTRAINTS] && !options->constraints && !options->sample && !options->active)
        return refuse("--save-constraints needs pairs: --constraints, --sample or --active");
    for (int s = 0; s < CLI_SAVES && end == CLI_GO_ON; s++) {
        const char *path = options->save[s];
        if (!path)
            continue;
        if (strcmp(path, "-") == 0)
            return cli_refuse(CLI_USAGE, "%s needs a file name that ends in .csv or .npy", flags[s]);
        for (int other = -1; other < s; other++) {
            const char *earlier = other < 0 ? options->output : options->save[other];
            if (earlier && cli_same_output(earlier, path))
                return cli_refuse(CLI_USAGE, "%s and %s would write one file, '%s'", other < 0 ? "-o" : flags[other],
                                  flags[s], path);
        }
        end = cli_check_output(path, inputs, count);
        end = end == CLI_GO_ON ? cli_check_extension(flags[s], path, "csv,npy") : end;
    }
    return end;
}

cli_end cli_cluster_check(cli_cluster_options *options) {
    cli_end end = check_full(options);
    end = end == CLI_GO_ON ? check_sources(options) : end;
    end = end == CLI_GO_ON ? check_labels(options) : end;
    end = end == CLI_GO_ON ? check_method(options) : end;
    if (end != CLI_GO_ON)
        return end;
    const char *const inputs[] = {options->data, options->graph, options->kernel, options->labels_file,
                                  options->constraints};
    const size_t count = sizeof inputs / sizeof *inputs;
    const int to_stream = options->output && strcmp(options->output, "-") == 0;
    if (to_stream && options->common.json) {
        return refuse("only one output can be written to standard output: the labels or the JSON report, which "
                      "contains them without -o");
    }
    if (to_stream)
        options->output = NULL;
    end = cli_check_inputs(inputs, count);
    end = end == CLI_GO_ON && options->output ? cli_check_output(options->output, inputs, count) : end;
    end = end == CLI_GO_ON ? check_saves(options, inputs, count) : end;
    return end == CLI_GO_ON ? cli_check_extension("-o", options->output, "csv,npy,txt") : end;
}
