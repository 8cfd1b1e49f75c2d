/* The commands: each parses its arguments (argv[0] is its name), does its work and returns the exit code. */
#pragma once

#include "cli/common/option_table.h"

typedef struct cli_command {
    const char *name;                      /* "" for the main job */
    cli_end (*run)(int argc, char **argv); /* NULL: the command of another program, which has its help too */
    const cli_table *table;
    const char *program; /* where run is NULL: another program, beside this one in a build, else in libexec */
} cli_command;

/* All commands in the order of the help, the main job first. PAINT marks that of segment-paint. */
#define CLI_COMMANDS(HERE, PAINT)                                                                                      \
    HERE("", photo)                                                                                                    \
    PAINT("paint", paint)                                                                                              \
    HERE("learn", learn)                                                                                               \
    HERE("apply", apply)                                                                                               \
    HERE("cluster", cluster)                                                                                           \
    HERE("query", query)                                                                                               \
    HERE("eval", eval)                                                                                                 \
    HERE("experiment", experiment)                                                                                     \
    HERE("replay", replay)                                                                                             \
    HERE("score", score)                                                                                               \
    HERE("methods", methods)                                                                                           \
    HERE("help", help)
#define CLI_COMMAND_ROW(name, word) {name, cli_run_##word, &cli_##word##_table, NULL},

/* Each program has a table, ended by a row of zeros. */
extern const cli_command cli_commands[];

/* The name of the i-th command after the main job, for cli_nearest. */
const char *cli_command_name(int i);

/* Run a program: the command that the first word names, or the main job. @return the exit code */
cli_end cli_main(int argc, char **argv);

/* NULL if there is no such command; the main job cannot be found by name. */
const cli_command *cli_command_find(const char *name);

#define CLI_COMMAND_DECLARED(name, word)                                                                               \
    cli_end cli_run_##word(int argc, char **argv);                                                                     \
    extern const cli_table cli_##word##_table;
CLI_COMMANDS(CLI_COMMAND_DECLARED, CLI_COMMAND_DECLARED)
