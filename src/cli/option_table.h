/* The options of a command: rows of the library, common ones and its own. */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include "common_options.h"

/* A trait of rows of the command line alone, beside seg_option_trait: an option of several images, not of one. */
#define CLI_OPTION_OF_SEVERAL (1u << 16)

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
    unsigned without;           /* options with one of these traits are left out */
    const seg_method *(*usual_method)(
        const void *options); /* whose parameters --param sets without --method; or NULL */
} cli_table;

/* A walk through the options of a table, hidden ones included; begins as {0}. */
typedef struct cli_walk {
    int number; /* of the option that cli_next_option gave, from 0 */
    int count, shared, own;
} cli_walk;

/* The next option; 0 behind the last. Those that `rows` does not name come first. */
int cli_next_option(const cli_table *table, cli_walk *walk, seg_option *out);
/* The option of that name. @return its number, or -1 */
int cli_option_find(const cli_table *table, const char *name, seg_option *out);
/* Note that the option of this number was given. @return 0 where there is no room for one of that number */
int cli_note_given(void *options, int number);
/* 1 where it was given. */
int cli_given(const cli_table *table, const void *options, const char *name);

/* "--knn", or "-k" where there is a letter. @return text */
const char *cli_flag(const seg_option *row, char text[64]);

#endif
