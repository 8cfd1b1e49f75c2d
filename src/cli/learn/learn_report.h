/* The report of segment learn. */
#ifndef CLI_LEARN_LEARN_REPORT_H
#define CLI_LEARN_LEARN_REPORT_H

#include "cli/learn/learn_inputs.h"

#define CLI_MOST_STROKES 12 /* that are suggested */

typedef struct cli_learned {
    const cli_learn_options *options;
    const cli_learn_inputs *inputs;
    const seg_model *model;
    seg_model_suggestion suggestion[CLI_MOST_STROKES];
    int suggestions;
    size_t bytes; /* of the model's file */
} cli_learned;

/* Print on standard output, or on standard error if the model is written to standard output. @return the exit code */
cli_end cli_learned_print(const cli_learned *learned);
cli_end cli_learned_json(const cli_learned *learned);

/* The page with pictures, options->report. */
cli_end cli_learned_page(seg_context *ctx, const cli_learned *learned);

#endif
