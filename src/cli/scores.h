/* Agreement of a mask with a ground truth. */
#ifndef CLI_SCORES_H
#define CLI_SCORES_H

#include <segment/segment.h>

/* Score one mask against the other. */
seg_status cli_score_masks(seg_context *ctx, const seg_mask *mask, const seg_mask *truth, seg_scores *out);

/* Print "name value" lines on standard output. */
void cli_print_scores(const seg_scores *scores);

#endif
