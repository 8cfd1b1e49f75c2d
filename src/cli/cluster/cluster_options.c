#include "cli/cluster/cluster_job.h"
#include "cli/common/file_uses.h"
#include "cli/common/paths.h"

const char *const cli_active_names[] = {"explore-consolidate", "explore", "minmax", "random", "npu", "aipc", NULL};

#define AT(member) offsetof(cli_cluster_options, member)

static const seg_option rows[] = {
    CLI_SECTION(INPUT),
    {SEG_OPTION_ROW("labels", 0, TEXT, AT(labels)), .value = "WHERE",
     .help = "Known labels: the last or first column of DATA, none (the default), or a FILE with one label per line"},
    {SEG_OPTION_ROW("graph", 0, TEXT, AT(graph)), .value = "EDGES",
     .help = "Cluster the nodes of a graph instead of vectors: a file with lines i j or i j weight; or full: "
             "cluster DATA by the complete graph of all its pairs"},
    {SEG_OPTION_ROW("base", 0, INT, AT(base)), SEG_OPTION_RANGE(0, 1), .value = "N",
     .help = "Number of the first node of --graph and of the first sample of --constraints, 0 or 1; default: 0 "
             "if a node 0 occurs, and for samples that are not nodes"},
    {SEG_OPTION_ROW("nodes", 0, INT, AT(nodes)), SEG_OPTION_RANGE(1, 1000000000), .value = "N",
     .help = "Number of nodes of the graph; default: up to the largest that occurs"},
    {SEG_OPTION_ROW("kernel", 0, TEXT, AT(kernel)), .value = "K",
     .help = "Cluster by a kernel matrix instead of vectors, CSV or NPY"},
    {SEG_OPTION_ROW("clusters", 'k', INT, AT(segment.k)), SEG_OPTION_RANGE(1, SEG_MAX_LABELS), .value = "K",
     .help = "Number of clusters; default: the number of different labels"},
    {SEG_OPTION_ROW("constraints", 0, TEXT, AT(constraints)), .value = "FILE",
     .help = "Must-links and cannot-links, lines i,j,sign[,weight]"},
    {SEG_OPTION_ROW("sample", 0, INT, AT(sample)), SEG_OPTION_RANGE(1, 1000000), .value = "N",
     .help = "Draw N must-links and N cannot-links per class from the labels"},
    {SEG_OPTION_ROW("active", 0, CHOICE, AT(strategy)), SEG_OPTION_CHOICES(cli_active_names, 0), .value = "STRATEGY",
     .help = "Answer questions about pairs of samples from the labels; the pairs are chosen by "
             "explore-consolidate, explore, minmax, npu, aipc or random"},
    {SEG_OPTION_ROW("queries", 0, INT, AT(queries)), SEG_OPTION_RANGE(1, 1000000), .value = "N",
     .help = "Number of questions for --active", SEG_OPTION_NEEDS("active")},
    {SEG_OPTION_ROW("unknown-rate", 0, REAL, AT(unknown_rate)), SEG_OPTION_RANGE(0, 1), .value = "P",
     .help = "Share of those questions that get no answer, 0 to 1", SEG_OPTION_NEEDS("active")},
    CLI_SECTION(OUTPUT),
    {SEG_OPTION_ROW("output", 'o', TEXT, AT(output)), .value = "OUT",
     .help = "Cluster numbers: .csv, .npy, or one per line (.txt); - is standard output (default)"},
    {SEG_OPTION_ROW("save-constraints", 0, TEXT, AT(save[CLI_SAVE_CONSTRAINTS])), .value = "FILE",
     .help = "The pairs of --constraints, --sample and --active together: .csv, as --constraints reads them, "
             "or .npy with columns i, j, sign and weight"},
    {SEG_OPTION_ROW("save-embedding", 0, TEXT, AT(save[CLI_SAVE_EMBEDDING])), .value = "FILE",
     .help = "The rows that were clustered, a factor of the learned kernel: .csv or .npy"},
    {SEG_OPTION_ROW("save-kernel", 0, TEXT, AT(save[CLI_SAVE_KERNEL])), .value = "FILE",
     .help = "Inner products of the rows, the learned kernel: .csv or .npy"},
    {.name = "json"},
    CLI_SECTION(HOW),
    {.name = "method",
     .help = "Method; 'segment methods' lists them; default: auto with constraints, ncut without (with --kernel, the "
             "first that needs only a kernel)"},
    {.name = "param"},
    {SEG_OPTION_ROW("standardise", 0, FLAG, AT(standardise)),
     .help = "Scale every column of DATA to mean 0 and standard deviation 1 first"},
    {SEG_OPTION_ROW("tf-idf", 0, FLAG, AT(tf_idf)),
     .help = "Weight the counts of DATA: count * log(samples / samples that contain it), rows of length one"},
    {.name = "knn", .initial = "20"},
    {.name = "neighbours", .initial = "auto"},
    {.name = "sigma"},
    {.name = "contradictions"},
    {.name = "restarts", .initial = "10"},
    CLI_ROWS_OF_RUN,
    CLI_SECTION(SAY),
    {.name = "progress"},
    {.name = "quiet", .help = "Print no warnings, no scores beside the labels and no bar"},
    {.name = "verbose"},
    CLI_LAST_ROWS};

/* The first method of the registry that needs only a kernel; with constraints, preferably one that learns from them. */
static const seg_method *default_for_kernel(int constrained) {
    for (int learns = constrained; learns >= 0; learns--) {
        for (int i = 0; seg_method_at(i); i++) {
            const seg_method *method = seg_method_at(i);
            if ((method->needs & ~(unsigned)SEG_WEIGHS_PAIRS) == (learns ? SEG_NEEDS_CONSTRAINTS : 0u))
                return method;
        }
    }
    return NULL;
}

static int is_constrained(const cli_cluster_options *options) {
    return !options->unanswered && (options->constraints || options->sample || options->active);
}

/* NULL if there is only a kernel and no method needs only that. */
static const seg_method *usual_method(const void *options) {
    const cli_cluster_options *cluster = options;
    const int constrained = is_constrained(cluster);
    return cluster->kernel ? default_for_kernel(constrained)
                           : seg_method_find(constrained ? NULL : SEG_METHOD_UNCONSTRAINED);
}

const cli_table cli_cluster_table = {
    .command = "segment cluster",
    .usage = "DATA\n--graph EDGES\n--kernel K",
    .most_words = 1,
    .too_many = "one table at a time",
    .about =
        "Cluster vectors, the nodes of a graph or the samples of a kernel.\n\n"
        "DATA is a table of numbers, one sample per row: text (commas, semicolons, tabs or blanks; a header is "
        "recognised) or NPY, compressed with gzip or not; - is standard input. Samples and clusters are numbered from "
        "0.",
    .more = "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 unreadable or unfit input, 4 contradictory "
            "constraints, 6 more memory is needed than --max-memory allows, 130 interrupted. See also the manual page "
            "segment-cluster(1).",
    .heading = {[SEG_OPTIONS_INPUT] = "What to cluster",
                [SEG_OPTIONS_OUTPUT] = "Output",
                [SEG_OPTIONS_HOW] = "How to cluster",
                [SEG_OPTIONS_SAY] = "Messages"},
    .rows = rows,
    .segment = AT(segment),
    .usual_method = usual_method,
};

const char *cli_cluster_source(const cli_cluster_options *options) {
    const char *source = options->data ? options->data : options->graph ? options->graph : options->kernel;
    return strcmp(source, "-") == 0 ? "standard input" : source;
}

/* --- Checks of the options together. --- */

static int given(const cli_cluster_options *options, const char *name) {
    return cli_given(&cli_cluster_table, options, name);
}

/* A word that replaces a file name: in lower case always, otherwise unless a file has that name. */
static int is_word(const char *text, const char *word) {
    return strcmp(text, word) == 0 || (strcasecmp(text, word) == 0 && access(text, F_OK) != 0);
}

/* The word `full` in place of a file of edges: a complete graph has no neighbours to count. */
static cli_end check_full(cli_cluster_options *options) {
    if (!options->graph || !is_word(options->graph, "full"))
        return CLI_GO_ON;
    const cli_rule rules[] = {
        {!options->data, "--graph full needs a table; write ./full for a file of that name"},
        {given(options, "knn") || given(options, "neighbours"),
         "--knn or --neighbours and --graph full exclude each other: in a complete graph all are neighbours"}};
    CLI_TRY(cli_check_rules(rules, sizeof rules / sizeof *rules));
    options->graph = NULL;
    options->segment.graph.kind = SEG_GRAPH_FULL;
    return CLI_GO_ON;
}

static cli_end check_sources(cli_cluster_options *options) {
    int sources = (options->data != NULL) + (options->graph != NULL) + (options->kernel != NULL);
    const cli_rule rules[] = {
        {sources == 0, "nothing to cluster; name a table, --graph EDGES or --kernel K"},
        {sources > 1, "a table, --graph and --kernel exclude each other; give one"},
        {options->standardise && !options->data, "--standardise needs a table; graphs and kernels have no columns"},
        {options->tf_idf && !options->data, "--tf-idf needs a table of counts"},
        {options->tf_idf && options->standardise, "--tf-idf and --standardise exclude each other; give one"},
        {given(options, "neighbours") && !options->data, "--neighbours needs a table, whose rows it searches"},
        {given(options, "knn") && options->graph, "--knn needs a table or a kernel; --graph gives the edges itself"},
        {given(options, "sigma") && !options->data, "--sigma needs a table, from which it weights a graph"},
        {options->nodes && !options->graph, "--nodes needs --graph EDGES"},
        {options->base != SEG_BASE_DETECT && !options->graph && !options->constraints,
         "--base needs --graph EDGES or --constraints FILE"}};
    return cli_check_rules(rules, sizeof rules / sizeof *rules);
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
    const int labelled = options->labels_file || options->label_column != SEG_LABELS_NONE, active = options->active;
    const cli_rule rules[] = {
        {options->sample && !labelled, "--sample draws constraints from labels; name them with --labels"},
        {active && !labelled,
         "--active answers questions from labels; name them with --labels, or answer yourself with segment query"},
        {active && !options->queries, "--active needs the number of questions: --queries N"},
        {active && !options->data && options->strategy != SEG_ACTIVE_RANDOM,
         "--active measures distances between the rows of a table; without a table only random is possible"},
        {!options->segment.k && !labelled, "without labels the number of clusters is needed: -k K"}};
    return cli_check_rules(rules, sizeof rules / sizeof *rules);
}

cli_end cli_cluster_choose(cli_cluster_options *options) {
    const seg_method *method =
        options->segment.method ? seg_method_find(options->segment.method) : usual_method(options);
    options->method = method;
    if (!method)
        return cli_refuse(CLI_USAGE, "there is no default method for a kernel; name one with --method");
    if (method->needs & SEG_NEEDS_CONSTRAINTS && !is_constrained(options))
        return cli_refuse(CLI_USAGE, "method %s needs --constraints, or --sample or --active with labels",
                          method->name);
    if (method->needs & SEG_NEEDS_FEATURES && !options->data)
        return cli_refuse(CLI_USAGE, "method %s needs a table of vectors, and there is only a %s", method->name,
                          options->graph ? "graph" : "kernel");
    if (options->segment.graph.kind == SEG_GRAPH_FULL && !(method->needs & SEG_NEEDS_GRAPH))
        return cli_refuse(CLI_USAGE, "method %s does not use a graph; leave out --graph full", method->name);
    for (int i = 0; !options->segment.params_set && i < method->param_count; i++)
        options->segment.params.value[i] = method->param[i].initial;
    return CLI_GO_ON;
}

/* Outputs besides the labels: not on standard output. */
static cli_end check_saves(const cli_cluster_options *options, const cli_use saves[CLI_SAVES]) {
    if (saves[CLI_SAVE_CONSTRAINTS].path && !options->constraints && !options->sample && !options->active)
        return cli_refuse(CLI_USAGE, "--save-constraints needs pairs: --constraints, --sample or --active");
    for (int s = 0; s < CLI_SAVES; s++)
        if (cli_is_stream(saves[s].path))
            return cli_refuse(CLI_USAGE, "%s needs a file name that ends in .csv or .npy", saves[s].name);
    return CLI_GO_ON;
}

cli_end cli_cluster_check(cli_cluster_options *options) {
    options->data = cli_word(&options->common, 0);
    options->active = given(options, "active");
    CLI_TRY(check_full(options));
    CLI_TRY(check_sources(options));
    CLI_TRY(check_labels(options));
    CLI_TRY(cli_cluster_choose(options));
    if (cli_is_stream(options->output)) {
        if (options->common.json)
            return cli_refuse(CLI_USAGE,
                              "only one output can be written to standard output: the labels or the JSON report, which "
                              "contains them without -o");
        options->output = NULL;
    }
    const cli_use uses[] = {
        {.name = "--save-constraints", .path = options->save[CLI_SAVE_CONSTRAINTS], .writes = 1, .endings = "csv,npy"},
        {.name = "--save-embedding", .path = options->save[CLI_SAVE_EMBEDDING], .writes = 1, .endings = "csv,npy"},
        {.name = "--save-kernel", .path = options->save[CLI_SAVE_KERNEL], .writes = 1, .endings = "csv,npy"},
        {.name = "-o", .path = options->output, .writes = 1, .endings = "csv,npy,txt"},
        {.name = "the table", .path = options->data},
        {.name = "--graph", .path = options->graph},
        {.name = "--kernel", .path = options->kernel},
        {.name = "--labels", .path = options->labels_file},
        {.name = "--constraints", .path = options->constraints}};
    CLI_TRY(check_saves(options, uses));
    return cli_check_files(uses, sizeof uses / sizeof *uses);
}
