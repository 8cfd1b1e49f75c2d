/* What every command's parser shares: glibc's argp, with error sentences of our own. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <argp.h>
#include <stdio.h>

/* The two options that every command has, as rows of its table. */
enum { CLI_KEY_VERSION = 'V', CLI_KEY_HELP = 'h', CLI_KEY_FIRST_LONG = 256 };
#define CLI_OPTION_HELP                                                                                                \
    { "help", CLI_KEY_HELP, NULL, 0, "Print this help and exit", -1 }
#define CLI_OPTION_VERSION                                                                                             \
    { "version", CLI_KEY_VERSION, NULL, 0, "Print the version and exit", -1 }

/* Rows that several commands have, word for word; each has its own number for the key. */
#define CLI_OPTION_SEED(key, group)                                                                                    \
    { "seed", key, "N", 0, "Seed of every random choice; the same seed gives the same bytes", group }
#define CLI_OPTION_THREADS(key)                                                                                        \
    { "threads", key, "N", 0, "Threads, 0 for all processors; never changes the result", 3 }
#define CLI_OPTION_PROGRESS(key, group)                                                                                \
    { "progress", key, "HOW", 0, "Progress on standard error: auto (a bar on a terminal), none or json", group }
#define CLI_OPTION_VERBOSE(group)                                                                                      \
    { "verbose", 'v', NULL, 0, "Say what is found and done; twice for more", group }

/* The first member of what a command's parser fills in (its argp input). Zero at the start. */
typedef struct cli_arguments {
    int rejected; /* the parser has printed what is wrong */
    int answered; /* key of --help or --version, which end the parsing */
    int next;     /* where argp stopped */
} cli_arguments;

/* For the parser: say what is wrong and stop (`return cli_reject(state, "...")`). */
error_t cli_reject(struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For the parser: note that a sentence was printed and stop. */
error_t cli_rejected(struct argp_state *state);

/* For the parser: everything it does not know itself. */
error_t cli_parse_common(int key, struct argp_state *state);

/* Parse. What argp itself finds wrong (unknown options, missing values) is said with the nearest option that exists;
 * --help and --version are answered.
 * @param command  "segment", "segment score", ... for the usage line; the pointer `input` begins with a cli_arguments
 * @return CLI_GO_ON, else how to end */
int cli_parse(const struct argp *argp, const char *command, int argc, char **argv, void *input);

/* The end of a table of options; rows without name and key but with a text are headings. */
int cli_options_end(const struct argp_option *row);

/* Print the help of a command on standard output. @return the exit code */
int cli_help(const struct argp *argp, const char *command);

#endif
