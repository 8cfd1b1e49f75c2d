/* What is said about a finished segmentation. */
#ifndef CLI_PHOTO_REPORT_H
#define CLI_PHOTO_REPORT_H

#include "photo_options.h"

#include <jansson.h>
#include <segment/segment.h>

/* Everything one run read and made. */
typedef struct cli_photo_run {
    seg_image photo;
    seg_mask scribbles, truth;
    seg_scribbles_about scribbles_about;
    seg_labelmap labelmap;
    seg_constraints pairs;
    seg_result *result; /* NULL before there is one */
    seg_scores scores;
    seg_photo_plan plan;                                  /* made of the inputs' headers; without a limit zero */
    json_t *record;                                       /* the inputs of --save-run, else NULL */
    double started, read_seconds, write_seconds, seconds; /* of a monotonic clock */
    size_t read_memory;                                   /* highest resident size when the inputs were read, bytes */
} cli_photo_run;

/* The report of --json on standard output. @return the exit code */
int cli_report_json(const seg_context *ctx, const cli_photo_options *options, const cli_photo_run *run);

/* Say how many labels were found in strokes that are told by their colours. */
void cli_say_labels(const cli_photo_options *options, const cli_photo_run *run);

/* Say where scores are of a small part of the image, or of what was marked. */
void cli_warn_of_scored(const cli_photo_options *options, const cli_photo_run *run);

/* Warn on standard error of areas that the strokes say too little about. */
void cli_warn_of_ambiguous(const cli_photo_run *run);

/* On standard error, in one line: which files were written. Nothing where all went to standard output. */
void cli_say_written(const cli_photo_options *options);

/* The summary of -v on standard error. */
void cli_report_words(const cli_photo_options *options, const cli_photo_run *run);

#endif
