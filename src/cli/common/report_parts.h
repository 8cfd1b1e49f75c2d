/* What several reports share: scores, and members of JSON reports, each a new reference or NULL if out of memory. */
#pragma once

#include "base/json_read.h"
#include "cli/common/messages.h"

#include <segment/segment.h>

/* Score one mask against the other. */
seg_status cli_score_masks(seg_context *ctx, const seg_mask *mask, const seg_mask *truth, seg_scores *out);

/* Numbers of the pixels that were scored. */
typedef struct cli_scored {
    uint64_t pixels;   /* of the image */
    uint64_t scored;   /* that are not void in the truth */
    double share;      /* of these in all */
    uint64_t unmarked; /* of those, unmarked ones: found, not given; equals `scored` without scribbles */
    int has_scribbles;
} cli_scored;

/* Count them. `scribbles` may be NULL. */
cli_scored cli_count_scored(const seg_mask *truth, const seg_mask *scribbles);

/* Scores as "name value" lines, and as JSON. `scored`: of masks; NULL: of clusters, whose names no score compares. */
void cli_print_scores(FILE *out, const seg_scores *scores, const cli_scored *scored);
json_t *cli_json_scores(const seg_scores *scores, const cli_scored *scored);

/* A file name or other text, null for NULL. Bytes that are not UTF-8 become U+FFFD. */
static inline json_t *cli_json_text(const char *text) {
    return seg_json_text(text, SEG_NAME_JSON);
}
/* A number, null where it is not finite (JSON has no NaN). */
json_t *cli_json_real(double value);
/* A method and its parameters, as 'segment methods' and the page of 'segment paint' show them. */
json_t *cli_json_method(const seg_method *method);
/* All of a method's parameters by name. */
json_t *cli_json_params(const seg_method *method, const seg_params *params);
/* "#rrggbb". */
json_t *cli_json_colour(const uint8_t rgb[3]);
/* Labels, box and share. */
json_t *cli_json_ambiguous(const seg_ambiguous_region *region);
/* Listed pairs of both kinds, and how many the result violates. */
json_t *cli_json_kept(const seg_kept *kept);

/* Print and release. @return the exit code; a NULL report is out of memory */
cli_end cli_json_print(FILE *out, json_t *report);

/* The same for a report to which the members of the parts are appended; the parts are released, too. */
cli_end cli_json_print_parts(FILE *out, json_t *report, json_t *const *parts, size_t count);

/* "auto (ncut)" or "ccskl:paper": the method and its variant, and the method that ran if it differs. */
void cli_method_text(const seg_method *method, seg_method_variant variant, const char *ran, char *text, size_t size);
