#include "save_run.h"
#include "exit_codes.h"
#include "file_hash.h"
#include "json_out.h"

#include "evaluation/json_read.h"

#include <stdlib.h>
#include <string.h>

const char *const cli_input_names[] = {"photo", "scribbles", "constraints", "labelmap", "truth", NULL};

int cli_makes_result(const char *name) {
    static const char *const makes[] = {"regions",        "alpha",    "outline", "method", "param",  "patch",
                                        "features",       "graph",    "knn",     "edges",  "sigma",  "pairs",
                                        "contradictions", "restarts", "refine",  "seed",   "reduce", "reach"};
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++) {
        if (strcmp(makes[i], name) == 0) {
            return 1;
        }
    }
    return 0;
}

int cli_replays(const char *name) {
    for (int i = 0; cli_input_names[i]; i++) {
        if (strcmp(cli_input_names[i], name) == 0) {
            return strcmp(name, "truth") == 0; /* which only scores */
        }
    }
    return !cli_makes_result(name);
}

int cli_save_run_inputs(const cli_photo_options *options, json_t **out) {
    const char *const path[] = {options->photo, options->scribbles, options->constraints, options->labelmap,
                                options->truth};
    int failed = 0;
    *out = json_object();
    for (int i = 0; cli_input_names[i]; i++) {
        char hash[CLI_HASH_SIZE];
        if (!path[i]) {
            continue;
        }
        int code = cli_hash_file(path[i], hash);
        if (code != -1) {
            return code;
        }
        failed |= json_object_set_new(*out, cli_input_names[i],
                                      json_pack("{s:o, s:s}", "path", cli_json_text(path[i]), "sha256", hash));
    }
    if (failed) {
        cli_say("out of memory");
        return CLI_FAILED;
    }
    return -1;
}

static void put_option(void *object, const char *name, const char *text) {
    /* The method, its parameters and the features are written as they were resolved. */
    if (cli_makes_result(name) && strcmp(name, "method") != 0 && strcmp(name, "param") != 0 &&
        strcmp(name, "features") != 0) {
        json_object_set_new(object, name, json_string(text));
    }
}

/* "mean=1,spread=0.6" */
static json_t *features_text(const seg_feature_spec *spec) {
    char text[512], real[32];
    size_t used = 0;
    text[0] = 0;
    for (int kind = 0; kind < SEG_FEATURE_KINDS && used < sizeof text; kind++) {
        if (spec->weight[kind] > 0) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%s", used ? "," : "",
                                     seg_feature_name((seg_feature_kind)kind), cli_real_text(spec->weight[kind], real));
        }
    }
    return json_string(text);
}

static json_t *params_texts(const seg_method *method, const seg_params *params) {
    char real[32];
    json_t *all = json_array();
    for (int i = 0; i < method->param_count; i++) {
        const seg_param *p = &method->param[i];
        json_array_append_new(all, p->choice ? json_sprintf("%s=%s", p->name, p->choice[(int)params->value[i]])
                                             : json_sprintf("%s=%s", p->name, cli_real_text(params->value[i], real)));
    }
    return all;
}

int cli_save_run(seg_context *ctx, const cli_photo_options *options, json_t *inputs, const seg_result *result) {
    char hash[CLI_HASH_SIZE];
    json_t *how = json_object();
    cli_hash_mask(&result->mask, hash);
    json_object_set_new(how, "method", json_string(result->method->name));
    json_object_set_new(how, "param", params_texts(result->method, &result->params));
    json_object_set_new(how, "features", features_text(&options->segment.features));
    cli_photo_options_each(options, put_option, how);
    json_t *record = json_pack("{s:s, s:s, s:O, s:o, s:s}", "program", "segment", "version", seg_version(), "inputs",
                               inputs, "options", how, "mask_sha256", hash);
    char *text = record ? json_dumps(record, JSON_INDENT(2)) : NULL;
    json_decref(record);
    if (seg_json_lost() || !text) {
        free(text);
        cli_say("out of memory while writing '%s'", options->save_run);
        return CLI_FAILED;
    }
    seg_status status = seg_file_write(ctx, options->save_run, text, strlen(text));
    free(text);
    return status == SEG_OK ? -1 : cli_fail(ctx, status, CLI_WRITING);
}
