/* Reports of a finished segmentation. */
#ifndef CLI_SEGMENT_PHOTO_REPORT_H
#define CLI_SEGMENT_PHOTO_REPORT_H

#include "cli/segment/photo_options.h"
#include "cli/segment/photo_run.h"

/* The report of --json on standard output. @return the exit code */
cli_end cli_report_json(const seg_context *ctx, const cli_photo_options *options, const cli_photo_run *run);

/* Print the number of labels found in scribbles that are recognised by colours. */
void cli_say_labels(const cli_photo_options *options, const cli_photo_run *run);

/* Warn if the scores cover a small part of the image, or mostly marked pixels. */
void cli_warn_of_scored(const cli_photo_options *options, const cli_photo_run *run);

/* Warn on standard error of ambiguous regions. */
void cli_warn_of_ambiguous(const cli_photo_run *run);

/* Print on standard error, in one line, the files that were written; nothing if all outputs went to standard output. */
void cli_say_written(const cli_photo_options *options);

/* The summary of -v on standard error. */
void cli_report_words(const cli_photo_options *options, const cli_photo_run *run);

#endif
