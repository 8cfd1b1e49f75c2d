/* A batch as items of the runner (evaluation/runner/runner.h), each image in a process of its own: all of it (--jobs),
 * or a part (--shard), of which the one that ends last joins them. It is resumed from journals in the folder of the
 * masks.
 */
#ifndef CLI_BATCH_SHARD_BATCH_H
#define CLI_BATCH_SHARD_BATCH_H

#include "cli/eval/shard.h"
#include "cli/segment/photo_options.h"

/* As batch.h says. */
cli_end cli_shard_batch(const cli_photo_options *options, const cli_shard *shard);

#endif
