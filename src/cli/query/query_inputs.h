/* What `segment query` reads. */
#ifndef CLI_QUERY_QUERY_INPUTS_H
#define CLI_QUERY_QUERY_INPUTS_H

#include "cli/query/query_options.h"

/* Inputs of a run and the objects made from them. Zero at the start. */
typedef struct cli_query_run {
    size_t n; /* samples */
    seg_image photo;
    seg_patch_grid grid; /* of the image */
    seg_labels labels;   /* of the table, with the names of its columns */
    seg_matrix shown;    /* the table unchanged; empty for an image */
    seg_matrix features; /* features that distances are measured on; empty if that is `shown` */
    char *earlier;       /* text of the answers' file so far; owned, NULL for none */
    seg_constraints known, unknown;
    seg_active *active;
} cli_query_run;

/* Read the data and earlier answers, and make the selector. @return CLI_GO_ON, or the exit code */
cli_end cli_query_read(seg_context *ctx, const cli_query_options *options, cli_query_run *run);
void cli_query_run_free(cli_query_run *run);

#endif
