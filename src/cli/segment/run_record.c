#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/segment/photo_run.h"

#include "base/json_read.h"
#include "pipeline/option_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- Writing. --- */

cli_end cli_save_run_inputs(const cli_photo_options *options, json_t **out) {
    int failed = 0;
    *out = json_object();
    for (int i = 0; i < CLI_PHOTO_INPUTS; i++) {
        const char *path = cli_photo_path(options, i);
        char hash[CLI_HASH_SIZE];
        if (!path)
            continue;
        CLI_TRY(cli_hash_file(path, hash));
        failed |= json_object_set_new(*out, cli_photo_files[i].name,
                                      json_pack("{s:o, s:s}", "path", cli_json_text(path), "sha256", hash));
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
    SEG_FREED char *text = record ? json_dumps(record, JSON_INDENT(2)) : NULL;
    json_decref(record);
    if (seg_json_lost() || !text)
        return cli_refuse(CLI_FAILED, "out of memory while writing '%s'", options->save_run);
    return cli_went(ctx, seg_file_write(ctx, options->save_run, text, strlen(text)), CLI_WRITING);
}

/* --- Reading. --- */

json_t *cli_run_record_read(const char *path, cli_end *end) {
    json_error_t error;
    json_t *record = NULL;
    size_t size;
    errno = 0;
    char *text = cli_file_read(path, &size);
    if (text)
        record = seg_json_read(text, size, JSON_REJECT_DUPLICATES, &error);
    if (errno == ENOMEM) {
        seg_json_lost();
        cli_say("out of memory while reading '%s'", path);
        json_decref(record);
        record = NULL;
        *end = CLI_FAILED;
    } else if (!text) {
        cli_say("cannot read the saved run '%s': %s", path, strerror(errno));
    } else if (!record) {
        cli_say("'%s' is not a saved run: line %d: %s", path, error.line, error.text);
    }
    free(text);
    return record;
}

const char *cli_run_record_text(json_t *object, const char *member) {
    return json_string_value(json_object_get(object, member));
}

cli_end cli_run_record_unfit(const char *path, const char *member) {
    return cli_refuse(CLI_INPUT, "'%s' is not a saved run: '%s' is missing or not what --save-run writes", path,
                      member);
}

/* One option of the record, of one text or a list of them. */
static cli_end set_option(const char *path, const char *name, json_t *value, cli_photo_options *out) {
    seg_option row;
    json_t *one;
    size_t i;
    if (cli_option_find(&cli_photo_table, name, &row) < 0 || !cli_is_recorded(&row) ||
        (!json_is_string(value) && !json_is_array(value)))
        return cli_run_record_unfit(path, name);
    if (json_is_string(value))
        return cli_set(&cli_photo_table, out, name, json_string_value(value));
    json_array_foreach(value, i, one) {
        if (!json_is_string(one))
            return cli_run_record_unfit(path, name);
        CLI_TRY(cli_set(&cli_photo_table, out, name, json_string_value(one)));
    }
    return CLI_GO_ON;
}

cli_end cli_run_record_options(const char *path, json_t *record, cli_photo_options *out) {
    json_t *options = json_object_get(record, "options"), *value;
    const char *name;
    if (!json_is_object(options) || !cli_run_record_text(options, "method"))
        return cli_run_record_unfit(path, "options");
    /* The method comes first, since the parameters depend on it. */
    CLI_TRY(set_option(path, "method", json_object_get(options, "method"), out));
    json_object_foreach(options, name, value) if (strcmp(name, "method") != 0)
        CLI_TRY(set_option(path, name, value, out));
    return CLI_GO_ON;
}
