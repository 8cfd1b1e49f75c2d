/* Several images at once: each is a run of its own, its files found and named by the image's name. */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "photo_options.h"

/* 1 where the arguments name several images, or a folder of them. */
int cli_is_batch(const cli_photo_options *options);

/* Run them: the options of each are a copy with its own files. One after another, or shared as crew.h tells. `line` is
 * the program's own line of arguments, NULL behind the last.
 * @return the exit code: CLI_PART where some failed, of which a sentence each was printed */
cli_end cli_run_batch(const cli_photo_options *options, char **line);

#endif
