/* segment learn PHOTO... -o MODEL */
#include "cli/common/commands.h"
#include "cli/common/errors.h"
#include "cli/common/limits.h"
#include "cli/common/progress.h"
#include "cli/learn/learn_report.h"

#include <stdlib.h>

/* Label l gets the colour and the name of the l-th line of the map. */
static seg_status name_labels(seg_context *ctx, const seg_labelmap *map, seg_model *model) {
    seg_status status = SEG_OK;
    for (int l = 1; l <= map->count && status == SEG_OK; l++)
        status = seg_model_name_label(ctx, model, l, map->name[l - 1]);
    return status;
}

static cli_end add_images(seg_context *ctx, const cli_learn_inputs *inputs, seg_model *model) {
    for (int i = 0; i < inputs->photos.count; i++) {
        seg_image photo = {0};
        seg_mask scribbles = {0};
        cli_phase phase = CLI_READING;
        seg_status status = cli_learn_input_read(ctx, inputs, i, &photo, &scribbles);
        if (status == SEG_OK) {
            phase = CLI_COMPUTING;
            status = seg_model_add(ctx, model, inputs->photos.at[i], &photo, &scribbles);
        }
        seg_image_free(&photo);
        seg_mask_free(&scribbles);
        if (status != SEG_OK)
            return cli_fail(ctx, status, phase);
    }
    return CLI_GO_ON;
}

static cli_end write_model(seg_context *ctx, cli_learned *learned) {
    void *bytes = NULL;
    seg_status status = seg_model_bytes(ctx, learned->model, &bytes, &learned->bytes);
    if (cli_interrupted()) {
        cli_say("interrupted; nothing was written");
        seg_free(bytes);
        return (cli_end)(CLI_SIGNAL + cli_interrupted());
    }
    cli_begin_writing();
    if (status == SEG_OK)
        status = seg_file_write(ctx, learned->options->model, bytes, learned->bytes);
    seg_free(bytes);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_WRITING);
}

static cli_end learn(seg_context *ctx, const cli_learn_options *options, const cli_learn_inputs *inputs,
                     seg_model *model) {
    cli_learned learned = {.options = options, .inputs = inputs, .model = model};
    cli_end end = add_images(ctx, inputs, model);
    if (end != CLI_GO_ON)
        return end;
    seg_status status = name_labels(ctx, &inputs->labelmap, model);
    if (status == SEG_OK)
        status = seg_model_learn(ctx, model);
    if (status == SEG_OK)
        status = seg_model_suggest(ctx, model, learned.suggestion, CLI_MOST_STROKES, &learned.suggestions);
    cli_bar_clear();
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_COMPUTING);
    if (options->report && (end = cli_learned_page(ctx, &learned)) != CLI_GO_ON)
        return end;
    if ((end = write_model(ctx, &learned)) != CLI_GO_ON)
        return end;
    if (inputs->without && !options->common.quiet)
        cli_say("skipped %d of %d images, which have no scribbles", inputs->without,
                inputs->without + inputs->photos.count);
    return options->common.json ? cli_learned_json(&learned) : cli_learned_print(&learned);
}

cli_end cli_run_learn(int argc, char **argv) {
    cli_learn_options options;
    cli_learn_inputs inputs = {.without = 0};
    seg_model *model = NULL;
    cli_end end = cli_learn_options_read(argc, argv, &options);
    seg_context *ctx = end == CLI_GO_ON ? cli_context_create() : NULL;
    const cli_common *common = &options.common;
    if (end == CLI_GO_ON && !ctx)
        end = CLI_FAILED;
    if (end == CLI_GO_ON) {
        seg_context_settings(ctx)->threads = common->threads;
        seg_context_settings(ctx)->seed = (uint64_t)common->seed;
        cli_limits_start(ctx, common->max_memory, common->timeout);
        cli_progress_start(ctx, (cli_progress_mode)common->progress, common->quiet ? -1 : common->verbose);
        end = cli_limits_check(common->max_memory);
    }
    end = end == CLI_GO_ON ? cli_learn_inputs_find(ctx, &options, &inputs) : end;
    if (end == CLI_GO_ON) {
        cli_catch_signals();
        const seg_status status = seg_model_create(ctx, &options.segment, &model);
        end = status == SEG_OK ? learn(ctx, &options, &inputs, model) : cli_fail(ctx, status, CLI_COMPUTING);
    }
    cli_limits_end();
    seg_model_free(model);
    cli_learn_inputs_free(&inputs);
    seg_context_free(ctx);
    free(options.common.words.at);
    return end;
}
