/* Files that several images share. */
#ifndef CLI_BATCH_COMBINED_EXPORTS_H
#define CLI_BATCH_COMBINED_EXPORTS_H

#include "cli/common/exit_codes.h"

#include <segment/segment.h>

#include <stdio.h>

/* Shared files of a batch; zeroed: none. */
typedef struct cli_combined {
    const char *table; /* file of --table, or NULL */
    FILE *rows;        /* its lines so far, in memory */
    char *text;        /* them, owned */
    size_t size;
    seg_export_set **set; /* exports of all images; owned */
    int sets;
} cli_combined;

/* Open them. `table` is borrowed. @return CLI_GO_ON, or the exit code; call cli_combined_end in either case. */
cli_end cli_combined_begin(const char *table, cli_combined *out);

/* Add an export of all images in one file or folder. @return CLI_GO_ON, or the exit code */
cli_end cli_combined_export(cli_combined *gather, const char *format, const char *path);

/* Add an image's mask to these exports. */
seg_status cli_combined_masks(seg_context *ctx, cli_combined *gather, const seg_mask *mask,
                              const seg_export_about *about);

/* Whether images add lines to a table; 0 for NULL. */
int cli_combined_has_table(const cli_combined *gather);

/* Add the lines of an image, from cli_region_table. */
void cli_combined_add(cli_combined *gather, const char *text, size_t size);

/* Write the files, where `write` is not 0, and free what is owned. CLI_GO_ON, or the exit code. */
cli_end cli_combined_end(cli_combined *gather, int write);

#endif
