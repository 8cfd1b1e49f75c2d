/* The options of `segment cluster`. */
#pragma once

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
    int unanswered;              /* there are no pairs, whatever the options say */
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

/* Set the method, which is another where no pair has an answer. */
cli_end cli_cluster_choose(cli_cluster_options *options);

/* Check the options, and set the method, its parameters and the place of the labels. */
cli_end cli_cluster_check(cli_cluster_options *options);
