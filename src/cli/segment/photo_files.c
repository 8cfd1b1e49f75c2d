#include "cli/common/paths.h"
#include "cli/segment/photo_run.h"

#include <search.h>
#include <sys/stat.h>

const cli_file_kind cli_scribble_files = {"scribbles", {"-scribbles", "-marks", ""}, SEG_STROKE_ENDINGS};
const cli_file_kind cli_truth_files = {"truth", {"-truth", ""}, SEG_TRUTH_ENDINGS};
const cli_file_kind cli_start_files = {"start", {"-mask", "-prob", ""}, SEG_TRUTH_ENDINGS};
const cli_file_kind cli_pair_files = {"constraints", {"-pairs", ""}, "csv"};

int cli_is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

void cli_files_free(cli_files *files) {
    for (int i = 0; i < files->count; i++)
        free(files->at[i]);
    SEG_CLEAR(files, files->at);
}

cli_end cli_files_append(cli_files *to, char *path) {
    if (!path || seg_extend(NULL, &to->at, (size_t)to->count, sizeof *to->at) != SEG_OK) {
        free(path);
        return cli_out_of_memory();
    }
    to->at[to->count++] = path;
    return CLI_GO_ON;
}

cli_end cli_make_folder(const char *path, cli_files *made) {
    SEG_FREED char *at = strdup(path);
    CLI_TRY(cli_allocated(at));
    for (char *slash = at; slash;) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = 0;
        const int there = cli_is_folder(at), error = there || mkdir(at, 0777) == 0 ? 0 : errno;
        if (error && !cli_is_folder(at)) /* another process may have made it */
            return cli_refuse(CLI_FAILED, "cannot make the folder '%s': %s", at, strerror(error));
        if (!there && !error && made)
            CLI_TRY(cli_files_append(made, strdup(at)));
        if (slash)
            *slash = '/';
    }
    return CLI_GO_ON;
}

/* An image that is not a scribble file, a ground truth or an output of this program. */
static int is_photo(const char *name) {
    static const char *const others[] = {"-scribbles", "-marks", "-truth", "-mask", "-overlay", "-uncertainty"};
    const size_t stem = seg_stem(name, SEG_PHOTO_ENDINGS);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const size_t tail = strlen(others[i]);
        if (stem > tail && strncasecmp(name + stem - tail, others[i], tail) == 0)
            return 0;
    }
    return stem > 0;
}

static cli_end append_folder(cli_files *photos, const char *folder) {
    SEG_RELEASED(seg_listing_free) seg_listing names = {0};
    int found = 0;
    const seg_status status = seg_listing_read(NULL, folder, &names);
    if (status == SEG_ERR_IO)
        return cli_refuse(CLI_INPUT, "cannot read the folder '%s': %s; check the name and the permissions", folder,
                          strerror(errno));
    CLI_TRY(status == SEG_OK ? CLI_GO_ON : cli_out_of_memory());
    for (int i = 0; i < names.count; i++) {
        const char *name = names.entry[i]->d_name;
        if (!is_photo(name))
            continue;
        found = 1;
        CLI_TRY(
            cli_files_append(photos, seg_format(NULL, "%s%s%s", folder, seg_ends_in(folder, "/") ? "" : "/", name)));
    }
    return !found ? cli_refuse(CLI_INPUT, "there is no image (" SEG_IMAGE_FORMAT_NAMES ") in folder '%s'", folder)
                  : CLI_GO_ON;
}

static void keep(SEG_UNUSED void *path) {}

/* Two images of the same name would share their files. */
static cli_end refuse_doubles(const cli_files *photos) {
    void *seen = NULL; /* a search tree */
    cli_end end = CLI_GO_ON;
    for (int i = 0; i < photos->count && end == CLI_GO_ON; i++) {
        const char *photo = photos->at[i], **first = tsearch(photo, &seen, cli_by_base);
        if (!first)
            end = cli_out_of_memory();
        else if (*first != photo && strcmp(*first, photo) == 0)
            end = cli_refuse(CLI_USAGE, "'%s' is given twice; give each image once", photo);
        else if (*first != photo)
            end = cli_refuse(
                CLI_USAGE,
                "'%s' and '%s' have the same name, so their masks would have the same name; segment them one by one",
                *first, photo);
    }
    tdestroy(seen, keep);
    return end;
}

/* The folder, or where several names fit the first of several channels, an image for each: what the star stands for. */
static cli_end append_channels(cli_files *photos, const char *path, const char *channels) {
    SEG_RELEASED(seg_listing_free) seg_listing names = {0};
    SEG_FREED char *folder = cli_without_slash(path);
    const size_t before = strcspn(channels, "*,"), length = strcspn(channels, ",");
    const int first = photos->count;
    CLI_TRY(cli_allocated(folder));
    CLI_TRY(cli_list_names(folder, &names));
    for (int i = 0; i < names.count && before < length && channels[length]; i++) {
        const char *name = names.entry[i]->d_name, *tail = channels + before + 1;
        const size_t same = length - before - 1, all = strlen(name);
        if (all >= length && !strncmp(name, channels, before) && !strncmp(name + all - same, tail, same))
            CLI_TRY(
                cli_files_append(photos, seg_format(NULL, "%s/%.*s", folder, (int)(all - length + 1), name + before)));
    }
    if (photos->count > first + 1)
        return CLI_GO_ON;
    for (; photos->count > first; photos->count--)
        free(photos->at[photos->count - 1]);
    return cli_files_append(photos, seg_taken(&folder));
}

cli_end cli_list_photos(const seg_texts *words, const char *channels, cli_files *photos) {
    for (int i = 0; i < words->count; i++) {
        const char *path = words->at[i];
        CLI_TRY(channels              ? append_channels(photos, path, channels)
                : cli_is_folder(path) ? append_folder(photos, path)
                                      : cli_files_append(photos, strdup(path)));
    }
    return refuse_doubles(photos);
}

/* The position of `name` in the list of names of this kind, ignoring the case after the name of the image; or -1. */
static int rank(const cli_file_kind *kind, const char *name, const char *base) {
    const size_t length = strlen(base);
    int place = 0;
    if (strncmp(name, base, length) != 0)
        return -1;
    for (int s = 0; s < 3 && kind->stem[s]; s++) {
        const char *endings = kind->endings;
        char ending[16], tail[32];
        for (; cli_next_ending(&endings, ending); place++) {
            snprintf(tail, sizeof tail, "%s%s", kind->stem[s], ending);
            if (strcasecmp(name + length, tail) == 0)
                return place;
        }
    }
    return -1;
}

/* A file other than the image itself, which may have the plain name in the same folder; -1 if out of memory. */
static int is_other_file(const char *folder, const char *name, const char *photo) {
    struct stat about;
    SEG_FREED char *path = seg_format(NULL, "%s/%s", folder, name);
    return !path ? -1 : stat(path, &about) == 0 && S_ISREG(about.st_mode) && !seg_same_file(photo, path);
}

cli_end cli_list_names(const char *folder, seg_listing *out) {
    return seg_listing_read(NULL, folder, out) == SEG_ERR_MEMORY ? cli_out_of_memory() : CLI_GO_ON;
}

/* The first name that does not sort before `base`. */
static int lower_bound(const seg_listing *names, const char *base) {
    int low = 0, high = names->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (strcmp(names->entry[middle]->d_name, base) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

cli_end cli_find_name(const cli_file_kind *kind, const char *folder, const seg_listing *names, const char *photo,
                      const char *base, char **path) {
    const char *found = "";
    const size_t length = strlen(base);
    int best = -1;
    for (int i = lower_bound(names, base); i < names->count; i++) {
        const char *name = names->entry[i]->d_name;
        const int place = rank(kind, name, base);
        if (strncmp(name, base, length) != 0)
            break;
        /* Of .png and .PNG the last by name, which is .png. */
        const int other = place >= 0 && (best < 0 || place <= best) ? is_other_file(folder, name, photo) : 0;
        if (other < 0)
            return cli_out_of_memory();
        if (other > 0) {
            best = place;
            found = name;
        }
    }
    *path = best >= 0 ? seg_format(NULL, "%s/%s", folder, found) : NULL;
    return best >= 0 && !*path ? cli_out_of_memory() : CLI_GO_ON;
}

cli_end cli_find_file(const cli_file_kind *kind, const char *folder, const char *photo, const char *base, char **path) {
    SEG_RELEASED(seg_listing_free) seg_listing names = {0};
    *path = NULL;
    CLI_TRY(cli_list_names(folder, &names));
    return cli_find_name(kind, folder, &names, photo, base, path);
}
