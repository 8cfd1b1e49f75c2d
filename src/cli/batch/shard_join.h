/* What all images of a shared batch write together, made from the journal's records and the masks. */
#ifndef CLI_BATCH_SHARD_JOIN_H
#define CLI_BATCH_SHARD_JOIN_H

#include "cli/batch/batch_jobs.h"
#include "cli/batch/shard_record.h"

/* The record of image i, to be freed; 0 where there is none. */
typedef int (*cli_shard_find)(const void *user, int i, cli_shard_record *out);

/* Write --table and the exports of all images, which `gather` (ended here) has begun, and print reports and scores, in
 * the order of the images: to the byte what one process writes. CLI_GO_ON, or the exit code. */
cli_end cli_shard_join(const cli_batch *batch, cli_combined *gather, cli_shard_find find, const void *user);

#endif
