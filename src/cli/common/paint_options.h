/* The options of `segment paint`. */
#ifndef CLI_COMMON_PAINT_OPTIONS_H
#define CLI_COMMON_PAINT_OPTIONS_H

#include "cli/common/arguments.h"

#include <segment/segment.h>

typedef struct cli_paint_options {
    cli_common common;       /* its words are the images that were named */
    const char *scribbles;   /* a file or a folder to begin with; or NULL */
    const char *constraints; /* answers, likewise */
    const char *model;       /* model of other images, or NULL */
    const char *truth;       /* as scribbles */
    const char *output;      /* folder; NULL: the working folder */
    const char *listen;      /* refused */
    int port;                /* 0: any that is free */
    int no_browser;
    seg_options segment; /* first settings of every image */
} cli_paint_options;

extern const cli_table cli_paint_table;

/* Parse and check the arguments. @return CLI_GO_ON, or the exit code. Free with cli_paint_options_free in every case.
 */
cli_end cli_paint_options_parse(seg_context *ctx, int argc, char **argv, cli_paint_options *out);
void cli_paint_options_free(cli_paint_options *options);

#endif
