#include "cli/batch/batch_check.h"
#include "base/base.h"
#include "cli/common/file_uses.h"
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/segment/photo_check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct cli_mark {
    uint64_t number;
    int writes;
} cli_mark;

/* --- Numbers of files. --- */

static cli_end add_mark(cli_marks *marks, uint64_t number, int writes) {
    if (!number)
        return CLI_GO_ON;
    if (seg_grow(NULL, &marks->at, marks->count, &marks->room, sizeof *marks->at) != SEG_OK)
        return cli_out_of_memory();
    marks->at[marks->count++] = (cli_mark){number, writes};
    return CLI_GO_ON;
}

static cli_end add_use(cli_marks *marks, const cli_use *use) {
    uint64_t mark[2];
    int special;
    cli_end end = cli_use_marks(use, mark, &special);
    marks->special |= special;
    for (int m = 0; m < 2 && end == CLI_GO_ON; m++)
        end = add_mark(marks, mark[m], use->writes);
    return end;
}

void cli_marks_free(cli_marks *marks) {
    free(marks->at);
    *marks = (cli_marks){0};
}

static int by_number(const void *first, const void *second) {
    const cli_mark *a = first, *b = second;
    return a->number < b->number ? -1 : a->number > b->number ? 1 : b->writes - a->writes; /* writers first */
}

/* Whether two uses may be of one file of which one writes. */
static int any_meet(cli_marks *marks) {
    if (marks->count)
        qsort(marks->at, marks->count, sizeof *marks->at, by_number);
    for (size_t m = 1; m < marks->count; m++)
        if (marks->at[m].number == marks->at[m - 1].number && marks->at[m - 1].writes)
            return 1;
    return marks->special;
}

/* --- All files by name, for the sentence. --- */

typedef struct batch_uses {
    cli_use *at; /* owned, the paths too */
    size_t count, room;
} batch_uses;

static cli_end append_use(batch_uses *all, cli_use use) {
    if (seg_grow(NULL, &all->at, all->count, &all->room, sizeof *all->at) != SEG_OK)
        return cli_out_of_memory();
    use.path = strdup(use.path);
    if (!use.path)
        return cli_out_of_memory();
    all->at[all->count++] = use;
    return CLI_GO_ON;
}

/* The copy that is checked gets its default names, which the job will make again. */
static cli_end check_copy(const cli_photo_options *job, cli_photo_options *copy) {
    seg_context *ctx = cli_context_create();
    cli_photo_options_copy(job, job->photo, copy);
    const cli_end end = ctx ? cli_photo_check(ctx, copy) : CLI_FAILED;
    seg_context_free(ctx);
    return end;
}

static cli_end collect_job(const cli_batch *batch, int i, batch_uses *all) {
    cli_photo_options job, copy;
    cli_use *uses = NULL;
    size_t count = 0;
    int bad;
    cli_end end = cli_batch_job(batch, i, NULL, &job, &bad);
    memset(&copy, 0, sizeof copy);
    copy.is_copy = 1;
    end = end == CLI_GO_ON ? check_copy(&job, &copy) : end;
    end = end == CLI_GO_ON ? cli_list_uses(&copy, &uses, &count) : end;
    for (size_t u = 0; u < count && end == CLI_GO_ON; u++) {
        uses[u].of = copy.photo;
        end = append_use(all, uses[u]);
    }
    free(uses);
    cli_photo_options_free(&copy);
    cli_photo_options_free(&job);
    return end;
}

/* --- Files of all images. --- */

/* The i-th of them: exports, then --table. 0 behind the last. */
static int shared_use(const cli_batch *batch, int i, cli_use *out) {
    const cli_photo_options *asked = batch->asked;
    for (int e = 0; e < asked->export_texts.count; e++) {
        const seg_export_format *format;
        const char *path;
        if (!cli_export_is_shared(asked->export_texts.at[e], &format, &path) || i-- > 0)
            continue;
        const int folder = strcmp(format->name, "yolo") == 0;
        *out = (cli_use){
            .name = format->name, .path = path, .writes = 1, .folder = folder, .endings = folder ? "" : "json"};
        return 1;
    }
    *out = (cli_use){.name = "--table", .path = asked->table, .writes = 1, .endings = "csv"};
    return i == 0 && asked->table;
}

static cli_end check_shared(const cli_photo_options *asked, const cli_use *use) {
    const cli_end end = cli_check_files(use, 1);
    if (end == CLI_GO_ON && cli_is_stream(use->path) && (asked->common.json || asked->truth))
        return cli_refuse(CLI_USAGE,
                          "only one output can be written to standard output: %s, the scores or the JSON reports",
                          use->name);
    return end;
}

cli_end cli_batch_check_shared(const cli_batch *batch, cli_combined *gather, cli_marks *marks) {
    cli_end end = CLI_GO_ON;
    cli_use use;
    for (int i = 0; end == CLI_GO_ON && shared_use(batch, i, &use); i++) {
        end = check_shared(batch->asked, &use);
        if (end == CLI_GO_ON && strcmp(use.name, "--table") != 0)
            end = cli_combined_export(gather, use.name, use.path);
        end = end == CLI_GO_ON ? add_use(marks, &use) : end;
    }
    return end;
}

/* --- Files of each image. --- */

cli_end cli_batch_check_job(const cli_batch *batch, const cli_photo_options *job, cli_marks *marks, int *there) {
    cli_photo_options copy;
    cli_use *uses = NULL;
    size_t count = 0;
    cli_end end = check_copy(job, &copy);
    end = end == CLI_GO_ON ? cli_list_uses(&copy, &uses, &count) : end;
    if (there)
        *there = 1;
    for (size_t u = 0; u < count && end == CLI_GO_ON; u++) {
        /* What all images read is noted once. */
        int again = !uses[u].writes && job->photo != batch->photos.at[0] && uses[u].path != job->photo, same = 0;
        for (int i = 1; i < CLI_PHOTO_INPUTS; i++)
            same |= uses[u].path == cli_photo_path(batch->asked, i);
        again &= same;
        if (there && uses[u].writes)
            *there &= access(uses[u].path, F_OK) == 0;
        if (!again)
            end = add_use(marks, &uses[u]);
    }
    free(uses);
    cli_photo_options_free(&copy);
    return end;
}

cli_end cli_batch_check_marks(const cli_batch *batch, cli_marks *marks, const char *bad) {
    batch_uses all = {0};
    cli_use use;
    if (!any_meet(marks))
        return CLI_GO_ON;
    cli_end end = CLI_GO_ON;
    for (int i = 0; end == CLI_GO_ON && shared_use(batch, i, &use); i++)
        end = append_use(&all, use);
    for (int i = 0; i < batch->photos.count && end == CLI_GO_ON; i++)
        if (!bad[i])
            end = collect_job(batch, i, &all);
    end = end == CLI_GO_ON ? cli_check_uses(all.at, all.count) : end;
    for (size_t u = 0; u < all.count; u++)
        free((char *)all.at[u].path);
    free(all.at);
    return end;
}
