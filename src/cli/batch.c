#include "batch.h"
#include "endings.h"
#include "fail.h"
#include "json_out.h"
#include "output_names.h"
#include "paths.h"
#include "photo_check.h"
#include "photo_files.h"
#include "photo_job.h"
#include "progress.h"

#include <segment/names.h>

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Inputs that may be folders. */
static const struct input {
    const cli_file_kind *kind;
    size_t offset;
} inputs[] = {
    {&cli_scribble_files, offsetof(cli_photo_options, scribbles)},
    {&cli_truth_files, offsetof(cli_photo_options, truth)},
    {&cli_pair_files, offsetof(cli_photo_options, constraints)},
};

/* Outputs, which must be folders. */
static const struct output {
    const char *name, *ending;
    size_t offset;
} outputs[] = {
    {"output", "-mask.png", offsetof(cli_photo_options, mask)},
    {"overlay", "-overlay.png", offsetof(cli_photo_options, overlay)},
    {"prob", "-prob.npy", offsetof(cli_photo_options, probability)},
    {"uncertainty", "-uncertainty.png", offsetof(cli_photo_options, uncertainty)},
    {"save-run", "-run.json", offsetof(cli_photo_options, save_run)},
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *text_at(const cli_photo_options *options, size_t offset) {
    return *(const char *const *)(const void *)((const char *)options + offset);
}

int cli_is_batch(const cli_photo_options *options) {
    return options->common.words.count > 1 ||
           (options->common.words.count == 1 && cli_is_folder(options->common.words.at[0]));
}

/* --- The job of one image. --- */

/* Name a file of the image in the field at `offset`. */
static cli_end set_path(cli_photo_options *job, size_t offset, const char *folder, const char *base,
                        const char *ending) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s%s", folder, base, ending) < 0)
        return cli_out_of_memory();
    *(const char **)(void *)((char *)job + offset) = cli_photo_own(job, path);
    return CLI_GO_ON;
}

/* The image's file in a folder of inputs; none is an unfit input. */
static cli_end find_input(cli_photo_options *job, const struct input *input, const char *folder, const char *photo,
                          const char *base) {
    const cli_file_kind *kind = input->kind;
    char *path = NULL;
    const cli_end end = cli_find_file(kind, folder, photo, base, &path);
    if (end != CLI_GO_ON)
        return end;
    const int does_without = job->model && kind == &cli_scribble_files;
    if (path || does_without) {
        *(const char **)(void *)((char *)job + input->offset) = path ? cli_photo_own(job, path) : NULL;
        return CLI_GO_ON;
    }
    cli_say("'%s' has no --%s in '%s': %s%s%s or %s%s is looked for%s", photo, kind->option, folder, base,
            kind->stem[0], kind->endings[0], base, kind->endings[0],
            kind->endings[1] ? " (and the other kinds of images)" : "");
    return CLI_INPUT;
}

/* The options of all images with this one's files. */
static cli_end make_job(const cli_photo_options *options, const char *photo, cli_gather *gather,
                        cli_photo_options *out) {
    char *base = cli_default_name(photo, "");
    cli_end end = base ? CLI_GO_ON : cli_out_of_memory();
    cli_photo_options_copy(options, photo, out);
    out->gather = gather;
    out->table = NULL; /* it gathers that of all */
    for (size_t i = 0; i < COUNT(inputs) && end == CLI_GO_ON; i++) {
        const char *folder = text_at(options, inputs[i].offset);
        if (folder && cli_is_folder(folder))
            end = find_input(out, &inputs[i], folder, photo, base);
    }
    for (size_t i = 0; i < COUNT(outputs) && end == CLI_GO_ON; i++) {
        const char *folder = text_at(options, outputs[i].offset);
        if (!folder && outputs[i].offset == offsetof(cli_photo_options, overlay) && !options->no_overlay)
            folder = options->mask; /* the overlays lie with the masks */
        if (folder)
            end = set_path(out, outputs[i].offset, folder, base, outputs[i].ending);
    }
    free(base);
    return end;
}

/* --- All of them. --- */

/* An image's name may leave no room for what is put behind it; that is this image's failure alone. */
static int is_too_long(const cli_photo_options *job) {
    for (int i = 0; i < job->owned_count; i++) {
        const char *slash = strrchr(job->owned[i], '/');
        if (slash && strlen(slash + 1) > NAME_MAX) {
            cli_say(
                "'%s' has a name too long for its outputs: '%.40s...' would be longer than the %d bytes that a file's "
                "may have",
                job->photo, slash + 1, NAME_MAX);
            return 1;
        }
    }
    return 0;
}

/* Where it is not there it will be made, if the name cannot be meant for a file. */
static cli_end check_folders(const cli_photo_options *options) {
    for (size_t i = 0; i < COUNT(outputs); i++) {
        const char *folder = text_at(options, outputs[i].offset);
        struct stat about;
        if (folder && ((stat(folder, &about) == 0 && !S_ISDIR(about.st_mode)) || strcmp(folder, "-") == 0)) {
            cli_say("'%s' is not a folder: with several images --%s names one, for NAME%s", folder, outputs[i].name,
                    outputs[i].ending);
            return CLI_USAGE;
        }
        char option[32];
        snprintf(option, sizeof option, "--%s", outputs[i].name);
        const cli_end end = folder && !cli_is_folder(folder) ? cli_check_ending(option, folder, "") : CLI_GO_ON;
        if (end != CLI_GO_ON)
            return end;
    }
    for (int i = 0; i < options->export_texts.count; i++) {
        const seg_export_format *format;
        const char *text = options->export_texts.at[i], *path;
        if (strchr(text, '=') && !cli_export_is_shared(text, &format, &path)) {
            if (format) /* else it is said */
                cli_say("--export %s: with several images the files are named after the masks; give the kind alone "
                        "(coco=FILE and yolo=FOLDER hold all images)",
                        text);
            return CLI_USAGE;
        }
    }
    return CLI_GO_ON;
}

/* Make the folders of outputs that are not there, and those above them; they are remembered as made, to be removed
 * where nothing came of it. */
static cli_end make_folder(const char *path, cli_files *made) {
    char *at = strdup(path), *slash = at;
    cli_end end = at ? CLI_GO_ON : cli_out_of_memory();
    while (end == CLI_GO_ON && slash) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = 0;
        if (!cli_is_folder(at) && mkdir(at, 0777) == 0) {
            end = cli_files_append(made, strdup(at));
        } else if (!cli_is_folder(at)) {
            cli_say("cannot make the folder '%s': %s", at, strerror(errno));
            end = CLI_FAILED;
        }
        if (slash)
            *slash = '/';
    }
    free(at);
    return end;
}

static cli_end make_folders(const cli_photo_options *options, cli_files *made) {
    cli_end end = CLI_GO_ON;
    for (size_t i = 0; i < COUNT(outputs) && end == CLI_GO_ON; i++) {
        const char *folder = text_at(options, outputs[i].offset);
        end = folder && !cli_is_folder(folder) ? make_folder(folder, made) : CLI_GO_ON;
    }
    return end;
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

/* The files of all runs, for a run must not write what another reads or writes. */
typedef struct batch_uses {
    cli_use *at; /* owned, the paths too */
    size_t count, room;
} batch_uses;

static cli_end make_room(batch_uses *all, size_t more) {
    if (all->count + more > all->room) {
        cli_use *grown = realloc(all->at, (2 * all->room + more) * sizeof *grown);
        if (!grown)
            return cli_out_of_memory();
        all->at = grown;
        all->room = 2 * all->room + more;
    }
    return CLI_GO_ON;
}

static cli_end collect_uses(const cli_photo_options *options, batch_uses *all) {
    const cli_end end = make_room(all, (size_t)(CLI_FIXED_USES + options->exports.count));
    if (end != CLI_GO_ON)
        return end;
    const size_t first = all->count, found = cli_list_uses(options, all->at + first);
    for (size_t i = first; i < first + found; i++) {
        all->at[i].of = options->photo;
        all->at[i].path = strdup(all->at[i].path);
        if (!all->at[i].path)
            return cli_out_of_memory();
        all->count++;
    }
    return CLI_GO_ON;
}

/* A file that all images share. */
static cli_end check_shared(const char *option, const char *path, const char *ending, const cli_photo_options *options,
                            batch_uses *all) {
    cli_end end = cli_check_ending(option, path, ending);
    if (end == CLI_GO_ON && cli_is_stream(path) && (options->common.json || options->truth)) {
        cli_say("only one output can be written to standard output: %s, the scores or the JSON reports", option);
        end = CLI_USAGE;
    }
    if (end == CLI_GO_ON && !(cli_is_folder(path) && !*ending))
        end = cli_check_output(path, NULL, 0);
    end = end == CLI_GO_ON ? make_room(all, 1) : end;
    if (end != CLI_GO_ON)
        return end;
    char *copy = strdup(path);
    if (!copy)
        return cli_out_of_memory();
    all->at[all->count++] = (cli_use){.name = option, .path = copy, .writes = 1, .folder = !*ending};
    return CLI_GO_ON;
}

/* Exports of all images are begun; what is left in `own` are those of each. */
static cli_end share_exports(const cli_photo_options *options, cli_gather *gather, seg_texts *own, batch_uses *all) {
    own->count = 0;
    own->at = calloc((size_t)options->export_texts.count + 1, sizeof *own->at);
    cli_end end = own->at ? CLI_GO_ON : cli_out_of_memory();
    for (int i = 0; i < options->export_texts.count && end == CLI_GO_ON; i++) {
        const seg_export_format *format;
        const char *text = options->export_texts.at[i], *path;
        if (!cli_export_is_shared(text, &format, &path)) {
            own->at[own->count++] = text;
            continue;
        }
        const int folder = strcmp(format->name, "yolo") == 0;
        end = check_shared(format->name, path, folder ? "" : "json", options, all);
        end = end == CLI_GO_ON ? cli_gather_export(gather, format->name, path) : end;
    }
    return end;
}

static void free_uses(batch_uses *all) {
    for (size_t i = 0; i < all->count; i++)
        free((char *)all->at[i].path);
    free(all->at);
}

/* What is wrong with the options is said before anything runs. The copy that is checked gets its default names, which
 * the job will make again. */
static cli_end check_job(const cli_photo_options *job, batch_uses *all) {
    seg_context *ctx = cli_context_create();
    if (!ctx)
        return CLI_FAILED;
    cli_photo_options copy;
    cli_photo_options_copy(job, job->photo, &copy);
    cli_end end = cli_photo_check(ctx, &copy);
    end = end == CLI_GO_ON ? collect_uses(&copy, all) : end;
    cli_photo_options_free(&copy);
    seg_context_free(ctx);
    return end;
}

/* One image's part of a batch. */
typedef struct part {
    cli_photo_options job;
    int bad;
} part;

static cli_end prepare(const cli_photo_options *options, const char *photo, cli_gather *gather, part *out,
                       batch_uses *all) {
    const cli_end end = make_job(options, photo, gather, &out->job);
    out->bad = end == CLI_INPUT || (end == CLI_GO_ON && is_too_long(&out->job));
    return out->bad ? CLI_GO_ON : end == CLI_GO_ON ? check_job(&out->job, all) : end;
}

/* Run it; CLI_GO_ON also where it failed alone. */
static cli_end run(part *one, int number, int of) {
    announce(&one->job, number, of);
    if (one->job.truth && !one->job.common.json) {
        char *name = seg_name_encode(one->job.photo, SEG_NAME_LINE);
        printf("photo %s\n", name ? name : "?");
        free(name);
    }
    const cli_end end = cli_photo_job(&one->job, NULL, 1);
    one->bad = end != CLI_OK;
    return end > CLI_SIGNAL || end == CLI_TIMEOUT ? end : CLI_GO_ON;
}

static void summarise(const cli_photo_options *options, int photos, int failed) {
    if (failed) {
        cli_say("%d of %d images failed", failed, photos);
    } else if (!options->common.quiet && cli_on_terminal()) {
        cli_say("wrote %d mask%s %s%s", photos, photos == 1 ? "" : "s", options->mask ? "into " : "",
                options->mask ? options->mask : "in this folder");
    }
}

cli_end cli_run_batch(const cli_photo_options *asked) {
    cli_photo_options each = *asked; /* without the exports of all */
    const cli_photo_options *options = &each;
    cli_files photos = {0}, made = {0};
    batch_uses uses = {0};
    cli_gather gather = {0};
    part *parts = NULL;
    int failed = 0, work = 0;
    cli_end end = check_folders(asked);
    end = end == CLI_GO_ON ? cli_list_photos(&options->common.words, &photos) : end;
    end = end == CLI_GO_ON ? make_folders(options, &made) : end;
    if (end == CLI_GO_ON && !(parts = calloc((size_t)photos.count, sizeof *parts)))
        end = cli_out_of_memory();
    end = end == CLI_GO_ON ? cli_gather_begin(options->table, &gather) : end;
    each.export_texts = (seg_texts){0};
    end = end == CLI_GO_ON ? share_exports(asked, &gather, &each.export_texts, &uses) : end;
    if (end == CLI_GO_ON && options->table)
        end = check_shared("--table", options->table, "csv", options, &uses);
    for (int i = 0; i < photos.count && end == CLI_GO_ON; i++)
        end = prepare(options, photos.at[i], &gather, &parts[i], &uses);
    end = end == CLI_GO_ON ? cli_check_uses(uses.at, uses.count) : end;
    for (int i = 0; i < photos.count && end == CLI_GO_ON; i++) {
        if (!parts[i].bad) {
            work = 1;
            end = run(&parts[i], i + 1, photos.count);
        }
        failed += parts[i].bad;
    }
    const cli_end gathered = cli_gather_end(&gather, work);
    end = end == CLI_GO_ON ? gathered : end;
    if (end == CLI_GO_ON)
        summarise(options, photos.count, failed);
    for (int i = 0; i < photos.count && parts; i++)
        cli_photo_options_free(&parts[i].job);
    for (int i = made.count - 1; i >= 0 && !work; i--)
        rmdir(made.at[i]);
    free(parts);
    free(each.export_texts.at);
    free_uses(&uses);
    cli_files_free(&made);
    cli_files_free(&photos);
    return end != CLI_GO_ON ? end : failed ? CLI_PART : CLI_OK;
}
