/* segment replay RUN.json [OPTIONS]: the main job with the options of a saved run and further ones, which say what to
 * write. */
#include "commands.h"
#include "exit_codes.h"
#include "file_hash.h"
#include "json_out.h"
#include "save_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: segment replay RUN.json [OPTION...]\n"
    "Segment again as --save-run wrote it down, and give the same bytes.\n\n"
    "The options are those of the main job that do not change the result: what to write (-o, --overlay, --export, "
    "...),\n"
    "--truth, --threads and what to say; 'segment --help' tells them. The inputs are read from where they were, and "
    "it\n"
    "is an error where one has changed, or where the mask comes out differently. RUN.json may be -, standard input.\n";

int cli_replay_help(void) {
    fputs(help, stdout);
    return cli_finish_output(CLI_OK);
}

/* The arguments of the main job, each owned. */
typedef struct arguments {
    char **at;
    int count, room;
} arguments;

/* Append "NAME=VALUE", or VALUE alone. 0 without memory, which is said. */
static int put(arguments *a, const char *name, const char *value) {
    int length = -1;
    if (a->count + 1 >= a->room) {
        const int room = a->room ? 2 * a->room : 64;
        char **grown = realloc(a->at, (size_t)room * sizeof *grown);
        if (!grown) {
            goto done;
        }
        a->at = grown;
        a->room = room;
    }
    length = name ? asprintf(&a->at[a->count], "--%s=%s", name, value) : asprintf(&a->at[a->count], "%s", value);
done:
    if (length < 0) {
        cli_say("out of memory");
        return 0;
    }
    a->at[++a->count] = NULL;
    return 1;
}

/* NULL on failure, with the exit code. */
static json_t *read_record(const char *path, int *code) {
    json_error_t error;
    const int standard = strcmp(path, "-") == 0;
    errno = 0;
    json_t *record = standard ? json_loadf(stdin, JSON_REJECT_DUPLICATES, &error)
                              : json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (errno == ENOMEM) { /* Jansson may go on with texts that have lost some letters */
        cli_json_lost();
        cli_say("out of memory while reading '%s'", path);
        json_decref(record);
        record = NULL;
        *code = CLI_FAILED;
    } else if (!record && error.line < 0) {
        cli_say("cannot read the saved run: %s", error.text);
    } else if (!record) {
        cli_say("'%s' is no saved run: line %d: %s", path, error.line, error.text);
    }
    return record;
}

static const char *text_of(json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static int unfit(const char *path, const char *member) {
    cli_say("'%s' is no saved run: '%s' is missing or not what --save-run writes", path, member);
    return CLI_INPUT;
}

/* Every input is there and has not changed. The photograph, which comes last as an argument, into *photo.
 * All here: -1 or the exit code. */
static int take_inputs(const char *path, json_t *record, arguments *out, const char **photo) {
    json_t *inputs = json_object_get(record, "inputs");
    for (int i = 0; cli_input_names[i]; i++) {
        json_t *input = json_object_get(inputs, cli_input_names[i]);
        const char *file = text_of(input, "path"), *wanted = text_of(input, "sha256");
        char hash[CLI_HASH_SIZE];
        if (!input && i > 0) {
            continue;
        }
        if (!file || !wanted || strcmp(file, "-") == 0) {
            return unfit(path, cli_input_names[i]);
        }
        int code = cli_hash_file(file, hash);
        if (code != -1) {
            return code;
        }
        if (strcmp(hash, wanted) != 0) {
            cli_say("'%s' has changed since the run was saved; bring back the file with the SHA-256 %s", file, wanted);
            return CLI_INPUT;
        }
        if (i == 0) {
            *photo = file;
        } else if (!put(out, cli_input_names[i], file)) {
            return CLI_FAILED;
        }
    }
    return -1;
}

/* Only options that make the result: a record does not say where to write. */
static int take_options(const char *path, json_t *record, arguments *out) {
    json_t *options = json_object_get(record, "options"), *value, *one;
    const char *name;
    size_t i;
    if (!json_is_object(options) || !text_of(options, "method")) {
        return unfit(path, "options");
    }
    json_object_foreach(options, name, value) {
        if (!cli_makes_result(name) || (!json_is_string(value) && !json_is_array(value))) {
            return unfit(path, name);
        }
        if (json_is_string(value) && !put(out, name, json_string_value(value))) {
            return CLI_FAILED;
        }
        json_array_foreach(value, i, one) {
            if (!json_is_string(one)) {
                return unfit(path, name);
            }
            if (!put(out, name, json_string_value(one))) {
                return CLI_FAILED;
            }
        }
    }
    return -1;
}

static int replay(const char *path, json_t *record, int argc, char **argv, arguments *out) {
    const char *version = text_of(record, "version"), *hash = text_of(record, "mask_sha256"), *photo = NULL;
    int good = put(out, NULL, "segment");
    if (!version || !hash) {
        return unfit(path, version ? "mask_sha256" : "version");
    }
    int code = good ? take_options(path, record, out) : CLI_FAILED;
    code = code == -1 ? take_inputs(path, record, out, &photo) : code;
    for (int i = 0; i < argc && code == -1; i++) {
        code = put(out, NULL, argv[i]) ? -1 : CLI_FAILED;
    }
    if (code == -1 && (!put(out, NULL, "--") || !put(out, NULL, photo))) {
        code = CLI_FAILED;
    }
    if (code == -1 && strcmp(version, seg_version()) != 0) {
        cli_say("the run was saved by version %s and this is %s; the mask may come out differently", version,
                seg_version());
    }
    return code == -1 ? cli_photo_job(out->count, out->at, hash) : code;
}

int cli_run_replay(int argc, char **argv) {
    arguments made = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return cli_replay_help();
        }
    }
    if (argc < 2 || (argv[1][0] == '-' && argv[1][1])) {
        cli_say("replay needs the file that --save-run wrote, before any option: segment replay RUN.json");
        return CLI_USAGE;
    }
    int code = CLI_INPUT;
    json_t *record = read_record(argv[1], &code);
    if (record) {
        code = replay(argv[1], record, argc - 2, argv + 2, &made);
    }
    json_decref(record);
    for (int i = 0; i < made.count; i++) {
        free(made.at[i]);
    }
    free(made.at);
    return code;
}
