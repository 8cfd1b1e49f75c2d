/* A plain folder: photographs NAME.jpg; strokes NAME-marks.png beside them or NAME.png in marks/; truths
 * NAME-truth.png beside them or NAME.png in a folder of truths. */
#include "base/base.h"
#include "evaluation/listing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PHOTO_FOLDERS "images,photos,."
#define TRUTH_FOLDERS "groundtruth,ground-truth,truth,truths,masks,../groundtruth"
#define MARKS_FOLDERS "marks,scribbles,strokes"

static int has_suffix(const char *name, size_t length, const char *suffix) {
    const size_t n = strlen(suffix);
    return length > n && strncmp(name + length - n, suffix, n) == 0;
}

static int is_photo(const char *name, size_t length) {
    return length && !has_suffix(name, length, "-marks") && !has_suffix(name, length, "-truth") &&
           !has_suffix(name, length, "_marks") && !has_suffix(name, length, "_truth");
}

static int detect(const char *folder) {
    char *photos = seg_folder_first(NULL, folder, PHOTO_FOLDERS, SEG_PHOTO_ENDINGS);
    free(photos);
    return photos != NULL;
}

static int same_file(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* What is found, but an item's own photograph is neither its truth nor its strokes, whatever links lead to it. */
static char *other_than(const char *photo, char *found) {
    if (found && photo && same_file(photo, found)) {
        free(found);
        return NULL;
    }
    return found;
}

/* NAME.png in the folder (where that is not the photographs'), else NAME-what.png or NAME_what.png there or beside the
 * photograph. */
static char *find(seg_context *ctx, const char *folder, const char *photos, const char *photo, const char *name,
                  size_t length, const char *dash, const char *underscore) {
    const char *const place[] = {folder && !same_file(folder, photos) ? folder : NULL, folder, folder, photos, photos};
    const char *const infix[] = {"", dash, underscore, dash, underscore};
    char *found = NULL;
    for (size_t p = 0; p < sizeof place / sizeof *place && !found; p++)
        if (place[p])
            found = other_than(photo, seg_find_beside(ctx, place[p], name, length, infix[p], SEG_TRUTH_ENDINGS));
    return found;
}

static seg_status list(seg_context *ctx, seg_photo_set *set) {
    char *photos = seg_folder_first(ctx, set->folder, PHOTO_FOLDERS, SEG_PHOTO_ENDINGS);
    char *truths = set->truth_folder ? seg_format(ctx, "%s", set->truth_folder)
                                     : seg_folder_first(ctx, set->folder, TRUTH_FOLDERS, SEG_TRUTH_ENDINGS);
    char *marks = set->marks_folder ? seg_format(ctx, "%s", set->marks_folder)
                                    : seg_folder_first(ctx, set->folder, MARKS_FOLDERS, SEG_TRUTH_ENDINGS);
    seg_listing listing = {0};
    seg_status status = photos ? seg_listing_read(ctx, photos, &listing) : SEG_OK;
    for (int i = 0; i < listing.count && status == SEG_OK; i++) {
        const char *name = listing.entry[i]->d_name;
        const size_t length = seg_stem(name, SEG_PHOTO_ENDINGS);
        if (!is_photo(name, length))
            continue;
        char *photo = seg_format(ctx, "%s/%s", photos, name);
        status = seg_photo_set_add(
            ctx, set,
            (seg_photo_item){.name = seg_format(ctx, "%.*s", (int)length, name),
                             .photo = photo,
                             .truth = find(ctx, truths, photos, photo, name, length, "-truth", "_truth"),
                             .marks = find(ctx, marks, photos, photo, name, length, "-marks", "_marks")});
    }
    seg_listing_free(&listing);
    free(photos);
    free(truths);
    free(marks);
    return status;
}

const seg_photo_form seg_photo_set_folder = {
    .name = "folder",
    .title = "NAME.jpg with NAME-marks.png, and NAME.png in groundtruth/ or the folder of --truth",
    .detect = detect,
    .list = list,
    .read = seg_sample_read_plain,
};
