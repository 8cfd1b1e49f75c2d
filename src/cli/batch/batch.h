/* Several images: each is a run of its own with files found by its name. */
#ifndef CLI_BATCH_BATCH_H
#define CLI_BATCH_BATCH_H

#include "cli/eval/shard.h"
#include "cli/segment/photo_options.h"

/* 1 where the arguments name several images, or a folder of them. */
int cli_is_batch(const cli_photo_options *options);

/* 1 where an option asks to share the images among processes, even for a single one. */
int cli_names_shared(const cli_photo_options *options);

/* Images shared among processes, or a part of them (shard.h). Each program has its own; NULL in one that lacks the
 * runner. */
typedef cli_end (*cli_shared_run)(const cli_photo_options *options, const cli_shard *shard);
extern const cli_shared_run cli_run_shared;
/* That of segment-evaluation. */
cli_end cli_shard_batch(const cli_photo_options *options, const cli_shard *shard);

/* Run them one after another, or in processes (crew.h); the options of each are a copy with its own files. `line` is
 * the argument vector of the program, NULL-ended. @return the exit code: CLI_PART if some images failed, each with a
 * message */
cli_end cli_run_batch(const cli_photo_options *options, char **line);

#endif
