/* --export KIND[=FILE]: the mask in formats of other programs. */
#ifndef CLI_SEGMENT_EXPORTS_H
#define CLI_SEGMENT_EXPORTS_H

#include "cli/common/exit_codes.h"

#include <segment/segment.h>

#include <jansson.h>

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

#endif
