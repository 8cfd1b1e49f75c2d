#include "cli/batch/shard_join.h"
#include "cli/common/errors.h"
#include "cli/segment/model_labels.h"

#include <segment/segment.h>

#include <stdio.h>
#include <string.h>

/* The names of labels, which are the same for all images. */
static seg_status read_names(seg_context *ctx, const cli_photo_options *options, seg_labelmap *out) {
    seg_model *model = NULL;
    seg_status status = SEG_OK;
    *out = (seg_labelmap){0};
    if (options->labelmap)
        status = seg_labelmap_read(ctx, options->labelmap, out);
    else if (options->model && (status = seg_model_read(ctx, options->model, &model)) == SEG_OK)
        cli_model_labelmap(model, out);
    if (status == SEG_OK && options->names)
        status = seg_labelmap_set_names(ctx, options->names, out);
    seg_model_free(model);
    return status;
}

/* The mask of an image that is done, as it was written. */
static cli_end add_mask(seg_context *ctx, const cli_batch *batch, int i, const seg_labelmap *names,
                        cli_combined *gather) {
    cli_photo_options job;
    seg_mask mask = {0};
    int bad;
    cli_end end = cli_batch_job(batch, i, gather, &job, &bad);
    if (end == CLI_GO_ON && !bad) {
        const seg_export_about about = {.photo = job.photo, .names = names, .simplify = job.simplify};
        seg_status status = seg_truth_read(ctx, job.mask, &mask);
        cli_phase phase = CLI_READING;
        if (status == SEG_OK) {
            phase = CLI_WRITING;
            status = cli_combined_masks(ctx, gather, &mask, &about);
        }
        end = status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, phase);
    }
    seg_mask_free(&mask);
    cli_photo_options_free(&job);
    return end;
}

static cli_end add_image(seg_context *ctx, const cli_batch *batch, int i, const cli_shard_record *record,
                         const seg_labelmap *names, cli_combined *gather) {
    if (record->said)
        fputs(record->said, stdout);
    if (record->end != CLI_OK)
        return CLI_GO_ON;
    if (record->table)
        cli_combined_add(gather, record->table, strlen(record->table));
    return gather->sets ? add_mask(ctx, batch, i, names, gather) : CLI_GO_ON;
}

cli_end cli_shard_join(const cli_batch *batch, cli_combined *gather, cli_shard_find find, const void *user) {
    seg_context *ctx = cli_context_create();
    seg_labelmap names = {0};
    int work = 0;
    cli_end end = ctx ? CLI_GO_ON : CLI_FAILED;
    if (ctx) {
        const seg_status status = gather->sets ? read_names(ctx, batch->asked, &names) : SEG_OK;
        end = status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_READING);
    }
    for (int i = 0; i < batch->photos.count && end == CLI_GO_ON; i++) {
        cli_shard_record record;
        if (find(user, i, &record)) {
            work |= record.tried;
            end = add_image(ctx, batch, i, &record, &names, gather);
        }
        cli_shard_record_free(&record);
    }
    const cli_end gathered = cli_combined_end(gather, work && end == CLI_GO_ON);
    end = end == CLI_GO_ON ? gathered : end;
    seg_context_free(ctx);
    const cli_end said = cli_finish_output(CLI_OK);
    return end == CLI_GO_ON && said != CLI_OK ? said : end;
}
