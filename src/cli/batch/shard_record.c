#include "cli/batch/batch.h"
#include "cli/common/paths.h"
#include "cli/common/report_parts.h"

#include "base/json_read.h"
#include "pipeline/option_values.h"

#include <segment/names.h>

#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Settings. --- */

/* Options that make the result and are not at their default. */
static void put_how(json_t *how, const cli_photo_options *options) {
    cli_photo_options usual;
    seg_option row;
    cli_photo_options_default(&usual);
    for (cli_walk walk = {0}; cli_next_option(&cli_photo_table, &walk, &row);) {
        char ours[1024], theirs[1024];
        const int counts = cli_is_recorded(&row) && row.type != SEG_OPTION_PARAM;
        const char *is = counts ? seg_option_get(&row, options, ours, sizeof ours) : NULL;
        const char *was = counts ? seg_option_get(&row, &usual, theirs, sizeof theirs) : NULL;
        if (is && !(was && strcmp(is, was) == 0))
            json_object_set_new(how, row.name, json_string(is));
    }
    const int constrained = options->scribbles || options->constraints || options->model;
    const seg_method *method = options->segment.method ? seg_method_find(options->segment.method)
                                                       : seg_method_find(constrained ? NULL : SEG_METHOD_UNCONSTRAINED);
    if (method && options->segment.params_set)
        json_object_set_new(how, "param", cli_json_params(method, &options->segment.params));
    if (options->common.max_memory) /* plans are adapted to it */
        json_object_set_new(how, "max_memory", json_integer((json_int_t)options->common.max_memory));
    if (options->names)
        json_object_set_new(how, "names", cli_json_text(options->names));
    cli_photo_options_free(&usual);
}

/* What is written for each image besides its mask. */
static void put_written(json_t *list, const cli_photo_options *options) {
    const struct {
        const char *name;
        int written;
    } output[] = {{"overlay", !options->no_overlay},       {"legend", options->legend},
                  {"prob", options->probability != NULL},  {"uncertainty", options->uncertainty != NULL},
                  {"save-run", options->save_run != NULL}, {"table", options->table != NULL},
                  {"truth", options->truth != NULL},       {"json", options->common.json}};
    for (size_t i = 0; i < sizeof output / sizeof *output; i++)
        if (output[i].written)
            json_array_append_new(list, json_string(output[i].name));
    for (int i = 0; i < options->export_texts.count; i++)
        json_array_append_new(list, cli_json_text(options->export_texts.at[i]));
}

char *cli_shard_settings(const cli_photo_options *options) {
    json_t *how = json_object(), *written = json_array();
    put_how(how, options);
    put_written(written, options);
    json_t *line = json_pack("{s:s, s:s, s:o, s:o}", "batch", "segment", "version", seg_version(), "options", how,
                             "written", written);
    char *text = json_dumps(line, JSON_COMPACT);
    json_decref(line);
    if (text && !seg_json_lost())
        return text;
    free(text);
    cli_out_of_memory();
    return NULL;
}

/* --- Keys. --- */

/* Of a file its length and when it was changed, as make(1) tells a changed file. */
static void add_file(struct sha256_ctx *sum, const char *path) {
    struct stat about;
    char text[96] = "none;";
    if (path && stat(path, &about) == 0)
        snprintf(text, sizeof text, "%jd %jd.%09ld;", (intmax_t)about.st_size, (intmax_t)about.st_mtim.tv_sec,
                 about.st_mtim.tv_nsec);
    sha256_update(sum, strlen(text), (const uint8_t *)text);
}

uint64_t cli_shard_inputs_sum(const cli_photo_options *job) {
    struct sha256_ctx sum;
    uint8_t digest[8];
    uint64_t number = 0;
    sha256_init(&sum);
    for (int i = 0; i < CLI_PHOTO_INPUTS; i++)
        add_file(&sum, cli_photo_path(job, i));
    sha256_digest(&sum, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        number = number << 8 | digest[i];
    return number;
}

char *cli_shard_key(const char *photo, uint64_t sum, int attempt) {
    char *base = cli_default_name(photo, ""), *name = base ? seg_name_encode(base, SEG_NAME_LINE) : NULL, *key = NULL;
    if (name && asprintf(&key, "%s#%016" PRIx64 "#%d", name, sum, attempt) < 0)
        key = NULL;
    seg_free(name);
    free(base);
    return key;
}

/* --- Records. --- */

static int put_text(json_t *object, const char *name, const char *text) {
    if (!text || !*text)
        return 0;
    char *whole = seg_name_encode(text, SEG_NAME_JSON); /* any bytes may stand in a file's name */
    const int lost = !whole || json_object_set_new(object, name, json_string(whole));
    seg_free(whole);
    return lost;
}

char *cli_shard_record_text(const cli_shard_record *record) {
    json_t *object = json_pack("{s:i, s:i}", "end", record->end, "tried", record->tried);
    int lost = !object;
    lost = lost || put_text(object, "table", record->table);
    lost = lost || put_text(object, "said", record->said);
    lost = lost || put_text(object, "why", record->why);
    char *text = lost ? NULL : json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

/* or NULL. */
static char *take_text(const json_t *object, const char *name, int *lost) {
    const char *text = json_string_value(json_object_get(object, name));
    char *copy = text ? seg_name_encode(text, SEG_NAME_BYTES) : NULL;
    *lost |= text && !copy;
    return copy;
}

int cli_shard_record_read(const char *text, cli_shard_record *out) {
    json_t *object = seg_json_read(text, strlen(text), 0, NULL);
    int lost = 0;
    *out = (cli_shard_record){0};
    const int good = object && json_unpack(object, "{s:i, s:i}", "end", &out->end, "tried", &out->tried) == 0;
    out->table = take_text(object, "table", &lost);
    out->said = take_text(object, "said", &lost);
    out->why = take_text(object, "why", &lost);
    json_decref(object);
    return good && !lost;
}

void cli_shard_record_free(cli_shard_record *record) {
    free(record->table);
    free(record->said);
    free(record->why);
    *record = (cli_shard_record){0};
}
