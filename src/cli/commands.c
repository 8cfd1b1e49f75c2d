#include "commands.h"
#include "arguments.h"
#include "exit_codes.h"
#include "save_run.h"

#include <stdlib.h>
#include <string.h>

static const cli_command commands[] = {
    {"", cli_run_photo, &cli_photo_argp, NULL, CLI_OPERAND_PICTURES},
    {"cluster", cli_run_cluster, &cli_cluster_argp, NULL, CLI_OPERAND_TABLE},
    {"eval", cli_run_eval, &cli_eval_argp, NULL, CLI_OPERAND_FOLDER},
    {"experiment", cli_run_experiment, &cli_experiment_argp, NULL, CLI_OPERAND_EXPERIMENT},
    {"figure", cli_run_figure, &cli_figure_argp, NULL, CLI_OPERAND_PICTURES},
    {"query", cli_run_query, &cli_query_argp, NULL, CLI_OPERAND_TABLE_OR_PICTURE},
    {"replay", cli_run_replay, &cli_replay_argp, &cli_photo_argp, CLI_OPERAND_RECORD},
    {"score", cli_run_score, &cli_score_argp, NULL, CLI_OPERAND_PICTURES},
    {"methods", cli_run_methods, &cli_methods_argp, NULL, CLI_OPERAND_NONE},
    {"completion", cli_run_completion, &cli_completion_argp, NULL, CLI_OPERAND_SHELL},
    {"help", cli_run_help, &cli_help_argp, NULL, CLI_OPERAND_COMMAND},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

const cli_command *cli_command_at(int i) {
    return i < COMMANDS ? &commands[i] : NULL;
}

const cli_command *cli_command_find(const char *name) {
    for (int i = 1; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static int is_heading(const struct argp_option *row) {
    return !row->name && !row->key;
}

/* Of options that are another's. */
static int keeps(const struct argp_option *row) {
    if (!is_heading(row)) {
        return cli_replays(row->name);
    }
    do {
        row++;
    } while (!cli_options_end(row) && !is_heading(row) && !cli_replays(row->name));
    return !cli_options_end(row) && !is_heading(row); /* a heading of something */
}

const struct argp_option *cli_command_option(const cli_command *command, int i) {
    for (const struct argp_option *row = (command->of ? command->of : command->argp)->options; !cli_options_end(row);
         row++) {
        if ((!command->of || keeps(row)) && i-- == 0) {
            return row;
        }
    }
    return NULL;
}

int cli_command_help(const cli_command *command) {
    struct argp argp = *command->argp;
    struct argp_option *rows = NULL;
    char name[64];
    int count = 0;
    while (cli_command_option(command, count)) {
        count++;
    }
    if (!(rows = calloc((size_t)count + 1, sizeof *rows))) {
        cli_say("out of memory");
        return CLI_FAILED;
    }
    for (int i = 0; i < count; i++) {
        rows[i] = *cli_command_option(command, i);
    }
    argp.options = rows;
    snprintf(name, sizeof name, "segment%s%s", *command->name ? " " : "", command->name);
    int code = cli_help(&argp, name);
    free(rows);
    return code;
}
