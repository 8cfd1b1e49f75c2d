/* segment: a word that names a command, or a photograph. */
#include "commands.h"
#include "elsewhere.h"
#include "exit_codes.h"
#include "json_out.h"
#include "photo_options.h"
#include "progress.h"
#include "suggest.h"

#include <string.h>

static int run_help(int argc, char **argv);

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv); /* NULL: a command of the other program (elsewhere.h) */
    int (*help)(void);
} commands[] = {
    {"cluster", cli_run_cluster, cli_cluster_help},
    {"eval", NULL, NULL},
    {"experiment", NULL, NULL},
    {"figure", NULL, NULL},
    {"query", cli_run_query, cli_query_help},
    {"replay", cli_run_replay, cli_replay_help},
    {"score", cli_run_score, cli_score_help},
    {"methods", cli_run_methods, cli_methods_help},
    {"help", run_help, cli_photo_help},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct command *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static int run_help(int argc, char **argv) {
    if (argc < 2) {
        return cli_photo_help();
    }
    const struct command *command = find_command(argv[1]);
    if (command && command->run) {
        return command->help();
    }
    if (command) {
        return cli_run_elsewhere(argv);
    }
    const char *nearest = NULL;
    int distance = 0;
    for (int i = 0; i < COMMANDS; i++) {
        cli_suggest(argv[1], commands[i].name, &nearest, &distance);
    }
    cli_say("there is no command '%s'; %s%s%s'segment help' lists the commands", argv[1],
            nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? " : "");
    return CLI_USAGE;
}

int main(int argc, char **argv) {
    const struct command *command = argc > 1 ? find_command(argv[1]) : NULL;
    cli_guard_process();
    cli_json_watch();
    if (!command) {
        return cli_run_photo(argc, argv);
    }
    return command->run ? command->run(argc - 1, argv + 1) : cli_run_elsewhere(argv);
}
