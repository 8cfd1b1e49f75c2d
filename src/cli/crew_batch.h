/* A batch as items of the runner (evaluation/runner.h), each image in a process of its own. */
#ifndef CLI_CREW_BATCH_H
#define CLI_CREW_BATCH_H

#include "photo_options.h"

/* As crew.h says. */
cli_end cli_crew_batch(const cli_photo_options *options, int shard, int shards);

#endif
