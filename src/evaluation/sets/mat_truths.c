#include "evaluation/sets/mat_truths.h"

#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/mat_file.h"
#include "image/mask.h"

#include <string.h>

#define MOST_ANNOTATORS 1000

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
