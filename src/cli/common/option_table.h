/* The options of a command: rows of the library, common ones and its own. */
#pragma once

#include "cli/common/messages.h"

#include <segment/options.h>

/* Largest number of options of a command; tests/cli/test_usage.sh counts them, and refuses a command with more. */
#define CLI_MOST_OPTIONS 256

typedef enum cli_progress_mode {
    CLI_PROGRESS_AUTO = 0, /* a bar where standard error is a terminal */
    CLI_PROGRESS_NONE,
    CLI_PROGRESS_JSON /* one JSON object a line for every update */
} cli_progress_mode;

/* First member of the structure that the options of a command are read into. */
typedef struct cli_common {
    seg_texts words;                       /* words that are not options, in order; the array is owned */
    uint64_t given[CLI_MOST_OPTIONS / 64]; /* bit by bit: the i-th option of the table was given */
    int64_t seed;
    int threads;
    size_t max_memory; /* bytes, 0 for no limit */
    double timeout;    /* seconds of each image of segment eval, likewise */
    cli_progress_mode progress;
    int json, quiet, verbose;
    int help, version; /* requested; cli_parse prints them */
    const char *files; /* in place of a number, of a row with CLI_OPTION_OR_FILES; NULL: none */
} cli_common;

/* A trait besides seg_option_trait, of rows of the command line: an option for several images only. */
#define CLI_OPTION_OF_SEVERAL (1u << 16)
/* And an option that takes a number, or the names of as many files: cli_common.files. */
#define CLI_OPTION_OR_FILES (1u << 17)

/* Begins a section of a table: the rows that follow are of this group. */
#define CLI_SECTION(GROUP)                                                                                             \
    { .name = "", .group = SEG_OPTIONS_##GROUP }

/* Rows that most tables share, and the last ones. */
#define CLI_ROWS_OF_RUN                                                                                                \
    {.name = "seed"}, {.name = "threads"}, {                                                                           \
        .name = "max-memory"                                                                                           \
    }
#define CLI_LAST_ROWS                                                                                                  \
    {.name = "help"}, {.name = "version"}, {                                                                           \
        0                                                                                                              \
    }

/* The options of a command and the words of its help. A row of the type SEG_OPTION_SHARED is that of the same name in
 * the library's table or, for what is in cli_common, in option_table.c; its own fields that are not zero count. */
typedef struct cli_table {
    const char *command;    /* "segment cluster" */
    const char *usage;      /* what follows the options, one usage per line */
    const char *about;      /* text before the options; its first sentence is the summary */
    const char *brief;      /* the same for the short help, which lists the important options only; or NULL */
    const char *also;       /* text after the options of both helps; or NULL */
    const char *more;       /* text after that in the full help; or NULL */
    const char *heading[5]; /* of each seg_option_group; NULL: options without a heading */
    const seg_option *rows; /* ended by a row of zeros */
    int least_words;        /* words that are not options: how many at least, and the message otherwise */
    const char *too_few;
    int most_words; /* and how many at most, if there is a message */
    const char *too_many;
    size_t segment;             /* offset of the seg_options, for shared rows */
    int takes_all;              /* options of the library that `rows` does not name also belong to the command */
    const struct cli_table *of; /* the table whose options this command shares; or NULL */
    unsigned without;           /* options with one of these traits are left out */
    /* Whose parameters --param sets without --method; NULL: the method of strokes and models, which are constraints. */
    const seg_method *(*usual_method)(const void *options);
} cli_table;

/* An iterator over the options of a table, hidden ones included; begins as {0}. */
typedef struct cli_walk {
    int number; /* number of the option that cli_next_option returned, from 0 */
    int count, shared, own;
    seg_option_group group; /* of the section */
} cli_walk;

/* The next option; 0 at the end. Options that `rows` does not name come first. */
int cli_next_option(const cli_table *table, cli_walk *walk, seg_option *out);
/* The option of that name. @return its number, or -1 */
int cli_option_find(const cli_table *table, const char *name, seg_option *out);
/* 1 where it was given. */
int cli_given(const cli_table *table, const void *options, const char *name);

/* "--knn", or "-k" where there is a letter. @return text */
const char *cli_flag(const seg_option *row, char text[64]);

/* --- The help of a command, made from its table (help/help.c). --- */

/* Print it on standard output: everything, or the short help if the table has one. */
void cli_help(const cli_table *table, int all);
/* Print every option as "--flag", "--option=" and "--option=name" for each name that it takes, and of the main job all
 * commands, one per line: for completion. */
void cli_help_words(const cli_table *table);

/* --- Suggestions for mistyped names. --- */

/* Keep the nearest name so far in *best, which begins as NULL. Names too different from `text` are ignored. */
void cli_suggest(const char *text, const char *name, const char **best, int *best_distance);
/* The nearest of several names; NULL where all are too different. name(i): the i-th of them, NULL after the last. */
const char *cli_nearest(const char *text, const char *(*name)(int));
/* Refuse a text that is none of them: "WHAT 'TEXT'; did you mean 'NEAREST'? LISTS". @return CLI_USAGE */
cli_end cli_refuse_name(const char *what, const char *text, const char *(*name)(int), const char *lists);

/* Names of methods and of export formats for these. */
const char *cli_method_name(int i);
const char *cli_format_name(int i);
