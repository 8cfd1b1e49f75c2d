/* segment replay RUN.json [OPTIONS]: the main job with the options of a saved run and further ones, which say what to
 * write. */
#include "commands.h"
#include "exit_codes.h"
#include "file_hash.h"
#include "run_record.h"
#include "save_run.h"

#include <segment/names.h>

#include <stdlib.h>
#include <string.h>

/* Its words only: the options are the main job's (commands.c). */
const struct argp cli_replay_argp = {
    .args_doc = "RUN.json",
    .doc =
        "Segment again as --save-run wrote it down, and give the same bytes.\n\n"
        "RUN.json, which may be - for standard input, stands before the options. The options are those of the main job "
        "that do not change the result. The inputs are read from where they were, and it is an error where one has "
        "changed, or where the mask comes out differently."
        "\vThe manual page segment-replay(1) tells more.",
};

/* All here: -1 or the exit code. */
static int check_hash(const char *file, const char *wanted) {
    char hash[CLI_HASH_SIZE];
    int code = cli_hash_file(file, hash);
    if (code == -1 && strcmp(hash, wanted) != 0) {
        cli_say("'%s' has changed since the run was saved; bring back the file with the SHA-256 %s", file, wanted);
        code = CLI_INPUT;
    }
    return code;
}

/* Every input is there and has not changed. The image, which comes last as an argument, into *photo, to be freed
 * in every case. */
static int take_inputs(const char *path, json_t *record, cli_made_arguments *out, char **photo) {
    json_t *inputs = json_object_get(record, "inputs");
    for (int i = 0; cli_input_names[i]; i++) {
        json_t *input = json_object_get(inputs, cli_input_names[i]);
        const char *text = cli_run_record_text(input, "path"), *wanted = cli_run_record_text(input, "sha256");
        if (!input && i > 0) {
            continue;
        }
        if (!text || !wanted || strcmp(text, "-") == 0) {
            return cli_run_record_unfit(path, cli_input_names[i]);
        }
        char *file = strdup(text);
        if (!file) {
            cli_say("out of memory");
            return CLI_FAILED;
        }
        seg_name_decode(file);
        int code = check_hash(file, wanted);
        if (code == -1 && i > 0 && !cli_made_arguments_put(out, cli_input_names[i], file)) {
            code = CLI_FAILED;
        }
        if (i == 0) {
            *photo = file;
        } else {
            free(file);
        }
        if (code != -1) {
            return code;
        }
    }
    return -1;
}

static int replay(const char *path, json_t *record, int argc, char **argv, cli_made_arguments *out) {
    const char *version = cli_run_record_text(record, "version"), *hash = cli_run_record_text(record, "mask_sha256");
    char *photo = NULL;
    if (!version || !hash) {
        return cli_run_record_unfit(path, version ? "mask_sha256" : "version");
    }
    int code = cli_run_record_options(path, record, out);
    code = code == -1 ? take_inputs(path, record, out, &photo) : code;
    for (int i = 0; i < argc && code == -1; i++) {
        code = cli_made_arguments_put(out, NULL, argv[i]) ? -1 : CLI_FAILED;
    }
    if (code == -1 && (!cli_made_arguments_put(out, NULL, "--") || !cli_made_arguments_put(out, NULL, photo))) {
        code = CLI_FAILED;
    }
    if (code == -1 && strcmp(version, seg_version()) != 0) {
        cli_say("the run was saved by version %s and this is %s; the mask may come out differently", version,
                seg_version());
    }
    free(photo);
    return code == -1 ? cli_photo_job(out->count, out->at, hash, 0) : code;
}

int cli_run_replay(int argc, char **argv) {
    cli_made_arguments made = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return cli_command_help(cli_command_find(argv[0]));
        }
    }
    if (argc < 2 || (argv[1][0] == '-' && argv[1][1])) {
        cli_say("replay needs the file that --save-run wrote, before any option: segment replay RUN.json");
        return CLI_USAGE;
    }
    int code = CLI_INPUT;
    json_t *record = cli_run_record_read(argv[1], &code);
    if (record) {
        code = replay(argv[1], record, argc - 2, argv + 2, &made);
    }
    json_decref(record);
    cli_made_arguments_free(&made);
    return code;
}
