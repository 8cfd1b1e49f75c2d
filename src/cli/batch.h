/* Several images: each is a run of its own with files found by its name. */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "photo_options.h"

/* 1 where the arguments name several images, or a folder of them. */
int cli_is_batch(const cli_photo_options *options);

/* Run them one after another, or in processes (crew.h); the options of each are a copy with its own files. `line` is
 * the argument vector of the program, NULL-ended. @return the exit code: CLI_PART if some images failed, each with a
 * message */
cli_end cli_run_batch(const cli_photo_options *options, char **line);

#endif
