/* Agreement of a mask with a ground truth. */
#ifndef CLI_EVAL_SCORES_H
#define CLI_EVAL_SCORES_H

#include <segment/segment.h>

#include <stdio.h>

/* Score one mask against the other. */
seg_status cli_score_masks(seg_context *ctx, const seg_mask *mask, const seg_mask *truth, seg_scores *out);

/* Print "name value" lines. */
void cli_print_scores(FILE *out, const seg_scores *scores);

/* Numbers of the pixels that were scored. */
typedef struct cli_scored {
    uint64_t pixels;   /* of the image */
    uint64_t scored;   /* that are not void in the truth */
    uint64_t unmarked; /* of those, unmarked ones: found, not given; equals `scored` without scribbles */
    int has_scribbles;
} cli_scored;

/* Count them. `scribbles` may be NULL. */
cli_scored cli_count_scored(const seg_mask *truth, const seg_mask *scribbles);
/* Print "scored_share" and with strokes "scored_unmarked". */
void cli_print_scored(FILE *out, const cli_scored *scored);

#endif
