/* segment learn PHOTO... -o MODEL */
#include "cli/common/commands.h"
#include "cli/common/file_uses.h"
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/learn/learn.h"

#include <stdlib.h>

#define AT(member) offsetof(cli_learn_options, member)

static const seg_option rows[] = {
    CLI_SECTION(INPUT),
    {SEG_OPTION_ROW("scribbles", 's', TEXT, AT(scribbles)), .value = "SCRIBBLES",
     .help = "Scribbles: a folder with NAME-scribbles.png for image NAME.jpg, or a file for a single image "
             "(default: beside the images)",
     .traits = SEG_OPTION_IMPORTANT},
    {SEG_OPTION_ROW("labelmap", 0, TEXT, AT(labelmap)), .value = "FILE",
     .help = "Label of each colour of the scribbles, and names of labels"},
    CLI_SECTION(OUTPUT),
    {SEG_OPTION_ROW("output", 'o', TEXT, AT(model)), .value = "MODEL",
     .help = "The model, for 'segment apply'; - is standard output", .traits = SEG_OPTION_IMPORTANT},
    {.name = "json"},
    CLI_SECTION(HOW),
    {.name = "patch"},
    {.name = "reduce"},
    {.name = "features"},
    {.name = "graph"},
    {.name = "knn"},
    {.name = "sigma"},
    CLI_ROWS_OF_RUN,
    CLI_SECTION(SAY),
    {.name = "progress"},
    {.name = "quiet"},
    {.name = "verbose"},
    CLI_LAST_ROWS};

const cli_table cli_learn_table = {
    .command = "segment learn",
    .usage = "PHOTO... -o MODEL",
    .least_words = 1,
    .too_few = "learn needs images with scribbles: segment learn PHOTO... --scribbles FOLDER -o MODEL",
    .about =
        "Learn a model from scribbles on some images of a series, for 'segment apply' on the others.\n\n"
        "PHOTO is an image or a folder of images; those without scribbles are skipped. The order of the images does "
        "not matter. The command prints how well the scribbles of an image are predicted from the other images, and "
        "the "
        "image that is predicted worst.",
    .heading = {[SEG_OPTIONS_INPUT] = "What to learn from",
                [SEG_OPTIONS_OUTPUT] = "Output",
                [SEG_OPTIONS_HOW] = "How to learn",
                [SEG_OPTIONS_SAY] = "Messages"},
    .more = "See also the manual page segment-learn(1).",
    .rows = rows,
    .segment = AT(segment),
};

/* The options, and that the outputs replace no input. */
static cli_end check(const cli_learn_options *options) {
    const seg_texts *photos = &options->common.words;
    if (!options->model)
        return cli_refuse(CLI_USAGE, "learn needs a file name for the model: -o MODEL");
    if (cli_is_stream(options->model) && options->common.json)
        return cli_refuse(CLI_USAGE, "only one output can be written to standard output: the model or the JSON report");
    SEG_FREED cli_use *uses = calloc((size_t)photos->count + 3, sizeof *uses);
    if (!uses)
        return cli_out_of_memory();
    size_t count = 0;
    uses[count++] = (cli_use){.name = "-o", .path = options->model, .writes = 1};
    uses[count++] = (cli_use){.name = "--scribbles", .path = options->scribbles};
    uses[count++] = (cli_use){.name = "--labelmap", .path = options->labelmap};
    for (int i = 0; i < photos->count; i++) {
        uses[count++] = (cli_use){.name = "an image", .path = photos->at[i]};
        if (cli_is_stream(photos->at[i]))
            return cli_refuse(CLI_USAGE, "learn reads its images twice and cannot read standard input; give files");
    }
    return cli_check_files(uses, count);
}

/* Label l gets the colour and the name of the l-th line of the map. */
static seg_status name_labels(seg_context *ctx, const seg_labelmap *map, seg_model *model) {
    for (int l = 1; l <= map->count; l++)
        SEG_TRY(seg_model_name_label(ctx, model, l, map->name[l - 1]));
    return SEG_OK;
}

static cli_end add_images(seg_context *ctx, const cli_learn_inputs *inputs, seg_model *model) {
    const seg_labelmap *map = inputs->labelmap.count ? &inputs->labelmap : NULL;
    for (int i = 0; i < inputs->photos.count; i++) {
        const char *name = inputs->photos.at[i];
        SEG_RELEASED(seg_image_free) seg_image photo = {0};
        SEG_RELEASED(seg_mask_free) seg_mask scribbles = {0};
        CLI_TRY(cli_went(ctx, seg_image_read(ctx, name, &photo), CLI_READING));
        CLI_TRY(cli_went(ctx, seg_scribbles_read(ctx, inputs->scribbles.at[i], &photo, map, &scribbles, NULL),
                         CLI_READING));
        CLI_TRY(cli_went(ctx, seg_model_add(ctx, model, name, &photo, &scribbles), CLI_COMPUTING));
    }
    return CLI_GO_ON;
}

static cli_end write_model(seg_context *ctx, cli_learned *learned) {
    SEG_FREED void *bytes = NULL;
    const seg_status status = seg_model_bytes(ctx, learned->model, &bytes, &learned->bytes);
    CLI_TRY(cli_before_writing());
    CLI_TRY(cli_went(ctx, status, CLI_WRITING));
    return cli_went(ctx, seg_file_write(ctx, learned->options->model, bytes, learned->bytes), CLI_WRITING);
}

static cli_end learn(seg_context *ctx, const cli_learn_options *options, const cli_learn_inputs *inputs,
                     seg_model *model) {
    cli_learned learned = {.options = options, .inputs = inputs, .model = model};
    CLI_TRY(add_images(ctx, inputs, model));
    seg_status status = name_labels(ctx, &inputs->labelmap, model);
    if (status == SEG_OK)
        status = seg_model_learn(ctx, model);
    cli_bar_clear();
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_COMPUTING);
    CLI_TRY(write_model(ctx, &learned));
    if (inputs->without && !options->common.quiet)
        cli_say("skipped %d of %d images, which have no scribbles", inputs->without,
                inputs->without + inputs->photos.count);
    return options->common.json ? cli_learned_json(&learned) : cli_learned_print(&learned);
}

static cli_end work(seg_context *ctx, void *user) {
    const cli_learn_options *options = user;
    SEG_RELEASED(cli_learn_inputs_free) cli_learn_inputs inputs = {.without = 0};
    seg_model *model = NULL;
    CLI_TRY(check(options));
    CLI_TRY(cli_start_limited(ctx, &options->common));
    CLI_TRY(cli_learn_inputs_find(ctx, options, &inputs));
    cli_catch_signals();
    CLI_TRY(cli_went(ctx, seg_model_create(ctx, &options->segment, &model), CLI_COMPUTING));
    const cli_end end = learn(ctx, options, &inputs, model);
    seg_model_free(model);
    return end;
}

cli_end cli_run_learn(int argc, char **argv) {
    cli_learn_options options = {.model = NULL};
    return cli_run(&cli_learn_table, argc, argv, &options, work);
}
