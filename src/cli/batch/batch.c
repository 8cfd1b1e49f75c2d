#include "cli/batch/batch.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/segment/photo_run.h"

#include <stdio.h>
#include <stdlib.h>

int cli_names_shared(const cli_photo_options *options) {
    return options->jobs >= 0 || options->shard || options->resume;
}

int cli_is_batch(const cli_photo_options *options) {
    return options->common.words.count > 1 || cli_names_shared(options) ||
           (options->common.words.count == 1 && cli_is_folder(options->common.words.at[0]));
}

static void announce(const cli_photo_options *job, int number, int of) {
    if (job->common.progress == CLI_PROGRESS_JSON) {
        json_t *line = json_pack("{s:o, s:i, s:i}", "photo", cli_json_text(job->photo), "number", number, "of", of);
        char *text = json_dumps(line, JSON_COMPACT); /* NULL without a line, too */
        fprintf(stderr, "%s\n", text ? text : "{}");
        free(text);
        json_decref(line);
    } else if (job->common.progress == CLI_PROGRESS_AUTO && !job->common.quiet) {
        cli_say("%d of %d: %s", number, of, job->photo);
    }
}

/* Run one image; CLI_GO_ON also if only this image failed. */
static cli_end run(cli_batch *batch, int i) {
    SEG_RELEASED(cli_photo_options_free) cli_photo_options job = {.photo = NULL};
    int failed = 0;
    cli_end end = cli_batch_job(batch, i, &batch->gather, &job, &failed);
    if (end == CLI_GO_ON && !failed) {
        announce(&job, i + 1, batch->photos.count);
        cli_batch_print_name(&job);
        end = cli_photo_job(&job, NULL, 1);
    }
    batch->bad[i] = (char)(failed || end > CLI_OK); /* out of memory counts as a failure of this image */
    return end > CLI_SIGNAL ? end : CLI_GO_ON;
}

static cli_end check(cli_batch *batch, int i, cli_uses *uses) {
    SEG_RELEASED(cli_photo_options_free) cli_photo_options job = {.photo = NULL};
    int failed = 0, there = 0;
    CLI_TRY(cli_batch_job(batch, i, &batch->gather, &job, &failed));
    if (!failed)
        CLI_TRY(cli_batch_check_job(batch, &job, uses, &there));
    batch->bad[i] = (char)failed;
    batch->done[i] = (char)(there && batch->asked->resume);
    return CLI_GO_ON;
}

static cli_end check_all(cli_batch *batch) {
    SEG_RELEASED(cli_uses_free) cli_uses uses = {0};
    CLI_TRY(cli_combined_begin(batch->asked->table, &batch->gather));
    CLI_TRY(cli_batch_check_shared(batch, &uses));
    for (int i = 0; i < batch->photos.count; i++)
        CLI_TRY(check(batch, i, &uses));
    return cli_check_uses(uses.at, uses.count);
}

/* One after another. */
static cli_end run_all(cli_batch *batch) {
    for (int i = 0; i < batch->photos.count; i++)
        if (!batch->bad[i] && !batch->done[i])
            CLI_TRY(run(batch, i));
    return CLI_GO_ON;
}

/* @return how many images failed */
static int summarise(const cli_batch *batch) {
    const cli_photo_options *asked = batch->asked;
    int failed = 0, written = 0;
    for (int i = 0; i < batch->photos.count; i++) {
        failed += batch->bad[i];
        written += !batch->bad[i] && !batch->done[i];
    }
    if (failed)
        cli_say("%d of %d images failed", failed, batch->photos.count);
    else if (!asked->common.quiet && cli_on_terminal() && !batch->shard.launched)
        cli_say("wrote %d mask%s %s%s", written, written == 1 ? "" : "s", asked->mask ? "into " : "",
                asked->mask ? asked->mask : "in this folder");
    return failed;
}

static cli_end run_batch(cli_batch *batch, int *work) {
    const cli_photo_options *asked = batch->asked;
    CLI_TRY(check_all(batch));
    if (asked->resume && (asked->table || batch->gather.sets))
        return cli_refuse(CLI_USAGE,
                          "--resume leaves out the images that are done, and files of all images (--table, coco=FILE, "
                          "yolo=FOLDER) would lack them; give these without --resume");
    for (int i = 0; i < batch->photos.count; i++)
        *work |= !batch->bad[i];
    return (asked->jobs >= 0 || batch->parts ? cli_batch_processes : run_all)(batch);
}

cli_end cli_run_batch(const cli_photo_options *asked) {
    cli_shard shard;
    cli_batch batch;
    int failed = 0, work = 0;
    CLI_TRY(cli_read_shard(asked->shard, &shard));
    cli_end end = cli_batch_open(asked, &shard, &batch);
    if (shard.launched) { /* processes share the machine; the first of them tells */
        batch.each.common.threads = asked->common.threads ? asked->common.threads : 1;
        batch.each.common.progress = shard.index > 1 ? CLI_PROGRESS_NONE : asked->common.progress;
    }
    end = end == CLI_GO_ON ? run_batch(&batch, &work) : end;
    const cli_end gathered = cli_combined_end(&batch.gather, work && !batch.parts);
    end = end == CLI_GO_ON ? gathered : end;
    if (end == CLI_GO_ON)
        failed = summarise(&batch);
    cli_batch_close(&batch, work);
    return end != CLI_GO_ON            ? end
           : failed && !shard.launched ? CLI_PART
                                       : CLI_OK; /* mpirun ends the others where one fails */
}
