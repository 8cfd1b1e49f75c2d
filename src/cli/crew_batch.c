#include "crew_batch.h"
#include "batch_check.h"
#include "crew_join.h"
#include "crew_record.h"
#include "errors.h"
#include "limits.h"
#include "photo_job.h"
#include "progress.h"

#include "evaluation/layout.h"
#include "evaluation/runner.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct crew {
    cli_batch batch;
    cli_combined gather;
    seg_ranks ranks;
    seg_journal *journal; /* NULL on ranks above 0 */
    char *settings;
    int shard, shards; /* from 1; 0 and 0 for the whole */
    int jobs, threads; /* images at once, threads of each */
    uint64_t *sum;     /* of each image's inputs */
    int *attempt;      /* of each image that is to be done or was; 0 where it is another part's */
    char *bad;         /* images that lack a file */
} crew;

static int is_ours(const crew *c, int i) {
    return !c->shards || i % c->shards == c->shard - 1;
}

/* --- Records. --- */

static char *key_of(seg_context *ctx, const void *user, size_t item) {
    const crew *c = user;
    (void)ctx;
    return cli_crew_key(c->batch.photos.at[item], c->sum[item], c->attempt[item]);
}

/* The record of an attempt at an image; 0 where there is none. */
static int find_attempt(const crew *c, int i, int attempt, cli_crew_record *out) {
    char *key = attempt > 0 ? cli_crew_key(c->batch.photos.at[i], c->sum[i], attempt) : NULL;
    const char *text = key ? seg_journal_find(c->journal, key) : NULL;
    free(key);
    *out = (cli_crew_record){0};
    return text && cli_crew_record_read(text, out);
}

static int find_record(const void *user, int i, cli_crew_record *out) {
    const crew *c = user;
    return find_attempt(c, i, c->attempt[i], out);
}

/* The last attempt that the journal tells of, 0 where there was none; *good: it made all that it was to make. */
static int last_attempt(const crew *c, int i, int *good) {
    cli_crew_record record;
    int attempt = 0, found = 1;
    *good = 0;
    while (found) {
        found = find_attempt(c, i, attempt + 1, &record);
        attempt += found;
        *good = found ? record.end == CLI_OK : *good;
        cli_crew_record_free(&record);
    }
    return attempt;
}

static cli_end add_failure(seg_context *ctx, crew *c, int i) {
    const cli_crew_record record = {.end = CLI_INPUT};
    char *text = cli_crew_record_text(&record), *key = key_of(ctx, c, (size_t)i);
    cli_end end = text && key ? CLI_GO_ON : cli_out_of_memory();
    if (end == CLI_GO_ON && seg_journal_add(ctx, c->journal, key, text) != SEG_OK)
        end = cli_fail(ctx, SEG_ERR_IO, CLI_WRITING);
    free(text);
    free(key);
    return end;
}

/* --- The images before the run. --- */

/* What is left to do of an image. A failed one is tried again, and one whose outputs went. */
static cli_end prepare_image(seg_context *ctx, crew *c, int i, int merge, cli_marks *marks) {
    cli_photo_options job;
    int bad, there = 0, good;
    cli_end end = cli_batch_job(&c->batch, i, &c->gather, &job, &bad);
    if (end == CLI_GO_ON) {
        c->sum[i] = cli_crew_inputs_sum(&job);
        c->bad[i] = (char)bad;
        const int last = last_attempt(c, i, &good);
        if (!bad)
            end = cli_batch_check_job(&c->batch, &job, marks, &there);
        c->attempt[i] = merge || (good && there && !bad) ? last : last + 1;
        if (end == CLI_GO_ON && bad && !merge)
            end = add_failure(ctx, c, i);
    }
    cli_photo_options_free(&job);
    return end;
}

static cli_end prepare_images(seg_context *ctx, crew *c, int merge) {
    cli_marks marks = {0};
    cli_end end = cli_combined_begin(c->batch.asked->table, &c->gather);
    end = end == CLI_GO_ON ? cli_batch_check_shared(&c->batch, &c->gather, &marks) : end;
    for (int i = 0; i < c->batch.photos.count && end == CLI_GO_ON; i++) {
        c->bad[i] = !is_ours(c, i);
        if (is_ours(c, i))
            end = prepare_image(ctx, c, i, merge, &marks);
    }
    end = end == CLI_GO_ON ? cli_batch_check_marks(&c->batch, &marks, c->bad) : end;
    cli_marks_free(&marks);
    return end;
}

/* --- One image, in its process. --- */

/* Lines of --table and what is printed go into the record. */
static cli_end run_image(const crew *c, int i, cli_crew_record *record) {
    cli_photo_options job;
    cli_combined gather;
    char *said = NULL;
    size_t said_size = 0, head = 0;
    int bad;
    FILE *out = stdout, *kept = open_memstream(&said, &said_size);
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
        stdout = kept;
        cli_batch_print_name(&job);
        record->end = cli_photo_job(&job, NULL, 1);
        stdout = out;
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
    cli_crew_record record = {0};
    (void)ctx; /* the job has its own, with the user's seed */
    const cli_end end = run_image(user, (int)item, &record);
    *text = end == CLI_GO_ON ? cli_crew_record_text(&record) : NULL;
    cli_crew_record_free(&record);
    return *text ? SEG_OK : SEG_ERR_MEMORY;
}

static char *broken(seg_context *ctx, const char *how) {
    char why[512];
    (void)ctx;
    snprintf(why, sizeof why, "its process %s", how);
    return cli_crew_record_text(&(cli_crew_record){.end = CLI_FAILED, .tried = 1, .why = why});
}

/* --- All of them. --- */

/* Whether all processes got this far; those that did not said why. */
static cli_end together(const crew *c, cli_end end) {
    const int all = seg_ranks_good(&c->ranks, end == CLI_GO_ON);
    return end != CLI_GO_ON ? end : all ? CLI_GO_ON : CLI_OK; /* mpirun ends with the code of the one that failed */
}

static cli_end agree(seg_context *ctx, const crew *c) {
    char *text = NULL;
    if (asprintf(&text, "%s %llx", c->settings, (unsigned long long)cli_crew_list_sum(&c->batch.photos)) < 0)
        return cli_out_of_memory();
    const seg_status status = seg_ranks_agree(ctx, &c->ranks, text);
    free(text);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_COMPUTING);
}

static cli_end open_journal(seg_context *ctx, crew *c) {
    const cli_photo_options *asked = c->batch.asked;
    char *path = NULL;
    const int length = c->shards ? asprintf(&path, "%s/shard-%d-of-%d.journal", asked->mask, c->shard, c->shards)
                                 : asprintf(&path, "%s/journal", asked->mask);
    if (length < 0)
        return cli_out_of_memory();
    const seg_status status = seg_journal_open(ctx, path, c->settings, asked->restart, &c->journal);
    free(path);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_COMPUTING);
}

/* Take over what the parts have done. */
static cli_end merge_parts(seg_context *ctx, const crew *c) {
    glob_t part = {0};
    char *folder = seg_glob_text(ctx, c->batch.asked->mask), *pattern = NULL;
    if (!folder || asprintf(&pattern, "%s/shard-*-of-*.journal", folder) < 0)
        pattern = NULL;
    seg_status status = pattern && glob(pattern, 0, NULL, &part) != GLOB_NOSPACE ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t p = 0; p < part.gl_pathc && status == SEG_OK; p++)
        status = seg_journal_merge(ctx, c->journal, part.gl_pathv[p]);
    globfree(&part);
    seg_free(folder);
    free(pattern);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_READING);
}

/* Half-written files of a run that was ended; nobody else is writing. */
static void tidy(const crew *c) {
    const cli_photo_options *o = c->batch.asked;
    const char *const folders[] = {o->mask, o->overlay, o->probability, o->uncertainty, o->save_run};
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++)
        if (folders[f] && !c->shards && c->ranks.count == 1)
            seg_layout_tidy(folders[f]);
}

static cli_end prepare(seg_context *ctx, crew *c, const cli_photo_options *asked) {
    cli_end end = cli_batch_open(asked, &c->batch);
    const size_t count = (size_t)c->batch.photos.count + 1;
    if (end == CLI_GO_ON) {
        c->settings = cli_crew_settings(&c->batch.each);
        c->sum = calloc(count, sizeof *c->sum);
        c->attempt = calloc(count, sizeof *c->attempt);
        c->bad = calloc(count, 1);
        end = !c->settings ? CLI_FAILED : c->sum && c->attempt && c->bad ? CLI_GO_ON : cli_out_of_memory();
    }
    end = together(c, end);
    end = end == CLI_GO_ON ? agree(ctx, c) : end;
    if (end != CLI_GO_ON)
        return end;
    if (c->ranks.rank == 0) {
        end = open_journal(ctx, c);
        if (end == CLI_GO_ON)
            tidy(c);
        end = end == CLI_GO_ON && asked->merge ? merge_parts(ctx, c) : end;
        end = end == CLI_GO_ON ? prepare_images(ctx, c, asked->merge) : end;
    }
    return together(c, end);
}

static cli_end run_all(seg_context *ctx, crew *c) {
    size_t done = 0;
    const seg_work work = {
        .items = (size_t)c->batch.photos.count, .key = key_of, .solve = solve, .broken = broken, .user = c};
    const seg_crew hands = {.ranks = &c->ranks,
                            .jobs = c->jobs,
                            .shard = c->shards ? c->shard - 1 : 0,
                            .shards = c->shards,
                            .journal = c->journal};
    if (c->ranks.count == 1)
        cli_catch_signals(); /* mpirun's processes are ended by mpirun */
    const seg_status status = seg_work_run(ctx, &work, &hands, &done);
    cli_bar_clear();
    if (status == SEG_OK)
        return CLI_GO_ON;
    tidy(c);
    if (status != SEG_ERR_CANCELLED)
        return cli_fail(ctx, status, CLI_WRITING);
    const cli_end end = cli_exit_code(status, CLI_COMPUTING);
    cli_say("%s; %zu images more are done, and the same command goes on from there",
            end == CLI_TIMEOUT ? "out of time (--timeout)" : "interrupted", done);
    return end;
}

/* Missing and failed images of this part; CLI_GO_ON where none is missing. */
static cli_end count_failed(const crew *c, int *failed) {
    int missing = 0;
    *failed = 0;
    for (int i = 0; i < c->batch.photos.count; i++) {
        cli_crew_record record;
        if (!is_ours(c, i))
            continue;
        const int found = find_record(c, i, &record);
        missing += !found;
        *failed += found && record.end != CLI_OK;
        if (found && record.why)
            cli_say("'%s' was not segmented: %s", c->batch.photos.at[i], record.why);
        cli_crew_record_free(&record);
    }
    if (!missing)
        return CLI_GO_ON;
    return cli_refuse(CLI_INPUT, "%d of %d images are missing; finish all parts, then merge them", missing,
                      c->batch.photos.count);
}

static void summarise(const crew *c, int failed) {
    const cli_photo_options *asked = c->batch.asked;
    int count = 0;
    for (int i = 0; i < c->batch.photos.count; i++)
        count += is_ours(c, i);
    if (failed)
        cli_say("%d of %d images failed", failed, count);
    else if (!asked->common.quiet && cli_on_terminal() && !asked->merge)
        cli_say("%d mask%s in %s", count, count == 1 ? "" : "s", asked->mask);
    if (c->shards && !asked->common.quiet)
        cli_say("part %d of %d is done; when all are, --merge in place of --shard writes what all images share",
                c->shard, c->shards);
}

static cli_end work(seg_context *ctx, crew *c, const cli_photo_options *asked) {
    int failed = 0;
    cli_end end = prepare(ctx, c, asked);
    end = end == CLI_GO_ON && !asked->merge ? run_all(ctx, c) : end;
    if (end != CLI_GO_ON || c->ranks.rank > 0)
        return end == CLI_GO_ON ? CLI_OK : end;
    end = count_failed(c, &failed);
    if (end == CLI_GO_ON && !c->shards)
        end = cli_crew_join(&c->batch, &c->gather, find_record, c);
    if (end != CLI_GO_ON)
        return end;
    summarise(c, failed);
    return failed ? CLI_PART : CLI_OK;
}

/* With mpirun each process takes one image at once, unless it is told otherwise; else the machine is shared among
 * images first, then among the threads of each. */
static void share(crew *c, const cli_photo_options *asked) {
    const long found = sysconf(_SC_NPROCESSORS_ONLN);
    const int processors = found > 0 ? (int)found : 1, alone = c->ranks.count == 1;
    c->jobs = asked->jobs > 0 ? asked->jobs : asked->jobs < 0 && !alone ? 1 : processors;
    c->jobs = c->jobs < SEG_RUN_MOST_JOBS ? c->jobs : SEG_RUN_MOST_JOBS;
    c->threads = asked->common.threads           ? asked->common.threads
                 : alone && c->jobs < processors ? processors / c->jobs
                                                 : 1;
}

cli_end cli_crew_batch(const cli_photo_options *asked, int shard, int shards) {
    const cli_common *common = &asked->common;
    seg_context *ctx = cli_context_create();
    crew c = {.ranks = {.count = 1}, .shard = shard, .shards = shards};
    if (!ctx)
        return CLI_FAILED;
    seg_context_set_threads(ctx, 1);
    seg_status status = asked->merge ? SEG_OK : seg_ranks_begin(ctx, &c.ranks);
    const int silent = common->quiet || c.ranks.rank > 0;
    cli_limits_start(ctx, 0, common->timeout);
    cli_progress_start(ctx, c.ranks.rank > 0 ? CLI_PROGRESS_NONE : (cli_progress_mode)common->progress,
                       silent ? -1 : common->verbose);
    share(&c, asked);
    const cli_end end = status == SEG_OK ? work(ctx, &c, asked) : cli_fail(ctx, status, CLI_COMPUTING);
    cli_limits_end();
    seg_ranks_end(&c.ranks);
    cli_combined_end(&c.gather, 0);
    cli_batch_close(&c.batch, c.journal != NULL);
    seg_journal_close(c.journal);
    free(c.settings);
    free(c.sum);
    free(c.attempt);
    free(c.bad);
    seg_context_free(ctx);
    return end;
}
