#include "cli/common/report_parts.h"
#include "cli/common/process.h"

#include <inttypes.h>

json_t *cli_json_real(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

/* A choice's name, a whole number or a number. */
static json_t *param_value(const seg_param *param, double value) {
    if (param->choice)
        return cli_json_text(param->choice[(int)value]);
    return param->whole ? json_integer((json_int_t)value) : cli_json_real(value);
}

static json_t *texts(const char *const *text) {
    json_t *list = text ? json_array() : json_null();
    for (int i = 0; text && text[i]; i++)
        json_array_append_new(list, json_string(text[i]));
    return list;
}

static json_t *param_json(const seg_param *param) {
    return json_pack("{s:s, s:o, s:o, s:o, s:b, s:o, s:s}", "name", param->name, "default",
                     param_value(param, param->initial), "low", param->choice ? json_null() : json_real(param->low),
                     "high", param->choice ? json_null() : json_real(param->high), "whole", param->whole, "choices",
                     texts(param->choice), "help", param->help);
}

json_t *cli_json_method(const seg_method *method) {
    json_t *params = json_array();
    for (int i = 0; i < method->param_count; i++)
        json_array_append_new(params, param_json(&method->param[i]));
    return json_pack("{s:s, s:s, s:s, s:b, s:b, s:b, s:o, s:o, s:o}", "name", method->name, "title", method->title,
                     "source", method->source, "needs_graph", (method->needs & SEG_NEEDS_GRAPH) != 0,
                     "needs_constraints", (method->needs & SEG_NEEDS_CONSTRAINTS) != 0, "needs_features",
                     (method->needs & SEG_NEEDS_FEATURES) != 0, "paper", texts(method->paper), "improved",
                     method->improved ? json_string(method->improved) : json_null(), "parameters", params);
}

json_t *cli_json_params(const seg_method *method, const seg_params *params) {
    json_t *all = json_object();
    for (int i = 0; i < method->param_count; i++)
        json_object_set_new(all, method->param[i].name, param_value(&method->param[i], params->value[i]));
    return all;
}

json_t *cli_json_kept(const seg_kept *kept) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "must_links", (json_int_t)kept->must_links, "cannot_links",
                     (json_int_t)kept->cannot_links, "violated",
                     (json_int_t)(kept->broken_must_links + kept->broken_cannot_links), "violated_must_links",
                     (json_int_t)kept->broken_must_links, "violated_cannot_links",
                     (json_int_t)kept->broken_cannot_links);
}

seg_status cli_score_masks(seg_context *ctx, const seg_mask *mask, const seg_mask *truth, seg_scores *out) {
    SEG_RELEASED(seg_contingency_free) seg_contingency met = {0};
    SEG_TRY(seg_contingency_masks(ctx, mask, truth, &met));
    return seg_score(ctx, &met, out);
}

cli_scored cli_count_scored(const seg_mask *truth, const seg_mask *scribbles) {
    cli_scored out = {.pixels = (uint64_t)truth->width * (uint64_t)truth->height, .has_scribbles = scribbles != NULL};
    for (uint64_t p = 0; p < out.pixels; p++) {
        out.scored += truth->label[p] != SEG_VOID;
        out.unmarked += truth->label[p] != SEG_VOID && (!scribbles || scribbles->label[p] == 0);
    }
    out.share = out.pixels ? (double)out.scored / (double)out.pixels : 0;
    return out;
}

/* The scores in the order of reports. */
static const struct score_row {
    const char *name;
    size_t offset;
    int of_masks, of_clusters;
} score_rows[] = {{"pairwise_accuracy", offsetof(seg_scores, pairwise_accuracy), 1, 1},
                  {"adjusted_rand", offsetof(seg_scores, adjusted_rand), 0, 1},
                  {"clustering_error", offsetof(seg_scores, clustering_error), 1, 1},
                  {"nmi", offsetof(seg_scores, nmi), 1, 1},
                  {"pairwise_f", offsetof(seg_scores, pairwise_f), 1, 1},
                  {"mean_dice", offsetof(seg_scores, mean_dice), 1, 0},
                  {"error_rate", offsetof(seg_scores, error_rate), 1, 0},
                  {0}};

/* The value of a row, if the reports of masks or of clusters have it. */
static int take_score(const struct score_row *row, const seg_scores *scores, int masks, double *value) {
    memcpy(value, (const char *)scores + row->offset, sizeof *value);
    return masks ? row->of_masks : row->of_clusters;
}

void cli_print_scores(FILE *out, const seg_scores *scores, const cli_scored *scored) {
    double value;
    for (const struct score_row *row = score_rows; row->name; row++)
        if (take_score(row, scores, scored != NULL, &value))
            fprintf(out, "%s %.6f\n", row->name, value);
    fprintf(out, "scored %" PRIu64 "\n", scores->scored);
    if (scored)
        fprintf(out, "scored_share %.6f\n", scored->share);
    if (scored && scored->has_scribbles)
        fprintf(out, "scored_unmarked %" PRIu64 "\n", scored->unmarked);
}

json_t *cli_json_scores(const seg_scores *scores, const cli_scored *scored) {
    json_t *all = json_object();
    double value;
    for (const struct score_row *row = score_rows; row->name; row++)
        if (take_score(row, scores, scored != NULL, &value))
            json_object_set_new(all, row->name, cli_json_real(value));
    json_object_set_new(all, "scored", json_integer((json_int_t)scores->scored));
    if (scored)
        json_object_set_new(all, "scored_share", json_real(scored->share));
    if (scored && scored->has_scribbles)
        json_object_set_new(all, "scored_unmarked", json_integer((json_int_t)scored->unmarked));
    return all;
}

json_t *cli_json_colour(const uint8_t rgb[3]) {
    return json_sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}

json_t *cli_json_ambiguous(const seg_ambiguous_region *region) {
    return json_pack("{s:i, s:i, s:[i, i, i, i], s:f}", "label", region->label, "runner_up", region->runner_up, "box",
                     region->left, region->top, region->right, region->bottom, "share", region->share);
}

cli_end cli_json_print(FILE *out, json_t *report) {
    SEG_FREED char *text = seg_json_dump(report, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    CLI_TRY(cli_allocated(text));
    fprintf(out, "%s\n", text);
    return cli_finish_output(CLI_OK);
}

cli_end cli_json_print_parts(FILE *out, json_t *report, json_t *const *parts, size_t count) {
    int complete = report != NULL;
    for (size_t i = 0; i < count; i++) {
        complete = complete && parts[i] && json_object_update(report, parts[i]) == 0;
        json_decref(parts[i]);
    }
    if (!complete)
        json_decref(seg_taken(&report));
    return cli_json_print(out, report);
}

void cli_method_text(const seg_method *method, seg_method_variant variant, const char *ran, char *text, size_t size) {
    const int other = strcmp(ran, method->name) != 0;
    snprintf(text, size, "%s%s%s%s%s", method->name, variant == SEG_VARIANT_PAPER ? ":paper" : "", other ? " (" : "",
             other ? ran : "", other ? ")" : "");
}
