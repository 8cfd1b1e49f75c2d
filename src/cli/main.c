/* segment: a word that names a command, or a photograph. */
#include "commands.h"

#include <stddef.h>

int main(int argc, char **argv) {
    const cli_command *command = argc > 1 ? cli_command_find(argv[1]) : NULL;
    return command ? command->run(argc - 1, argv + 1) : cli_run_photo(argc, argv);
}
