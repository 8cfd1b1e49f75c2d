/* The files that a run reads and writes, checked before any work. */
#pragma once

#include "cli/common/messages.h"

/* A file that a run reads or writes. */
typedef struct cli_use {
    const char *name;    /* as messages call it: "the mask", "--scribbles"; borrowed, as the next two */
    const char *path;    /* "-", devices and pipes are not compared */
    const char *of;      /* the image of the run, for messages; NULL if there is only one */
    int writes;          /* 0: read */
    int folder;          /* files are written into it, as masks of single labels (label-N.png) */
    const char *endings; /* of an output, as cli_check_extension takes them; NULL: any */
} cli_use;

/* Refuse two uses of one file of which at least one writes. Names are compared after following links, also links to
 * missing files, other names of a file or folder, and without case if the file system ignores it. */
cli_end cli_check_uses(const cli_use *uses, size_t count);

/* The same, and refuse two inputs from standard input, unwritable outputs and other endings; no path: skipped. */
cli_end cli_check_files(const cli_use *uses, size_t count);

/* A list of uses with paths of its own; zeroed: empty. */
typedef struct cli_uses {
    cli_use *at; /* owned, the paths too */
    size_t count;
} cli_uses;

/* Append a use. */
cli_end cli_uses_add(cli_uses *list, cli_use use);
void cli_uses_free(cli_uses *list);
