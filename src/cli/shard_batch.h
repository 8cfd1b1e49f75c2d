/* A batch as items of the runner (evaluation/runner.h), each image in a process of its own: all of it (--jobs), or a
 * part (--shard), of which the one that ends last joins them. It is resumed from journals in the folder of the masks.
 */
#ifndef CLI_SHARD_BATCH_H
#define CLI_SHARD_BATCH_H

#include "photo_options.h"
#include "shard.h"

/* As batch.h says. */
cli_end cli_shard_batch(const cli_photo_options *options, const cli_shard *shard);

#endif
