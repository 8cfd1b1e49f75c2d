/* From texts to classes. */
#ifndef SEG_VECTORS_CLASSES_H
#define SEG_VECTORS_CLASSES_H

#include "vectors/table.h"

#include <segment/vectors.h>

/* Number the different texts in the order of their values where all are numbers below 2^53, else of their bytes; none
 * may be missing (the caller has checked).
 * @param label  of the file, for sentences
 * SEG_OK, SEG_ERR_INPUT (more than SEG_MAX_CLASSES), SEG_ERR_MEMORY. */
seg_status seg_classes_of_texts(seg_context *ctx, const char *label, const seg_field *text, size_t n, seg_labels *out);

/* The same for a column of an NPY file that was read into X. SEG_ERR_INPUT for a whole number from 2^53 on, too, which
 * a double may not tell from the next. */
seg_status seg_classes_of_column(seg_context *ctx, const seg_loaded *file, const seg_matrix *X, size_t column,
                                 seg_labels *out);

#endif
