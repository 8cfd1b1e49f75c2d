/* Members that several JSON reports share. Every function returns a new reference, or NULL if out of memory. */
#ifndef CLI_COMMON_JSON_OUT_H
#define CLI_COMMON_JSON_OUT_H

#include "cli/common/messages.h"

#include <segment/segment.h>

#include <jansson.h>

struct cli_scored;

/* A file name or other text, null for NULL. Bytes that are not UTF-8 become U+FFFD. */
json_t *cli_json_text(const char *text);
/* A number, null where it is not finite (JSON has no NaN). */
json_t *cli_json_real(double value);
/* A parameter's value: a choice's name, a whole number or a number. */
json_t *cli_json_param(const seg_param *param, double value);
/* All of a method's parameters by name. */
json_t *cli_json_params(const seg_method *method, const seg_params *params);
json_t *cli_json_scores(const seg_scores *scores);
/* The same with scored_share, and scored_unmarked if there are scribbles. */
json_t *cli_json_scored(const seg_scores *scores, const struct cli_scored *scored);
/* Listed pairs of both kinds, and how many the result violates. */
json_t *cli_json_kept(const seg_kept *kept);

/* Print and release. @return the exit code; a NULL report is out of memory */
cli_end cli_json_print(FILE *out, json_t *report);

/* The same for a report to which the members of the parts are appended; the parts are released, too. */
cli_end cli_json_print_parts(FILE *out, json_t *report, json_t *const *parts, size_t count);

/* "auto (ncut)" or "ccskl:paper": the method and its variant, and the method that ran if it differs. */
void cli_method_text(const seg_method *method, seg_method_variant variant, const char *ran, char *text, size_t size);

#endif
