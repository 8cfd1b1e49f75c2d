#include "run_record.h"
#include "exit_codes.h"
#include "json_out.h"
#include "save_run.h"

#include "evaluation/json_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_made_arguments_put(cli_made_arguments *a, const char *name, const char *value) {
    if (a->count + 1 >= a->room) {
        const int room = a->room ? 2 * a->room : 64;
        char **grown = realloc(a->at, (size_t)room * sizeof *grown);
        if (!grown) {
            cli_say("out of memory");
            return 0;
        }
        a->at = grown;
        a->room = room;
    }
    const int length =
        name ? asprintf(&a->at[a->count], "--%s=%s", name, value) : asprintf(&a->at[a->count], "%s", value);
    if (length < 0) {
        cli_say("out of memory");
        return 0;
    }
    a->at[++a->count] = NULL;
    return 1;
}

void cli_made_arguments_free(cli_made_arguments *a) {
    for (int i = 0; i < a->count; i++) {
        free(a->at[i]);
    }
    free(a->at);
    memset(a, 0, sizeof *a);
}

/* All of a file, or of standard input; NULL with errno where it cannot be read. */
static char *whole_text(const char *path, size_t *size) {
    FILE *from = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    *size = 0;
    if (!from) {
        return NULL;
    }
    do {
        if (*size == room) {
            char *grown = realloc(text, room = 2 * room + 4096);
            if (!grown) {
                break;
            }
            text = grown;
        }
        *size += fread(text + *size, 1, room - *size, from);
    } while (!feof(from) && !ferror(from));
    const int whole = feof(from) && !ferror(from), why = errno;
    if (from != stdin) {
        fclose(from);
    }
    if (!whole) {
        free(text);
        text = NULL;
        errno = why;
    }
    return text;
}

json_t *cli_run_record_read(const char *path, int *code) {
    json_error_t error;
    json_t *record = NULL;
    size_t size;
    errno = 0;
    char *text = whole_text(path, &size);
    if (text) {
        record = seg_json_read(text, size, JSON_REJECT_DUPLICATES, &error);
    }
    if (errno == ENOMEM) {
        seg_json_lost();
        cli_say("out of memory while reading '%s'", path);
        json_decref(record);
        record = NULL;
        *code = CLI_FAILED;
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

int cli_run_record_unfit(const char *path, const char *member) {
    cli_say("'%s' is not a saved run: '%s' is missing or not what --save-run writes", path, member);
    return CLI_INPUT;
}

int cli_run_record_options(const char *path, json_t *record, cli_made_arguments *out) {
    json_t *options = json_object_get(record, "options"), *value, *one;
    const char *name;
    size_t i;
    if (!json_is_object(options) || !cli_run_record_text(options, "method")) {
        return cli_run_record_unfit(path, "options");
    }
    if (!cli_made_arguments_put(out, NULL, "segment")) {
        return CLI_FAILED;
    }
    json_object_foreach(options, name, value) {
        if (!cli_makes_result(name) || (!json_is_string(value) && !json_is_array(value))) {
            return cli_run_record_unfit(path, name);
        }
        if (json_is_string(value) && !cli_made_arguments_put(out, name, json_string_value(value))) {
            return CLI_FAILED;
        }
        json_array_foreach(value, i, one) {
            if (!json_is_string(one)) {
                return cli_run_record_unfit(path, name);
            }
            if (!cli_made_arguments_put(out, name, json_string_value(one))) {
                return CLI_FAILED;
            }
        }
    }
    return -1;
}
