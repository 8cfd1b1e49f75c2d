/* Several images: each is a run of its own with files found by its name. */
#pragma once

#include "cli/eval/shard.h"
#include "cli/segment/photo_run.h"

/* 1 where the arguments name several images, or a folder of them. */
int cli_is_batch(const cli_photo_options *options);

/* Run them one after another, or in processes; the options of each are a copy with its own files. @return the exit
 * code: CLI_PART if some images failed, each with a message */
cli_end cli_run_batch(const cli_photo_options *options);

/* --- The jobs of a batch. --- */

enum { CLI_BATCH_INPUTS = 4 }; /* that may be folders */

typedef struct cli_batch {
    const cli_photo_options *asked; /* borrowed */
    cli_photo_options each;         /* without the exports of all images; borrows the other texts */
    cli_files photos;
    seg_listing names[CLI_BATCH_INPUTS]; /* in the folders of inputs */
    int in_folder[CLI_BATCH_INPUTS];     /* 1: the input is a folder */
    cli_files made;                      /* folders that were created */
    cli_shard shard;                     /* whose images these are */
    char *parts; /* what the names of the files begin with that parts leave for the files of all images; NULL: none */
    cli_combined gather; /* files of all images */
    char *bad, *done;    /* of each image: it failed; its outputs are there (--resume) */
} cli_batch;

/* List the images of the part, and create the folders of outputs. Call cli_batch_close in either case. */
cli_end cli_batch_open(const cli_photo_options *asked, const cli_shard *shard, cli_batch *out);
/* `work`: 0 if no output was written; empty folders that were created are then removed. */
void cli_batch_close(cli_batch *batch, int work);

/* The job of the i-th image, to be freed with cli_photo_options_free in every case. *bad is 1, after a message, if a
 * file of the image is missing or the name of an output would be too long; the other images continue. */
cli_end cli_batch_job(const cli_batch *batch, int i, cli_combined *gather, cli_photo_options *out, int *bad);

/* The line above an image's scores. */
void cli_batch_print_name(const cli_photo_options *job);

/* --- Several at once. --- */

/* Run the images that are neither bad nor done in processes, and gather. */
cli_end cli_batch_processes(cli_batch *batch);
