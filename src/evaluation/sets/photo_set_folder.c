/* A plain folder: images NAME.jpg; strokes NAME-scribbles.png beside them or NAME.png in scribbles/; truths
 * NAME-truth.png beside them or NAME.png in a folder of truths. */
#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/photo_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PHOTO_FOLDERS     "images,photos,."
#define TRUTH_FOLDERS     "groundtruth,ground-truth,truth,truths,masks,../groundtruth"
#define SCRIBBLES_FOLDERS "scribbles,strokes,marks" /* the last is the earlier name */

static int has_suffix(const char *name, size_t length, const char *suffix) {
    const size_t n = strlen(suffix);
    return length > n && strncmp(name + length - n, suffix, n) == 0;
}

static int is_photo(const char *name, size_t length) {
    return length && !has_suffix(name, length, "-scribbles") && !has_suffix(name, length, "-truth") &&
           !has_suffix(name, length, "_scribbles") && !has_suffix(name, length, "-marks") &&
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

/* What is found, but an item's own image is neither its truth nor its strokes, whatever links lead to it. */
static char *other_than(const char *photo, char *found) {
    if (found && photo && same_file(photo, found)) {
        free(found);
        return NULL;
    }
    return found;
}

/* NAME.png in the folder (where that is not the images'), else NAME-what.png or NAME_what.png there or beside the
 * image; `what`: one word or two between commas, the second an earlier name of the first. */
static char *find(seg_context *ctx, const char *folder, const char *photos, const char *photo, const char *name,
                  size_t length, const char *what) {
    const char *const place[] = {folder, photos};
    char *found = NULL;
    if (folder && !same_file(folder, photos))
        found = other_than(photo, seg_find_beside(ctx, folder, name, length, "", SEG_TRUTH_ENDINGS));
    for (int p = 0; p < 2; p++)
        for (const char *word = what; place[p] && word && !found;
             word = strchr(word, ',') ? strchr(word, ',') + 1 : NULL)
            for (const char *dash = "-_"; *dash && !found; dash++) {
                char infix[32];
                snprintf(infix, sizeof infix, "%c%.*s", *dash, (int)strcspn(word, ","), word);
                found = other_than(photo, seg_find_beside(ctx, place[p], name, length, infix, SEG_TRUTH_ENDINGS));
            }
    return found;
}

static seg_status list(seg_context *ctx, seg_photo_set *set) {
    char *photos = seg_folder_first(ctx, set->folder, PHOTO_FOLDERS, SEG_PHOTO_ENDINGS);
    char *truths = set->truth_folder ? seg_format(ctx, "%s", set->truth_folder)
                                     : seg_folder_first(ctx, set->folder, TRUTH_FOLDERS, SEG_TRUTH_ENDINGS);
    char *scribbles = set->scribbles_folder ? seg_format(ctx, "%s", set->scribbles_folder)
                                            : seg_folder_first(ctx, set->folder, SCRIBBLES_FOLDERS, SEG_TRUTH_ENDINGS);
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
                             .truth = find(ctx, truths, photos, photo, name, length, "truth"),
                             .scribbles = find(ctx, scribbles, photos, photo, name, length, "scribbles,marks")});
    }
    seg_listing_free(&listing);
    free(photos);
    free(truths);
    free(scribbles);
    return status;
}

const seg_photo_layout seg_photo_set_folder = {
    .name = "folder",
    .title = "NAME.jpg with NAME-scribbles.png, and NAME.png in groundtruth/ or the folder of --truth",
    .detect = detect,
    .list = list,
    .read = seg_sample_read_plain,
};
