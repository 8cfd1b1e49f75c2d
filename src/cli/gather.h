/* What several images write into one file. */
#ifndef CLI_GATHER_H
#define CLI_GATHER_H

#include "exit_codes.h"

#include <segment/segment.h>

#include <stdio.h>

/* Of a batch; zeroed there is nothing to gather. */
typedef struct cli_gather {
    const char *table; /* file of --table; NULL where it is not wanted */
    FILE *rows;        /* its lines so far, in memory */
    char *text;        /* them, owned */
    size_t size;
    seg_export_set **set; /* exports of all images; owned */
    int sets;
} cli_gather;

/* Begin. `table` is borrowed. CLI_GO_ON, else how to end; to be ended in either case. */
cli_end cli_gather_begin(const char *table, cli_gather *out);

/* An export for all images in one file or folder. CLI_GO_ON, else how to end. */
cli_end cli_gather_export(cli_gather *gather, const char *format, const char *path);

/* Add an image's mask to these exports. */
seg_status cli_gather_masks(seg_context *ctx, cli_gather *gather, const seg_mask *mask, const seg_export_about *about);

/* Whether images are to add lines of a table; of NULL, which gathers nothing, they are not. */
int cli_gathers_table(const cli_gather *gather);

/* Add the lines of an image, from cli_region_table. */
void cli_gather_add(cli_gather *gather, const char *text, size_t size);

/* Write the files, where `write` is not 0, and free what is owned. CLI_GO_ON, else how to end. */
cli_end cli_gather_end(cli_gather *gather, int write);

#endif
