/* Microsoft's GrabCut images with truths of object, background and undecided, and strokes or trimaps for them: the
 * original download's folders, or those of the sets with human strokes [andrade2015supervised]. */
#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/photo_set.h"
#include "image/mask.h"

#include <stdlib.h>
#include <string.h>

#define PHOTO_FOLDERS     "images,data_GT"
#define TRUTH_FOLDERS     "ground-truth,boundary_GT"
#define SCRIBBLES_FOLDERS "scribbles-set-1,scribbles-set-2,lasso,boundary_GT_lasso"

static int detect(const char *folder) {
    char *photos = seg_folder_first(NULL, folder, PHOTO_FOLDERS, SEG_PHOTO_ENDINGS);
    char *truths = seg_folder_first(NULL, folder, TRUTH_FOLDERS, SEG_TRUTH_ENDINGS);
    const int both = photos && truths;
    free(photos);
    free(truths);
    return both;
}

static seg_status list(seg_context *ctx, seg_photo_set *set) {
    char *photos = seg_folder_first(ctx, set->folder, PHOTO_FOLDERS, SEG_PHOTO_ENDINGS);
    char *truths = set->truth_folder ? seg_format(ctx, "%s", set->truth_folder)
                                     : seg_folder_first(ctx, set->folder, TRUTH_FOLDERS, SEG_TRUTH_ENDINGS);
    char *scribbles = set->scribbles_folder ? strchr(set->scribbles_folder, '/')
                                                  ? seg_format(ctx, "%s", set->scribbles_folder)
                                                  : seg_format(ctx, "%s/%s", set->folder, set->scribbles_folder)
                                            : seg_folder_first(ctx, set->folder, SCRIBBLES_FOLDERS, SEG_TRUTH_ENDINGS);
    seg_listing listing = {0};
    seg_status status;
    if (!photos || !truths)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' has no folder %s", set->folder,
                          photos ? "ground-truth or boundary_GT" : "images or data_GT");
    else
        status = seg_listing_read(ctx, truths, &listing);
    for (int i = 0; i < listing.count && status == SEG_OK; i++) {
        const char *name = listing.entry[i]->d_name;
        const size_t length = seg_stem(name, SEG_TRUTH_ENDINGS);
        if (!length)
            continue;
        seg_photo_item item = {.name = seg_format(ctx, "%.*s", (int)length, name),
                               .photo = seg_find_beside(ctx, photos, name, length, "", SEG_PHOTO_ENDINGS),
                               .truth = seg_format(ctx, "%s/%s", truths, name),
                               .scribbles = seg_find_beside(ctx, scribbles, name, length, "-anno", SEG_TRUTH_ENDINGS)};
        if (!item.scribbles)
            item.scribbles = seg_find_beside(ctx, scribbles, name, length, "", SEG_TRUTH_ENDINGS);
        status = seg_photo_set_add(ctx, set, item);
    }
    seg_listing_free(&listing);
    free(photos);
    free(truths);
    free(scribbles);
    return status;
}

/* A lasso trimap is grey: 0 and 64 certain background, 128 to infer, 255 certain object (strokes are palettes of 1
 * object, 2 background). *is_trimap: whether it was one. */
static seg_status read_trimap(seg_context *ctx, const char *path, seg_mask *out, int *is_trimap) {
    seg_image grey;
    seg_status status = seg_image_read(ctx, path, &grey);
    size_t object = 0;
    *is_trimap = 0;
    memset(out, 0, sizeof *out);
    if (status)
        return status;
    const size_t pixels = (size_t)grey.width * (size_t)grey.height;
    const uint8_t *value = grey.data;
    *is_trimap = grey.depth == 8 && grey.grey;
    for (size_t p = 0; p < pixels && *is_trimap; p++) {
        *is_trimap = value[3 * p] == 0 || value[3 * p] == 64 || value[3 * p] == 128 || value[3 * p] == 255;
        object += value[3 * p] == 255;
    }
    *is_trimap = *is_trimap && object > 0;
    if (*is_trimap && (status = seg_mask_create(ctx, grey.width, grey.height, out)) == SEG_OK) {
        out->labels = 2;
        for (size_t p = 0; p < pixels; p++)
            out->label[p] = value[3 * p] == 255 ? 1 : value[3 * p] == 128 ? 0 : 2;
    }
    seg_image_free(&grey);
    return status;
}

static seg_status read_item(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    seg_photo_item truth_only = *item;
    int is_trimap = 0;
    truth_only.scribbles = NULL;
    seg_status status = seg_sample_read_plain(ctx, &truth_only, sample);
    if (status == SEG_OK && item->scribbles)
        status = read_trimap(ctx, item->scribbles, &sample->scribbles, &is_trimap);
    if (status == SEG_OK && item->scribbles && !is_trimap)
        status = seg_scribbles_read(ctx, item->scribbles, &sample->photo, NULL, &sample->scribbles, NULL);
    return status;
}

const seg_photo_layout seg_photo_set_grabcut = {
    .name = "grabcut",
    .title = "images/NAME.jpg, ground-truth/NAME.png and scribbles-set-1/NAME-anno.png (or data_GT, boundary_GT, "
             "boundary_GT_lasso)",
    .detect = detect,
    .list = list,
    .read = read_item,
};
