/* segment-evaluation: the commands of `segment` that need the libraries for drawings and data sets. It is run by
 * `segment` (elsewhere.h) with that program's own arguments, `segment COMMAND ...` or `segment help COMMAND`. */
#include "commands.h"
#include "exit_codes.h"
#include "json_out.h"
#include "progress.h"

#include <string.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    int (*help)(void);
} commands[] = {
    {"eval", cli_run_eval, cli_eval_help},
    {"experiment", cli_run_experiment, cli_experiment_help},
    {"figure", cli_run_figure, cli_figure_help},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

int main(int argc, char **argv) {
    const int help = argc > 2 && strcmp(argv[1], "help") == 0;
    const char *name = argc > 1 ? argv[1 + help] : "";
    cli_guard_process();
    cli_json_watch();
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return help ? commands[i].help() : commands[i].run(argc - 1, argv + 1);
        }
    }
    cli_say("segment-evaluation is a part of segment: run 'segment eval', 'segment experiment' or 'segment figure'");
    return CLI_USAGE;
}
