/* The commands of the main job: segment PHOTO..., segment replay RUN.json and segment apply MODEL PHOTO... */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"
#include "cli/common/paths.h"
#include "cli/common/report_parts.h"
#include "pipeline/option_values.h"

#include <sys/stat.h>

/* "photo-scribbles.png", "scribbles.png", ... */
static int sounds_like_scribbles(const char *path) {
    static const char *const words[] = {"mark", "scribble", "stroke", "seed", "label"};
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(slash ? slash + 1 : path, words[i]))
            return 1;
    return 0;
}

/* Refuse a mistyped command or option, a missing image, and scribbles without their option, with a suggestion. */
static cli_end explain(const cli_photo_options *options) {
    const seg_texts *photos = &options->common.words;
    const char *first = photos->at[0], *command = NULL;
    if (cli_is_missing(first) && !strpbrk(first, "/.")) /* it may be a mistyped command */
        command = cli_nearest(first, cli_command_name);
    if (command)
        return cli_refuse(CLI_USAGE, "there is no image '%s'; did you mean the command 'segment %s'?", first, command);
    if (photos->count == 1 && cli_is_missing(first))
        return cli_refuse(CLI_INPUT, "there is no file '%s'; name an image, or a folder of images", first);
    struct stat about;
    if (photos->count == 1 && !cli_is_stream(first) && stat(first, &about) != 0 && errno != ENOENT && errno != ENOTDIR)
        return cli_refuse(CLI_INPUT, "cannot read '%.60s%s': %s", first, strlen(first) > 60 ? "..." : "",
                          strerror(errno));
    if (photos->count != 2 || options->scribbles || options->model || options->segment.k)
        return CLI_GO_ON;
    for (int i = 0; i < 2; i++)
        if (cli_is_missing(photos->at[i]))
            return cli_refuse(CLI_INPUT, "there is no file '%s'; name images, or folders of images", photos->at[i]);
    const int scribbles = sounds_like_scribbles(first) && !sounds_like_scribbles(photos->at[1]) ? 0 : 1;
    return cli_refuse(CLI_USAGE,
                      "'%s' is taken as a second image; did you mean --scribbles %s? (Without scribbles the number of "
                      "regions is needed: -k K)",
                      photos->at[scribbles], photos->at[scribbles]);
}

cli_end cli_run_photo(int argc, char **argv) {
    SEG_RELEASED(cli_photo_options_free) cli_photo_options options = {.photo = NULL};
    CLI_TRY(cli_photo_options_read(argc, argv, &options));
    CLI_TRY(explain(&options));
    CLI_TRY(cli_film_frames(&options));
    if (options.tiled && cli_is_batch(&options))
        return cli_refuse(CLI_USAGE, "--tiled takes one image; segment them one by one");
    return cli_is_batch(&options) ? cli_run_batch(&options) : cli_photo_job(&options, NULL, 0);
}

/* --- Records of runs: everything that determines the result, written by --save-run. --- */

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
    SEG_FREED char *text = seg_json_dump(record, JSON_INDENT(2));
    return !text ? cli_refuse(CLI_FAILED, "out of memory while writing '%s'", options->save_run)
                 : cli_went(ctx, seg_file_write(ctx, options->save_run, text, strlen(text)), CLI_WRITING);
}

/* --- segment replay: the options of a saved run, and further ones for outputs. --- */

const cli_table cli_replay_table = {
    .command = "segment replay",
    .usage = "RUN.json",
    .about =
        "Repeat a run that --save-run recorded, with the same bytes as result.\n\n"
        "RUN.json, which may be - for standard input, precedes the options. The options are those of the main job "
        "that do not change the result. The inputs are read from where they were; if one has changed, or if the mask "
        "differs, this is an error.",
    .more = "See also the manual page segment-replay(1).",
    .of = &cli_photo_table,
    .without = SEG_OPTION_MAKES_RESULT | CLI_OPTION_OF_SEVERAL,
};

json_t *cli_run_record_read(const char *path, cli_end *end) {
    json_error_t error;
    SEG_FREED unsigned char *text = NULL;
    size_t size;
    SEG_RELEASED(cli_context_free) seg_context *ctx = cli_context_create();
    const seg_status status = ctx ? seg_file_read(ctx, path, &text, &size) : SEG_ERR_MEMORY;
    json_t *record = status == SEG_OK ? seg_json_read((char *)text, size, JSON_REJECT_DUPLICATES, &error) : NULL;
    if (ctx && status != SEG_OK)
        *end = cli_fail(ctx, status, CLI_READING);
    else if (!ctx || (!record && errno == ENOMEM))
        *end = seg_json_lost() || ctx ? cli_out_of_memory() : CLI_FAILED;
    else if (!record)
        *end = cli_refuse(CLI_INPUT, "'%s' is not a saved run: line %d: %s", path, error.line, error.text);
    return record;
}

static const char *text_of(json_t *object, const char *member) {
    return json_string_value(json_object_get(object, member));
}

static cli_end refuse_record(const char *path, const char *member) {
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
        return refuse_record(path, name);
    if (json_is_string(value))
        return cli_set(&cli_photo_table, out, name, json_string_value(value));
    json_array_foreach(value, i, one) {
        if (!json_is_string(one))
            return refuse_record(path, name);
        CLI_TRY(cli_set(&cli_photo_table, out, name, json_string_value(one)));
    }
    return CLI_GO_ON;
}

cli_end cli_run_record_options(const char *path, json_t *record, cli_photo_options *out) {
    json_t *options = json_object_get(record, "options"), *value;
    const char *name;
    if (!json_is_object(options) || !text_of(options, "method"))
        return refuse_record(path, "options");
    /* The method comes first, since the parameters depend on it. */
    CLI_TRY(set_option(path, "method", json_object_get(options, "method"), out));
    json_object_foreach(options, name, value) if (strcmp(name, "method") != 0)
        CLI_TRY(set_option(path, name, value, out));
    return CLI_GO_ON;
}

static cli_end check_hash(const char *file, const char *wanted) {
    char hash[CLI_HASH_SIZE];
    CLI_TRY(cli_hash_file(file, hash));
    if (strcmp(hash, wanted) != 0)
        return cli_refuse(CLI_INPUT, "'%s' has changed since the run was saved; restore the file with SHA-256 %s", file,
                          wanted);
    return CLI_GO_ON;
}

/* Check that every input exists and is unchanged. The image, which is not an option, is out->photo. */
static cli_end take_inputs(const char *path, json_t *record, cli_photo_options *out) {
    json_t *inputs = json_object_get(record, "inputs");
    for (int i = 0; i < CLI_PHOTO_INPUTS; i++) {
        const char *name = cli_photo_files[i].name;
        json_t *input = json_object_get(inputs, name);
        const char *text = text_of(input, "path"), *wanted = text_of(input, "sha256");
        if (!input && i > 0)
            continue;
        if (!text || !wanted || strcmp(text, "-") == 0)
            return refuse_record(path, name);
        char *file = seg_name_encode(text, SEG_NAME_BYTES);
        if (!cli_photo_own(out, file))
            return CLI_FAILED;
        CLI_TRY(check_hash(file, wanted));
        cli_photo_set_path(out, i, file);
    }
    return CLI_GO_ON;
}

static cli_end replay(const char *path, json_t *record, int argc, char **argv, cli_photo_options *out) {
    const char *version = text_of(record, "version"), *hash = text_of(record, "mask_sha256");
    if (!version || !hash)
        return refuse_record(path, version ? "mask_sha256" : "version");
    CLI_TRY(cli_run_record_options(path, record, out));
    CLI_TRY(take_inputs(path, record, out));
    CLI_TRY(cli_parse(&cli_replay_table, argc, argv, out));
    if (out->tiled)
        return cli_refuse(CLI_USAGE, "replay does not take --tiled: recorded runs read their images as a whole");
    CLI_TRY(cli_most_words(&out->common, 0, "replay takes no further image: the record names it"));
    if (strcmp(version, seg_version()) != 0)
        cli_say("the run was saved by version %s and this is %s; the mask may differ", version, seg_version());
    return cli_photo_job(out, hash, 0);
}

cli_end cli_run_replay(int argc, char **argv) {
    SEG_RELEASED(cli_photo_options_free) cli_photo_options options = {.photo = NULL};
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--help", 6) == 0 || strcmp(argv[i], "-h") == 0)
            return cli_parse(&cli_replay_table, 2, (char *[]){argv[0], argv[i]}, &options);
    if (argc < 2 || (argv[1][0] == '-' && argv[1][1]))
        return cli_refuse(CLI_USAGE,
                          "replay needs the file that --save-run wrote, before any option: segment replay RUN.json");
    cli_end end = CLI_INPUT;
    json_t *record = cli_run_record_read(argv[1], &end);
    cli_photo_options_default(&options);
    if (record)
        end = replay(argv[1], record, argc - 1, argv + 1, &options);
    json_decref(record);
    return end;
}

/* --- segment apply: a model of other images. --- */

const cli_table cli_apply_table = {
    .command = "segment apply",
    .usage = "MODEL PHOTO...",
    .about =
        "Segment images with a model that 'segment learn' learned from others.\n\n"
        "MODEL is a file written by 'segment learn'. PHOTO is an image or a folder of images. --scribbles, a file or a "
        "folder, may mark regions of some images; near its scribbles an image follows them rather than the model. "
        "Outputs are named as by 'segment': -o MASKS is a folder if there are several images, or if the name ends in "
        "/. Pixels that resemble nothing marked are 255 in the mask (--no-unknown: they get the most probable label).",
    .more = "See also the manual page segment-apply(1).",
    .of = &cli_photo_table,
};

/* The first word is the model. */
static cli_end take_model(cli_photo_options *out) {
    seg_texts *words = &out->common.words;
    if (out->model)
        return cli_refuse(CLI_USAGE, "apply takes its model as the first word; leave out --model");
    if (out->volume)
        return cli_refuse(CLI_USAGE, "a model is of images, not of volumes; leave out --volume");
    if (words->count < 2)
        return cli_refuse(CLI_USAGE, "apply needs a model and images: segment apply MODEL PHOTO...");
    out->model = words->at[0];
    memmove(words->at, words->at + 1, (size_t)--words->count * sizeof *words->at);
    out->photo = words->at[0];
    return CLI_GO_ON;
}

static int names_folder(const char *path) {
    const size_t length = path ? strlen(path) : 0;
    return length && (path[length - 1] == '/' || cli_is_folder(path));
}

cli_end cli_run_apply(int argc, char **argv) {
    SEG_RELEASED(cli_photo_options_free) cli_photo_options options = {.photo = NULL};
    cli_photo_options_default(&options);
    CLI_TRY(cli_parse(&cli_apply_table, argc, argv, &options));
    CLI_TRY(take_model(&options));
    return cli_is_batch(&options) || names_folder(options.mask) ? cli_run_batch(&options)
                                                                : cli_photo_job(&options, NULL, 0);
}
