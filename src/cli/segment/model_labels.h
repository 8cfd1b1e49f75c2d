/* The labels of a model as a label map. */
#ifndef CLI_SEGMENT_MODEL_LABELS_H
#define CLI_SEGMENT_MODEL_LABELS_H

#include <segment/segment.h>

/* Copy colours and names of the labels of the model into a label map. @return 0, with `out` unchanged, without a model
 * or if the labels are not 1, 2, ... without gaps, as a label map needs */
int cli_model_labelmap(const seg_model *model, seg_labelmap *out);

#endif
