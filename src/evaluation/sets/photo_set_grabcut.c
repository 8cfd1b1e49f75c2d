/* Microsoft's GrabCut images with truths of object, background and undecided: the original download's folders, or those
 * of the sets with human strokes [andrade2015supervised]. */
#include "evaluation/sets/listing.h"
#include "evaluation/sets/photo_set.h"

static seg_status fill(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item) {
    item->photo = seg_find_beside(ctx, place->photos, place->file, place->length, "", SEG_PHOTO_ENDINGS);
    for (int plain = 0; plain < 2 && !item->scribbles; plain++)
        item->scribbles =
            seg_find_beside(ctx, place->scribbles, place->file, place->length, plain ? "" : "-anno", SEG_TRUTH_ENDINGS);
    return SEG_OK;
}

const seg_photo_layout seg_photo_set_grabcut = {
    .name = "grabcut",
    .title = "images/NAME.jpg, ground-truth/NAME.png and scribbles-set-1/NAME-anno.png (or data_GT, "
             "boundary_GT)",
    .photos = "images,data_GT",
    .photo_endings = SEG_PHOTO_ENDINGS,
    .truths = "ground-truth,boundary_GT",
    .truth_endings = SEG_TRUTH_ENDINGS,
    .scribbles = "scribbles-set-1,scribbles-set-2",
    .lists_truths = 1,
    .names_scribbles = 1,
    .listed_endings = SEG_TRUTH_ENDINGS,
    .fill = fill,
    .read = seg_sample_read_plain,
};
