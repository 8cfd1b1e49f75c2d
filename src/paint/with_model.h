/* What is different on the page where a model has taught what the regions look like. */
#ifndef PAINT_WITH_MODEL_H
#define PAINT_WITH_MODEL_H

#include "paint/item.h"

/* Why an edit makes no sense with a model: answers, and other colours of its labels. @return NULL: it is none of these
 */
const char *paint_model_refuses(const paint_labels *labels, const json_t *edit);

/* Whether there is a mask, or the message of the outcome says why not: strokes are welcome and not needed, answers and
 * options of earlier times may stand in the way. */
void paint_model_solvable(seg_context *ctx, const seg_options *options, paint_outcome *out);

/* Whether this method can be used with these options. */
int paint_model_takes(seg_context *ctx, const seg_options *options, const char *method);

/* {"name", "decides"}: how the model's file is called, and the options that it leaves nothing to say about. */
json_t *paint_model_json(const char *path);

#endif
