/* Berkeley Segmentation Data Set [arbelaez2011contour]: images/{train,val,test}/NAME.jpg, and for each several people's
 * segmentations: groundTruth/{train,val,test}/NAME.mat, or a folder NAME of label pictures, one per annotator. */
#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/mat_file.h"
#include "evaluation/sets/photo_set.h"
#include "image/mask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMAGES_FOLDERS  "data/images,BSDS500/data/images,images"
#define TRUTH_FOLDERS   "data/groundTruth,BSDS500/data/groundTruth,groundTruth"
#define PARTS           "train,val,test,."
#define MOST_ANNOTATORS 1000

static int detect(const char *folder) {
    char *truths = seg_folder_first(NULL, folder, TRUTH_FOLDERS, "");
    char *images = seg_folder_first(NULL, folder, IMAGES_FOLDERS, "");
    int found = 0;
    for (const char *parts = PARTS, *part; *parts && truths && images && !found;) {
        const int length = (int)seg_next_word(&parts, &part);
        char name[8];
        snprintf(name, sizeof name, "%.*s", length, part);
        found = seg_folder_holds(truths, name, "") && seg_folder_holds(images, name, SEG_PHOTO_ENDINGS);
    }
    free(truths);
    free(images);
    return found;
}

/* NAME.mat, else the folder NAME of label pictures. */
static seg_status fill(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item) {
    item->scribbles = seg_find_beside(ctx, place->scribbles, place->file, place->length, "", SEG_TRUTH_ENDINGS);
    item->truth = seg_find_beside(ctx, place->truths, place->file, place->length, "", "mat");
    if (item->truth)
        return SEG_OK;
    item->truth = seg_format(ctx, "%s/%.*s", place->truths, (int)place->length, place->file);
    if (item->truth && !seg_folder_holds(item->truth, "", SEG_TRUTH_ENDINGS)) {
        free(item->truth);
        item->truth = NULL;
    }
    return SEG_OK;
}

/* Columns follow each other in MATLAB's matrices. Labels from 0 are moved up by one. */
static seg_status make_truth(seg_context *ctx, const char *path, int annotator, const seg_mat_array *matrix,
                             const seg_image *photo, seg_mask *out) {
    memset(out, 0, sizeof *out);
    if (matrix->kind != SEG_MAT_NUMBERS || !matrix->rows || !matrix->cols)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s': annotator %d has no matrix Segmentation", path, annotator + 1);
    if (matrix->rows != (size_t)photo->height || matrix->cols != (size_t)photo->width)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %zu x %zu pixels, but the image has %d x %d", path, matrix->cols,
                        matrix->rows, photo->width, photo->height);
    const int height = photo->height, width = photo->width;
    double least = 1, most = 0;
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        const double value = seg_mat_value(matrix, i);
        least = value < least ? value : least;
        most = value > most ? value : most;
        if (!(value >= 0 && value <= SEG_MAX_LABELS) || value != (double)(int)value)
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "'%s': annotator %d has the label %g; labels are whole numbers from 0 to %d", path,
                            annotator + 1, value, SEG_MAX_LABELS);
    }
    const int shift = least < 1;
    if ((int)most + shift > SEG_MAX_LABELS)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s': annotator %d has labels from 0 to %d, one too many", path,
                        annotator + 1, (int)most);
    seg_status status = seg_mask_create(ctx, width, height, out);
    if (status)
        return status;
    out->labels = (int)most + shift;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            out->label[(size_t)y * (size_t)width + (size_t)x] =
                (uint8_t)((int)seg_mat_value(matrix, (size_t)x * (size_t)height + (size_t)y) + shift);
    return SEG_OK;
}

seg_status seg_mat_truths_read(seg_context *ctx, const char *path, seg_sample *sample) {
    seg_mat_file file;
    size_t annotators = 0;
    seg_status status = seg_mat_open(ctx, path, "groundTruth", &file);
    if (status != SEG_OK)
        return status;
    if (file.array.kind != SEG_MAT_CELL || !seg_multiply(file.array.rows, file.array.cols, &annotators) ||
        annotators < 1 || annotators > MOST_ANNOTATORS)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' has no cell array groundTruth", path);
    for (size_t a = 0; a < annotators && status == SEG_OK; a++) {
        seg_mask truth;
        seg_mat_array cell, matrix = {0};
        if (seg_mat_cell(&file.array, a, &cell))
            seg_mat_field(&cell, "Segmentation", &matrix);
        status = make_truth(ctx, path, (int)a, &matrix, &sample->photo, &truth);
        if (status == SEG_OK)
            status = seg_sample_add_truth(ctx, sample, path, &truth);
    }
    seg_mat_close(&file);
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
    return status == SEG_OK ? seg_sample_read_scribbles(ctx, item, sample) : status;
}

const seg_photo_layout seg_photo_set_bsds = {
    .name = "bsds",
    .title = "images/NAME.jpg and groundTruth/NAME.mat (or a folder groundTruth/NAME/ of label pictures), in train, "
             "val and test or not",
    .photos = IMAGES_FOLDERS,
    .photo_endings = "",
    .truths = TRUTH_FOLDERS,
    .truth_endings = "",
    .parts = PARTS,
    .listed_endings = SEG_PHOTO_ENDINGS,
    .detect = detect,
    .fill = fill,
    .read = read_item,
};
