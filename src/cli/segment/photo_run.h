/* The run of one image: read everything, compute everything, then write. Its steps are a file each. */
#ifndef CLI_SEGMENT_PHOTO_RUN_H
#define CLI_SEGMENT_PHOTO_RUN_H

#include "cli/common/file_uses.h"
#include "cli/segment/photo_options.h"

/* Everything that one run reads and makes. */
typedef struct cli_photo_run {
    seg_image photo;
    seg_mask scribbles, truth;
    seg_scribbles_about scribbles_about;
    seg_labelmap labelmap;
    seg_constraints pairs;
    seg_model *model;   /* or NULL */
    seg_result *result; /* NULL before there is one */
    seg_scores scores;
    seg_photo_plan plan; /* made from the headers of the inputs; zero without a limit */
    json_t *record;      /* the inputs of --save-run, else NULL */
    char *table;         /* lines of --table; NULL: none */
    size_t table_size;
    uint8_t *alpha;                                       /* of an overlay that is a cut-out; else NULL */
    double started, read_seconds, write_seconds, seconds; /* of a monotonic clock */
    size_t read_memory;                                   /* highest resident size when the inputs were read, bytes */
} cli_photo_run;

/* Check the options and run the image. `mask_hash`: the mask must have this hash, otherwise nothing is
 * written; NULL: any mask. A run that is one of many does not list its files on a terminal. The options are replaced by
 * those that were used. @return the exit code */
cli_end cli_photo_job(cli_photo_options *options, const char *mask_hash, int one_of_many);

/* Copy colours and names of the labels of the model into a label map. @return 0, with `out` unchanged, without a model
 * or if the labels are not 1, 2, ... without gaps, as a label map needs */
int cli_model_labelmap(const seg_model *model, seg_labelmap *out);

/* --- Steps. --- */

/* Check the options of one image and set the names of its outputs; files are not opened yet. @return CLI_GO_ON, or the
 * exit code */
cli_end cli_photo_check(seg_context *ctx, cli_photo_options *options);

/* List all files that a run reads and writes, *count of them at *uses, which is to be freed in every case. @return
 * CLI_GO_ON, or the exit code */
cli_end cli_list_uses(const cli_photo_options *options, cli_use **uses, size_t *count);

/* Tell what came of a run: warnings, the summary of -v, on a terminal the files that were written (`tell`), the report
 * of
 * --json, scores. @return the exit code */
cli_end cli_photo_report(const seg_context *ctx, const cli_photo_options *options, const cli_photo_run *run, int tell);
/* The same of an image that was read tile by tile, which has no report or scores. */
void cli_tiled_report(const cli_photo_options *options, const cli_photo_run *run);

/* Records of runs: everything that determines the result, written by --save-run and read by `segment replay`. */
/* Paths and hashes of the inputs, taken when they are read. @return CLI_GO_ON, or the exit code; *out is a new
 * reference */
cli_end cli_save_run_inputs(const cli_photo_options *options, json_t **out);

/* Write the record: inputs (borrowed), every option as it was used, the hash of the mask. @return CLI_GO_ON, or the
 * exit code */
cli_end cli_save_run(seg_context *ctx, const cli_photo_options *options, json_t *inputs, const seg_result *result);

/* Read the record in a file ("-": standard input). NULL after a message; *end is CLI_FAILED if out of memory. */
json_t *cli_run_record_read(const char *path, cli_end *end);
/* Set the options of the record, whose texts are borrowed; only options that determine the result, not outputs. */
cli_end cli_run_record_options(const char *path, json_t *record, cli_photo_options *out);

#endif
