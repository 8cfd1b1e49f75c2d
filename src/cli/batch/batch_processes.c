/* The images of a batch in processes of their own, several at once (evaluation/runner/runner.h). */
#include "cli/batch/batch.h"
#include "cli/common/paths.h"

#include "evaluation/runner/report_folder.h"
#include "evaluation/runner/runner.h"

/* The texts of images go to the parent as END, the size of what was printed, that, and the lines of --table. */
typedef struct running {
    cli_batch *batch;
    int *image;  /* the images that are to be segmented */
    char **text; /* of each image, NULL while there is none */
    int threads; /* of each process */
} running;

static char *key_of(SEG_UNUSED seg_context *ctx, const void *user, size_t item) {
    const running *r = user;
    return strdup(r->batch->photos.at[r->image[item]]);
}

static char *text_of(cli_end end, const char *said, const char *table) {
    return seg_format(NULL, "%d %zu\n%s%s", (int)end, strlen(said), said, table);
}

/* In the image's process. */
static seg_status solve(SEG_UNUSED seg_context *ctx, const void *user, size_t item, char **text) {
    const running *r = user;
    cli_photo_options job;
    cli_combined gather;
    char *said = NULL;
    size_t size = 0, head = 0;
    int bad; /* the job has its own, with the user's seed */
    FILE *kept = open_memstream(&said, &size);
    if (!kept || cli_combined_begin(r->batch->asked->table, &gather) != CLI_GO_ON)
        return SEG_ERR_MEMORY;
    if (gather.rows && fflush(gather.rows) == 0)
        head = gather.size;
    cli_end end = cli_batch_job(r->batch, r->image[item], &gather, &job, &bad);
    end = bad ? CLI_INPUT : end;
    if (end == CLI_GO_ON) {
        job.common.progress = CLI_PROGRESS_NONE;
        job.common.quiet |= !job.common.verbose; /* of several images at once, warnings would not tell which */
        job.common.threads = r->threads;
        job.out = kept;
        cli_batch_print_name(&job);
        end = cli_photo_job(&job, NULL, 1);
        if (end != CLI_OK)
            cli_say("'%s' was not segmented", job.photo);
    }
    const int whole = fclose(kept) == 0 && !(gather.rows && fflush(gather.rows) != 0);
    *text = whole ? text_of(end, said, gather.rows ? gather.text + head : "") : NULL;
    return *text ? SEG_OK : SEG_ERR_MEMORY; /* the process ends here */
}

static char *broken(SEG_UNUSED seg_context *ctx, const char *how) {
    cli_say("the process of an image %s", how);
    return text_of(CLI_FAILED, "", "");
}

static seg_status take(SEG_UNUSED seg_context *ctx, const void *user, size_t item, const char *text) {
    const running *r = user;
    return (r->text[r->image[item]] = strdup(text)) ? SEG_OK : SEG_ERR_MEMORY;
}

/* Half-written files of processes that were ended. */
static void tidy(const cli_photo_options *asked) {
    for (int i = CLI_PHOTO_INPUTS; i < CLI_PHOTO_FILES; i++) {
        const char *folder = cli_photo_files[i].tail ? cli_photo_path(asked, i) : NULL;
        if (folder)
            seg_layout_tidy(folder);
    }
}

/* The names of labels, which are the same for all images. */
static seg_status read_names(seg_context *ctx, const cli_photo_options *options, seg_labelmap *out) {
    seg_model *model = NULL;
    *out = (seg_labelmap){0};
    if (options->labelmap) {
        SEG_TRY(seg_labelmap_read(ctx, options->labelmap, out));
    } else if (options->model) {
        SEG_TRY(seg_model_read(ctx, options->model, &model));
        cli_model_labelmap(model, out);
        seg_model_free(model);
    }
    return options->names ? seg_labelmap_set_names(ctx, options->names, out) : SEG_OK;
}

/* The mask of a segmented image, as it was written, into the exports of all images. */
static seg_status add_mask(seg_context *ctx, cli_batch *batch, int i, const seg_labelmap *names) {
    SEG_RELEASED(cli_photo_options_free) cli_photo_options job = {.photo = NULL};
    SEG_RELEASED(seg_mask_free) seg_mask mask = {0};
    int bad;
    if (cli_batch_job(batch, i, &batch->gather, &job, &bad) != CLI_GO_ON ||
        (!job.mask && !(job.mask = cli_photo_own(&job, cli_default_name(job.photo, "-mask.png")))))
        return SEG_ERR_MEMORY;
    SEG_TRY(seg_truth_read(ctx, job.mask, &mask));
    return cli_combined_masks(ctx, &batch->gather, &mask,
                              &(seg_export_about){.photo = job.photo, .names = names, .simplify = job.simplify});
}

/* Print what the images said, and add to the files of all images, in the order of the images: to the byte what one
 * process writes. A part does the one, and who ends last the other. */
enum { PRINT = 1, ADD = 2 };
static cli_end join(seg_context *ctx, cli_batch *batch, char **text, int what) {
    seg_labelmap names = {0};
    seg_status status = what & ADD && batch->gather.sets ? read_names(ctx, batch->asked, &names) : SEG_OK;
    for (int i = 0; i < batch->photos.count && status == SEG_OK; i++) {
        int end, from = 0;
        size_t size;
        if (!text[i] || sscanf(text[i], "%d %zu%n", &end, &size, &from) != 2)
            continue;
        const char *said = text[i] + from + 1;
        fwrite(said, 1, what & PRINT ? size : 0, stdout);
        batch->bad[i] = end != CLI_OK;
        if (end != CLI_OK || !(what & ADD))
            continue;
        if (batch->asked->table)
            cli_combined_add(&batch->gather, said + size, strlen(said + size));
        status = batch->gather.sets ? add_mask(ctx, batch, i, &names) : SEG_OK;
    }
    CLI_TRY(cli_went(ctx, status, CLI_WRITING));
    const cli_end end = cli_finish_output(CLI_OK);
    return end == CLI_OK ? CLI_GO_ON : end;
}

/* --- Parts (--shard), of which the one that ends last joins the files of all images. --- */

static char *part_path(const cli_batch *batch, int part) {
    return seg_format(NULL, "%s%d", batch->parts, part);
}

/* Leave the texts of the images of this part, each after its length. */
static seg_status leave_part(seg_context *ctx, const cli_batch *batch, char **text, const char *path) {
    SEG_FREED char *all = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&all, &size);
    if (to)
        fputc('\n', to); /* there may be no image */
    for (int i = 0; i < batch->photos.count && to; i++)
        fprintf(to, "%zu\n%s", text[i] ? strlen(text[i]) : 0, text[i] ? text[i] : "");
    return !to || fclose(to) != 0 ? seg_fail(ctx, SEG_ERR_MEMORY, "out of memory")
                                  : seg_file_write(ctx, path, all, size);
}

/* Read the texts of the images of all parts. 0 where a part is not there yet. */
static int take_parts(const cli_batch *batch, int images, char **text, int *any) {
    const int count = batch->shard.count;
    for (int part = 1; part <= count; part++) {
        SEG_FREED char *path = part_path(batch, part);
        SEG_FREED unsigned char *all = NULL;
        size_t size;
        if (!path || seg_file_read(NULL, path, &all, &size) != SEG_OK)
            return 0;
        char *at = (char *)all;
        for (int i = part - 1; i < images; i += count) {
            const size_t length = strtoul(at, &at, 10);
            if (length >= size - (size_t)(at - (char *)all) || !(text[i] = strndup(at + 1, length)))
                return 0;
            *any |= length > 0;
            at += length + 1;
        }
    }
    return 1;
}

/* Several parts may find that all are there: the one that renames the first part's file joins. */
static cli_end join_parts(seg_context *ctx, cli_batch *batch, char **own) {
    SEG_FREED char *path = part_path(batch, batch->shard.index), *first = part_path(batch, 1);
    SEG_FREED char *claimed = part_path(batch, 0);
    int work = 0;
    cli_batch whole;
    CLI_TRY(cli_allocated(path && first && claimed));
    CLI_TRY(cli_went(ctx, leave_part(ctx, batch, own, path), CLI_WRITING));
    cli_end end = cli_batch_open(batch->asked, &(cli_shard){0}, &whole);
    char **text = calloc((size_t)whole.photos.count + 1, sizeof *text);
    if (end == CLI_GO_ON && !text)
        end = cli_out_of_memory();
    if (end == CLI_GO_ON && take_parts(batch, whole.photos.count, text, &work) && rename(first, claimed) == 0) {
        whole.gather = batch->gather;
        end = join(ctx, &whole, text, ADD);
        end = end == CLI_GO_ON ? cli_combined_end(&batch->gather, work) : end;
        if (end != CLI_GO_ON)
            rename(claimed, first); /* so that any part can be run again */
        for (int part = 0; part <= batch->shard.count && end == CLI_GO_ON; part++) {
            SEG_FREED char *joined = part_path(batch, part);
            unlink(joined ? joined : "");
        }
    }
    for (int i = 0; i < whole.photos.count && text; i++)
        free(text[i]);
    free(text);
    cli_batch_close(&whole, 1);
    return end;
}

static cli_end run_images(seg_context *ctx, running *r, const seg_work *work, int most) {
    cli_batch *batch = r->batch;
    const int shares = batch->asked->table || batch->gather.sets;
    size_t done = 0;
    seg_context_settings(ctx)->threads = 1;
    cli_shard_progress(ctx, &batch->shard, &batch->asked->common);
    cli_catch_signals();
    const seg_status status = seg_work_run(ctx, work, &(seg_jobs){.most = most}, &done);
    cli_bar_clear();
    const cli_end end = join(ctx, batch, r->text, batch->parts ? PRINT : PRINT | ADD);
    if (status == SEG_OK)
        return end == CLI_GO_ON && batch->parts ? join_parts(ctx, batch, r->text) : end;
    tidy(batch->asked);
    if (status != SEG_ERR_CANCELLED)
        return cli_fail(ctx, status, CLI_WRITING);
    return cli_refuse(cli_exit_code(status, CLI_COMPUTING), "interrupted; %zu images are done%s", done,
                      shares ? "" : ", and the same command with --resume goes on from there");
}

cli_end cli_batch_processes(cli_batch *batch) {
    const cli_photo_options *asked = batch->asked;
    const size_t room = (size_t)batch->photos.count + 1;
    const int processors = seg_processors();
    int most = asked->jobs < 0 ? 1 : asked->jobs ? asked->jobs : processors;
    most = most < SEG_RUN_MOST_JOBS ? most : SEG_RUN_MOST_JOBS;
    SEG_RELEASED(cli_context_free) seg_context *ctx = cli_context_create();
    SEG_FREED int *image = calloc(room, sizeof *image);
    SEG_FREED char **text = calloc(room, sizeof *text),
                   *part = batch->parts ? part_path(batch, batch->shard.index) : NULL;
    /* The machine is shared among images first, then among the threads of each. */
    running r = {.batch = batch,
                 .image = image,
                 .text = text,
                 .threads = batch->each.common.threads ? batch->each.common.threads
                            : most < processors        ? processors / most
                                                       : 1};
    seg_work work = {.key = key_of, .solve = solve, .broken = broken, .take = take, .user = &r};
    CLI_TRY(cli_allocated(ctx && image && text));
    for (int i = 0; i < batch->photos.count; i++)
        if (!batch->bad[i] && !batch->done[i])
            image[work.items++] = i;
    if (part) /* of an earlier run */
        unlink(part);
    const cli_end end = run_images(ctx, &r, &work, most);
    for (size_t i = 0; i < room; i++)
        free(text[i]);
    return end;
}
