#include "cli/segment/save_run.h"
#include "cli/common/errors.h"
#include "cli/common/file_hash.h"
#include "cli/common/json_out.h"

#include "base/json_read.h"
#include "pipeline/option_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_input_names[] = {"photo", "scribbles", "constraints", "labelmap", "truth", "model", NULL};

cli_end cli_save_run_inputs(const cli_photo_options *options, json_t **out) {
    const char *const path[] = {options->photo,    options->scribbles, options->constraints,
                                options->labelmap, options->truth,     options->model};
    int failed = 0;
    *out = json_object();
    for (int i = 0; cli_input_names[i]; i++) {
        char hash[CLI_HASH_SIZE];
        if (!path[i])
            continue;
        const cli_end end = cli_hash_file(path[i], hash);
        if (end != CLI_GO_ON)
            return end;
        failed |= json_object_set_new(*out, cli_input_names[i],
                                      json_pack("{s:o, s:s}", "path", cli_json_text(path[i]), "sha256", hash));
    }
    return failed ? cli_out_of_memory() : CLI_GO_ON;
}

static json_t *params_texts(const seg_method *method, const seg_params *params) {
    char real[32];
    json_t *all = json_array();
    for (int i = 0; i < method->param_count; i++) {
        static const seg_option number = {.type = SEG_OPTION_REAL};
        const seg_param *p = &method->param[i];
        seg_option_get(&number, &params->value[i], real, sizeof real);
        json_array_append_new(all, p->choice ? json_sprintf("%s=%s", p->name, p->choice[(int)params->value[i]])
                                             : json_sprintf("%s=%s", p->name, real));
    }
    return all;
}

/* Write nothing if the option is not given and has no default. */
static void put_option(json_t *object, const cli_photo_options *options, const char *name) {
    char text[1024];
    seg_option row;
    const int no_neighbours = options->segment.graph.kind == SEG_GRAPH_FULL && strcmp(name, "knn") == 0;
    cli_option_find(&cli_photo_table, name, &row);
    const char *value = no_neighbours ? NULL : seg_option_get(&row, options, text, sizeof text);
    if (value)
        json_object_set_new(object, name, json_string(value));
}

/* The method and the parameters that were used are written. */
cli_end cli_save_run(seg_context *ctx, const cli_photo_options *options, json_t *inputs, const seg_result *result) {
    char hash[CLI_HASH_SIZE];
    seg_option row;
    json_t *how = json_object();
    cli_hash_mask(&result->mask, hash);
    json_object_set_new(
        how, "method",
        json_sprintf("%s%s", result->method->name, options->segment.variant == SEG_VARIANT_PAPER ? ":paper" : ""));
    json_object_set_new(how, "param", params_texts(result->method, &result->params));
    put_option(how, options, "features");
    for (int group = SEG_OPTIONS_INPUT; group <= SEG_OPTIONS_SAY; group++)
        for (cli_walk walk = {0}; cli_next_option(&cli_photo_table, &walk, &row);)
            if ((int)row.group == group && cli_is_recorded(&row) && !json_object_get(how, row.name))
                put_option(how, options, row.name);
    json_t *record = json_pack("{s:s, s:s, s:O, s:o, s:s}", "program", "segment", "version", seg_version(), "inputs",
                               inputs, "options", how, "mask_sha256", hash);
    char *text = record ? json_dumps(record, JSON_INDENT(2)) : NULL;
    json_decref(record);
    if (seg_json_lost() || !text) {
        free(text);
        return cli_refuse(CLI_FAILED, "out of memory while writing '%s'", options->save_run);
    }
    seg_status status = seg_file_write(ctx, options->save_run, text, strlen(text));
    free(text);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_WRITING);
}
