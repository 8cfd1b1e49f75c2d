#include "evaluation/mat_truths.h"

#include "base/base.h"
#include "evaluation/listing.h"

#include <matio.h>
#include <string.h>

static double value_at(const matvar_t *matrix, size_t i) {
    switch (matrix->data_type) {
    case MAT_T_UINT8:
        return ((const uint8_t *)matrix->data)[i];
    case MAT_T_INT8:
        return ((const int8_t *)matrix->data)[i];
    case MAT_T_UINT16:
        return ((const uint16_t *)matrix->data)[i];
    case MAT_T_INT16:
        return ((const int16_t *)matrix->data)[i];
    case MAT_T_UINT32:
        return ((const uint32_t *)matrix->data)[i];
    case MAT_T_INT32:
        return ((const int32_t *)matrix->data)[i];
    case MAT_T_SINGLE:
        return (double)((const float *)matrix->data)[i];
    case MAT_T_DOUBLE:
        return ((const double *)matrix->data)[i];
    default:
        return -1;
    }
}

/* Columns follow each other in MATLAB's matrices. Labels from 0 are moved up by one. */
static seg_status make_truth(seg_context *ctx, const char *path, int annotator, const matvar_t *matrix, seg_mask *out) {
    memset(out, 0, sizeof *out);
    if (!matrix || matrix->rank != 2 || !matrix->data || matrix->isComplex || matrix->dims[0] < 1 ||
        matrix->dims[1] < 1 || matrix->dims[0] > SEG_MAX_SIDE || matrix->dims[1] > SEG_MAX_SIDE ||
        matrix->nbytes / (size_t)(matrix->data_size > 0 ? matrix->data_size : 1) < matrix->dims[0] * matrix->dims[1])
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s': annotator %d has no matrix Segmentation", path, annotator + 1);
    const int height = (int)matrix->dims[0], width = (int)matrix->dims[1];
    double least = 1, most = 0;
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        const double value = value_at(matrix, i);
        least = value < least ? value : least;
        most = value > most ? value : most;
        if (!(value >= 0 && value <= SEG_MAX_LABELS) || value != (double)(int)value)
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "'%s': annotator %d has the label %g; whole numbers from 0 to %d are possible", path,
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
                (uint8_t)((int)value_at(matrix, (size_t)x * (size_t)height + (size_t)y) + shift);
    return SEG_OK;
}

seg_status seg_mat_truths_read(seg_context *ctx, const char *path, seg_sample *sample) {
    mat_t *file = Mat_Open(path, MAT_ACC_RDONLY);
    if (!file)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' cannot be read as a MATLAB file", path);
    matvar_t *cells = Mat_VarRead(file, "groundTruth");
    seg_status status = SEG_OK;
    if (!cells || cells->class_type != MAT_C_CELL || !cells->data || cells->rank != 2 ||
        cells->dims[0] * cells->dims[1] < 1 || cells->dims[0] * cells->dims[1] > 1000)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' has no cell array groundTruth", path);
    const int annotators = status ? 0 : (int)(cells->dims[0] * cells->dims[1]);
    for (int a = 0; a < annotators && status == SEG_OK; a++) {
        seg_mask truth;
        matvar_t *cell = Mat_VarGetCell(cells, a);
        matvar_t *matrix = cell && cell->class_type == MAT_C_STRUCT && cell->data
                               ? Mat_VarGetStructFieldByName(cell, "Segmentation", 0)
                               : NULL;
        status = make_truth(ctx, path, a, matrix, &truth);
        if (status == SEG_OK)
            status = seg_sample_add_truth(ctx, sample, path, &truth);
    }
    Mat_VarFree(cells);
    Mat_Close(file);
    return status;
}
