#include "photo_files.h"
#include "paths.h"
#include "say.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const char *const pictures[] = {".png",  ".jpg",  ".jpeg", ".bmp", ".tif", ".tiff", ".webp", ".gif", ".heic",
                                       ".heif", ".avif", ".jxl",  ".pbm", ".pgm", ".ppm",  ".pnm",  ".pam", NULL};
static const char *const tables[] = {".csv", NULL};

static const char *const scribbles[] = {".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp",    ".gif", ".pbm",
                                        ".pgm", ".ppm", ".pnm",  ".pam", ".npy", ".json", ".geojson", ".svg", NULL};

const cli_file_kind cli_scribble_files = {"scribbles", {"-scribbles", "-marks", ""}, scribbles};
const cli_file_kind cli_truth_files = {"truth", {"-truth", ""}, pictures};
const cli_file_kind cli_pair_files = {"constraints", {"-pairs", ""}, tables};

int cli_is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

void cli_files_free(cli_files *files) {
    for (int i = 0; i < files->count; i++)
        free(files->at[i]);
    free(files->at);
    *files = (cli_files){0};
}

cli_end cli_files_append(cli_files *to, char *path) {
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
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
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

static cli_end append_folder(cli_files *photos, const char *folder) {
    struct dirent **entries = NULL;
    cli_end end = CLI_GO_ON;
    errno = 0;
    const int found = scandir(folder, &entries, is_photo, by_name);
    const int error = found < 0 ? errno : 0;
    for (int i = 0; i < found; i++) {
        char *path = NULL;
        if (end == CLI_GO_ON) {
            const char *slash = ends_in(folder, "/") ? "" : "/";
            end = cli_files_append(photos,
                                   asprintf(&path, "%s%s%s", folder, slash, entries[i]->d_name) < 0 ? NULL : path);
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
        cli_say("there is no image (PNG, JPEG, BMP, TIFF, PNM, WebP, GIF, HEIC, AVIF, JPEG XL) in folder '%s'", folder);
        return CLI_INPUT;
    }
    return end;
}

cli_end cli_list_photos(const seg_texts *words, cli_files *photos) {
    cli_end end = CLI_GO_ON;
    for (int i = 0; i < words->count && end == CLI_GO_ON; i++) {
        const char *path = words->at[i];
        end = cli_is_folder(path) ? append_folder(photos, path) : cli_files_append(photos, strdup(path));
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

/* How far down the list of names that are looked for `name` is, whatever the case of what is behind the image's:
 * -1 where it is none of them. */
static int rank(const cli_file_kind *kind, const char *name, const char *base) {
    const size_t length = strlen(base);
    int place = 0;
    if (strncmp(name, base, length) != 0)
        return -1;
    for (int s = 0; s < 3 && kind->stem[s]; s++) {
        for (const char *const *ending = kind->endings; *ending; ending++, place++) {
            char tail[32];
            snprintf(tail, sizeof tail, "%s%s", kind->stem[s], *ending);
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

cli_end cli_find_file(const cli_file_kind *kind, const char *folder, const char *photo, const char *base, char **path) {
    char found[NAME_MAX + 1] = "";
    int best = -1;
    DIR *entries = opendir(folder);
    int lost = !entries && errno == ENOMEM;
    for (const struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries)) {
        const int place = rank(kind, entry->d_name, base);
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
    *path = NULL;
    if (best >= 0 && asprintf(path, "%s/%s", folder, found) < 0)
        return cli_out_of_memory();
    return CLI_GO_ON;
}
