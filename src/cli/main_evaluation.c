/* segment-evaluation: the commands of `segment` that need the libraries for drawings and data sets. It is run by
 * `segment` (elsewhere.h) with that program's own arguments, `segment COMMAND ...` or `segment help COMMAND`. */
#include "commands.h"
#include "fail.h"
#include "json_out.h"
#include "progress.h"

#include "evaluation/json_read.h"

const cli_command cli_commands[] = {CLI_COMMANDS(CLI_COMMAND_ROW, CLI_COMMAND_ROW, CLI_COMMAND_TOLD){0}};

int main(int argc, char **argv) {
    const cli_command *command = argc > 1 ? cli_command_find(argv[1]) : NULL;
    cli_guard_process();
    seg_json_watch();
    if (command && command->run)
        return command->run(argc - 1, argv + 1);
    cli_say("segment-evaluation is a part of segment: run 'segment eval', 'segment experiment' or 'segment figure'");
    return CLI_USAGE;
}
