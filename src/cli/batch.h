/* Several images at once: each is a run of its own, its files found and named by the image's name. */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "photo_options.h"
#include "shard.h"

/* 1 where the arguments name several images, or a folder of them. */
int cli_is_batch(const cli_photo_options *options);

/* 1 where an option asks to share the images among processes, even for a single one. */
int cli_names_shared(const cli_photo_options *options);

/* Images shared among processes, or a part of them (shard.h). Each program has its own; NULL in one that lacks the
 * runner. */
typedef cli_end (*cli_shared_run)(const cli_photo_options *options, const cli_shard *shard);
extern const cli_shared_run cli_run_shared;

/* Run them: the options of each are a copy with its own files. One after another, or shared among processes: of this
 * program, or of the one that can, which it then becomes by `line`, its own arguments, NULL behind the last.
 * @return the exit code: CLI_PART where some failed, of which a sentence each was printed */
cli_end cli_run_batch(const cli_photo_options *options, char **line);

#endif
