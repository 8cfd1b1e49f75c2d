/* One image: read everything, compute everything, then write. */
#ifndef CLI_PHOTO_JOB_H
#define CLI_PHOTO_JOB_H

#include "photo_options.h"

/* Check the options and do it; the mask must have this hash (file_hash.h), or nothing is written. NULL: any mask will
 * do. One of many does not say on a terminal what it wrote. The options become those that were used.
 * @return the exit code */
cli_end cli_photo_job(cli_photo_options *options, const char *mask_hash, int one_of_many);

#endif
