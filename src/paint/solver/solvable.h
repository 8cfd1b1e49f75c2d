/* What a mask is made of: whether strokes and answers are enough for one, and of how many regions. */
#ifndef PAINT_SOLVABLE_H
#define PAINT_SOLVABLE_H

#include "paint/solver/item.h"

/* Told where the library finds a contradiction and there are answers. */
extern const char paint_contradiction[];

/* Look at the marks and the answers: *answers gets them as constraints of the patches, free it with
 * seg_constraints_free; options->k becomes the number of regions that they call for where none was chosen and it is not
 * that of the labels drawn; of the outcome `drawn`, `k` and `pairs` are set, and the message where there is no mask to
 * make. */
seg_status paint_solvable(seg_context *ctx, seg_mask *scribbles, const paint_pairs *pairs, seg_options *options,
                          seg_constraints *answers, paint_outcome *out);

/* Options that keep their patches under a limit on memory, as segment does where --constraints is given. */
seg_status paint_plan_answers(seg_context *ctx, const seg_image *image, seg_options *options);

#endif
