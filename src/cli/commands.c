#include "commands.h"
#include "arguments.h"
#include "exit_codes.h"
#include "save_run.h"

#include <stdlib.h>
#include <string.h>

const cli_command *cli_command_at(int i) {
    return cli_commands[i].name ? &cli_commands[i] : NULL;
}

const cli_command *cli_command_find(const char *name) {
    for (const cli_command *command = cli_commands + 1; command->name; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}

static int is_heading(const struct argp_option *row) {
    return !row->name && !row->key;
}

/* Of options that are another's. */
static int keeps(const struct argp_option *row) {
    if (!is_heading(row)) {
        return cli_replays(row->name);
    }
    do {
        row++;
    } while (!cli_options_end(row) && !is_heading(row) && !cli_replays(row->name));
    return !cli_options_end(row) && !is_heading(row); /* a heading of something */
}

const struct argp_option *cli_command_option(const cli_command *command, int i) {
    for (const struct argp_option *row = (command->of ? command->of : command->argp)->options; !cli_options_end(row);
         row++) {
        if (!(row->flags & OPTION_HIDDEN) && (!command->of || keeps(row)) && i-- == 0) {
            return row;
        }
    }
    return NULL;
}

int cli_command_help(const cli_command *command) {
    struct argp argp = *command->argp;
    struct argp_option *rows = NULL;
    char name[64];
    int count = 0;
    while (cli_command_option(command, count)) {
        count++;
    }
    if (!(rows = calloc((size_t)count + 1, sizeof *rows))) {
        cli_say("out of memory");
        return CLI_FAILED;
    }
    for (int i = 0; i < count; i++) {
        rows[i] = *cli_command_option(command, i);
    }
    argp.options = rows;
    snprintf(name, sizeof name, "segment%s%s", *command->name ? " " : "", command->name);
    int code = cli_help(&argp, name);
    free(rows);
    return code;
}
