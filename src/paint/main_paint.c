/* segment-paint: the command of `segment` that needs a server. `segment` starts it (commands.c) with its own arguments,
 * `segment paint ...` or `segment help paint`. */
#include "cli/common/commands.h"

const cli_command cli_commands[] = {CLI_COMMANDS(CLI_COMMAND_ROW, CLI_COMMAND_ROW){0}};

int main(int argc, char **argv) {
    return cli_main(argc, argv);
}
