/* Microsoft Research Cambridge Object Category Image Database, version 2: Images/X_Y_s.bmp, GroundTruth/X_Y_s_GT.bmp,
 * one colour per class, black for void. */
#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/photo_set.h"
#include "image/mask.h"

/* The colours of the classes building, grass, tree, cow, horse, sheep, sky, mountain, aeroplane, water, face, car,
 * bicycle, flower, sign, bird, book, chair, road, cat, dog, body and boat, in the order of the database's own
 * documentation. The label is the position in this list, from 1, so that a class has one label in the whole set. */
static const uint8_t classes[][3] = {{128, 0, 0},     {0, 128, 0},     {128, 128, 0}, {0, 0, 128},    {128, 0, 128},
                                     {0, 128, 128},   {128, 128, 128}, {64, 0, 0},    {192, 0, 0},    {64, 128, 0},
                                     {192, 128, 0},   {64, 0, 128},    {192, 0, 128}, {64, 128, 128}, {192, 128, 128},
                                     {0, 64, 0},      {128, 64, 0},    {0, 192, 0},   {128, 64, 128}, {0, 192, 128},
                                     {128, 192, 128}, {64, 64, 0},     {192, 64, 0}};
#define CLASSES ((int)(sizeof classes / sizeof *classes))

static seg_status fill(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item) {
    item->truth = seg_find_beside(ctx, place->truths, place->file, place->length, "_GT", "bmp");
    item->scribbles = seg_find_beside(ctx, place->scribbles, place->file, place->length, "", SEG_TRUTH_ENDINGS);
    return SEG_OK;
}

static int class_of(const uint8_t *rgb) {
    for (int c = 0; c < CLASSES; c++)
        if (memcmp(rgb, classes[c], 3) == 0)
            return c + 1;
    return rgb[0] || rgb[1] || rgb[2] ? 0 : SEG_VOID;
}

static seg_status read_item(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    SEG_RELEASED(seg_image_free) seg_image colours = {0};
    seg_mask *truth = &sample->truth;
    SEG_TRY(seg_image_read(ctx, item->truth, &colours));
    SEG_TRY(seg_mask_create(ctx, colours.width, colours.height, truth));
    if (colours.depth != 8)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has 16 bits per sample; ground truths of MSRC have 8", item->truth);
    for (size_t p = 0; p < (size_t)colours.width * (size_t)colours.height; p++) {
        const uint8_t *rgb = (const uint8_t *)colours.data + 3 * p;
        truth->label[p] = (uint8_t)class_of(rgb);
        if (!truth->label[p])
            return seg_fail(ctx, SEG_ERR_INPUT, "'%s': the colour %d %d %d is not one of the %d classes of MSRC",
                            item->truth, rgb[0], rgb[1], rgb[2], CLASSES);
    }
    truth->labels = CLASSES;
    memcpy(truth->colour[1], classes, sizeof classes);
    return seg_sample_read_scribbles(ctx, item, sample);
}

const seg_photo_layout seg_photo_set_msrc = {
    .name = "msrc",
    .title = "Images/NAME.bmp and GroundTruth/NAME_GT.bmp in the colours of MSRC's classes, black void",
    .photos = "Images",
    .photo_endings = "bmp",
    .truths = "GroundTruth",
    .truth_endings = "bmp",
    .listed_endings = "bmp",
    .fill = fill,
    .read = read_item,
};
