#include "batch.h"
#include "commands.h"
#include "endings.h"
#include "exit_codes.h"
#include "json_out.h"
#include "output_names.h"
#include "progress.h"

#include <segment/names.h>

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OVERRIDES = 16 };

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
    return options->photos.count > 1 || (options->photos.count == 1 && is_folder(options->photos.at[0]));
}

static int out_of_memory(void) {
    cli_say("out of memory");
    return CLI_FAILED;
}

/* --- Which images. --- */

typedef struct list {
    char **at; /* owned, each too */
    int count;
} list;

static int append(list *to, char *path) {
    char **grown = path ? realloc(to->at, ((size_t)to->count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(path);
        return out_of_memory();
    }
    to->at = grown;
    to->at[to->count++] = path;
    return -1;
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
            if (ends_in(entry->d_name, tail)) {
                return 0;
            }
        }
    }
    return picture && entry->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b) { /* in any locale */
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int append_folder(list *photos, const char *folder) {
    struct dirent **entries = NULL;
    int code = -1;
    errno = 0;
    const int found = scandir(folder, &entries, is_photo, by_name);
    const int error = found < 0 ? errno : 0;
    for (int i = 0; i < found; i++) {
        char *path = NULL;
        if (code == -1) {
            const char *slash = ends_in(folder, "/") ? "" : "/";
            code = append(photos, asprintf(&path, "%s%s%s", folder, slash, entries[i]->d_name) < 0 ? NULL : path);
        }
        free(entries[i]);
    }
    free(entries);
    if (error == ENOMEM) {
        return out_of_memory();
    }
    if (error) {
        cli_say("cannot read the folder '%s': %s; check the name and the permissions", folder, strerror(error));
        return CLI_INPUT;
    }
    if (found == 0) {
        cli_say("there is no image (PNG, JPEG, BMP, TIFF) in folder '%s'", folder);
        return CLI_INPUT;
    }
    return code;
}

static int list_photos(const cli_photo_options *options, list *photos) {
    int code = -1;
    for (int i = 0; i < options->photos.count && code == -1; i++) {
        const char *path = options->photos.at[i];
        code = is_folder(path) ? append_folder(photos, path) : append(photos, strdup(path));
    }
    /* Files are found and written by name: two images of one name would share them. */
    for (int i = 0; i < photos->count && code == -1; i++) {
        char *name = cli_default_name(photos->at[i], "");
        for (int j = 0; j < i && name && code == -1; j++) {
            char *other = cli_default_name(photos->at[j], "");
            if (other && strcmp(name, other) == 0) {
                cli_say("'%s' and '%s' have one name, and their masks would too; segment them one by one",
                        photos->at[j], photos->at[i]);
                code = CLI_USAGE;
            }
            if (!other) {
                code = out_of_memory();
            }
            free(other);
        }
        if (!name) {
            code = out_of_memory();
        }
        free(name);
    }
    return code;
}

/* --- The arguments of one image's run. --- */

typedef struct run {
    char **argv; /* borrowed words first, then owned ones */
    int borrowed, argc;
} run;

static void run_free(run *r) {
    for (int i = r->borrowed; i < r->argc; i++) {
        free(r->argv[i]);
    }
    free(r->argv);
}

/* -1 or the exit code. */
static int override(run *r, const char *name, const char *folder, const char *base, const char *ending) {
    if (asprintf(&r->argv[r->argc], "--%s=%s/%s%s", name, folder, base, ending) < 0) {
        return out_of_memory();
    }
    r->argc++;
    return -1;
}

/* How far down the list of names that are looked for `name` is, whatever the case of what is behind the image's:
 * -1 where it is none of them. */
static int rank(const struct input *input, const char *name, const char *base) {
    const size_t length = strlen(base);
    int place = 0;
    if (strncmp(name, base, length) != 0) {
        return -1;
    }
    for (int s = 0; s < 3 && input->stem[s]; s++) {
        for (const char *const *ending = input->endings; *ending; ending++, place++) {
            char tail[32];
            snprintf(tail, sizeof tail, "%s%s", input->stem[s], *ending);
            if (strcasecmp(name + length, tail) == 0) {
                return place;
            }
        }
    }
    return -1;
}

/* A file, and not the image itself, which may lie there under the plain name; -1 without memory. */
static int is_other_file(const char *folder, const char *name, const char *photo) {
    struct stat about, own;
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        return -1;
    }
    const int there = stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
                      !(stat(photo, &own) == 0 && own.st_dev == about.st_dev && own.st_ino == about.st_ino);
    free(path);
    return there;
}

/* The image's file in a folder of inputs; none is an unfit input. */
static int find_input(run *r, const struct input *input, const char *folder, const char *photo, const char *base) {
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
    if (entries) {
        closedir(entries);
    }
    if (lost) {
        return out_of_memory();
    }
    if (best >= 0) {
        return override(r, input->name, folder, found, "");
    }
    cli_say("'%s' has no --%s in '%s': %s%s%s or %s%s is looked for%s", photo, input->name, folder, base,
            input->stem[0], input->endings[0], base, input->endings[0],
            input->endings[1] ? " (JPEG, BMP and TIFF too)" : "");
    return CLI_INPUT;
}

static int make_run(int argc, char **argv, const cli_photo_options *options, const char *photo, run *out) {
    char *base = cli_default_name(photo, "");
    int code = -1;
    out->argv = calloc((size_t)(argc + MOST_OVERRIDES), sizeof *out->argv);
    if (!out->argv || !base) {
        free(base);
        return out_of_memory();
    }
    memcpy(out->argv, argv, (size_t)argc * sizeof *argv);
    out->borrowed = out->argc = argc;
    for (size_t i = 0; i < COUNT(inputs) && code == -1; i++) {
        const char *folder = text_at(options, inputs[i].offset);
        if (folder && is_folder(folder)) {
            code = find_input(out, &inputs[i], folder, photo, base);
        }
    }
    for (size_t i = 0; i < COUNT(outputs) && code == -1; i++) {
        const char *folder = text_at(options, outputs[i].offset);
        if (!folder && outputs[i].offset == offsetof(cli_photo_options, overlay) && !options->no_overlay) {
            folder = options->mask; /* the overlays lie with the masks */
        }
        if (folder) {
            code = override(out, outputs[i].name, folder, base, outputs[i].ending);
        }
    }
    free(base);
    if (code == -1 && (!(out->argv[out->argc++] = strdup("--")) || !(out->argv[out->argc++] = strdup(photo)))) {
        code = out_of_memory();
    }
    return code;
}

/* --- All of them. --- */

/* An image's name may leave no room for what is put behind it; that is this image's failure alone. */
static int is_too_long(const run *r) {
    for (int i = r->borrowed; i < r->argc - 1; i++) { /* the last is the image */
        const char *slash = strrchr(r->argv[i], '/');
        if (slash && strlen(slash + 1) > NAME_MAX) {
            cli_say(
                "'%s' has a name too long for its outputs: '%.40s...' would be longer than the %d bytes that a file's "
                "may have",
                r->argv[r->argc - 1], slash + 1, NAME_MAX);
            return 1;
        }
    }
    return 0;
}

/* Where it is not there it will be made, if the name cannot be meant for a file. */
static int check_folders(const cli_photo_options *options) {
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
        const int code = folder && !is_folder(folder) ? cli_check_ending(option, folder, "") : -1;
        if (code != -1) {
            return code;
        }
    }
    for (int i = 0; i < options->export_texts.count; i++) {
        if (strchr(options->export_texts.at[i], '=')) {
            cli_say("--export %s: with several images the files are named after the masks; give the kind alone",
                    options->export_texts.at[i]);
            return CLI_USAGE;
        }
    }
    return -1;
}

/* Make the folders of outputs that are not there, and those above them; they are remembered as made, to be removed
 * where nothing came of it. -1 or the exit code. */
static int make_folder(const char *path, list *made) {
    char *at = strdup(path), *slash = at;
    int code = at ? -1 : out_of_memory();
    while (code == -1 && slash) {
        slash = strchr(slash + 1, '/');
        if (slash) {
            *slash = 0;
        }
        if (!is_folder(at) && mkdir(at, 0777) == 0) {
            code = append(made, strdup(at));
        } else if (!is_folder(at)) {
            cli_say("cannot make the folder '%s': %s", at, strerror(errno));
            code = CLI_FAILED;
        }
        if (slash) {
            *slash = '/';
        }
    }
    free(at);
    return code;
}

static int make_folders(const cli_photo_options *options, list *made) {
    int code = -1;
    for (size_t i = 0; i < COUNT(outputs) && code == -1; i++) {
        const char *folder = text_at(options, outputs[i].offset);
        code = folder && !is_folder(folder) ? make_folder(folder, made) : -1;
    }
    return code;
}

static void free_list(list *of) {
    for (int i = 0; i < of->count; i++) {
        free(of->at[i]);
    }
    free(of->at);
}

static void announce(const cli_photo_options *options, const char *photo, int number, int of) {
    if (options->progress == CLI_PROGRESS_JSON) {
        json_t *line = json_pack("{s:o, s:i, s:i}", "photo", cli_json_text(photo), "number", number, "of", of);
        char *text = json_dumps(line, JSON_COMPACT); /* NULL without a line, too */
        fprintf(stderr, "%s\n", text ? text : "{}");
        free(text);
        json_decref(line);
    } else if (options->progress == CLI_PROGRESS_AUTO && !options->quiet) {
        cli_say("%d of %d: %s", number, of, photo);
    }
}

/* The files of all runs, for a run must not write what another reads or writes. */
typedef struct batch_uses {
    cli_use *at; /* owned, the paths too */
    size_t count, room;
} batch_uses;

static int collect_uses(const cli_photo_options *options, const char *photo, batch_uses *all) {
    const size_t more = (size_t)(CLI_FIXED_USES + options->exports.count);
    if (all->count + more > all->room) {
        cli_use *grown = realloc(all->at, (2 * all->room + more) * sizeof *grown);
        if (!grown) {
            return out_of_memory();
        }
        all->at = grown;
        all->room = 2 * all->room + more;
    }
    const size_t first = all->count, found = cli_list_uses(options, all->at + first);
    for (size_t i = first; i < first + found; i++) {
        all->at[i].of = photo;
        all->at[i].path = strdup(all->at[i].path);
        if (!all->at[i].path) {
            return out_of_memory();
        }
        all->count++;
    }
    return -1;
}

static void free_uses(batch_uses *all) {
    for (size_t i = 0; i < all->count; i++) {
        free((char *)all->at[i].path);
    }
    free(all->at);
}

/* What is wrong with the options is said before anything runs. -1 or the exit code. */
static int check_run(const run *r, const char *photo, batch_uses *all) {
    cli_photo_options options;
    char **copy = calloc((size_t)r->argc + 1, sizeof *copy); /* argp changes their order */
    if (!copy) {
        return out_of_memory();
    }
    memcpy(copy, r->argv, (size_t)r->argc * sizeof *copy);
    seg_context *ctx = cli_context_create();
    if (!ctx) {
        free(copy);
        return CLI_FAILED;
    }
    int code = cli_photo_options_parse(ctx, r->argc, copy, &options);
    code = code == -1 ? collect_uses(&options, photo, all) : code;
    cli_photo_options_free(&options);
    free(copy);
    seg_context_free(ctx);
    return code;
}

int cli_run_batch(int argc, char **argv, const cli_photo_options *options) {
    list photos = {0}, made = {0};
    batch_uses uses = {0};
    int work = 0;
    run *runs = NULL;
    int *bad = NULL, failed = 0;
    int code = check_folders(options);
    code = code == -1 ? list_photos(options, &photos) : code;
    code = code == -1 ? make_folders(options, &made) : code;
    /* The options, without the images and the -- before them. */
    argc -= options->photos.count;
    argc -= argc > 1 && strcmp(argv[argc - 1], "--") == 0;
    if (code == -1) {
        runs = calloc((size_t)photos.count, sizeof *runs);
        bad = calloc((size_t)photos.count, sizeof *bad);
        code = runs && bad ? -1 : out_of_memory();
    }
    for (int i = 0; i < photos.count && code == -1; i++) {
        code = make_run(argc, argv, options, photos.at[i], &runs[i]);
        bad[i] = code == CLI_INPUT;
        if (code == -1) {
            bad[i] = is_too_long(&runs[i]);
        }
        code = bad[i] ? -1 : code == -1 ? check_run(&runs[i], photos.at[i], &uses) : code;
    }
    code = code == -1 ? cli_check_uses(uses.at, uses.count) : code;
    for (int i = 0; i < photos.count && code == -1; i++) {
        if (!bad[i]) {
            announce(options, photos.at[i], i + 1, photos.count);
            if (options->truth && !options->json) {
                char *name = seg_name_encode(photos.at[i], SEG_NAME_LINE);
                printf("photo %s\n", name ? name : "?");
                free(name);
            }
            work = 1;
            const int one = cli_photo_job(runs[i].argc, runs[i].argv, NULL, 1);
            bad[i] = one != CLI_OK;
            code = one > CLI_SIGNAL || one == CLI_TIMEOUT ? one : -1;
        }
        failed += bad[i];
    }
    if (code == -1 && failed) {
        cli_say("%d of %d images failed", failed, photos.count);
    } else if (code == -1 && !options->quiet && cli_on_terminal()) {
        cli_say("wrote %d mask%s %s%s", photos.count, photos.count == 1 ? "" : "s", options->mask ? "into " : "",
                options->mask ? options->mask : "in this folder");
    }
    for (int i = 0; i < photos.count; i++) {
        if (runs && runs[i].argv) {
            run_free(&runs[i]);
        }
        free(photos.at[i]);
    }
    for (int i = made.count - 1; i >= 0 && !work; i--) {
        rmdir(made.at[i]);
    }
    free_list(&made);
    free_uses(&uses);
    free(photos.at);
    free(runs);
    free(bad);
    return code != -1 ? code : failed ? CLI_PART : CLI_OK;
}
