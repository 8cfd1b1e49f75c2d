/* The commands: each parses its arguments (argv[0] is its name), does its work and returns the exit code. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <argp.h>

/* What stands on a command's line besides options, for completion. */
typedef enum cli_operand {
    CLI_OPERAND_NONE,
    CLI_OPERAND_PICTURES,
    CLI_OPERAND_TABLE,
    CLI_OPERAND_TABLE_OR_PICTURE,
    CLI_OPERAND_FOLDER,
    CLI_OPERAND_RECORD,
    CLI_OPERAND_EXPERIMENT,
    CLI_OPERAND_SHELL,
    CLI_OPERAND_COMMAND
} cli_operand;

typedef struct cli_command {
    const char *name;                  /* "" for the main job */
    int (*run)(int argc, char **argv); /* NULL: a command of the other program (elsewhere.h), and so are its words */
    const struct argp *argp;           /* its words and, unless the next is set, its options */
    const struct argp *of; /* its options are those of this one that do not make the result; NULL: its own */
    cli_operand operand;
} cli_command;

/* All commands in the order of the help, the main job first; ELSEWHERE scribbles those of segment-evaluation. */
#define CLI_COMMANDS(HERE, ELSEWHERE)                                                                                  \
    HERE("", photo, NULL, PICTURES)                                                                                    \
    HERE("cluster", cluster, NULL, TABLE)                                                                              \
    HERE("query", query, NULL, TABLE_OR_PICTURE)                                                                       \
    ELSEWHERE("eval", eval, NULL, FOLDER)                                                                              \
    ELSEWHERE("figure", figure, NULL, PICTURES)                                                                        \
    ELSEWHERE("experiment", experiment, NULL, EXPERIMENT)                                                              \
    HERE("replay", replay, &cli_photo_argp, RECORD)                                                                    \
    HERE("score", score, NULL, PICTURES)                                                                               \
    HERE("methods", methods, NULL, NONE)                                                                               \
    ELSEWHERE("completion", completion, NULL, SHELL)                                                                   \
    HERE("help", help, NULL, COMMAND)
#define CLI_COMMAND_ROW(name, word, of, operand) {name, cli_run_##word, &cli_##word##_argp, of, CLI_OPERAND_##operand},

/* Each program has its table, ended by a row of zeros: `segment` with what is its own, segment-evaluation with all. */
extern const cli_command cli_commands[];

/* NULL behind the last. */
const cli_command *cli_command_at(int i);

/* NULL where there is no such command; the main job has no name to be found by. */
const cli_command *cli_command_find(const char *name);

/* The i-th row of its options, headings included; NULL behind the last. */
const struct argp_option *cli_command_option(const cli_command *command, int i);

/* Print its help on standard output. @return the exit code */
int cli_command_help(const cli_command *command);

/* The main job; its mask must have this hash (file_hash.h), or nothing is written. NULL: any mask will do. One of many
 * does not say on a terminal what it wrote. */
int cli_photo_job(int argc, char **argv, const char *mask_hash, int one_of_many);

int cli_run_photo(int argc, char **argv);
int cli_run_replay(int argc, char **argv);
int cli_run_score(int argc, char **argv);
int cli_run_methods(int argc, char **argv);
int cli_run_cluster(int argc, char **argv);
int cli_run_completion(int argc, char **argv);
int cli_run_eval(int argc, char **argv);
int cli_run_figure(int argc, char **argv);
int cli_run_experiment(int argc, char **argv);
int cli_run_help(int argc, char **argv);
int cli_run_query(int argc, char **argv);

extern const struct argp cli_photo_argp, cli_replay_argp, cli_score_argp, cli_methods_argp, cli_cluster_argp,
    cli_completion_argp, cli_eval_argp, cli_figure_argp, cli_experiment_argp, cli_help_argp, cli_query_argp;

#endif
