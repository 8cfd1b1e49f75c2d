#include "cli/batch/batch.h"
#include "base/hash.h"
#include "cli/common/paths.h"
#include "cli/common/report_parts.h"
#include "pipeline/option_values.h"

#include <inttypes.h>
#include <sys/stat.h>

/* Inputs that may be folders: their numbers among cli_photo_files. */
static const struct input {
    const cli_file_kind *kind;
    int file;
} inputs[CLI_BATCH_INPUTS] = {
    {&cli_scribble_files, 1}, {&cli_truth_files, 4}, {&cli_pair_files, 2}, {&cli_start_files, 6}};

/* --- The job of one image. --- */

/* Find the file of the image in a folder of inputs with the given kinds of names; a missing one is an unfit input. */
static cli_end find_input(cli_photo_options *job, const struct input *input, const char *folder,
                          const seg_listing *names, const char *photo, const char *base) {
    const cli_file_kind *kind = input->kind;
    char *path = NULL;
    CLI_TRY(cli_find_name(kind, folder, names, photo, base, &path));
    const int does_without = (job->model || job->start) && kind == &cli_scribble_files;
    if (path || does_without) {
        cli_photo_set_path(job, input->file, path ? cli_photo_own(job, path) : NULL);
        return CLI_GO_ON;
    }
    if (!job->common.files && cli_is_missing(photo))
        return cli_refuse(CLI_INPUT, "there is no file '%s'; name images, or folders of images", photo);
    const char *others = kind->endings;
    char ending[16];
    cli_next_ending(&others, ending);
    return cli_refuse(CLI_INPUT, "'%s' has no --%s in '%s': %s%s%s or %s%s is expected%s", photo, kind->option, folder,
                      base, kind->stem[0], ending, base, ending, *others ? " (and the other kinds of images)" : "");
}

/* The names of outputs may exceed the limit of the file system; then only this image fails. */
static int is_too_long(const cli_photo_options *job, const char *base) {
    for (int i = CLI_PHOTO_INPUTS; i < CLI_PHOTO_FILES; i++) {
        const char *tail = cli_photo_files[i].tail, *name = cli_photo_files[i].name;
        const int usual = strcmp(name, "mask") == 0 || (strcmp(name, "overlay") == 0 && !job->no_overlay);
        if (tail && (usual || cli_photo_path(job, i)) && strlen(base) + strlen(tail) > NAME_MAX) {
            cli_say("the name of '%s' is too long: the output '%.40s...%s' would exceed the %d bytes that a file name "
                    "may have",
                    job->photo, base, tail, NAME_MAX);
            return 1;
        }
    }
    return 0;
}

/* Copy the options of all images and set this image's files. */
static cli_end make_job(const cli_batch *batch, const char *photo, cli_combined *gather, cli_photo_options *out,
                        int *too_long) {
    const cli_photo_options *options = &batch->each;
    SEG_FREED char *base = cli_default_name(photo, "");
    cli_photo_options_copy(options, photo, out);
    out->gather = gather;
    out->table = NULL; /* the table of all images has its lines */
    CLI_TRY(cli_allocated(base));
    for (size_t i = 0; i < CLI_BATCH_INPUTS; i++) {
        const char *folder = cli_photo_path(options, inputs[i].file);
        if (folder && batch->in_folder[i])
            CLI_TRY(find_input(out, &inputs[i], folder, &batch->names[i], photo, base));
    }
    for (int i = CLI_PHOTO_INPUTS; i < CLI_PHOTO_FILES; i++) {
        const char *folder = cli_photo_path(options, i), *tail = cli_photo_files[i].tail;
        if (!folder || !tail)
            continue;
        cli_photo_set_path(out, i, cli_photo_own(out, seg_format(NULL, "%s/%s%s", folder, base, tail)));
        if (!cli_photo_path(out, i))
            return CLI_FAILED;
    }
    *too_long = is_too_long(out, base);
    return CLI_GO_ON;
}

cli_end cli_batch_job(const cli_batch *batch, int i, cli_combined *gather, cli_photo_options *out, int *bad) {
    *bad = 0;
    const cli_end end = make_job(batch, batch->photos.at[i], gather, out, bad);
    *bad |= end == CLI_INPUT;
    return *bad ? CLI_GO_ON : end;
}

void cli_batch_print_name(const cli_photo_options *job) {
    if (job->truth && !job->common.json) {
        SEG_FREED char *name = seg_name_encode(job->photo, SEG_NAME_LINE);
        fprintf(job->out, "photo %s\n", name ? name : "?");
    }
}

/* --- Before any of them runs. --- */

/* A missing folder will be created, unless its name looks like a file name. */
static cli_end check_folders(const cli_photo_options *options) {
    for (int i = CLI_PHOTO_INPUTS; i < CLI_PHOTO_FILES; i++) {
        const cli_photo_file *file = &cli_photo_files[i];
        const char *folder = cli_photo_path(options, i);
        struct stat about;
        char option[32];
        if (!folder || !file->tail)
            continue;
        if ((stat(folder, &about) == 0 && !S_ISDIR(about.st_mode)) || cli_is_stream(folder))
            return cli_refuse(CLI_USAGE, "'%s' is not a folder: with several images --%s names one, for NAME%s", folder,
                              file->option, file->tail);
        snprintf(option, sizeof option, "--%s", file->option);
        if (!cli_is_folder(folder))
            CLI_TRY(cli_check_extension(option, folder, ""));
    }
    return CLI_GO_ON;
}

static cli_end make_folders(const cli_photo_options *options, cli_files *made) {
    for (int i = CLI_PHOTO_INPUTS; i < CLI_PHOTO_FILES; i++) {
        const char *folder = cli_photo_files[i].tail ? cli_photo_path(options, i) : NULL;
        if (folder)
            CLI_TRY(cli_make_folder(folder, made));
    }
    return CLI_GO_ON;
}

/* Exports of each image, which name no file; those of all images together are begun in begin_shared. */
static cli_end own_exports(const cli_photo_options *asked, seg_texts *own) {
    *own = (seg_texts){.at = calloc((size_t)asked->export_texts.count + 1, sizeof *own->at)};
    CLI_TRY(cli_allocated(own->at));
    for (int i = 0; i < asked->export_texts.count; i++) {
        const seg_export_format *format;
        const char *text = asked->export_texts.at[i], *path;
        if (cli_export_is_shared(text, &format, &path))
            continue;
        if (format) /* where a file is named and no other message was printed */
            cli_say("--export %s: with several images the files are named after the masks; give the kind alone "
                    "(coco=FILE and yolo=FOLDER contain all images)",
                    text);
        if (path)
            return CLI_USAGE;
        own->at[own->count++] = text;
    }
    return CLI_GO_ON;
}

/* Keep the images of the part. */
static void keep_part(const cli_shard *shard, cli_files *photos) {
    int kept = 0;
    for (int i = 0; i < photos->count && shard->count; i++)
        if (i % shard->count == shard->index - 1)
            photos->at[kept++] = photos->at[i];
        else
            free(photos->at[i]);
    photos->count = shard->count ? kept : photos->count;
}

/* Parts that share files of all images leave their texts beside the masks, in files that are named after the images and
 * the options of the result: those of other runs do not match. */
static char *name_parts(const cli_photo_options *asked, int count, const cli_files *photos) {
    uint64_t hash = SEG_HASH_START;
    seg_option row;
    char room[1024];
    for (cli_walk walk = {0}; cli_next_option(&cli_photo_table, &walk, &row);) {
        const int counts = row.group <= SEG_OPTIONS_OUTPUT || row.traits & SEG_OPTION_MAKES_RESULT;
        const char *value = counts ? seg_option_get(&row, asked, room, sizeof room) : NULL;
        hash = value ? seg_hash(seg_hash(hash, row.name, strlen(row.name)), value, strlen(value) + 1) : hash;
    }
    for (int i = 0; i < asked->export_texts.count; i++)
        hash = seg_hash(hash, asked->export_texts.at[i], strlen(asked->export_texts.at[i]) + 1);
    for (int i = 0; i < photos->count; i++)
        hash = seg_hash(hash, photos->at[i], strlen(photos->at[i]) + 1);
    return seg_format(NULL, "%s/parts-%016" PRIx64 "-of-%d-", asked->mask ? asked->mask : ".", hash, count);
}

cli_end cli_batch_open(const cli_photo_options *asked, const cli_shard *shard, cli_batch *out) {
    *out = (cli_batch){.asked = asked, .each = *asked, .shard = *shard};
    out->each.export_texts = (seg_texts){0};
    out->each.is_copy = 1;
    CLI_TRY(check_folders(asked));
    CLI_TRY(own_exports(asked, &out->each.export_texts));
    CLI_TRY(cli_list_photos(&asked->common.words, asked->common.files, &out->photos));
    const int shares = asked->table || out->each.export_texts.count < asked->export_texts.count;
    if (shard->count > 1 && shares && !(out->parts = name_parts(asked, shard->count, &out->photos)))
        return cli_out_of_memory();
    keep_part(shard, &out->photos);
    out->bad = calloc((size_t)out->photos.count + 1, 2);
    CLI_TRY(cli_allocated(out->bad));
    out->done = out->bad + out->photos.count + 1;
    for (size_t i = 0; i < CLI_BATCH_INPUTS; i++) {
        const char *folder = cli_photo_path(asked, inputs[i].file);
        out->in_folder[i] = folder && cli_is_folder(folder);
        if (out->in_folder[i])
            CLI_TRY(cli_list_names(folder, &out->names[i]));
    }
    return make_folders(asked, &out->made);
}

void cli_batch_close(cli_batch *batch, int work) {
    for (int i = batch->made.count - 1; i >= 0 && !work; i--)
        rmdir(batch->made.at[i]);
    for (size_t i = 0; i < CLI_BATCH_INPUTS; i++)
        seg_listing_free(&batch->names[i]);
    cli_files_free(&batch->made);
    cli_files_free(&batch->photos);
    SEG_CLEAR(batch, batch->each.export_texts.at, batch->parts, batch->bad);
}

/* --- The files of all images. --- */

static cli_end check_shared(const cli_photo_options *asked, cli_use use, cli_uses *uses) {
    CLI_TRY(cli_check_files(&use, 1));
    if (cli_is_stream(use.path) && (asked->common.json || asked->truth))
        return cli_refuse(CLI_USAGE,
                          "only one output can be written to standard output: %s, the scores or the JSON reports",
                          use.name);
    return cli_uses_add(uses, use);
}

/* Before the first image: begin the exports of all in one file or folder, and append them and --table to the uses. */
static cli_end begin_shared(cli_batch *batch, cli_uses *uses) {
    const cli_photo_options *asked = batch->asked;
    for (int e = 0; e < asked->export_texts.count; e++) {
        const seg_export_format *format;
        const char *path;
        if (!cli_export_is_shared(asked->export_texts.at[e], &format, &path))
            continue;
        const int folder = strcmp(format->name, "yolo") == 0;
        CLI_TRY(check_shared(
            asked,
            (cli_use){
                .name = format->name, .path = path, .writes = 1, .folder = folder, .endings = folder ? "" : "json"},
            uses));
        CLI_TRY(cli_combined_export(&batch->gather, format->name, path));
    }
    if (!asked->table)
        return CLI_GO_ON;
    return check_shared(asked, (cli_use){.name = "--table", .path = asked->table, .writes = 1, .endings = "csv"}, uses);
}

/* What all images read is noted once. */
static int is_noted(const cli_batch *batch, const cli_photo_options *job, const cli_use *use) {
    int noted = 0;
    for (int i = 1; i < CLI_PHOTO_INPUTS && job->photo != batch->photos.at[0]; i++)
        noted |= !use->writes && use->path == cli_photo_path(batch->asked, i);
    return noted;
}

/* Whether an output exists; the mask of a stack, which it is known to be once it is read, has pages. */
static int is_there(const char *path) {
    SEG_FREED char *pages = seg_ends_in(path, "-mask.png") ? cli_stack_name(path) : NULL;
    return access(path, F_OK) == 0 || (pages && access(pages, F_OK) == 0);
}

/* Check the job of one image, and append its files. *there is 1 if all its outputs exist. */
static cli_end check_job(const cli_batch *batch, const cli_photo_options *job, cli_uses *uses, int *there) {
    SEG_RELEASED(cli_context_free) seg_context *ctx = cli_context_create();
    SEG_RELEASED(cli_photo_options_free)
    cli_photo_options copy = {.photo = NULL}; /* gets its default names, which the job will make again */
    SEG_FREED cli_use *own = NULL;
    size_t count = 0;
    cli_photo_options_copy(job, job->photo, &copy);
    CLI_TRY(ctx ? cli_photo_check(ctx, &copy) : CLI_FAILED);
    CLI_TRY(cli_list_uses(&copy, &own, &count));
    *there = 1;
    for (size_t u = 0; u < count; u++) {
        own[u].of = job->photo;
        *there &= !own[u].writes || is_there(own[u].path);
        if (!is_noted(batch, job, &own[u]))
            CLI_TRY(cli_uses_add(uses, own[u]));
    }
    return CLI_GO_ON;
}

/* --- The run. --- */

static int names_shared(const cli_photo_options *options) {
    return options->jobs >= 0 || options->shard || options->resume;
}

int cli_is_batch(const cli_photo_options *options) {
    const seg_texts *words = &options->common.words;
    SEG_RELEASED(cli_files_free) cli_files photos = {0};
    if (options->volume || words->count != 1 || names_shared(options))
        return !options->volume && (words->count > 1 || names_shared(options));
    return options->common.files
               ? cli_list_photos(words, options->common.files, &photos) == CLI_GO_ON && photos.count > 1
               : cli_is_folder(words->at[0]);
}

static void announce(const cli_photo_options *job, int number, int of) {
    if (job->common.progress == CLI_PROGRESS_JSON) {
        SEG_FREED char *text = seg_json_dump(
            json_pack("{s:o, s:i, s:i}", "photo", cli_json_text(job->photo), "number", number, "of", of), JSON_COMPACT);
        fprintf(stderr, "%s\n", text ? text : "{}");
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
        CLI_TRY(check_job(batch, &job, uses, &there));
    batch->bad[i] = (char)failed;
    batch->done[i] = (char)(there && batch->asked->resume);
    return CLI_GO_ON;
}

static cli_end check_all(cli_batch *batch) {
    SEG_RELEASED(cli_uses_free) cli_uses uses = {0};
    CLI_TRY(cli_combined_begin(batch->asked->table, &batch->gather));
    CLI_TRY(begin_shared(batch, &uses));
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
