/* The commands: each parses its arguments (argv[0] is its name), does its work and returns the exit code. */
#ifndef CLI_COMMON_COMMANDS_H
#define CLI_COMMON_COMMANDS_H

#include "cli/common/messages.h"
#include "cli/common/option_table.h"

/* Operands of a command, for completion. */
typedef enum cli_operand {
    CLI_OPERAND_NONE,
    CLI_OPERAND_PICTURES,
    CLI_OPERAND_TABLE,
    CLI_OPERAND_TABLE_OR_PICTURE,
    CLI_OPERAND_FOLDER,
    CLI_OPERAND_RECORD,
    CLI_OPERAND_MODEL,
    CLI_OPERAND_EXPERIMENT,
    CLI_OPERAND_SHELL,
    CLI_OPERAND_COMMAND
} cli_operand;

typedef struct cli_command {
    const char *name; /* "" for the main job */
    cli_end (*run)(int argc,
                   char **argv); /* NULL: the command of another program, which has its help too (programs.h) */
    const cli_table *table;
    cli_operand operand;
    const char *program; /* the other program, where run is NULL */
} cli_command;

/* All commands in the order of the help, the main job first. EVALUATION marks commands of segment-evaluation, PAINT
 * that of segment-paint. */
#define CLI_COMMANDS(HERE, EVALUATION, PAINT)                                                                          \
    HERE("", photo, PICTURES)                                                                                          \
    PAINT("paint", paint, PICTURES)                                                                                    \
    EVALUATION("learn", learn, PICTURES)                                                                               \
    HERE("apply", apply, MODEL)                                                                                        \
    HERE("cluster", cluster, TABLE)                                                                                    \
    HERE("query", query, TABLE_OR_PICTURE)                                                                             \
    EVALUATION("eval", eval, FOLDER)                                                                                   \
    EVALUATION("experiment", experiment, EXPERIMENT)                                                                   \
    HERE("replay", replay, RECORD)                                                                                     \
    HERE("score", score, PICTURES)                                                                                     \
    HERE("methods", methods, NONE)                                                                                     \
    EVALUATION("completion", completion, SHELL)                                                                        \
    HERE("help", help, COMMAND)
#define CLI_COMMAND_ROW(name, word, operand) {name, cli_run_##word, &cli_##word##_table, CLI_OPERAND_##operand, NULL},
/* A command of another program, with its help only. */
#define CLI_COMMAND_TOLD(name, word, operand) {name, NULL, &cli_##word##_table, CLI_OPERAND_##operand, NULL},

/* Each program has a table, ended by a row of zeros: `segment` its own commands, segment-evaluation all, segment-paint
 * one. */
extern const cli_command cli_commands[];

/* NULL after the last. */
const cli_command *cli_command_at(int i);

/* Run a program: the command that the first word names, or the main job. @return the exit code */
cli_end cli_main(int argc, char **argv);

/* NULL if there is no such command; the main job cannot be found by name. */
const cli_command *cli_command_find(const char *name);

#define CLI_COMMAND_DECLARED(name, word, operand)                                                                      \
    cli_end cli_run_##word(int argc, char **argv);                                                                     \
    extern const cli_table cli_##word##_table;
CLI_COMMANDS(CLI_COMMAND_DECLARED, CLI_COMMAND_DECLARED, CLI_COMMAND_DECLARED)

/* --- Starting the other programs, segment-evaluation and segment-paint, which are beside this one in a build and in
 * libexec when installed. --- */

/* Replace this process by that program, with the same argv (NULL-ended, argv[0] included). Returns only if it cannot be
 * run: the exit code, after a message. */
cli_end cli_run_program(const char *program, char **argv);

#endif
