/* segment-paint: the command of `segment` that needs a server. `segment` runs it (cli_run_program) with its own
 * arguments, `segment paint ...` or `segment help paint`. */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"
#include "cli/common/process.h"

#include <stddef.h>

#define NONE(name, word, operand)
const cli_command cli_commands[] = {CLI_COMMANDS(CLI_COMMAND_ROW, NONE, CLI_COMMAND_ROW){0}};
const cli_shared_run cli_run_shared = NULL;

int main(int argc, char **argv) {
    const cli_command *command = argc > 1 ? cli_command_find(argv[1]) : NULL;
    cli_guard_process();
    if (command)
        return command->run(argc - 1, argv + 1);
    return cli_refuse(CLI_USAGE, "segment-paint is a part of segment: run 'segment paint'");
}
