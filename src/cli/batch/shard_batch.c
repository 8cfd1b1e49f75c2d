/* A batch as items of the runner (evaluation/runner/runner.h), each image in a process of its own: all of it (--jobs),
 * or a part (--shard), of which the one that ends last joins them. It is resumed from journals in the folder of the
 * masks. */
#include "cli/batch/batch.h"
#include "cli/common/process.h"
#include "cli/segment/photo_run.h"

#include "evaluation/runner/report_folder.h"
#include "evaluation/runner/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct shared {
    cli_batch batch;
    cli_combined gather;
    seg_journal *journal;
    char *settings;
    cli_shard shard;
    int join;          /* 1: nothing is segmented, what the parts have done is joined */
    int jobs, threads; /* images at once, threads of each */
    uint64_t *sum;     /* of each image's inputs */
    int *attempt;      /* of each image that is to be done or was; 0 where it is another part's, or not there to join */
} shared;

static int is_ours(const shared *c, int i) {
    return !c->shard.count || i % c->shard.count == c->shard.index - 1;
}

/* --- Records. --- */

static char *key_of(seg_context *ctx, const void *user, size_t item) {
    const shared *c = user;
    (void)ctx;
    return cli_shard_key(c->batch.photos.at[item], c->sum[item], c->attempt[item]);
}

/* The record of an attempt at an image; 0 where there is none. */
static int find_attempt(const shared *c, int i, int attempt, cli_shard_record *out) {
    char *key = attempt > 0 ? cli_shard_key(c->batch.photos.at[i], c->sum[i], attempt) : NULL;
    const char *text = key ? seg_journal_find(c->journal, key) : NULL;
    free(key);
    *out = (cli_shard_record){0};
    return text && cli_shard_record_read(text, out);
}

static int find_record(const shared *c, int i, cli_shard_record *out) {
    return find_attempt(c, i, c->attempt[i], out);
}

/* The last attempt that the journal tells of, 0 where there was none; *good: it made all that it was to make. */
static int last_attempt(const shared *c, int i, int *good) {
    cli_shard_record record;
    int attempt = 0, found = 1;
    *good = 0;
    while (found) {
        found = find_attempt(c, i, attempt + 1, &record);
        attempt += found;
        *good = found ? record.end == CLI_OK : *good;
        cli_shard_record_free(&record);
    }
    return attempt;
}

static cli_end add_failure(seg_context *ctx, shared *c, int i) {
    const cli_shard_record record = {.end = CLI_INPUT};
    char *text = cli_shard_record_text(&record), *key = key_of(ctx, c, (size_t)i);
    cli_end end = text && key ? CLI_GO_ON : cli_out_of_memory();
    if (end == CLI_GO_ON && seg_journal_add(ctx, c->journal, key, text) != SEG_OK)
        end = cli_fail(ctx, SEG_ERR_IO, CLI_WRITING);
    free(text);
    free(key);
    return end;
}

/* --- The images before the run. --- */

/* What is left to do of an image. A failed one is tried again, and one whose outputs went. */
static cli_end prepare_image(seg_context *ctx, shared *c, int i, cli_uses *uses) {
    cli_photo_options job;
    int bad, there = 0, good;
    cli_end end = cli_batch_job(&c->batch, i, &c->gather, &job, &bad);
    if (end == CLI_GO_ON) {
        c->sum[i] = cli_shard_inputs_sum(&job);
        const int last = last_attempt(c, i, &good);
        if (!bad)
            end = cli_batch_check_job(&c->batch, &job, uses, &there);
        const int done = good ? there && !bad : c->join;
        c->attempt[i] = done ? last : c->join ? 0 : last + 1;
        if (end == CLI_GO_ON && bad && !c->join)
            end = add_failure(ctx, c, i);
    }
    cli_photo_options_free(&job);
    return end;
}

static cli_end prepare_images(seg_context *ctx, shared *c) {
    cli_uses uses = {0};
    cli_end end = cli_combined_begin(c->batch.asked->table, &c->gather);
    end = end == CLI_GO_ON ? cli_batch_check_shared(&c->batch, &c->gather, &uses) : end;
    for (int i = 0; i < c->batch.photos.count && end == CLI_GO_ON; i++) {
        if (is_ours(c, i))
            end = prepare_image(ctx, c, i, &uses);
    }
    end = end == CLI_GO_ON ? cli_check_uses(uses.at, uses.count) : end;
    cli_uses_free(&uses);
    return end;
}

/* --- One image, in its process. --- */

/* Lines of --table and what is printed go into the record. */
static cli_end run_image(const shared *c, int i, cli_shard_record *record) {
    cli_photo_options job;
    cli_combined gather;
    char *said = NULL;
    size_t said_size = 0, head = 0;
    int bad;
    FILE *kept = open_memstream(&said, &said_size);
    cli_end end = kept ? cli_combined_begin(c->batch.asked->table, &gather) : cli_out_of_memory();
    if (end != CLI_GO_ON)
        return end;
    if (gather.rows && fflush(gather.rows) == 0)
        head = gather.size;
    end = cli_batch_job(&c->batch, i, &gather, &job, &bad);
    if (end == CLI_GO_ON && !bad) {
        job.common.progress = CLI_PROGRESS_NONE;
        job.common.quiet |= !job.common.verbose; /* of several images at once, warnings would not tell which */
        job.common.threads = c->threads;
        record->tried = 1;
        job.out = kept;
        cli_batch_print_name(&job);
        record->end = cli_photo_job(&job, NULL, 1);
        if (record->end != CLI_OK)
            cli_say("'%s' was not segmented", job.photo);
    } else if (bad) {
        record->end = CLI_INPUT;
    }
    cli_photo_options_free(&job);
    if (fclose(kept) != 0 || (gather.rows && fflush(gather.rows) != 0))
        end = cli_out_of_memory();
    record->said = said;
    if (end == CLI_GO_ON && gather.rows && gather.size > head && !(record->table = strdup(gather.text + head)))
        end = cli_out_of_memory();
    cli_combined_end(&gather, 0);
    return end;
}

static seg_status solve(seg_context *ctx, const void *user, size_t item, char **text) {
    cli_shard_record record = {0};
    (void)ctx; /* the job has its own, with the user's seed */
    const cli_end end = run_image(user, (int)item, &record);
    *text = end == CLI_GO_ON ? cli_shard_record_text(&record) : NULL;
    cli_shard_record_free(&record);
    return *text ? SEG_OK : SEG_ERR_MEMORY;
}

static char *broken(seg_context *ctx, const char *how) {
    char why[512];
    (void)ctx;
    snprintf(why, sizeof why, "its process %s", how);
    return cli_shard_record_text(&(cli_shard_record){.end = CLI_FAILED, .tried = 1, .why = why});
}

/* --- What all images write together, from the records and the masks. --- */

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
static cli_end add_mask(seg_context *ctx, shared *c, int i, const seg_labelmap *names) {
    cli_photo_options job;
    seg_mask mask = {0};
    int bad;
    cli_end end = cli_batch_job(&c->batch, i, &c->gather, &job, &bad);
    if (end == CLI_GO_ON && !bad) {
        const seg_export_about about = {.photo = job.photo, .names = names, .simplify = job.simplify};
        seg_status status = seg_truth_read(ctx, job.mask, &mask);
        cli_phase phase = CLI_READING;
        if (status == SEG_OK) {
            phase = CLI_WRITING;
            status = cli_combined_masks(ctx, &c->gather, &mask, &about);
        }
        end = status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, phase);
    }
    seg_mask_free(&mask);
    cli_photo_options_free(&job);
    return end;
}

static cli_end add_image(seg_context *ctx, shared *c, int i, const cli_shard_record *record,
                         const seg_labelmap *names) {
    if (record->said)
        fputs(record->said, stdout);
    if (record->end != CLI_OK)
        return CLI_GO_ON;
    if (record->table)
        cli_combined_add(&c->gather, record->table, strlen(record->table));
    return c->gather.sets ? add_mask(ctx, c, i, names) : CLI_GO_ON;
}

/* Write --table and the exports of all images, and print reports and scores, in the order of the images: to the byte
 * what one process writes. */
static cli_end join(seg_context *ctx, shared *c) {
    seg_labelmap names = {0};
    int work = 0;
    const seg_status status = c->gather.sets ? read_names(ctx, c->batch.asked, &names) : SEG_OK;
    cli_end end = status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_READING);
    for (int i = 0; i < c->batch.photos.count && end == CLI_GO_ON; i++) {
        cli_shard_record record;
        if (find_record(c, i, &record)) {
            work |= record.tried;
            end = add_image(ctx, c, i, &record, &names);
        }
        cli_shard_record_free(&record);
    }
    const cli_end gathered = cli_combined_end(&c->gather, work && end == CLI_GO_ON);
    end = end == CLI_GO_ON ? gathered : end;
    const cli_end said = cli_finish_output(CLI_OK);
    return end == CLI_GO_ON && said != CLI_OK ? said : end;
}

/* --- All of them. --- */

/* Half-written files of a run that was ended; nobody else is writing. */
static void tidy(const shared *c) {
    for (int i = CLI_PHOTO_INPUTS; i < CLI_PHOTO_FILES && !c->shard.count; i++) {
        const char *folder = cli_photo_files[i].tail ? cli_photo_path(c->batch.asked, i) : NULL;
        if (folder)
            seg_layout_tidy(folder);
    }
}

static cli_end prepare(seg_context *ctx, shared *c, const cli_photo_options *asked, size_t *added) {
    cli_end end = cli_batch_open(asked, &c->batch);
    const size_t count = (size_t)c->batch.photos.count + 1;
    if (end != CLI_GO_ON)
        return end;
    c->settings = cli_shard_settings(&c->batch.each);
    c->sum = calloc(count, sizeof *c->sum);
    c->attempt = calloc(count, sizeof *c->attempt);
    if (!c->settings || !c->sum || !c->attempt)
        return c->settings ? cli_out_of_memory() : CLI_FAILED;
    const int how = (asked->restart ? SEG_JOURNAL_RESTART : 0) | (c->join ? SEG_JOURNAL_WAIT : 0);
    const seg_journal_part part = {asked->mask, c->shard.index, c->shard.count};
    const seg_status status = seg_journal_open_part(ctx, &part, c->settings, how, added, &c->journal);
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_COMPUTING);
    if (!c->join) /* else other parts may be at work */
        tidy(c);
    return prepare_images(ctx, c);
}

static cli_end run_all(seg_context *ctx, shared *c, size_t *done) {
    const seg_work work = {
        .items = (size_t)c->batch.photos.count, .key = key_of, .solve = solve, .broken = broken, .user = c};
    const seg_jobs jobs = {c->jobs, c->shard.index, c->shard.count, c->journal};
    cli_catch_signals();
    const seg_status status = seg_work_run(ctx, &work, &jobs, done);
    cli_bar_clear();
    if (status == SEG_OK)
        return CLI_GO_ON;
    tidy(c);
    if (status != SEG_ERR_CANCELLED)
        return cli_fail(ctx, status, CLI_WRITING);
    const cli_end end = cli_exit_code(status, CLI_COMPUTING);
    cli_say("%s; %zu images more are done, and the same command goes on from there",
            end == CLI_TIMEOUT ? "out of time (--timeout)" : "interrupted", *done);
    return end;
}

/* How many images of this part failed, and how many are not done. */
static int count_failed(const shared *c, int *missing) {
    int failed = 0;
    *missing = 0;
    for (int i = 0; i < c->batch.photos.count; i++) {
        cli_shard_record record;
        if (!is_ours(c, i))
            continue;
        const int found = find_record(c, i, &record);
        *missing += !found;
        failed += found && record.end != CLI_OK;
        if (found && record.why && !c->join)
            cli_say("'%s' was not segmented: %s", c->batch.photos.at[i], record.why);
        cli_shard_record_free(&record);
    }
    return failed;
}

static void summarise(const shared *c, int failed) {
    const cli_photo_options *asked = c->batch.asked;
    int count = 0;
    for (int i = 0; i < c->batch.photos.count; i++)
        count += is_ours(c, i);
    if (failed)
        cli_say("%d of %d images failed", failed, count);
    else if (!asked->common.quiet && cli_on_terminal() && !c->shard.launched)
        cli_say("%d mask%s in %s", count, count == 1 ? "" : "s", asked->mask);
}

/* The machine is shared among images first, then among the threads of each; with other processes beside this one, each
 * does one image at once, unless it is told otherwise. */
static void share(shared *c, const cli_photo_options *asked) {
    const long found = sysconf(_SC_NPROCESSORS_ONLN);
    const int processors = found > 0 ? (int)found : 1;
    c->jobs = asked->jobs > 0 ? asked->jobs : asked->jobs < 0 && c->shard.launched ? 1 : processors;
    c->jobs = c->jobs < SEG_RUN_MOST_JOBS ? c->jobs : SEG_RUN_MOST_JOBS;
    c->threads = asked->common.threads                        ? asked->common.threads
                 : !c->shard.launched && c->jobs < processors ? processors / c->jobs
                                                              : 1;
}

static void release(shared *c) {
    cli_combined_end(&c->gather, 0);
    cli_batch_close(&c->batch, c->journal != NULL);
    seg_journal_close(c->journal);
    free(c->settings);
    free(c->sum);
    free(c->attempt);
}

/* Segment the images of a part, or of the whole; *failed of them fail. */
static cli_end segment_part(seg_context *ctx, const cli_photo_options *asked, const cli_shard *shard, int *failed,
                            size_t *done) {
    shared c = {.shard = *shard};
    int missing = 0;
    share(&c, asked);
    cli_end end = prepare(ctx, &c, asked, NULL);
    end = end == CLI_GO_ON ? run_all(ctx, &c, done) : end;
    if (end == CLI_GO_ON) {
        *failed = count_failed(&c, &missing);
        if (!c.shard.count)
            end = join(ctx, &c);
        if (end == CLI_GO_ON)
            summarise(&c, *failed);
    }
    release(&c);
    return end;
}

/* Whoever ends last finds nothing missing, under the lock of the journal of the whole, and joins the parts. Where
 * nothing was left to do by any, the first does. */
static cli_end join_parts(seg_context *ctx, const cli_photo_options *asked, const cli_shard *shard, int *failed,
                          int idle) {
    shared c = {.join = 1};
    size_t added = 0;
    int missing = 0;
    cli_end end = prepare(ctx, &c, asked, &added);
    const int of_all = end == CLI_GO_ON ? count_failed(&c, &missing) : 0;
    if (end == CLI_GO_ON && missing && !asked->common.quiet && !shard->launched)
        cli_say("part %d of %d is done, and %d of %d images are not; the part that ends last writes what all images "
                "share",
                shard->index, shard->count, missing, c.batch.photos.count);
    if (end == CLI_GO_ON && shard->launched)
        *failed = 0; /* mpirun ends the others where one fails */
    if (end == CLI_GO_ON && !missing && (added || (idle && shard->index == 1))) {
        tidy(&c);
        *failed = of_all;
        end = join(ctx, &c);
    }
    release(&c);
    return end;
}

cli_end cli_shard_batch(const cli_photo_options *asked, const cli_shard *shard) {
    const cli_common *common = &asked->common;
    seg_context *ctx = cli_context_create();
    size_t done = 0;
    int failed = 0;
    if (!ctx)
        return CLI_FAILED;
    seg_context_settings(ctx)->threads = 1;
    cli_limits_start(ctx, 0, common->timeout);
    cli_shard_progress(ctx, shard, common);
    cli_end end = segment_part(ctx, asked, shard, &failed, &done);
    if (end == CLI_GO_ON && shard->count)
        end = join_parts(ctx, asked, shard, &failed, done == 0);
    cli_limits_end();
    seg_context_free(ctx);
    return end != CLI_GO_ON ? end : failed ? CLI_PART : CLI_OK;
}
