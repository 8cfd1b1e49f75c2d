/* segment replay RUN.json [OPTIONS]: the main job with the options of a saved run and further options for outputs. */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"
#include "cli/common/errors.h"
#include "cli/common/file_hash.h"
#include "cli/help/help.h"
#include "cli/segment/photo_job.h"
#include "cli/segment/run_record.h"
#include "cli/segment/save_run.h"

#include <segment/names.h>

#include <string.h>

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
    const cli_end end = cli_hash_file(file, hash);
    if (end == CLI_GO_ON && strcmp(hash, wanted) != 0)
        return cli_refuse(CLI_INPUT, "'%s' has changed since the run was saved; restore the file with SHA-256 %s", file,
                          wanted);
    return end;
}

/* Check that every input exists and is unchanged. The image, which is not an option, is out->photo. */
static cli_end take_inputs(const char *path, json_t *record, cli_photo_options *out) {
    json_t *inputs = json_object_get(record, "inputs");
    for (int i = 0; cli_input_names[i]; i++) {
        json_t *input = json_object_get(inputs, cli_input_names[i]);
        const char *text = cli_run_record_text(input, "path"), *wanted = cli_run_record_text(input, "sha256");
        if (!input && i > 0)
            continue;
        if (!text || !wanted || strcmp(text, "-") == 0)
            return cli_run_record_unfit(path, cli_input_names[i]);
        char *file = seg_name_encode(text, SEG_NAME_BYTES);
        if (!cli_photo_own(out, file))
            return CLI_FAILED;
        cli_end end = check_hash(file, wanted);
        if (i == 0)
            out->photo = file;
        else if (end == CLI_GO_ON)
            end = cli_set(&cli_photo_table, out, cli_input_names[i], file);
        if (end != CLI_GO_ON)
            return end;
    }
    return CLI_GO_ON;
}

static cli_end replay(const char *path, json_t *record, int argc, char **argv, cli_photo_options *out) {
    const char *version = cli_run_record_text(record, "version"), *hash = cli_run_record_text(record, "mask_sha256");
    if (!version || !hash)
        return cli_run_record_unfit(path, version ? "mask_sha256" : "version");
    cli_end end = cli_run_record_options(path, record, out);
    end = end == CLI_GO_ON ? take_inputs(path, record, out) : end;
    end = end == CLI_GO_ON ? cli_parse(&cli_photo_table, argc, argv, out) : end;
    if (end == CLI_GO_ON && out->tiled)
        return cli_refuse(CLI_USAGE, "replay does not take --tiled: recorded runs read their images as a whole");
    if (end == CLI_GO_ON)
        end = cli_most_words(&out->common, 0, "replay takes no further image: the record names it");
    if (end == CLI_GO_ON && cli_names_shared(out))
        end = cli_refuse(CLI_USAGE, "--jobs, --shard and --restart are for several images; a replay is of one");
    if (end == CLI_GO_ON && strcmp(version, seg_version()) != 0)
        cli_say("the run was saved by version %s and this is %s; the mask may differ", version, seg_version());
    return end == CLI_GO_ON ? cli_photo_job(out, hash, 0) : end;
}

cli_end cli_run_replay(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--help", 6) == 0 || strcmp(argv[i], "-h") == 0) {
            cli_help(&cli_replay_table, 1);
            return cli_finish_output(CLI_OK);
        }
    if (argc < 2 || (argv[1][0] == '-' && argv[1][1]))
        return cli_refuse(CLI_USAGE,
                          "replay needs the file that --save-run wrote, before any option: segment replay RUN.json");
    cli_photo_options options;
    cli_end end = CLI_INPUT;
    json_t *record = cli_run_record_read(argv[1], &end);
    cli_photo_options_default(&options);
    if (record)
        end = replay(argv[1], record, argc - 1, argv + 1, &options);
    cli_photo_options_free(&options);
    json_decref(record);
    return end;
}
