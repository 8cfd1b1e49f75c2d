#include "cli/common/file_uses.h"
#include "cli/common/paths.h"
#include "evaluation/report/text.h"

#include <sys/stat.h>

enum { MOST_LINKS = 40 }; /* of links to links, as the kernel follows them */

/* The file that a name leads to. */
typedef struct place {
    const cli_use *use;
    struct stat folder, file; /* the folder that it ends in, and the file; zero where it is not there */
    char *path;               /* where links lead, owned */
    const char *name;         /* in that folder, within the path */
} place;

/* Replace a link by its target. @return 0 if `path` is not a link */
static int follow(char path[PATH_MAX]) {
    char target[PATH_MAX], folder[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
        return 0;
    target[length] = 0;
    cli_split_path(path, folder);
    SEG_FREED char *joined = target[0] == '/' ? strdup(target) : seg_format(NULL, "%s/%s", folder, target);
    if (!joined || strlen(joined) >= PATH_MAX)
        return 0;
    strcpy(path, joined);
    return 1;
}

static int is_there(const struct stat *file) {
    return file->st_mode != 0;
}

static int is_same(const struct stat *a, const struct stat *b) {
    return is_there(a) && is_there(b) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* @return 0 if the name is not that of a file, -1 if out of memory */
static int find_place(const cli_use *use, place *out) {
    char path[PATH_MAX], folder[PATH_MAX];
    *out = (place){.use = use};
    if (!use->path || strcmp(use->path, "-") == 0 || cli_is_special(use->path) || strlen(use->path) >= sizeof path)
        return 0;
    memcpy(path, use->path, strlen(use->path) + 1);
    for (int links = 0; links < MOST_LINKS && follow(path); links++) {
    }
    out->path = strdup(path);
    if (!out->path)
        return -1;
    out->name = cli_split_path(out->path, folder);
    if (stat(path, &out->file) != 0)
        out->file = (struct stat){0};
    if (stat(folder, &out->folder) != 0)
        out->folder = (struct stat){0};
    return 1;
}

/* Whether the file system ignores case in this folder, tried with a temporary file if two names differ in case only. */
static int case_is_nothing(const char *beside) {
    char folder[PATH_MAX];
    int found = 0;
    cli_split_path(beside, folder);
    SEG_FREED char *path = seg_format(NULL, "%s/.segment-case-XXXXXX", folder);
    if (!path)
        return 1; /* refuse rather than lose a file */
    const int file = mkstemp(path);
    if (file >= 0) {
        char *letter = path + strlen(folder) + 2;
        close(file);
        *letter = 'S';
        found = access(path, F_OK) == 0;
        *letter = 's';
        unlink(path);
    }
    return found;
}

static int same_folder(const place *a, const place *b) {
    if (is_there(&a->folder) || is_there(&b->folder))
        return is_same(&a->folder, &b->folder);
    const size_t length = (size_t)(a->name - a->path); /* neither is there yet */
    return length == (size_t)(b->name - b->path) && memcmp(a->path, b->path, length) == 0;
}

static int same_place(const place *a, const place *b) {
    if (is_same(&a->file, &b->file))
        return 1;
    return same_folder(a, b) && strcasecmp(a->name, b->name) == 0 &&
           (strcmp(a->name, b->name) == 0 || (!(is_there(&a->file) && is_there(&b->file)) && case_is_nothing(a->path)));
}

/* A file that has the name of one in a folder of labels. */
static int is_label_in(const place *file, const place *folder) {
    return folder->use->folder && is_same(&file->folder, &folder->file) && strncasecmp(file->name, "label-", 6) == 0;
}

static cli_end refuse(const cli_use *a, const cli_use *b) {
    if (!a->writes || !b->writes) {
        const cli_use *output = a->writes ? a : b, *input = a->writes ? b : a;
        if (output->of && input->of && strcmp(output->of, input->of) != 0) {
            cli_say("'%s' would be overwritten by %s of '%s', and it is an input of '%s'; choose another folder",
                    input->path, output->name, output->of, input->of);
        } else {
            cli_say("'%s' would be overwritten, and it is an input; choose another name for the output", output->path);
        }
    } else if (a->of && b->of && strcmp(a->of, b->of) != 0) {
        cli_say("%s of '%s' and %s of '%s' would both be written to '%s'", a->name, a->of, b->name, b->of, b->path);
    } else {
        cli_say("%s and %s would both be written to '%s'", a->name, b->name, b->path);
    }
    return CLI_USAGE;
}

static int order_of(const struct stat *a, const struct stat *b) {
    SEG_ORDER_BY(a->st_dev, b->st_dev);
    return (a->st_ino > b->st_ino) - (a->st_ino < b->st_ino);
}

/* Sort by folder, then by name without case, so that equal names are adjacent. */
static int by_name(const void *first, const void *second) {
    const place *a = first, *b = second;
    const int order = order_of(&a->folder, &b->folder);
    return order ? order : strcasecmp(a->name, b->name);
}

static int by_file(const void *first, const void *second) {
    return order_of(&((const place *)first)->file, &((const place *)second)->file);
}

/* Compare each with the following ones that are equal in `order`. */
static cli_end compare(place *all, size_t count, int (*order)(const void *, const void *)) {
    qsort(all, count, sizeof *all, order);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1;
             j < count && (order == by_name || is_there(&all[i].file)) && order(&all[i], &all[j]) == 0; j++)
            if ((all[i].use->writes || all[j].use->writes) &&
                (same_place(&all[i], &all[j]) || is_label_in(&all[i], &all[j]) || is_label_in(&all[j], &all[i])))
                return all[i].use < all[j].use ? refuse(all[i].use, all[j].use) : refuse(all[j].use, all[i].use);
    return CLI_GO_ON;
}

typedef struct places {
    place *at;
    size_t count;
} places;

static void places_free(places *all) {
    for (size_t f = 0; f < all->count; f++)
        free(all->at[f].path);
    free(all->at);
}

cli_end cli_check_uses(const cli_use *uses, size_t count) {
    SEG_RELEASED(places_free) places all = {calloc(count ? count : 1, sizeof *all.at), 0};
    CLI_TRY(cli_allocated(all.at));
    for (size_t i = 0; i < count; i++) {
        const int found = find_place(&uses[i], &all.at[all.count]);
        if (found < 0)
            return cli_out_of_memory();
        all.count += found > 0;
    }
    CLI_TRY(compare(all.at, all.count, by_name));
    CLI_TRY(compare(all.at, all.count, by_file));
    for (size_t f = 0; f < all.count; f++)
        for (size_t i = 0; all.at[f].use->folder && i < all.count; i++)
            if (i != f && is_label_in(&all.at[i], &all.at[f]))
                return refuse(all.at[i].use, all.at[f].use);
    return CLI_GO_ON;
}

cli_end cli_uses_add(cli_uses *list, cli_use use) {
    use.path = strdup(use.path);
    if (!use.path || seg_extend(NULL, &list->at, list->count, sizeof use) != SEG_OK) {
        free((char *)use.path);
        return cli_out_of_memory();
    }
    list->at[list->count++] = use;
    return CLI_GO_ON;
}

void cli_uses_free(cli_uses *list) {
    for (size_t u = 0; u < list->count; u++)
        free((char *)list->at[u].path);
    SEG_CLEAR(list, list->at);
}

/* --- Whether the outputs can be written. --- */

/* Check beforehand that an output can be written. */
static cli_end check_writable(const char *path) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat there;
    if (strlen(name) > NAME_MAX)
        return cli_refuse(
            CLI_FAILED,
            "cannot write '%.40s...': its name exceeds the %d bytes that a file name may have; name the output", name,
            NAME_MAX);
    int known = stat(path, &there) == 0;
    if (cli_is_stream(path) || (known && cli_is_special(path)))
        return CLI_GO_ON;
    if (known && S_ISDIR(there.st_mode))
        return cli_refuse(CLI_FAILED, "cannot write '%s': it is a folder; name a file in it", path);
    SEG_FREED char *target = known ? realpath(path, NULL) : NULL; /* files are written beside what a link leads to */
    if (!*cli_split_path(target ? target : path, folder))
        return cli_refuse(CLI_FAILED, "cannot write '%s': it is not a file name", path);
    if (access(folder, W_OK | X_OK) != 0)
        return cli_refuse(CLI_FAILED, "cannot write '%s': folder '%s': %s", path, folder, strerror(errno));
    return CLI_GO_ON;
}

/* Check a folder to write files into, which is created if missing. */
static cli_end check_folder(const char *path) {
    struct stat there;
    if (stat(path, &there) != 0)
        return check_writable(path);
    if (!S_ISDIR(there.st_mode) || access(path, W_OK | X_OK) != 0)
        return cli_refuse(CLI_FAILED, "cannot write into '%s': %s", path,
                          S_ISDIR(there.st_mode) ? strerror(errno) : "it is not a folder");
    return CLI_GO_ON;
}

cli_end cli_check_files(const cli_use *uses, size_t count) {
    int from_stream = 0;
    for (size_t i = 0; i < count; i++)
        from_stream += !uses[i].writes && cli_is_stream(uses[i].path);
    if (from_stream > 1)
        return cli_refuse(CLI_USAGE, "only one of the inputs can be standard input (-)");
    for (size_t i = 0; i < count; i++)
        if (uses[i].writes && uses[i].path)
            CLI_TRY(uses[i].folder ? check_folder(uses[i].path) : check_writable(uses[i].path));
    CLI_TRY(cli_check_uses(uses, count));
    for (size_t i = 0; i < count; i++)
        if (uses[i].endings)
            CLI_TRY(cli_check_extension(uses[i].name, uses[i].path, uses[i].endings));
    return CLI_GO_ON;
}
