/* Several images: each is a run of its own with files found by its name. */
#ifndef CLI_BATCH_BATCH_H
#define CLI_BATCH_BATCH_H

#include "cli/common/file_uses.h"
#include "cli/eval/shard.h"
#include "cli/segment/photo_files.h"
#include "cli/segment/photo_options.h"

/* 1 where the arguments name several images, or a folder of them. */
int cli_is_batch(const cli_photo_options *options);

/* 1 where an option asks to share the images among processes, even for a single one. */
int cli_names_shared(const cli_photo_options *options);

/* Images shared among processes, or a part of them (shard.h). Each program has its own; NULL in one that lacks the
 * runner. */
typedef cli_end (*cli_shared_run)(const cli_photo_options *options, const cli_shard *shard);
extern const cli_shared_run cli_run_shared;
/* That of segment-evaluation. */
cli_end cli_shard_batch(const cli_photo_options *options, const cli_shard *shard);

/* Run them one after another, or in processes (evaluation/runner/runner.h); the options of each are a copy with its own
 * files. `line` is the argument vector of the program, NULL-ended. @return the exit code: CLI_PART if some images
 * failed, each with a message */
cli_end cli_run_batch(const cli_photo_options *options, char **line);

/* --- The jobs of a batch. --- */

enum { CLI_BATCH_INPUTS = 3 }; /* that may be folders */

typedef struct cli_batch {
    const cli_photo_options *asked; /* borrowed */
    cli_photo_options each;         /* without the exports of all images; borrows the other texts */
    cli_files photos;
    cli_files names[CLI_BATCH_INPUTS]; /* in the folders of inputs */
    int in_folder[CLI_BATCH_INPUTS];   /* 1: the input is a folder */
    cli_files made;                    /* folders that were created */
} cli_batch;

/* List the images, and create the folders of outputs. @return CLI_GO_ON, or the exit code; call cli_batch_close in
 * either case. */
cli_end cli_batch_open(const cli_photo_options *asked, cli_batch *out);
/* `work`: 0 if no output was written; empty folders that were created are then removed. */
void cli_batch_close(cli_batch *batch, int work);

/* The job of the i-th image, to be freed with cli_photo_options_free in every case. *bad is 1, after a message, if a
 * file of the image is missing or the name of an output would be too long; the other images continue. @return
 * CLI_GO_ON, or the exit code */
cli_end cli_batch_job(const cli_batch *batch, int i, cli_combined *gather, cli_photo_options *out, int *bad);

/* Before the first image is segmented: begin the exports of all images in one file or folder each, and append them and
 * the file of --table to the uses. @return CLI_GO_ON, or the exit code */
cli_end cli_batch_check_shared(const cli_batch *batch, cli_combined *gather, cli_uses *uses);
/* Check the job of one image, and append its files. *there is 1 if all its outputs exist. @return CLI_GO_ON, or the
 * exit code */
cli_end cli_batch_check_job(const cli_batch *batch, const cli_photo_options *job, cli_uses *uses, int *there);

/* The line above an image's scores. */
void cli_batch_print_name(const cli_photo_options *job);

/* --- The journal of a shared batch: the settings of the run in its head, and a record for each image. --- */

/* What came out of an image. */
typedef struct cli_shard_record {
    int end;     /* exit code, cli_end */
    int tried;   /* 0: it lacked a file and was not begun */
    char *table; /* lines of --table; owned, may be NULL as the next */
    char *said;  /* standard output: scores or the JSON report */
    char *why;   /* how its process ended, where it did without a result */
} cli_shard_record;

/* One line that says everything the results depend on but the inputs; to be freed, NULL after a message. */
char *cli_shard_settings(const cli_photo_options *options);

/* A checksum of the lengths and times of a job's inputs, by which a changed one is seen. */
uint64_t cli_shard_inputs_sum(const cli_photo_options *job);

/* The key of an image: its name, that checksum, and which attempt it is, from 1. To be freed, NULL if out of memory. */
char *cli_shard_key(const char *photo, uint64_t sum, int attempt);

/* As a text without line ends, to be freed; NULL if out of memory. And back: 0 where it is not one. */
char *cli_shard_record_text(const cli_shard_record *record);
int cli_shard_record_read(const char *text, cli_shard_record *out);
void cli_shard_record_free(cli_shard_record *record);

#endif
