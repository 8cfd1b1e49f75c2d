/* The options of `segment cluster`. */
#ifndef CLI_CLUSTER_OPTIONS_H
#define CLI_CLUSTER_OPTIONS_H

#include "fields.h"

#include <segment/segment.h>

typedef struct cli_cluster_options {
    cli_arguments arguments;
    const char *data, *graph, *kernel; /* one of them; "-" is standard input, as for the other inputs */
    const char *labels;                /* as given; NULL for none */
    const char *labels_file;           /* where the labels are a file of their own */
    seg_label_column label_column;     /* where they are a column of the data */
    const char *constraints;           /* NULL where there is no file */
    int sample;                        /* must-links and cannot-links a class to draw; 0 draws none */
    int active;                        /* questions are put to the labels: */
    int strategy;                      /* seg_active_strategy */
    int queries;
    double unknown_rate;
    const char *output;       /* NULL where the labels go to standard output or into the report */
    const char *method_name;  /* as given, NULL for the default */
    const seg_method *method; /* the one to run */
    cli_texts param;          /* the texts of --param */
    seg_params params;        /* of the method */
    int k;                    /* 0 = the number of different labels */
    int base;                 /* number of the graph's first node, or SEG_BASE_DETECT */
    int nodes;                /* of the graph, 0 = up to the largest that occurs */
    seg_graph_spec neighbours;
    int graph_options, knn_given; /* --knn or --edges was given; --knn was */
    int width_option;             /* --sigma was */
    int standardise, restarts;
    int64_t seed;
    int threads;
    size_t max_memory; /* bytes, 0 for no limit */
    double timeout;    /* seconds, likewise */
    int progress;      /* cli_progress_mode */
    int json, quiet, verbose;
} cli_cluster_options;

/* Names of the strategies of asking, NULL-ended; position = seg_active_strategy. */
extern const char *const cli_active_names[];

/* There are labels to score against or to draw constraints from. */
int cli_cluster_has_labels(const cli_cluster_options *options);

/* The input whose samples are clustered. */
const char *cli_cluster_source(const cli_cluster_options *options);

/* Parse and check the arguments; the files are not opened yet.
 * @return CLI_GO_ON, else how to end. Free with cli_cluster_options_free in every case. */
int cli_cluster_options_parse(seg_context *ctx, int argc, char **argv, cli_cluster_options *out);
void cli_cluster_options_free(cli_cluster_options *options);

#endif
