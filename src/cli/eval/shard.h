/* --shard: a part of the work, which one of several processes does. */
#pragma once

#include "cli/common/process.h"

typedef struct cli_shard {
    int index, count; /* the index-th of `count` parts, from 1; 0 and 0: all of the work */
    int launched;     /* 1: mpirun or srun told, which started the other processes, too */
} cli_shard;

/* Read "I/N", or "auto": the part that mpirun, srun or a Slurm job array tell of in the environment. NULL, where the
 * option is not given: a part where mpirun or srun started several processes, else all of the work. */
cli_end cli_read_shard(const char *text, cli_shard *out);

/* Begin to report: of processes that a launcher started, only the first does. */
void cli_shard_progress(seg_context *ctx, const cli_shard *shard, const cli_common *common);
