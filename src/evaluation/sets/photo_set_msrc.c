/* Microsoft Research Cambridge Object Category Image Database, version 2: Images/X_Y_s.bmp, GroundTruth/X_Y_s_GT.bmp,
 * one colour a class, black void. */
#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/photo_set.h"
#include "image/mask.h"

#include <stdlib.h>
#include <string.h>

/* The classes and colours of the data base's own documentation; the label is the place in this list, from 1, so that a
 * class has one number over the whole set. */
static const struct class {
    const char *name;
    uint8_t colour[3];
} classes[] = {
    {"building", {128, 0, 0}},  {"grass", {0, 128, 0}},     {"tree", {128, 128, 0}},   {"cow", {0, 0, 128}},
    {"horse", {128, 0, 128}},   {"sheep", {0, 128, 128}},   {"sky", {128, 128, 128}},  {"mountain", {64, 0, 0}},
    {"aeroplane", {192, 0, 0}}, {"water", {64, 128, 0}},    {"face", {192, 128, 0}},   {"car", {64, 0, 128}},
    {"bicycle", {192, 0, 128}}, {"flower", {64, 128, 128}}, {"sign", {192, 128, 128}}, {"bird", {0, 64, 0}},
    {"book", {128, 64, 0}},     {"chair", {0, 192, 0}},     {"road", {128, 64, 128}},  {"cat", {0, 192, 128}},
    {"dog", {128, 192, 128}},   {"body", {64, 64, 0}},      {"boat", {192, 64, 0}},
};
#define CLASSES ((int)(sizeof classes / sizeof *classes))

static seg_status fill(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item) {
    item->truth = seg_find_beside(ctx, place->truths, place->file, place->length, "_GT", "bmp");
    item->scribbles = seg_find_beside(ctx, place->scribbles, place->file, place->length, "", SEG_TRUTH_ENDINGS);
    return SEG_OK;
}

static int class_of(const uint8_t *rgb) {
    for (int c = 0; c < CLASSES; c++)
        if (memcmp(rgb, classes[c].colour, 3) == 0)
            return c + 1;
    return rgb[0] || rgb[1] || rgb[2] ? 0 : SEG_VOID;
}

static seg_status read_truth(seg_context *ctx, const char *path, seg_mask *out) {
    seg_image colours;
    seg_status status = seg_image_read(ctx, path, &colours);
    memset(out, 0, sizeof *out);
    if (status)
        return status;
    status = seg_mask_create(ctx, colours.width, colours.height, out);
    if (status == SEG_OK && colours.depth != 8)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' has 16 bits per sample; ground truths of MSRC have 8", path);
    for (size_t p = 0; status == SEG_OK && p < (size_t)colours.width * (size_t)colours.height; p++) {
        const uint8_t *rgb = (const uint8_t *)colours.data + 3 * p;
        out->label[p] = (uint8_t)class_of(rgb);
        if (!out->label[p])
            status = seg_fail(ctx, SEG_ERR_INPUT, "'%s': the colour %d %d %d is not one of the %d classes of MSRC",
                              path, rgb[0], rgb[1], rgb[2], CLASSES);
    }
    out->labels = CLASSES;
    for (int c = 0; status == SEG_OK && c < CLASSES; c++)
        memcpy(out->colour[c + 1], classes[c].colour, 3);
    seg_image_free(&colours);
    if (status)
        seg_mask_free(out);
    return status;
}

static seg_status read_item(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    seg_mask truth;
    seg_status status = read_truth(ctx, item->truth, &truth);
    if (status == SEG_OK)
        status = seg_sample_set_truth(ctx, sample, item->truth, &truth);
    return status == SEG_OK ? seg_sample_read_scribbles(ctx, item, sample) : status;
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
