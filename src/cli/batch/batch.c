#include "cli/batch/batch.h"
#include "cli/common/commands.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/segment/photo_run.h"

#include <stdio.h>
#include <stdlib.h>

int cli_names_shared(const cli_photo_options *options) {
    return options->jobs >= 0 || options->shard || options->restart;
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
static cli_end run(const cli_batch *batch, int i, cli_combined *gather, char *bad) {
    cli_photo_options job;
    int failed = 0;
    cli_end end = cli_batch_job(batch, i, gather, &job, &failed);
    if (end == CLI_GO_ON && !failed) {
        announce(&job, i + 1, batch->photos.count);
        cli_batch_print_name(&job);
        end = cli_photo_job(&job, NULL, 1);
        failed = end != CLI_OK;
        end = end > CLI_SIGNAL || end == CLI_TIMEOUT ? end : CLI_GO_ON;
    } else if (end == CLI_FAILED) { /* out of memory counts as a failure of this image */
        failed = 1;
        end = CLI_GO_ON;
    }
    *bad = (char)failed;
    cli_photo_options_free(&job);
    return end;
}

static cli_end check(const cli_batch *batch, int i, cli_combined *gather, cli_uses *uses, char *bad) {
    cli_photo_options job;
    int failed = 0, there;
    cli_end end = cli_batch_job(batch, i, gather, &job, &failed);
    if (end == CLI_GO_ON && !failed)
        end = cli_batch_check_job(batch, &job, uses, &there);
    *bad = (char)failed;
    cli_photo_options_free(&job);
    return end;
}

static void summarise(const cli_photo_options *options, int photos, int failed) {
    if (failed) {
        cli_say("%d of %d images failed", failed, photos);
    } else if (!options->common.quiet && cli_on_terminal()) {
        cli_say("wrote %d mask%s %s%s", photos, photos == 1 ? "" : "s", options->mask ? "into " : "",
                options->mask ? options->mask : "in this folder");
    }
}

/* All of them in this process, one after another. */
static cli_end run_here(const cli_photo_options *asked) {
    cli_batch batch;
    cli_combined gather = {0};
    cli_uses uses = {0};
    char *bad = NULL;
    int failed = 0, work = 0;
    cli_end end = cli_batch_open(asked, &batch);
    const int count = batch.photos.count;
    if (end == CLI_GO_ON && !(bad = calloc((size_t)count, 1)))
        end = cli_out_of_memory();
    end = end == CLI_GO_ON ? cli_combined_begin(asked->table, &gather) : end;
    end = end == CLI_GO_ON ? cli_batch_check_shared(&batch, &gather, &uses) : end;
    for (int i = 0; bad && i < count && end == CLI_GO_ON; i++)
        end = check(&batch, i, &gather, &uses, &bad[i]);
    end = end == CLI_GO_ON ? cli_check_uses(uses.at, uses.count) : end;
    cli_uses_free(&uses);
    for (int i = 0; bad && i < count && end == CLI_GO_ON; i++) {
        if (!bad[i]) {
            work = 1;
            end = run(&batch, i, &gather, &bad[i]);
        }
        failed += bad[i];
    }
    const cli_end gathered = cli_combined_end(&gather, work);
    end = end == CLI_GO_ON ? gathered : end;
    if (end == CLI_GO_ON)
        summarise(asked, count, failed);
    cli_batch_close(&batch, work);
    free(bad);
    return end != CLI_GO_ON ? end : failed ? CLI_PART : CLI_OK;
}

cli_end cli_run_batch(const cli_photo_options *asked, char **line) {
    cli_shard shard;
    const cli_end end = cli_read_shard(asked->shard, &shard);
    if (end != CLI_GO_ON)
        return end;
    if (!cli_names_shared(asked) && !shard.count)
        return run_here(asked);
    if (!asked->mask)
        return cli_refuse(
            CLI_USAGE,
            "shared work needs -o FOLDER for the masks: the journal, by which an interrupted run goes on, is kept "
            "there");
    if (asked->restart && shard.count)
        return cli_refuse(CLI_USAGE,
                          "--restart is not for one part of the work: delete the journals '%s/*journal' before the "
                          "parts begin",
                          asked->mask);
    return cli_run_shared ? cli_run_shared(asked, &shard) : cli_run_program("segment-evaluation", line);
}
