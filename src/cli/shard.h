/* --shard I/N: a part of the work. */
#ifndef CLI_SHARD_H
#define CLI_SHARD_H

#include "exit_codes.h"

/* Read "I/N", I from 1; NULL, where the option is not given, leaves both as they are. CLI_GO_ON, or CLI_USAGE after a
 * message. */
cli_end cli_read_shard(const char *text, int *shard, int *shards);

#endif
