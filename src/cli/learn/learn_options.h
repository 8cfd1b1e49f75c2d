/* The options of segment learn. */
#ifndef CLI_LEARN_LEARN_OPTIONS_H
#define CLI_LEARN_LEARN_OPTIONS_H

#include "cli/common/arguments.h"

#include <segment/segment.h>

typedef struct cli_learn_options {
    cli_common common; /* its words are the images that were named */
    const char *scribbles, *labelmap;
    const char *model;  /* the file to write */
    const char *report; /* NULL: none */
    seg_options segment;
} cli_learn_options;

/* Read the arguments; free common.words.at in every case. */
cli_end cli_learn_options_read(int argc, char **argv, cli_learn_options *out);

#endif
