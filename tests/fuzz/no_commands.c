/* The table that a program of commands has; these have none. */
#include "cli/commands.h"

const cli_command cli_commands[] = {{0}, {0}};
