/* The options of `segment query`. */
#ifndef CLI_QUERY_QUERY_OPTIONS_H
#define CLI_QUERY_QUERY_OPTIONS_H

#include "cli/common/arguments.h"

#include <segment/segment.h>

typedef struct cli_query_options {
    cli_common common;
    const char *data; /* a table or an image */
    int is_photo;     /* detected by content */
    seg_label_column label_column;
    const char *output;                     /* "-" is standard output */
    const char *picture;                    /* where an image's questions are drawn */
    char *default_output, *default_picture; /* owned */
    int strategy;                           /* seg_active_strategy */
    int k;                                  /* 0 = not known */
    int queries;                            /* 0 = until nothing is left to ask */
    int patch;                              /* of an image, as in seg_options */
    int standardise;
} cli_query_options;

extern const cli_table cli_query_table;

/* Parse and check the arguments; of DATA only the first bytes are read. @return CLI_GO_ON, or the exit code. Free with
 * cli_query_options_free in every case. */
cli_end cli_query_options_parse(int argc, char **argv, cli_query_options *out);
void cli_query_options_free(cli_query_options *options);

extern const char *const cli_label_columns[]; /* position = seg_label_column; NULL-ended */

#endif
