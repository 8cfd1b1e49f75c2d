#include "cli/common/commands.h"

#include <string.h>

const cli_command *cli_command_at(int i) {
    return cli_commands[i].name ? &cli_commands[i] : NULL;
}

const cli_command *cli_command_find(const char *name) {
    for (const cli_command *command = cli_commands + 1; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}
