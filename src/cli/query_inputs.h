/* What `segment query` reads. */
#ifndef CLI_QUERY_INPUTS_H
#define CLI_QUERY_INPUTS_H

#include "query_options.h"

/* Everything one run reads and makes. Zero at the start. */
typedef struct cli_query_run {
    size_t n; /* samples */
    seg_image photo;
    seg_patch_grid grid; /* of the image */
    seg_names names;     /* of the table's columns */
    seg_matrix shown;    /* the table as it stands; of an image nothing */
    seg_matrix features; /* what distances are measured on; empty where that is `shown` */
    char *earlier;       /* text of the answers' file so far; owned, NULL for none */
    seg_constraints known, unknown;
    seg_active *active;
} cli_query_run;

/* Read the data and earlier answers, and make the selector. @return CLI_GO_ON, else how to end */
cli_end cli_query_read(seg_context *ctx, const cli_query_options *options, cli_query_run *run);
void cli_query_run_free(cli_query_run *run);

#endif
