/* What all commands share: options from the library's table and the command's own rows, read from a line of words. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "exit_codes.h"

#include <segment/options.h>

#include <stdint.h>

/* The first member of the structure that a command's options are read into: what every command has. */
typedef struct cli_common {
    seg_texts words; /* what stands on the line besides options, in order; the array is owned */
    uint64_t given;  /* bit i: the i-th option of the table was given */
    int64_t seed;
    int threads;
    size_t max_memory; /* bytes, 0 for no limit */
    double timeout;    /* seconds, likewise */
    int progress;      /* cli_progress_mode */
    int json, quiet, verbose;
    int help, version; /* asked for; cli_parse answers them */
} cli_common;

/* The options of a command and the words of its help. A row of the type SEG_OPTION_SHARED is the row of the same name
 * in the library's table or, for what is in cli_common, of the table in common_options.c; its own fields that are not
 * zero count. */
typedef struct cli_table {
    const char *command;        /* "segment cluster" */
    const char *usage;          /* what follows the options on the line, one form a line */
    const char *about;          /* before the options; its first sentence is the summary */
    const char *brief;          /* in place of it in the short help, which names the important options only; or NULL */
    const char *also;           /* behind the options of both helps; or NULL */
    const char *more;           /* behind that in the full help; or NULL */
    const char *heading[5];     /* of each seg_option_group; NULL: options without a heading */
    const seg_option *rows;     /* ended by a row without a name */
    size_t segment;             /* where the command's seg_options is, for shared rows */
    int takes_all;              /* every option of the library that `rows` does not name is one of the command's */
    const struct cli_table *of; /* its options are those of this one; or NULL */
    unsigned without;           /* options with one of these traits are left out (seg_option_trait) */
} cli_table;

enum { CLI_MOST_OPTIONS = 64 };

/* The i-th option, hidden ones included; 0 behind the last. Those that `rows` does not name come first. */
int cli_option_at(const cli_table *table, int i, seg_option *out);
/* The option of that name. @return its number, or -1 */
int cli_option_find(const cli_table *table, const char *name, seg_option *out);
/* 1 where it was given. */
int cli_given(const cli_table *table, const void *options, const char *name);

/* "--knn", or "-k" where there is a letter. @return text */
const char *cli_flag(const seg_option *row, char text[64]);

/* Set every option to its default. */
void cli_set_defaults(const cli_table *table, void *options);
/* Set one, given by name in a record. CLI_GO_ON, or CLI_USAGE after a sentence. */
cli_end cli_set(const cli_table *table, void *options, const char *name, const char *text);

/* Read the line into `options`, which begins with a cli_common and has its defaults. What is wrong is said with the
 * nearest option that exists; --help and --version are answered. Texts are borrowed from argv.
 * @return CLI_GO_ON, else how to end. The array of words is to be freed in every case. */
cli_end cli_parse(const cli_table *table, int argc, char **argv, void *options);

/* Refuse words beyond the first `most`. `what` ends the sentence: "methods takes none". */
cli_end cli_most_words(const cli_common *common, int most, const char *what);
/* The i-th word, or NULL. */
const char *cli_word(const cli_common *common, int i);

#endif
