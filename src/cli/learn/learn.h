/* `segment learn`: its options, the images of the series that have strokes, and the reports. */
#ifndef CLI_LEARN_LEARN_H
#define CLI_LEARN_LEARN_H

#include "cli/common/arguments.h"
#include "cli/segment/photo_files.h"
#include "pipeline/option_fields.h"

typedef struct cli_learn_options {
    cli_common common; /* its words are the images that were named */
    const char *scribbles, *labelmap;
    const char *model; /* the file to write */
    seg_options segment;
} cli_learn_options;

typedef struct cli_learn_inputs {
    cli_files photos, scribbles; /* as many, in the order of the images' names */
    int without;                 /* images that have no strokes, which were passed over */
    seg_labelmap labelmap;       /* given, or of all colours of the strokes; of no colours where labels are numbers */
} cli_learn_inputs;

/* CLI_GO_ON, or the exit code. */
cli_end cli_learn_inputs_find(seg_context *ctx, const cli_learn_options *options, cli_learn_inputs *out);
void cli_learn_inputs_free(cli_learn_inputs *inputs);

typedef struct cli_learned {
    const cli_learn_options *options;
    const cli_learn_inputs *inputs;
    const seg_model *model;
    size_t bytes; /* of the model's file */
} cli_learned;

/* Print on standard output, or on standard error if the model is written to standard output. @return the exit code */
cli_end cli_learned_print(const cli_learned *learned);
cli_end cli_learned_json(const cli_learned *learned);

#endif
