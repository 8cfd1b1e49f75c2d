/* segment: its own commands, and that of segment-paint, which it starts. */
#include "cli/common/commands.h"

#include "base/json_read.h"

#define PAINT(name, word) {name, NULL, NULL, "segment-paint"},
const cli_command cli_commands[] = {CLI_COMMANDS(CLI_COMMAND_ROW, PAINT){0}};

int main(int argc, char **argv) {
    seg_json_watch();
    return cli_main(argc, argv);
}
