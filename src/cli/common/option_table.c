#include "cli/common/option_table.h"

/* --- Options that several commands share and that are not options of one segmentation. --- */

#define AT(member) offsetof(cli_common, member)

static const seg_option common_rows[] = {
    {SEG_OPTION_ROW("seed", 0, WHOLE, AT(seed)), SEG_OPTION_RANGE(0, (double)INT64_MAX), .value = "N", .initial = "1",
     .help = "Seed of every random choice; the same seed gives the same result",
     SEG_OPTION_KIND(HOW, SEG_OPTION_MAKES_RESULT)},
    {SEG_OPTION_ROW("threads", 0, INT, AT(threads)), SEG_OPTION_RANGE(0, 1024), .value = "N", .initial = "0",
     .help = "Threads; 0: one per processor; does not change the result", SEG_OPTION_KIND(HOW, 0)},
    {SEG_OPTION_ROW("max-memory", 0, BYTES, AT(max_memory)), .value = "SIZE", .unit = "bytes",
     .help = "Memory limit: bytes, or with K, M, G, T (thousands) or KiB, MiB, GiB, TiB; a plan that needs "
             "more is adapted, with a message, or refused",
     SEG_OPTION_KIND(HOW, 0)},
    {SEG_OPTION_ROW("timeout", 0, REAL, AT(timeout)), SEG_OPTION_RANGE(0.001, 1e9), .value = "SECONDS",
     .unit = "seconds", .help = "Stop an image that takes more seconds than this; its record reports it",
     SEG_OPTION_KIND(HOW, 0)},
    {SEG_OPTION_ROW("json", 0, FLAG, AT(json)), .help = "Report everything about the run as JSON on standard output",
     SEG_OPTION_KIND(OUTPUT, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("progress", 0, CHOICE, AT(progress)), SEG_OPTION_CHOICES(SEG_WORDS("auto", "none", "json"), 0),
     .value = "HOW", .initial = "auto", .help = "Progress on standard error: auto (a bar on a terminal), none or json",
     SEG_OPTION_KIND(SAY, 0)},
    {SEG_OPTION_ROW("quiet", 'q', FLAG, AT(quiet)), .help = "Print no warnings and no bar",
     SEG_OPTION_KIND(SAY, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("verbose", 'v', FLAG, AT(verbose)), .help = "Report what is found and done; twice for more",
     SEG_OPTION_KIND(SAY, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("help", 'h', FLAG, AT(help)), .help = "Print this help and exit",
     SEG_OPTION_KIND(SAY, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("version", 'V', FLAG, AT(version)), .help = "Print the version and exit",
     SEG_OPTION_KIND(SAY, SEG_OPTION_IMPORTANT)},
};

/* The row of that name, whose offset is in cli_common. */
static const seg_option *common_option(const char *name) {
    size_t i = 0;
    while (i + 1 < sizeof common_rows / sizeof *common_rows && strcmp(common_rows[i].name, name) != 0)
        i++;
    return &common_rows[i];
}

/* --- The options of a table. --- */

/* The shared row, with the fields that this row sets. */
static seg_option resolve(const cli_table *table, const seg_option *own, seg_option_group group) {
    seg_option row = *own;
    if (own->type == SEG_OPTION_SHARED) {
        const seg_option *of_library = seg_option_find(own->name);
        row = of_library ? *of_library : *common_option(own->name);
        row.offset = own->offset ? own->offset : row.offset + (of_library ? table->segment : 0);
        row.initial = own->initial ? own->initial : row.initial;
        row.help = own->help ? own->help : row.help;
        row.traits |= own->traits;
    }
    row.group = group ? group : row.group;
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
            *out = resolve(table, &(seg_option){.name = shared->name, .type = SEG_OPTION_SHARED}, 0);
            return 1;
        }
    }
    const seg_option *row = &table->rows[walk->own];
    for (; row->name && !row->name[0]; row = &table->rows[++walk->own])
        walk->group = row->group;
    walk->own += row->name != NULL;
    if (row->name)
        *out = resolve(table, row, walk->group);
    return row->name != NULL;
}

int cli_next_option(const cli_table *table, cli_walk *walk, seg_option *out) {
    while (next_of_any(table->of ? table->of : table, walk, out)) {
        walk->number = walk->count++; /* the same with and without rows that are left out */
        if (!(out->traits & table->without))
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
