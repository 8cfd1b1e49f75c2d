/* segment apply MODEL PHOTO...: the main job with a model of other images. */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"
#include "cli/common/errors.h"
#include "cli/segment/photo_files.h"
#include "cli/segment/photo_job.h"

#include <string.h>

/* A model counts as constraints. */
static const seg_method *usual_method(const void *options) {
    (void)options;
    return seg_method_find(NULL);
}

const cli_table cli_apply_table = {
    .command = "segment apply",
    .usage = "MODEL PHOTO...",
    .about =
        "Segment images with a model that 'segment learn' learned from others.\n\n"
        "MODEL is a file written by 'segment learn'. PHOTO is an image or a folder of images. --scribbles, a file "
        "or a folder, may mark regions of some images; near its scribbles an image follows them rather than the "
        "model. Outputs are named as by 'segment': -o MASKS is a folder if there are several images, or if the name "
        "ends in /. Pixels that resemble nothing marked are 255 in the mask (--no-unknown: they get the most "
        "probable label).",
    .heading = {[SEG_OPTIONS_INPUT] = "What to segment",
                [SEG_OPTIONS_OUTPUT] = "Output",
                [SEG_OPTIONS_HOW] = "How to segment",
                [SEG_OPTIONS_SAY] = "Messages"},
    .more = "See also the manual page segment-apply(1).",
    .of = &cli_photo_table,
    .usual_method = usual_method,
};

/* The first word is the model. */
static cli_end take_model(cli_photo_options *out) {
    seg_texts *words = &out->common.words;
    if (out->model)
        return cli_refuse(CLI_USAGE, "apply takes its model as the first word; leave out --model");
    if (words->count < 2)
        return cli_refuse(CLI_USAGE, "apply needs a model and images: segment apply MODEL PHOTO...");
    out->model = words->at[0];
    memmove(words->at, words->at + 1, (size_t)--words->count * sizeof *words->at);
    out->photo = words->at[0];
    return CLI_GO_ON;
}

static int names_folder(const char *path) {
    const size_t length = path ? strlen(path) : 0;
    return length && (path[length - 1] == '/' || cli_is_folder(path));
}

cli_end cli_run_apply(int argc, char **argv) {
    cli_photo_options options;
    cli_photo_options_default(&options);
    cli_end end = cli_parse(&cli_apply_table, argc, argv, &options);
    end = end == CLI_GO_ON ? take_model(&options) : end;
    if (end == CLI_GO_ON)
        end = cli_is_batch(&options) || names_folder(options.mask) ? cli_run_batch(&options, argv - 1)
                                                                   : cli_photo_job(&options, NULL, 0);
    cli_photo_options_free(&options);
    return end;
}
