/* --export KIND[=FILE], the mask in formats of other programs, and --table, measurements of the regions as CSV: of one
 * image, and the files that several images share. */
#ifndef CLI_SEGMENT_EXPORTS_H
#define CLI_SEGMENT_EXPORTS_H

#include "cli/common/messages.h"

#include <segment/segment.h>

#include <jansson.h>
#include <stdio.h>

typedef struct cli_export {
    const seg_export_format *format;
    char *path; /* owned */
} cli_export;

typedef struct cli_exports {
    cli_export *at; /* owned */
    int count;
} cli_exports;

/* Read the texts of --export. The default file is named after the mask, with the extension of the format; if the mask
 * is not a regular file, after the image. @return CLI_GO_ON, or the exit code. Free in every case. */
cli_end cli_exports_read(const seg_texts *texts, const char *photo, const char *mask, cli_exports *out);
void cli_exports_free(cli_exports *exports);

/* Whether the text of --export names one file or folder for several images; *path is then its name. *format is NULL,
 * after a message, if the kind is not a format. */
int cli_export_is_shared(const char *text, const seg_export_format **format, const char **path);

seg_status cli_exports_write(seg_context *ctx, const cli_exports *exports, const seg_mask *mask,
                             const seg_export_about *about);

/* Of the report: format and path of each. A new reference, NULL if out of memory. */
json_t *cli_exports_json(const cli_exports *exports);

/* What the lines of a table are of: the path of an image, its samples as read, its result, and the names of labels. */
typedef struct cli_table_of {
    const char *photo;
    const seg_image *image;
    const seg_result *result;
    const seg_labelmap *names;
} cli_table_of;

/* One line for each label that was requested or found, after a header line if `head` is not 0. *text is to be freed by
 * the caller in every case. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status cli_region_table(seg_context *ctx, int head, const cli_table_of *of, char **text, size_t *size);

/* Shared files of a batch; zeroed: none. */
typedef struct cli_combined {
    seg_context *ctx;
    const char *table; /* file of --table, or NULL */
    FILE *rows;        /* its lines so far, in memory */
    char *text;        /* them, owned */
    size_t size;
    seg_export_set **set; /* exports of all images; owned */
    int sets;
    size_t room;
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
