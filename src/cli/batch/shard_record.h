/* What the journal of a shared batch holds: the settings of the run in its head, and a record for each image. */
#ifndef CLI_BATCH_SHARD_RECORD_H
#define CLI_BATCH_SHARD_RECORD_H

#include "cli/segment/photo_files.h"
#include "cli/segment/photo_options.h"

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
