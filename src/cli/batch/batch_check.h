/* Errors in options and file names are reported before the first image is segmented. */
#ifndef CLI_BATCH_BATCH_CHECK_H
#define CLI_BATCH_BATCH_CHECK_H

#include "cli/batch/batch_jobs.h"

/* A set of files, stored as hashes so that twenty thousand images need little memory. */
typedef struct cli_marks {
    struct cli_mark *at; /* owned */
    size_t count, room;
    int special; /* 1: a file or folder that the hashes do not identify */
} cli_marks;

/* Begin the exports of all images in one file or folder each, and record them and the file of --table. @return
 * CLI_GO_ON, or the exit code */
cli_end cli_batch_check_shared(const cli_batch *batch, cli_combined *gather, cli_marks *marks);

/* Check the job of one image, and record its files. *there, which may be NULL, is 1 if all its outputs exist. @return
 * CLI_GO_ON, or the exit code */
cli_end cli_batch_check_job(const cli_batch *batch, const cli_photo_options *job, cli_marks *marks, int *there);

/* Refuse a file that one image writes and another reads or writes. Images with `bad[i]` not 0 are skipped. @return
 * CLI_GO_ON, or the exit code */
cli_end cli_batch_check_marks(const cli_batch *batch, cli_marks *marks, const char *bad);

void cli_marks_free(cli_marks *marks);

#endif
