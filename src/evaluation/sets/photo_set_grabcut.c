/* Microsoft's GrabCut images with truths of object, background and undecided, and strokes or trimaps for them: the
 * original download's folders, or those of the sets with human strokes [andrade2015supervised]. */
#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/photo_set.h"
#include "image/mask.h"

#include <stdlib.h>
#include <string.h>

static seg_status fill(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item) {
    item->photo = seg_find_beside(ctx, place->photos, place->file, place->length, "", SEG_PHOTO_ENDINGS);
    for (int plain = 0; plain < 2 && !item->scribbles; plain++)
        item->scribbles =
            seg_find_beside(ctx, place->scribbles, place->file, place->length, plain ? "" : "-anno", SEG_TRUTH_ENDINGS);
    return SEG_OK;
}

/* A lasso trimap is grey: 0 and 64 certain background, 128 to infer, 255 certain object (strokes are palettes of 1
 * object, 2 background). *is_trimap: whether the file is one. */
static seg_status read_trimap(seg_context *ctx, const char *path, seg_mask *out, int *is_trimap) {
    SEG_RELEASED(seg_image_free) seg_image grey = {0};
    size_t object = 0;
    *is_trimap = 0;
    SEG_TRY(seg_image_read(ctx, path, &grey));
    const size_t pixels = (size_t)grey.width * (size_t)grey.height;
    const uint8_t *value = grey.data;
    *is_trimap = grey.depth == 8 && grey.grey;
    for (size_t p = 0; p < pixels && *is_trimap; p++) {
        *is_trimap = value[3 * p] == 0 || value[3 * p] == 64 || value[3 * p] == 128 || value[3 * p] == 255;
        object += value[3 * p] == 255;
    }
    *is_trimap = *is_trimap && object > 0;
    if (!*is_trimap)
        return SEG_OK;
    SEG_TRY(seg_mask_create(ctx, grey.width, grey.height, out));
    out->labels = 2;
    for (size_t p = 0; p < pixels; p++)
        out->label[p] = value[3 * p] == 255 ? 1 : value[3 * p] == 128 ? 0 : 2;
    return SEG_OK;
}

static seg_status read_item(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    int is_trimap = 0;
    SEG_TRY(seg_truth_read(ctx, item->truth, &sample->truth));
    if (item->scribbles)
        SEG_TRY(read_trimap(ctx, item->scribbles, &sample->scribbles, &is_trimap));
    return is_trimap ? SEG_OK : seg_sample_read_scribbles(ctx, item, sample);
}

const seg_photo_layout seg_photo_set_grabcut = {
    .name = "grabcut",
    .title = "images/NAME.jpg, ground-truth/NAME.png and scribbles-set-1/NAME-anno.png (or data_GT, boundary_GT, "
             "boundary_GT_lasso)",
    .photos = "images,data_GT",
    .photo_endings = SEG_PHOTO_ENDINGS,
    .truths = "ground-truth,boundary_GT",
    .truth_endings = SEG_TRUTH_ENDINGS,
    .scribbles = "scribbles-set-1,scribbles-set-2,lasso,boundary_GT_lasso",
    .lists_truths = 1,
    .names_scribbles = 1,
    .listed_endings = SEG_TRUTH_ENDINGS,
    .fill = fill,
    .read = read_item,
};
