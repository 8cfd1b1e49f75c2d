/* The options of `segment query`. */
#pragma once

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

/* Check the options and set the name of the output. @return CLI_GO_ON or the exit code. Free default_output always. */
cli_end cli_query_check(cli_query_options *options);
