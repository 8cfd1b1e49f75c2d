/* The commands of the main job: segment PHOTO..., segment replay RUN.json and segment apply MODEL PHOTO... */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"
#include "cli/common/option_table.h"
#include "cli/common/paths.h"
#include "cli/segment/photo_files.h"
#include "cli/segment/photo_run.h"

#include <segment/names.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static int is_there(const char *path) {
    struct stat about;
    return strcmp(path, "-") == 0 || stat(path, &about) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

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
    if (!is_there(first) && !strpbrk(first, "/.")) /* it may be a mistyped command */
        command = cli_nearest(first, cli_command_name);
    if (command)
        return cli_refuse(CLI_USAGE, "there is no image '%s'; did you mean the command 'segment %s'?", first, command);
    if (photos->count == 1 && !is_there(first))
        return cli_refuse(CLI_INPUT, "there is no file '%s'; name an image, or a folder of images", first);
    struct stat about;
    if (photos->count == 1 && strcmp(first, "-") != 0 && stat(first, &about) != 0)
        return cli_refuse(CLI_INPUT, "cannot read '%.60s%s': %s", first, strlen(first) > 60 ? "..." : "",
                          strerror(errno));
    if (photos->count != 2 || options->scribbles || options->model || options->segment.k)
        return CLI_GO_ON;
    for (int i = 0; i < 2; i++) {
        if (!is_there(photos->at[i]))
            return cli_refuse(CLI_INPUT, "there is no file '%s'; name images, or folders of images", photos->at[i]);
    }
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
    if (options.tiled && cli_is_batch(&options))
        return cli_refuse(CLI_USAGE, "--tiled takes one image; segment them one by one");
    return cli_is_batch(&options) ? cli_run_batch(&options) : cli_photo_job(&options, NULL, 0);
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
        const char *text = cli_run_record_text(input, "path"), *wanted = cli_run_record_text(input, "sha256");
        if (!input && i > 0)
            continue;
        if (!text || !wanted || strcmp(text, "-") == 0)
            return cli_run_record_unfit(path, name);
        char *file = seg_name_encode(text, SEG_NAME_BYTES);
        if (!cli_photo_own(out, file))
            return CLI_FAILED;
        CLI_TRY(check_hash(file, wanted));
        cli_photo_set_path(out, i, file);
    }
    return CLI_GO_ON;
}

static cli_end replay(const char *path, json_t *record, int argc, char **argv, cli_photo_options *out) {
    const char *version = cli_run_record_text(record, "version"), *hash = cli_run_record_text(record, "mask_sha256");
    if (!version || !hash)
        return cli_run_record_unfit(path, version ? "mask_sha256" : "version");
    CLI_TRY(cli_run_record_options(path, record, out));
    CLI_TRY(take_inputs(path, record, out));
    CLI_TRY(cli_parse(&cli_photo_table, argc, argv, out));
    if (out->tiled)
        return cli_refuse(CLI_USAGE, "replay does not take --tiled: recorded runs read their images as a whole");
    CLI_TRY(cli_most_words(&out->common, 0, "replay takes no further image: the record names it"));
    if (cli_names_shared(out))
        return cli_refuse(CLI_USAGE, "--jobs, --shard and --resume are for several images; a replay is of one");
    if (strcmp(version, seg_version()) != 0)
        cli_say("the run was saved by version %s and this is %s; the mask may differ", version, seg_version());
    return cli_photo_job(out, hash, 0);
}

cli_end cli_run_replay(int argc, char **argv) {
    cli_photo_options options = {.photo = NULL};
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
    cli_photo_options_free(&options);
    json_decref(record);
    return end;
}

/* --- segment apply: a model of other images. --- */

/* A model counts as constraints. */
static const seg_method *usual_method(const void *options) {
    (void)options;
    return seg_method_find(NULL);
}

const cli_table cli_apply_table = {
    .command = "segment apply",
    .usage = "MODEL PHOTO...",
    .about =
        "Segment images with a model that 'segment learn' learned from others.\n\n"
        "MODEL is a file written by 'segment learn'. PHOTO is an image or a folder of images. --scribbles, a file or a "
        "folder, may mark regions of some images; near its scribbles an image follows them rather than the model. "
        "Outputs are named as by 'segment': -o MASKS is a folder if there are several images, or if the name ends in "
        "/. Pixels that resemble nothing marked are 255 in the mask (--no-unknown: they get the most probable label).",
    .heading = {[SEG_OPTIONS_INPUT] = "What to segment",
                [SEG_OPTIONS_OUTPUT] = "Output",
                [SEG_OPTIONS_HOW] = "How to segment",
                [SEG_OPTIONS_SAY] = "Messages"},
    .more = "See also the manual page segment-apply(1).",
    .of = &cli_photo_table,
    .usual_method = usual_method,
};

/* The first word is the model. */
static cli_end take_model(cli_photo_options *out) {
    seg_texts *words = &out->common.words;
    if (out->model)
        return cli_refuse(CLI_USAGE, "apply takes its model as the first word; leave out --model");
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
