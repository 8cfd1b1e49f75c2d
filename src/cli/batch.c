#include "batch.h"
#include "endings.h"
#include "fail.h"
#include "json_out.h"
#include "output_names.h"
#include "paths.h"
#include "photo_check.h"
#include "photo_job.h"
#include "progress.h"

#include <segment/names.h>

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const pictures[] = {".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", NULL};

/* Inputs that may be folders: the file of an image NAME has one of these stems behind it, and one of the endings.
 */
static const struct input {
    const char *name;
    size_t offset;
    const char *stem[3];
    const char *const *endings;
} inputs[] = {
    {"scribbles", offsetof(cli_photo_options, scribbles), {"-scribbles", "-marks", ""}, pictures},
    {"truth", offsetof(cli_photo_options, truth), {"-truth", ""}, pictures},
    {"constraints", offsetof(cli_photo_options, constraints), {"-pairs", ""}, (const char *const[]){".csv", NULL}},
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

static int is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static const char *text_at(const cli_photo_options *options, size_t offset) {
    return *(const char *const *)(const void *)((const char *)options + offset);
}

int cli_is_batch(const cli_photo_options *options) {
    return options->common.words.count > 1 ||
           (options->common.words.count == 1 && is_folder(options->common.words.at[0]));
}

/* --- Which images. --- */

typedef struct list {
    char **at; /* owned, each too */
    int count;
} list;

static cli_end append(list *to, char *path) {
    char **grown = path ? realloc(to->at, ((size_t)to->count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(path);
        return cli_out_of_memory();
    }
    to->at = grown;
    to->at[to->count++] = path;
    return CLI_GO_ON;
}

static int ends_in(const char *name, const char *ending) {
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcasecmp(name + length - tail, ending) == 0;
}

/* An image, and not one that belongs to another: scribbles, truths, and what this program writes. */
static int is_photo(const struct dirent *entry) {
    static const char *const others[] = {"-scribbles", "-marks", "-truth", "-mask", "-overlay", "-uncertainty"};
    int picture = 0;
    for (const char *const *ending = pictures; *ending; ending++) {
        picture |= ends_in(entry->d_name, *ending);
        for (size_t i = 0; i < COUNT(others); i++) {
            char tail[32];
            snprintf(tail, sizeof tail, "%s%s", others[i], *ending);
            if (ends_in(entry->d_name, tail))
                return 0;
        }
    }
    return picture && entry->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b) { /* in any locale */
    return strcmp((*a)->d_name, (*b)->d_name);
}

static cli_end append_folder(list *photos, const char *folder) {
    struct dirent **entries = NULL;
    cli_end end = CLI_GO_ON;
    errno = 0;
    const int found = scandir(folder, &entries, is_photo, by_name);
    const int error = found < 0 ? errno : 0;
    for (int i = 0; i < found; i++) {
        char *path = NULL;
        if (end == CLI_GO_ON) {
            const char *slash = ends_in(folder, "/") ? "" : "/";
            end = append(photos, asprintf(&path, "%s%s%s", folder, slash, entries[i]->d_name) < 0 ? NULL : path);
        }
        free(entries[i]);
    }
    free(entries);
    if (error == ENOMEM)
        return cli_out_of_memory();
    if (error) {
        cli_say("cannot read the folder '%s': %s; check the name and the permissions", folder, strerror(error));
        return CLI_INPUT;
    }
    if (found == 0) {
        cli_say("there is no image (PNG, JPEG, BMP, TIFF) in folder '%s'", folder);
        return CLI_INPUT;
    }
    return end;
}

static cli_end list_photos(const cli_photo_options *options, list *photos) {
    cli_end end = CLI_GO_ON;
    for (int i = 0; i < options->common.words.count && end == CLI_GO_ON; i++) {
        const char *path = options->common.words.at[i];
        end = is_folder(path) ? append_folder(photos, path) : append(photos, strdup(path));
    }
    /* Files are found and written by name: two images of one name would share them. */
    for (int i = 0; i < photos->count && end == CLI_GO_ON; i++) {
        char *name = cli_default_name(photos->at[i], "");
        for (int j = 0; j < i && name && end == CLI_GO_ON; j++) {
            char *other = cli_default_name(photos->at[j], "");
            if (other && strcmp(name, other) == 0) {
                cli_say("'%s' and '%s' have one name, and their masks would too; segment them one by one",
                        photos->at[j], photos->at[i]);
                end = CLI_USAGE;
            }
            if (!other)
                end = cli_out_of_memory();
            free(other);
        }
        if (!name)
            end = cli_out_of_memory();
        free(name);
    }
    return end;
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

/* How far down the list of names that are looked for `name` is, whatever the case of what is behind the image's:
 * -1 where it is none of them. */
static int rank(const struct input *input, const char *name, const char *base) {
    const size_t length = strlen(base);
    int place = 0;
    if (strncmp(name, base, length) != 0)
        return -1;
    for (int s = 0; s < 3 && input->stem[s]; s++) {
        for (const char *const *ending = input->endings; *ending; ending++, place++) {
            char tail[32];
            snprintf(tail, sizeof tail, "%s%s", input->stem[s], *ending);
            if (strcasecmp(name + length, tail) == 0)
                return place;
        }
    }
    return -1;
}

/* A file, and not the image itself, which may lie there under the plain name; -1 without memory. */
static int is_other_file(const char *folder, const char *name, const char *photo) {
    struct stat about, own;
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return -1;
    const int there = stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
                      !(stat(photo, &own) == 0 && own.st_dev == about.st_dev && own.st_ino == about.st_ino);
    free(path);
    return there;
}

/* The image's file in a folder of inputs; none is an unfit input. */
static cli_end find_input(cli_photo_options *job, const struct input *input, const char *folder, const char *photo,
                          const char *base) {
    char found[NAME_MAX + 1] = "";
    int best = -1;
    DIR *entries = opendir(folder);
    int lost = !entries && errno == ENOMEM;
    for (const struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries)) {
        const int place = rank(input, entry->d_name, base);
        /* Of .png and .PNG the first; the order of the folder has no say. */
        const int better =
            place >= 0 && (best < 0 || place < best || (place == best && strcmp(entry->d_name, found) > 0));
        const int other = better ? is_other_file(folder, entry->d_name, photo) : 0;
        lost |= other < 0;
        if (other > 0) {
            best = place;
            snprintf(found, sizeof found, "%s", entry->d_name);
        }
    }
    if (entries)
        closedir(entries);
    if (lost)
        return cli_out_of_memory();
    if (best >= 0)
        return set_path(job, input->offset, folder, found, "");
    cli_say("'%s' has no --%s in '%s': %s%s%s or %s%s is looked for%s", photo, input->name, folder, base,
            input->stem[0], input->endings[0], base, input->endings[0],
            input->endings[1] ? " (JPEG, BMP and TIFF too)" : "");
    return CLI_INPUT;
}

/* The options of all images with this one's files. */
static cli_end make_job(const cli_photo_options *options, const char *photo, cli_photo_options *out) {
    char *base = cli_default_name(photo, "");
    cli_end end = base ? CLI_GO_ON : cli_out_of_memory();
    cli_photo_options_copy(options, photo, out);
    for (size_t i = 0; i < COUNT(inputs) && end == CLI_GO_ON; i++) {
        const char *folder = text_at(options, inputs[i].offset);
        if (folder && is_folder(folder))
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
        const cli_end end = folder && !is_folder(folder) ? cli_check_ending(option, folder, "") : CLI_GO_ON;
        if (end != CLI_GO_ON)
            return end;
    }
    for (int i = 0; i < options->export_texts.count; i++) {
        if (strchr(options->export_texts.at[i], '=')) {
            cli_say("--export %s: with several images the files are named after the masks; give the kind alone",
                    options->export_texts.at[i]);
            return CLI_USAGE;
        }
    }
    return CLI_GO_ON;
}

/* Make the folders of outputs that are not there, and those above them; they are remembered as made, to be removed
 * where nothing came of it. */
static cli_end make_folder(const char *path, list *made) {
    char *at = strdup(path), *slash = at;
    cli_end end = at ? CLI_GO_ON : cli_out_of_memory();
    while (end == CLI_GO_ON && slash) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = 0;
        if (!is_folder(at) && mkdir(at, 0777) == 0) {
            end = append(made, strdup(at));
        } else if (!is_folder(at)) {
            cli_say("cannot make the folder '%s': %s", at, strerror(errno));
            end = CLI_FAILED;
        }
        if (slash)
            *slash = '/';
    }
    free(at);
    return end;
}

static cli_end make_folders(const cli_photo_options *options, list *made) {
    cli_end end = CLI_GO_ON;
    for (size_t i = 0; i < COUNT(outputs) && end == CLI_GO_ON; i++) {
        const char *folder = text_at(options, outputs[i].offset);
        end = folder && !is_folder(folder) ? make_folder(folder, made) : CLI_GO_ON;
    }
    return end;
}

static void free_list(list *of) {
    for (int i = 0; i < of->count; i++)
        free(of->at[i]);
    free(of->at);
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

static cli_end collect_uses(const cli_photo_options *options, batch_uses *all) {
    const size_t more = (size_t)(CLI_FIXED_USES + options->exports.count);
    if (all->count + more > all->room) {
        cli_use *grown = realloc(all->at, (2 * all->room + more) * sizeof *grown);
        if (!grown)
            return cli_out_of_memory();
        all->at = grown;
        all->room = 2 * all->room + more;
    }
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

static cli_end prepare(const cli_photo_options *options, const char *photo, part *out, batch_uses *all) {
    const cli_end end = make_job(options, photo, &out->job);
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

cli_end cli_run_batch(const cli_photo_options *options) {
    list photos = {0}, made = {0};
    batch_uses uses = {0};
    part *parts = NULL;
    int failed = 0, work = 0;
    cli_end end = check_folders(options);
    end = end == CLI_GO_ON ? list_photos(options, &photos) : end;
    end = end == CLI_GO_ON ? make_folders(options, &made) : end;
    if (end == CLI_GO_ON && !(parts = calloc((size_t)photos.count, sizeof *parts)))
        end = cli_out_of_memory();
    for (int i = 0; i < photos.count && end == CLI_GO_ON; i++)
        end = prepare(options, photos.at[i], &parts[i], &uses);
    end = end == CLI_GO_ON ? cli_check_uses(uses.at, uses.count) : end;
    for (int i = 0; i < photos.count && end == CLI_GO_ON; i++) {
        if (!parts[i].bad) {
            work = 1;
            end = run(&parts[i], i + 1, photos.count);
        }
        failed += parts[i].bad;
    }
    if (end == CLI_GO_ON)
        summarise(options, photos.count, failed);
    for (int i = 0; i < photos.count && parts; i++)
        cli_photo_options_free(&parts[i].job);
    for (int i = made.count - 1; i >= 0 && !work; i--)
        rmdir(made.at[i]);
    free(parts);
    free_uses(&uses);
    free_list(&made);
    free_list(&photos);
    return end != CLI_GO_ON ? end : failed ? CLI_PART : CLI_OK;
}
