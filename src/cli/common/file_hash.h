/* SHA-256 of files and masks. */
#ifndef CLI_COMMON_FILE_HASH_H
#define CLI_COMMON_FILE_HASH_H

#include "cli/common/messages.h"

#include <segment/segment.h>

#define CLI_HASH_SIZE 65 /* characters of a hash in hexadecimal, the final 0 included */

/* Of a file's bytes. @return CLI_GO_ON, or the exit code */
cli_end cli_hash_file(const char *path, char text[CLI_HASH_SIZE]);
/* Of "WIDTH HEIGHT\n" and the labels row by row. */
void cli_hash_mask(const seg_mask *mask, char text[CLI_HASH_SIZE]);

#endif
