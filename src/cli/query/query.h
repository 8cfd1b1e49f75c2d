/* `segment query`: its options, what it reads, and how it asks a person one question. */
#ifndef CLI_QUERY_QUERY_H
#define CLI_QUERY_QUERY_H

#include "cli/common/arguments.h"

typedef struct cli_query_options {
    cli_common common;
    const char *data; /* a table */
    seg_label_column label_column;
    const char *output;   /* "-" is standard output */
    char *default_output; /* owned */
    int strategy;         /* seg_active_strategy */
    int k;                /* 0 = not known */
    int queries;          /* 0 = until nothing is left to ask */
    int standardise;
} cli_query_options;

/* Check the options, and set the name of the output. @return CLI_GO_ON, or the exit code. Free default_output in every
 * case. */
cli_end cli_query_check(cli_query_options *options);

extern const char *const cli_label_columns[]; /* position = seg_label_column; NULL-ended */

/* Inputs of a run and the objects made from them. Zero at the start. */
typedef struct cli_query_run {
    seg_labels labels;   /* of the table, with the names of its columns */
    seg_matrix shown;    /* the table unchanged */
    seg_matrix features; /* features that distances are measured on; empty if that is `shown` */
    char *earlier;       /* text of the answers' file so far; owned, NULL for none */
    seg_constraints known, unknown;
    seg_active *active;
} cli_query_run;

typedef enum cli_reply {
    CLI_REPLY_CANNOT = SEG_ANSWER_CANNOT,
    CLI_REPLY_SKIP = SEG_ANSWER_UNKNOWN,
    CLI_REPLY_MUST = SEG_ANSWER_MUST,
    CLI_REPLY_UNDO,
    CLI_REPLY_QUIT,       /* or the end of standard input */
    CLI_REPLY_INTERRUPTED /* by a signal, while waiting */
} cli_reply;

/* Show rows i and j on standard error. */
void cli_query_show(const cli_query_options *options, const cli_query_run *run, int32_t i, int32_t j);

/* Read lines until one is an answer. */
cli_reply cli_query_reply(void);

#endif
