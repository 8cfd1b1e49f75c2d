/* --table: what is measured of the regions, as CSV. */
#ifndef CLI_REGION_TABLE_H
#define CLI_REGION_TABLE_H

#include "exit_codes.h"

#include <segment/segment.h>

#include <stdio.h>

/* The first line. */
void cli_region_table_head(FILE *to);

/* A line for each label that the result was to have or has, below the first one where `head` is not 0. `photo` is the
 * image's path, `image` as it was read. *text is to be freed by the caller in either case. SEG_OK, SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. */
seg_status cli_region_table(seg_context *ctx, int head, const char *photo, const seg_image *image,
                            const seg_result *result, const seg_labelmap *names, char **text, size_t *size);

#endif
