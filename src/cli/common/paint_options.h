/* The options of `segment paint`. */
#ifndef CLI_COMMON_PAINT_OPTIONS_H
#define CLI_COMMON_PAINT_OPTIONS_H

#include "cli/common/arguments.h"
#include "pipeline/option_fields.h"

typedef struct cli_paint_options {
    cli_common common;     /* its words are the images that were named */
    const char *scribbles; /* a file or a folder to begin with; or NULL */
    const char *model;     /* model of other images, or NULL */
    const char *output;    /* folder; NULL: the working folder */
    const char *listen;    /* refused */
    int port;              /* 0: any that is free */
    int no_browser;
    seg_options segment; /* first settings of every image */
} cli_paint_options;

#endif
