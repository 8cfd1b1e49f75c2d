/* A batch shared among processes: several on this machine (--jobs), those of mpirun, or parts of the work done apart
 * (--shard) and joined (--merge). It is resumed from a journal in the folder of the masks. */
#ifndef CLI_CREW_H
#define CLI_CREW_H

#include "photo_options.h"

/* 1 where one of these options is given, or mpirun started the program. */
int cli_wants_crew(const cli_photo_options *options);
/* 1 where one of the options is given, even for a single image. */
int cli_names_crew(const cli_photo_options *options);

/* Check the options, and run the batch in this program or become the one that can, by `line`, the arguments of this
 * one.
 * @return the exit code */
cli_end cli_crew_begin(const cli_photo_options *options, char **line);

/* Run it: the shard-th of `shards` parts, from 1; 0 and 0 for all of it. NULL in a program that lacks the runner. Each
 * program has its own. */
typedef cli_end (*cli_crew_run)(const cli_photo_options *options, int shard, int shards);
extern const cli_crew_run cli_run_crew;

#endif
