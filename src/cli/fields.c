#include "fields.h"
#include "exit_codes.h"
#include "limits.h"
#include "numbers.h"

#include <segment/segment.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const cli_progress_names[] = {"auto", "none", "json", NULL};
const char *const cli_edges_names[] = {"either", "mutual", NULL};

/* "--name", or "-k" for an option with a letter. */
static void name_of(const struct argp_option *row, int key, char *name, size_t size) {
    while (row->key != key) {
        row++;
    }
    if (key < CLI_KEY_FIRST_LONG) {
        snprintf(name, size, "-%c", key);
    } else {
        snprintf(name, size, "--%s", row->name);
    }
}

/* S, S,S,... or local. */
static int read_widths(const char *name, const char *text, seg_graph_spec *out) {
    enum { NEIGHBOUR = 7 }; /* [zelnik2004selftuning] */
    char part[64];
    out->sigma = 0;
    out->more_sigmas = 0;
    out->local_scaling = strcasecmp(text, "local") == 0 ? NEIGHBOUR : 0;
    if (out->local_scaling) {
        return 1;
    }
    if (!strchr(text, ',')) {
        return cli_read_real(name, text, 0, INFINITY, &out->sigma);
    }
    for (int count = 0; *text; count++) {
        const size_t length = strcspn(text, ",");
        double *width = count == 0 ? &out->sigma : &out->more_sigma[count - 1];
        if (count > SEG_MORE_SIGMAS || length >= sizeof part) {
            cli_say("%s takes up to %d widths", name, SEG_MORE_SIGMAS + 1);
            return 0;
        }
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (!cli_read_real(name, part, 0, INFINITY, width)) {
            return 0;
        }
        if (!(*width > 0) || (text[length] == ',' && !text[length + 1])) {
            cli_say("%s takes one width, several above 0 with commas between, or local, not '%s'", name, text);
            return 0;
        }
        out->more_sigmas = count;
        text += length + (text[length] == ',');
    }
    return 1;
}

/* As cli_read_*: 0 where a sentence was printed. */
static int set(const cli_field *field, const char *name, const char *text, char *target) {
    int good = 1, position = 0;
    switch (field->kind) {
    case CLI_FIELD_TEXT:
        *(const char **)(void *)target = text;
        break;
    case CLI_FIELD_TEXTS: {
        cli_texts *texts = (void *)target;
        texts->at[texts->count++] = text;
        break;
    }
    case CLI_FIELD_INT:
        return cli_read_int(name, text, (int)field->low, (int)field->high, (int *)(void *)target);
    case CLI_FIELD_SEED:
        return cli_read_whole(name, text, 0, INT64_MAX, (int64_t *)(void *)target);
    case CLI_FIELD_REAL:
        return cli_read_real(name, text, field->low, field->high, (double *)(void *)target);
    case CLI_FIELD_CHOICE:
        good = cli_read_choice(name, text, field->names, &position);
        position += (int)field->low;
        if (good) {
            memcpy(target, &position, sizeof position); /* an enum's type is not int, but of its size */
        }
        break;
    case CLI_FIELD_BYTES:
        return cli_read_bytes(name, text, (size_t *)(void *)target);
    case CLI_FIELD_WIDTHS:
        return read_widths(name, text, (seg_graph_spec *)(void *)target);
    case CLI_FIELD_COUNT:
        ++*(int *)(void *)target;
        break;
    case CLI_FIELD_END:
        break;
    }
    return good;
}

const char *cli_real_text(double value, char text[32]) {
    snprintf(text, 32, "%.15g", value);
    if (strtod(text, NULL) != value) {
        snprintf(text, 32, "%.17g", value);
    }
    return text;
}

static void widths_text(const seg_graph_spec *spec, char *text, size_t size) {
    char real[32];
    size_t used = (size_t)snprintf(text, size, "%s", cli_real_text(spec->sigma, real));
    for (int i = 0; i < spec->more_sigmas && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, ",%s", cli_real_text(spec->more_sigma[i], real));
    }
    if (spec->local_scaling) {
        snprintf(text, size, "local");
    }
}

const char *cli_field_text(const cli_field *field, const void *value, char *text, size_t size) {
    int number = 0;
    switch (field->kind) {
    case CLI_FIELD_TEXT:
        return *(const char *const *)value;
    case CLI_FIELD_INT:
        number = *(const int *)value;
        if (number < field->low) { /* not given: to be found from the data */
            return NULL;
        }
        snprintf(text, size, "%d", number);
        return text;
    case CLI_FIELD_SEED:
        snprintf(text, size, "%" PRId64, *(const int64_t *)value);
        return text;
    case CLI_FIELD_REAL:
        return size < 32 ? NULL : cli_real_text(*(const double *)value, text);
    case CLI_FIELD_CHOICE:
        memcpy(&number, value, sizeof number);
        return field->names[number - (int)field->low];
    case CLI_FIELD_BYTES:
        return *(const size_t *)value && size >= 32 ? cli_bytes_text(*(const size_t *)value, text) : NULL;
    case CLI_FIELD_WIDTHS:
        widths_text(value, text, size);
        return text;
    case CLI_FIELD_COUNT:
        snprintf(text, size, "%d", *(const int *)value);
        return *(const int *)value ? text : NULL;
    case CLI_FIELD_TEXTS:
    case CLI_FIELD_END:
        break;
    }
    return NULL;
}

error_t cli_parse_field(const cli_field *fields, int key, char *text, struct argp_state *state) {
    char name[64];
    for (const cli_field *field = fields; field->kind != CLI_FIELD_END; field++) {
        if (field->key == key) {
            name_of(state->root_argp->options, key, name, sizeof name);
            return set(field, name, text, (char *)state->input + field->offset) ? 0 : cli_rejected(state);
        }
    }
    return cli_parse_common(key, state);
}

int cli_texts_create(int argc, cli_texts *out) {
    out->at = calloc((size_t)argc + 1, sizeof *out->at); /* no more than there are arguments */
    if (out->at) {
        return -1;
    }
    cli_say("out of memory");
    return CLI_FAILED;
}
