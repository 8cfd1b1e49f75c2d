/* --table: measurements of the regions, as CSV. */
#ifndef CLI_SEGMENT_REGION_TABLE_H
#define CLI_SEGMENT_REGION_TABLE_H

#include "cli/common/exit_codes.h"

#include <segment/segment.h>

#include <stdio.h>

/* The first line. */
void cli_region_table_head(FILE *to);

/* One line for each label that was requested or found, after a header line if `head` is not 0. `photo` is the path of
 * the image, `image` its samples as read. *text is to be freed by the caller in every case. SEG_OK, SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. */
seg_status cli_region_table(seg_context *ctx, int head, const char *photo, const seg_image *image,
                            const seg_result *result, const seg_labelmap *names, char **text, size_t *size);

#endif
