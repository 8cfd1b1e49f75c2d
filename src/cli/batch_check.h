/* What is wrong with the options or the names of files is said before the first image is segmented. */
#ifndef CLI_BATCH_CHECK_H
#define CLI_BATCH_CHECK_H

#include "batch_jobs.h"

/* A set of files, kept as numbers so that twenty thousand images take little. */
typedef struct cli_marks {
    struct cli_mark *at; /* owned */
    size_t count, room;
    int special; /* 1: a file or folder that the numbers do not tell of */
} cli_marks;

/* Begin the exports of all images in one file or folder each, in `gather`, and note them and the file of --table.
 * CLI_GO_ON, else how to end. */
cli_end cli_batch_check_shared(const cli_batch *batch, cli_gather *gather, cli_marks *marks);

/* Check the job of one image, and note its files. *there, which may be NULL, is 1 where each of its outputs is.
 * CLI_GO_ON, else how to end. */
cli_end cli_batch_check_job(const cli_batch *batch, const cli_photo_options *job, cli_marks *marks, int *there);

/* Refuse a file that one image writes and another reads or writes. `bad[i]` is not 0 for images that are left out.
 * CLI_GO_ON, else how to end. */
cli_end cli_batch_check_marks(const cli_batch *batch, cli_marks *marks, const char *bad);

void cli_marks_free(cli_marks *marks);

#endif
