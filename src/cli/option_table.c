#include "option_table.h"

#include <stdio.h>
#include <string.h>

/* A shared row from where it stands, changed where this one says something. */
static seg_option resolve(const cli_table *table, const seg_option *own) {
    const seg_option *of_library = seg_option_find(own->name);
    seg_option row = *own;
    if (own->type == SEG_OPTION_SHARED) {
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

static int any_option_at(const cli_table *table, int i, seg_option *out) {
    const seg_option *row = table->rows;
    const seg_option *shared;
    for (int s = 0; table->takes_all && (shared = seg_option_at(s)) != NULL; s++)
        if (!is_named(table, shared->name) && i-- == 0) {
            const seg_option taken = {.name = shared->name};
            *out = resolve(table, &taken);
            return 1;
        }
    while (row->name && i-- > 0)
        row++;
    if (row->name)
        *out = resolve(table, row);
    return row->name != NULL;
}

int cli_option_at(const cli_table *table, int i, seg_option *out) {
    for (int any = 0; any_option_at(table->of ? table->of : table, any, out); any++)
        if (!(out->traits & table->without) && i-- == 0)
            return 1;
    return 0;
}

int cli_option_find(const cli_table *table, const char *name, seg_option *out) {
    for (int i = 0; cli_option_at(table, i, out); i++)
        if (strcmp(out->name, name) == 0)
            return i;
    return -1;
}

int cli_given(const cli_table *table, const void *options, const char *name) {
    seg_option row;
    const int i = cli_option_find(table, name, &row);
    return i >= 0 && ((const cli_common *)options)->given >> i & 1;
}

const char *cli_flag(const seg_option *row, char text[64]) {
    if (row->letter)
        snprintf(text, 64, "-%c", row->letter);
    else
        snprintf(text, 64, "--%s", row->name);
    return text;
}
