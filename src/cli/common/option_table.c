#include "cli/common/option_table.h"

#include <stdio.h>
#include <string.h>

/* The shared row, with the fields that this row sets. */
static seg_option resolve(const cli_table *table, const seg_option *own) {
    seg_option row = *own;
    if (own->type == SEG_OPTION_SHARED) {
        const seg_option *of_library = seg_option_find(own->name);
        row = of_library ? *of_library : *cli_common_option(own->name);
        row.offset = own->offset ? own->offset : row.offset + (of_library ? table->segment : 0);
        row.initial = own->initial ? own->initial : row.initial;
        row.help = own->help ? own->help : row.help;
        row.group = own->group ? own->group : row.group;
        row.traits |= own->traits;
    }
    return row;
}

static int is_named(const cli_table *table, const char *name) {
    for (const seg_option *row = table->rows; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return 1;
    return 0;
}

/* The next option of the table, whatever its traits. */
static int next_of_any(const cli_table *table, cli_walk *walk, seg_option *out) {
    const seg_option *shared;
    while (table->takes_all && (shared = seg_option_at(walk->shared)) != NULL) {
        walk->shared++;
        if (!is_named(table, shared->name)) {
            const seg_option taken = {.name = shared->name, .type = SEG_OPTION_SHARED};
            *out = resolve(table, &taken);
            return 1;
        }
    }
    const seg_option *row = &table->rows[walk->own];
    if (!row->name)
        return 0;
    walk->own++;
    *out = resolve(table, row);
    return 1;
}

int cli_next_option(const cli_table *table, cli_walk *walk, seg_option *out) {
    while (next_of_any(table->of ? table->of : table, walk, out))
        if (!(out->traits & table->without)) {
            walk->number = walk->count++;
            return 1;
        }
    return 0;
}

int cli_option_find(const cli_table *table, const char *name, seg_option *out) {
    for (cli_walk walk = {0}; cli_next_option(table, &walk, out);)
        if (strcmp(out->name, name) == 0)
            return walk.number;
    return -1;
}

int cli_note_given(void *options, int number) {
    if (number < 0 || number >= CLI_MOST_OPTIONS)
        return 0;
    ((cli_common *)options)->given[number / 64] |= (uint64_t)1 << number % 64;
    return 1;
}

int cli_given(const cli_table *table, const void *options, const char *name) {
    seg_option row;
    const int i = cli_option_find(table, name, &row);
    return i >= 0 && i < CLI_MOST_OPTIONS && ((const cli_common *)options)->given[i / 64] >> i % 64 & 1;
}

const char *cli_flag(const seg_option *row, char text[64]) {
    if (row->letter)
        snprintf(text, 64, "-%c", row->letter);
    else
        snprintf(text, 64, "--%s", row->name);
    return text;
}
