/* Truths in MATLAB files, as BSDS500 has them. */
#ifndef SEG_EVALUATION_SETS_MAT_TRUTHS_H
#define SEG_EVALUATION_SETS_MAT_TRUTHS_H

#include "evaluation/sets/photo_set.h"

/* Append every annotator's truth: the variable groundTruth is a cell array of structs with a field Segmentation, a
 * matrix of labels from 0 or 1. SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY. */
seg_status seg_mat_truths_read(seg_context *ctx, const char *path, seg_sample *sample);

#endif
