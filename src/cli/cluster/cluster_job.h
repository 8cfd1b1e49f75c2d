/* `segment cluster`: its options, inputs, the problem made from them, and reports. */
#ifndef CLI_CLUSTER_CLUSTER_JOB_H
#define CLI_CLUSTER_CLUSTER_JOB_H

#include "cli/common/arguments.h"
#include "pipeline/option_fields.h"

/* Outputs of --save-... */
enum { CLI_SAVE_CONSTRAINTS, CLI_SAVE_EMBEDDING, CLI_SAVE_KERNEL, CLI_SAVES };

typedef struct cli_cluster_options {
    cli_common common;
    const char *data, *graph, *kernel; /* one of them; "-" is standard input, as for the other inputs */
    const char *labels;                /* as given; NULL for none */
    const char *labels_file;           /* if the labels are in a file of their own */
    seg_label_column label_column;     /* if the labels are a column of the data */
    const char *constraints;           /* NULL where there is no file */
    int sample;                        /* must-links and cannot-links per class to draw; 0 draws none */
    int active;                        /* answer questions from the labels: */
    int strategy;                      /* seg_active_strategy */
    int queries;
    double unknown_rate;
    const char *save[CLI_SAVES]; /* NULL where it is not to be written */
    const char *output;          /* NULL: the labels go to standard output or into the report */
    const seg_method *method;    /* the method to run */
    int base;                    /* number of the first node and of the constraints' first sample, or SEG_BASE_DETECT */
    int nodes;                   /* of the graph, 0 = up to the largest that occurs */
    seg_options segment;         /* method, parameters, graph and restarts; k: 0 = the number of different labels */
    int standardise;
    int tf_idf;
} cli_cluster_options;

/* Names of the query strategies, NULL-ended; position = seg_active_strategy. */
extern const char *const cli_active_names[];

/* The input whose samples are clustered. */
const char *cli_cluster_source(const cli_cluster_options *options);

/* Check the options, and set the method, its parameters and the place of the labels. @return CLI_GO_ON, or the exit
 * code (a message was printed) */
cli_end cli_cluster_check(cli_cluster_options *options);

/* Everything one run reads and makes. Zero at the start. */
typedef struct cli_cluster_run {
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
} cli_cluster_run;

/* Read all inputs and draw the constraints. @return CLI_GO_ON, or the exit code (a message was printed) */
cli_end cli_cluster_read(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run);
void cli_cluster_run_free(cli_cluster_run *run);

/* The report of --json on standard output. @return the exit code */
cli_end cli_cluster_report_json(const cli_cluster_options *options, const cli_cluster_run *run);

/* A summary in a sentence on standard error. */
void cli_cluster_report_words(const cli_cluster_options *options, const cli_cluster_run *run);

#endif
