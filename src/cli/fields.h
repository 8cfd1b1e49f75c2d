/* Options that only fill in a field: a row of a table each, for the parsers of all commands. */
#ifndef CLI_FIELDS_H
#define CLI_FIELDS_H

#include "arguments.h"

#include <stddef.h>
#include <stdint.h>

typedef enum cli_field_kind {
    CLI_FIELD_END = 0,
    CLI_FIELD_TEXT,   /* const char *: the text as it stands */
    CLI_FIELD_TEXTS,  /* cli_texts: one more of them */
    CLI_FIELD_INT,    /* int, low .. high */
    CLI_FIELD_SEED,   /* int64_t >= 0 */
    CLI_FIELD_REAL,   /* double, low .. high, which may be INFINITY */
    CLI_FIELD_CHOICE, /* int or an enum: the position among `names`, plus low */
    CLI_FIELD_BYTES,  /* size_t: a number of bytes, 0 where not given */
    CLI_FIELD_WIDTHS, /* seg_graph_spec: its Gaussians' widths */
    CLI_FIELD_COUNT   /* int: how often the option was given */
} cli_field_kind;

typedef struct cli_field {
    int key; /* of the option */
    cli_field_kind kind;
    size_t offset; /* of the field in the structure that the parser fills in */
    double low, high;
    const char *const *names; /* NULL-ended */
} cli_field;

/* The texts of an option that may be given several times, in order. */
typedef struct cli_texts {
    const char **at; /* owned; room for as many as there are arguments */
    int count;
} cli_texts;

/* For the parser: set the field of that option in state->input, say what is wrong with a value; what no row is about
 * goes to cli_parse_common. */
error_t cli_parse_field(const cli_field *fields, int key, char *text, struct argp_state *state);

/* As few digits as give the same number again. @return text */
const char *cli_real_text(double value, char text[32]);

/* The value of a field as an option's text: what is parsed to the same again. `text`, of at least 32 bytes, may be used
 * for it.
 * @return NULL where the option is not given and has no default, for TEXTS, and for COUNT of none */
const char *cli_field_text(const cli_field *field, const void *value, char *text, size_t size);

extern const char *const cli_progress_names[]; /* position = cli_progress_mode */
extern const char *const cli_edges_names[];    /* position = seg_graph_spec's mutual */

/* Make room. @return -1, or the exit code (out of memory was said) */
int cli_texts_create(int argc, cli_texts *out);

#endif
