/* segment-paint: the command of `segment` that needs a server. `segment` starts it (cli_run_program) with its own
 * arguments, `segment paint ...` or `segment help paint`. */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"

#define NONE(name, word)
const cli_command cli_commands[] = {CLI_COMMANDS(CLI_COMMAND_ROW, NONE, CLI_COMMAND_ROW){0}};
cli_end (*const cli_run_processes)(cli_batch *) = NULL;

int main(int argc, char **argv) {
    return cli_main(argc, argv);
}
