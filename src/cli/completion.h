/* What a shell may offer on segment's line, from the tables that the parsers use: nothing here can be out of date. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "commands.h"

enum { CLI_MOST_WORDS = 128 };

/* The values of an option, or what stands on a line besides options. */
typedef struct cli_values {
    const char *word[CLI_MOST_WORDS];
    int words;
    int list;          /* several of the words between commas */
    const char *tail;  /* goes on behind a word: "=" or "" */
    const char *files; /* also files with these endings between blanks: "png jpg"; "*" any, "/" folders; NULL none */
} cli_values;

/* Of an option that takes a value. */
void cli_values_of_option(const cli_command *command, const struct argp_option *row, cli_values *out);
void cli_values_of_operand(const cli_command *command, cli_values *out);

/* The first words of a description, as long as a line of a menu: up to a colon, a semicolon or a full stop. In `text`.
 */
enum { CLI_SUMMARY = 80 };
const char *cli_summary(const char *doc, char text[CLI_SUMMARY]);

/* The words of `values` with `between` between them. */
void cli_print_words(const cli_values *values, const char *between);

/* Print the script for a shell on standard output. */
void cli_completion_bash(void);
void cli_completion_zsh(void);
void cli_completion_fish(void);

#endif
