#include "cli/segment/run_record.h"
#include "cli/common/errors.h"
#include "cli/common/json_out.h"
#include "cli/segment/save_run.h"

#include "base/json_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read a file or standard input; NULL with errno on failure. */
static char *whole_text(const char *path, size_t *size) {
    FILE *from = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    *size = 0;
    if (!from)
        return NULL;
    do {
        if (*size == room) {
            char *grown = realloc(text, room = 2 * room + 4096);
            if (!grown)
                break;
            text = grown;
        }
        *size += fread(text + *size, 1, room - *size, from);
    } while (!feof(from) && !ferror(from));
    const int whole = feof(from) && !ferror(from), why = errno;
    if (from != stdin)
        fclose(from);
    if (!whole) {
        free(text);
        text = NULL;
        errno = why;
    }
    return text;
}

json_t *cli_run_record_read(const char *path, cli_end *end) {
    json_error_t error;
    json_t *record = NULL;
    size_t size;
    errno = 0;
    char *text = whole_text(path, &size);
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
    cli_end end = CLI_GO_ON;
    if (cli_option_find(&cli_photo_table, name, &row) < 0 || !cli_is_recorded(&row) ||
        (!json_is_string(value) && !json_is_array(value)))
        return cli_run_record_unfit(path, name);
    if (json_is_string(value))
        return cli_set(&cli_photo_table, out, name, json_string_value(value));
    json_array_foreach(value, i, one) {
        if (!json_is_string(one))
            return cli_run_record_unfit(path, name);
        if (end == CLI_GO_ON)
            end = cli_set(&cli_photo_table, out, name, json_string_value(one));
    }
    return end;
}

cli_end cli_run_record_options(const char *path, json_t *record, cli_photo_options *out) {
    json_t *options = json_object_get(record, "options"), *value;
    const char *name;
    if (!json_is_object(options) || !cli_run_record_text(options, "method"))
        return cli_run_record_unfit(path, "options");
    /* The method comes first, since the parameters depend on it. */
    cli_end end = set_option(path, "method", json_object_get(options, "method"), out);
    json_object_foreach(options, name, value) {
        if (end == CLI_GO_ON && strcmp(name, "method") != 0)
            end = set_option(path, name, value, out);
    }
    return end;
}
