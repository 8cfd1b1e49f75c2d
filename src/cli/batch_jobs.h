/* The jobs of a batch: which images there are, and each one's files, found and named by the image's name. */
#ifndef CLI_BATCH_JOBS_H
#define CLI_BATCH_JOBS_H

#include "photo_files.h"
#include "photo_options.h"

enum { CLI_BATCH_INPUTS = 3 }; /* that may be folders */

typedef struct cli_batch {
    const cli_photo_options *asked; /* borrowed */
    cli_photo_options each;         /* without the exports of all; borrows the other texts */
    cli_files photos;
    cli_files names[CLI_BATCH_INPUTS]; /* in the folders of inputs */
    int in_folder[CLI_BATCH_INPUTS];   /* 1: the input is a folder */
    cli_files made;                    /* folders that were not there */
} cli_batch;

/* List the images, and make the folders of outputs. CLI_GO_ON, else how to end; to be closed in either case. */
cli_end cli_batch_open(const cli_photo_options *asked, cli_batch *out);
/* `work`: 0 where nothing came of it, so that folders that were made and are empty go. */
void cli_batch_close(cli_batch *batch, int work);

/* The job of the i-th image, to be freed with cli_photo_options_free in every case. *bad is 1, after a sentence, where
 * the image lacks a file or its name leaves no room for an output's: that is its failure alone. CLI_GO_ON, else how to
 * end. */
cli_end cli_batch_job(const cli_batch *batch, int i, cli_gather *gather, cli_photo_options *out, int *bad);

/* The line above an image's scores. */
void cli_batch_print_name(const cli_photo_options *job);

#endif
