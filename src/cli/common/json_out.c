#include "cli/common/json_out.h"
#include "cli/common/process.h"
#include "cli/eval/scores.h"

#include "base/json_read.h"

#include <segment/names.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *cli_json_text(const char *text) {
    if (!text)
        return json_null();
    char *encoded = seg_name_encode(text, SEG_NAME_JSON);
    if (!encoded)
        seg_json_lose();
    json_t *json = encoded ? json_string(encoded) : NULL;
    free(encoded);
    return json;
}

json_t *cli_json_real(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *cli_json_param(const seg_param *param, double value) {
    if (param->choice)
        return cli_json_text(param->choice[(int)value]);
    return param->whole ? json_integer((json_int_t)value) : cli_json_real(value);
}

json_t *cli_json_params(const seg_method *method, const seg_params *params) {
    json_t *all = json_object();
    for (int i = 0; i < method->param_count; i++) {
        if (json_object_set_new(all, method->param[i].name, cli_json_param(&method->param[i], params->value[i]))) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}

json_t *cli_json_kept(const seg_kept *kept) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "must_links", (json_int_t)kept->must_links, "cannot_links",
                     (json_int_t)kept->cannot_links, "violated",
                     (json_int_t)(kept->broken_must_links + kept->broken_cannot_links), "violated_must_links",
                     (json_int_t)kept->broken_must_links, "violated_cannot_links",
                     (json_int_t)kept->broken_cannot_links);
}

json_t *cli_json_scores(const seg_scores *scores) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I}", "pairwise_accuracy",
                     cli_json_real(scores->pairwise_accuracy), "clustering_error",
                     cli_json_real(scores->clustering_error), "nmi", cli_json_real(scores->nmi), "pairwise_f",
                     cli_json_real(scores->pairwise_f), "mean_dice", cli_json_real(scores->mean_dice), "error_rate",
                     cli_json_real(scores->error_rate), "scored", (json_int_t)scores->scored);
}

json_t *cli_json_scored(const seg_scores *scores, const cli_scored *scored) {
    json_t *all = cli_json_scores(scores);
    const double share = scored->pixels ? (double)scored->scored / (double)scored->pixels : 0;
    json_object_set_new(all, "scored_share", json_real(share));
    if (scored->has_scribbles)
        json_object_set_new(all, "scored_unmarked", json_integer((json_int_t)scored->unmarked));
    return all;
}

cli_end cli_json_print(FILE *out, json_t *report) {
    char *text = report ? json_dumps(report, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(report);
    if (seg_json_lost() || !text) {
        cli_say("out of memory");
        free(text);
        return CLI_FAILED;
    }
    fprintf(out, "%s\n", text);
    free(text);
    return cli_finish_output(CLI_OK);
}

cli_end cli_json_print_parts(FILE *out, json_t *report, json_t *const *parts, size_t count) {
    int complete = report != NULL;
    for (size_t i = 0; i < count; i++) {
        complete = complete && parts[i] && json_object_update(report, parts[i]) == 0;
        json_decref(parts[i]);
    }
    if (!complete) {
        json_decref(report);
        report = NULL;
    }
    return cli_json_print(out, report);
}

void cli_method_text(const seg_method *method, seg_method_variant variant, const char *ran, char *text, size_t size) {
    const int other = strcmp(ran, method->name) != 0;
    snprintf(text, size, "%s%s%s%s%s", method->name, variant == SEG_VARIANT_PAPER ? ":paper" : "", other ? " (" : "",
             other ? ran : "", other ? ")" : "");
}
