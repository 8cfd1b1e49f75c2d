/* The labels of a model where a label map would say them. */
#ifndef CLI_MODEL_LABELS_H
#define CLI_MODEL_LABELS_H

#include <segment/segment.h>

/* Colours and names of the model's labels as a label map; @return 0, and no change, without a model and where the
 * labels are not 1, 2, ... without a gap, which is all that a label map can say. */
int cli_model_labelmap(const seg_model *model, seg_labelmap *out);

#endif
