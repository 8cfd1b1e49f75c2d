/* Berkeley Segmentation Data Set [arbelaez2011contour]: images/{train,val,test}/NAME.jpg, and for each several people's
 * segmentations: groundTruth/{train,val,test}/NAME.mat, or a folder NAME of label pictures, one per annotator. */
#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/mat_truths.h"
#include "evaluation/sets/photo_set.h"

#include <stdlib.h>
#include <string.h>

#define IMAGES_FOLDERS "data/images,BSDS500/data/images,images"
#define TRUTH_FOLDERS  "data/groundTruth,BSDS500/data/groundTruth,groundTruth"

static const char *const parts[] = {"train", "val", "test", "."};
#define PARTS ((int)(sizeof parts / sizeof *parts))

static int detect(const char *folder) {
    char *truths = seg_folder_first(NULL, folder, TRUTH_FOLDERS, "");
    char *images = seg_folder_first(NULL, folder, IMAGES_FOLDERS, "");
    int found = 0;
    for (int p = 0; p < PARTS && truths && images; p++)
        found |= seg_folder_holds(truths, parts[p], "") && seg_folder_holds(images, parts[p], "jpg,jpeg,png,bmp");
    free(truths);
    free(images);
    return found;
}

/* NAME.mat, else the folder NAME of label pictures. */
static char *find_truth(seg_context *ctx, const char *truths, const char *part, const char *name, size_t length) {
    char *folder = seg_format(ctx, "%s/%s", truths, part), *found = NULL;
    if (folder && !(found = seg_find_beside(ctx, folder, name, length, "", "mat"))) {
        found = seg_format(ctx, "%s/%.*s", folder, (int)length, name);
        if (found && !seg_folder_holds(found, "", SEG_TRUTH_ENDINGS)) {
            free(found);
            found = NULL;
        }
    }
    free(folder);
    return found;
}

static seg_status list_part(seg_context *ctx, seg_photo_set *set, const char *images, const char *truths,
                            const char *part) {
    char *folder = seg_format(ctx, "%s/%s", images, part);
    seg_listing listing = {0};
    seg_status status = SEG_OK;
    if (folder && seg_folder_holds(folder, "", SEG_PHOTO_ENDINGS))
        status = seg_listing_read(ctx, folder, &listing);
    for (int i = 0; i < listing.count && status == SEG_OK; i++) {
        const char *name = listing.entry[i]->d_name;
        const size_t length = seg_stem(name, SEG_PHOTO_ENDINGS);
        if (length)
            status = seg_photo_set_add(ctx, set,
                                       (seg_photo_item){.name = seg_format(ctx, "%.*s", (int)length, name),
                                                        .photo = seg_format(ctx, "%s/%s", folder, name),
                                                        .truth = find_truth(ctx, truths, part, name, length),
                                                        .scribbles = seg_find_beside(ctx, set->scribbles_folder, name,
                                                                                     length, "", "png,bmp")});
    }
    seg_listing_free(&listing);
    free(folder);
    return status;
}

static seg_status list(seg_context *ctx, seg_photo_set *set) {
    char *images = seg_folder_first(ctx, set->folder, IMAGES_FOLDERS, "");
    char *truths = set->truth_folder ? seg_format(ctx, "%s", set->truth_folder)
                                     : seg_folder_first(ctx, set->folder, TRUTH_FOLDERS, "");
    seg_status status = SEG_OK;
    if (!images || !truths)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' has no folder %s, as BSDS500 has", set->folder,
                          images ? "data/groundTruth" : "data/images");
    for (int p = 0; p < PARTS && status == SEG_OK; p++)
        status = list_part(ctx, set, images, truths, parts[p]);
    free(images);
    free(truths);
    return status;
}

/* A folder of label pictures, in the order of their names. */
static seg_status read_pictures(seg_context *ctx, const char *folder, seg_sample *sample) {
    seg_listing listing;
    seg_status status = seg_listing_read(ctx, folder, &listing);
    for (int i = 0; i < listing.count && status == SEG_OK; i++) {
        seg_mask truth;
        if (!seg_stem(listing.entry[i]->d_name, SEG_TRUTH_ENDINGS))
            continue;
        char *path = seg_format(ctx, "%s/%s", folder, listing.entry[i]->d_name);
        status = path ? seg_truth_read(ctx, path, &truth) : SEG_ERR_MEMORY;
        if (status == SEG_OK)
            status = seg_sample_add_truth(ctx, sample, path, &truth);
        free(path);
    }
    seg_listing_free(&listing);
    return status;
}

static seg_status read_item(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    seg_status status = seg_stem(item->truth, "mat") ? seg_mat_truths_read(ctx, item->truth, sample)
                                                     : read_pictures(ctx, item->truth, sample);
    if (status == SEG_OK && item->scribbles)
        status = seg_scribbles_read(ctx, item->scribbles, &sample->photo, NULL, &sample->scribbles, NULL);
    return status;
}

const seg_photo_layout seg_photo_set_bsds = {
    .name = "bsds",
    .title = "images/NAME.jpg and groundTruth/NAME.mat (or a folder groundTruth/NAME/ of label pictures), in train, "
             "val and test or not",
    .detect = detect,
    .list = list,
    .read = read_item,
};
