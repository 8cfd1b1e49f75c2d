/* segment: its own commands, and those of the other programs, which it starts. */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"

#include "base/json_read.h"

#define EVALUATION(name, word) {name, NULL, NULL, "segment-evaluation"},
#define PAINT(name, word)      {name, NULL, NULL, "segment-paint"},
const cli_command cli_commands[] = {CLI_COMMANDS(CLI_COMMAND_ROW, EVALUATION, PAINT){0}};
cli_end (*const cli_run_processes)(cli_batch *) = NULL; /* segment-evaluation has the runner */

int main(int argc, char **argv) {
    seg_json_watch();
    return cli_main(argc, argv);
}
