/* The images of a series that have strokes. */
#ifndef CLI_LEARN_LEARN_INPUTS_H
#define CLI_LEARN_LEARN_INPUTS_H

#include "cli/learn/learn_options.h"
#include "cli/segment/photo_files.h"

typedef struct cli_learn_inputs {
    cli_files photos, scribbles; /* as many, in the order of the images' names */
    int without;                 /* images that have no strokes, which were passed over */
    seg_labelmap labelmap;       /* given, or of all colours of the strokes; of no colours where labels are numbers */
} cli_learn_inputs;

/* CLI_GO_ON, or the exit code. */
cli_end cli_learn_inputs_find(seg_context *ctx, const cli_learn_options *options, cli_learn_inputs *out);
void cli_learn_inputs_free(cli_learn_inputs *inputs);

/* The i-th image and its strokes; release both. */
seg_status cli_learn_input_read(seg_context *ctx, const cli_learn_inputs *inputs, int i, seg_image *photo,
                                seg_mask *scribbles);

#endif
