/* A plain folder: images NAME.jpg; strokes NAME-scribbles.png beside them or NAME.png in scribbles/; truths
 * NAME-truth.png beside them or NAME.png in a folder of truths. */
#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/photo_set.h"

/* Skip scribbles and truths beside the images. */
static int skip(const char *name, size_t length) {
    static const char *const suffix[] = {"scribbles", "truth"};
    for (size_t s = 0; s < sizeof suffix / sizeof *suffix; s++) {
        const size_t size = strlen(suffix[s]);
        if (length > size + 1 && strncmp(name + length - size, suffix[s], size) == 0 &&
            strchr("-_", name[length - size - 1]))
            return 1;
    }
    return 0;
}

/* `found`, or NULL if it is the item's own image, perhaps through a link: that is neither its truth nor its strokes. */
static char *other_than(const char *photo, char *found) {
    if (found && photo && seg_same_file(photo, found)) {
        free(found);
        return NULL;
    }
    return found;
}

/* NAME.png in the folder (unless it is that of the images), else NAME-what.png or NAME_what.png there or beside it. */
static char *find(seg_context *ctx, const seg_photo_place *place, const char *folder, const char *photo,
                  const char *what) {
    const char *const from[] = {folder, place->photos};
    char *found = NULL;
    if (folder && !seg_same_file(folder, place->photos))
        found = other_than(photo, seg_find_beside(ctx, folder, place->file, place->length, "", SEG_TRUTH_ENDINGS));
    for (int p = 0; p < 2; p++)
        for (const char *dash = "-_"; *dash && from[p] && !found; dash++) {
            char infix[32];
            snprintf(infix, sizeof infix, "%c%s", *dash, what);
            found =
                other_than(photo, seg_find_beside(ctx, from[p], place->file, place->length, infix, SEG_TRUTH_ENDINGS));
        }
    return found;
}

static seg_status fill(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item) {
    item->truth = find(ctx, place, place->truths, item->photo, "truth");
    item->scribbles = find(ctx, place, place->scribbles, item->photo, "scribbles");
    return SEG_OK;
}

const seg_photo_layout seg_photo_set_folder = {
    .name = "folder",
    .title = "NAME.jpg with NAME-scribbles.png, and NAME.png in groundtruth/ or the folder of --truth",
    .photos = "images,photos,.",
    .photo_endings = SEG_PHOTO_ENDINGS,
    .truths = "groundtruth,ground-truth,truth,truths,masks,../groundtruth",
    .truth_endings = SEG_TRUTH_ENDINGS,
    .scribbles = "scribbles,strokes",
    .truths_beside = 1,
    .listed_endings = SEG_PHOTO_ENDINGS,
    .skip = skip,
    .fill = fill,
    .read = seg_sample_read_plain,
};
