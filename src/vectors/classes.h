/* Class numbers from the texts of labels. */
#ifndef SEG_VECTORS_CLASSES_H
#define SEG_VECTORS_CLASSES_H

#include "vectors/table.h"

#include <segment/vectors.h>

/* Number the distinct texts from 0: in numerical order if all are numbers below 2^53 in magnitude, otherwise in the
 * order of their bytes. None may be missing (checked by the caller).
 * @param label  of the file, for messages
 * SEG_OK, SEG_ERR_INPUT (more than SEG_MAX_CLASSES), SEG_ERR_MEMORY. */
seg_status seg_classes_of_texts(seg_context *ctx, const char *label, const seg_field *text, size_t n, seg_labels *out);

/* The same for a column of an NPY file that was read into X. SEG_ERR_INPUT also for whole numbers from 2^53 on, which a
 * double may not represent exactly. */
seg_status seg_classes_of_column(seg_context *ctx, const seg_loaded *file, const seg_matrix *X, size_t column,
                                 seg_labels *out);

#endif
