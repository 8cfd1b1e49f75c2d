/* One image: read everything, compute everything, then write. */
#ifndef CLI_SEGMENT_PHOTO_JOB_H
#define CLI_SEGMENT_PHOTO_JOB_H

#include "cli/segment/photo_options.h"

/* Check the options and run the image. `mask_hash`: the mask must have this hash (file_hash.h), otherwise nothing is
 * written; NULL: any mask. A run that is one of many does not list its files on a terminal. The options are replaced by
 * those that were used. @return the exit code */
cli_end cli_photo_job(cli_photo_options *options, const char *mask_hash, int one_of_many);

#endif
