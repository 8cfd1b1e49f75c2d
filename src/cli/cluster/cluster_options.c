#include "cli/cluster/cluster_options.h"
#include "cli/common/errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_active_names[] = {"explore-consolidate", "explore", "minmax", "random", NULL};

#define AT(member) offsetof(cli_cluster_options, member)

static const seg_option rows[] = {
    {SEG_OPTION_ROW("labels", 0, TEXT, AT(labels)),
     SEG_OPTION_SAID(
         "WHERE", NULL, NULL,
         "Known labels: the last or first column of DATA, none (the default), or a FILE with one label per line"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("graph", 0, TEXT, AT(graph)),
     SEG_OPTION_SAID("EDGES", NULL, NULL,
                     "Cluster the nodes of a graph instead of vectors: a file with lines i j or i j weight; or full: "
                     "cluster DATA by the complete graph of all its pairs"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("base", 0, INT, AT(base)), SEG_OPTION_RANGE(0, 1),
     SEG_OPTION_SAID("N", NULL, NULL,
                     "Number of the first node of --graph and of the first sample of --constraints, 0 or 1; default: 0 "
                     "if a node 0 occurs, and for samples that are not nodes"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("nodes", 0, INT, AT(nodes)), SEG_OPTION_RANGE(1, 1000000000),
     SEG_OPTION_SAID("N", NULL, NULL, "Number of nodes of the graph; default: up to the largest that occurs"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("kernel", 0, TEXT, AT(kernel)),
     SEG_OPTION_SAID("K", NULL, NULL, "Cluster by a kernel matrix instead of vectors, CSV or NPY"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("clusters", 'k', INT, AT(segment.k)), SEG_OPTION_RANGE(1, SEG_MAX_LABELS),
     SEG_OPTION_SAID("K", NULL, NULL, "Number of clusters; default: the number of different labels"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("constraints", 0, TEXT, AT(constraints)),
     SEG_OPTION_SAID("FILE", NULL, NULL, "Must-links and cannot-links, lines i,j,sign[,weight]"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("sample", 0, INT, AT(sample)), SEG_OPTION_RANGE(1, 1000000),
     SEG_OPTION_SAID("N", NULL, NULL, "Draw N must-links and N cannot-links per class from the labels"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("active", 0, CHOICE, AT(strategy)), SEG_OPTION_CHOICES(cli_active_names, 0),
     SEG_OPTION_SAID("STRATEGY", NULL, NULL,
                     "Answer questions about pairs of samples from the labels; the pairs are chosen by "
                     "explore-consolidate, explore, minmax or random"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("queries", 0, INT, AT(queries)), SEG_OPTION_RANGE(1, 1000000),
     SEG_OPTION_SAID("N", NULL, NULL, "Number of questions for --active"), SEG_OPTION_NEEDS("active"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("unknown-rate", 0, REAL, AT(unknown_rate)), SEG_OPTION_RANGE(0, 1),
     SEG_OPTION_SAID("P", NULL, NULL, "Share of those questions that get no answer, 0 to 1"),
     SEG_OPTION_NEEDS("active"), SEG_OPTION_KIND(INPUT, 0)},

    {SEG_OPTION_ROW("output", 'o', TEXT, AT(output)),
     SEG_OPTION_SAID("OUT", NULL, NULL,
                     "Cluster numbers: .csv, .npy, or one per line (.txt); - is standard output (default)"),
     SEG_OPTION_KIND(OUTPUT, 0)},
    {SEG_OPTION_ROW("save-constraints", 0, TEXT, AT(save[CLI_SAVE_CONSTRAINTS])),
     SEG_OPTION_SAID("FILE", NULL, NULL,
                     "The pairs of --constraints, --sample and --active together: .csv, as --constraints reads them, "
                     "or .npy with columns i, j, sign and weight"),
     SEG_OPTION_KIND(OUTPUT, 0)},
    {SEG_OPTION_ROW("save-embedding", 0, TEXT, AT(save[CLI_SAVE_EMBEDDING])),
     SEG_OPTION_SAID("FILE", NULL, NULL, "The rows that were clustered, a factor of the learned kernel: .csv or .npy"),
     SEG_OPTION_KIND(OUTPUT, 0)},
    {SEG_OPTION_ROW("save-kernel", 0, TEXT, AT(save[CLI_SAVE_KERNEL])),
     SEG_OPTION_SAID("FILE", NULL, NULL, "Inner products of the rows, the learned kernel: .csv or .npy"),
     SEG_OPTION_KIND(OUTPUT, 0)},
    {.name = "json"},

    {.name = "method",
     .help = "Method; 'segment methods' lists them; default: auto with constraints, ncut without (with --kernel, the "
             "first that needs only a kernel)"},
    {.name = "variant"},
    {.name = "param"},
    {SEG_OPTION_ROW("standardise", 0, FLAG, AT(standardise)),
     SEG_OPTION_SAID(NULL, NULL, NULL, "Scale every column of DATA to mean 0 and standard deviation 1 first"),
     SEG_OPTION_KIND(HOW, 0)},
    {SEG_OPTION_ROW("tf-idf", 0, FLAG, AT(tf_idf)),
     SEG_OPTION_SAID(NULL, NULL, NULL,
                     "Weight the counts of DATA: count * log(samples / samples that contain it), rows of length one"),
     SEG_OPTION_KIND(HOW, 0)},
    {.name = "knn", .initial = "20"},
    {.name = "neighbours", .initial = "auto"},
    {.name = "edges"},
    {.name = "sigma"},
    {.name = "contradictions"},
    {.name = "restarts", .initial = "10"},
    {.name = "seed"},
    {.name = "threads"},
    {.name = "max-memory"},
    {.name = "timeout"},

    {.name = "progress"},
    {.name = "quiet", .help = "Print no warnings, no scores beside the labels and no bar"},
    {.name = "verbose"},
    {.name = "help"},
    {.name = "version"},
    {0}};

/* The first method of the registry that needs only a kernel; with constraints, preferably one that learns from them. */
static const seg_method *default_for_kernel(int constrained) {
    for (int learns = constrained; learns >= 0; learns--) {
        for (int i = 0; seg_method_at(i); i++) {
            const seg_method *method = seg_method_at(i);
            if (method->needs == (learns ? SEG_NEEDS_CONSTRAINTS : 0u))
                return method;
        }
    }
    return NULL;
}

const seg_method *cli_cluster_usual(const void *options) {
    const cli_cluster_options *cluster = options;
    const int constrained = cluster->constraints || cluster->sample || cluster->active;
    return cluster->kernel ? default_for_kernel(constrained)
                           : seg_method_find(constrained ? NULL : SEG_METHOD_UNCONSTRAINED);
}

const cli_table cli_cluster_table = {
    .command = "segment cluster",
    .usage = "DATA\n--graph EDGES\n--kernel K",
    .about =
        "Cluster vectors, the nodes of a graph or the samples of a kernel.\n\n"
        "DATA is a table of numbers, one sample per row: text (commas, semicolons, tabs or blanks; a header is "
        "recognised), NPY or MatrixMarket coordinates, compressed with gzip or not; - is standard input. Samples and "
        "clusters are numbered from 0.",
    .more =
        "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 unreadable or unfit input, 4 contradictory "
        "constraints, 6 more memory is needed than --max-memory allows, 124 --timeout is over, 130 interrupted. See "
        "also the manual page segment-cluster(1).",
    .heading = {[SEG_OPTIONS_INPUT] = "What to cluster",
                [SEG_OPTIONS_OUTPUT] = "Output",
                [SEG_OPTIONS_HOW] = "How to cluster",
                [SEG_OPTIONS_SAY] = "Messages"},
    .rows = rows,
    .segment = AT(segment),
    .usual_method = cli_cluster_usual,
};

static void set_defaults(cli_cluster_options *out) {
    memset(out, 0, sizeof *out);
    seg_options_default(&out->segment);
    cli_set_defaults(&cli_cluster_table, out);
    out->base = SEG_BASE_DETECT;
}

int cli_cluster_has_labels(const cli_cluster_options *options) {
    return options->labels_file || options->label_column != SEG_LABELS_NONE;
}

const char *cli_cluster_source(const cli_cluster_options *options) {
    const char *source = options->data ? options->data : options->graph ? options->graph : options->kernel;
    return strcmp(source, "-") == 0 ? "standard input" : source;
}

cli_end cli_cluster_options_parse(int argc, char **argv, cli_cluster_options *out) {
    set_defaults(out);
    cli_end end = cli_parse(&cli_cluster_table, argc, argv, out);
    out->data = cli_word(&out->common, 0);
    out->active = cli_given(&cli_cluster_table, out, "active");
    if (end == CLI_GO_ON)
        end = cli_most_words(&out->common, 1, "one table at a time");
    return end;
}

void cli_cluster_options_free(cli_cluster_options *options) {
    free(options->common.words.at);
    memset(options, 0, sizeof *options);
}
