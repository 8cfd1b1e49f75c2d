/* segment completion SHELL */
#include "arguments.h"
#include "commands.h"
#include "completion.h"
#include "exit_codes.h"

#include <string.h>
#include <strings.h>

typedef struct completion_options {
    cli_arguments arguments;
    const char *shell;
} completion_options;

static const struct argp_option table[] = {CLI_OPTION_HELP, CLI_OPTION_VERSION, {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    completion_options *options = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (options->shell) {
            return cli_reject(state, "unexpected argument '%s': completion takes one shell", text);
        }
        options->shell = text;
        return 0;
    case ARGP_KEY_END:
        if (!options->shell) {
            return cli_reject(state, "completion needs a shell: segment completion bash, zsh or fish");
        }
        return 0;
    default:
        return cli_parse_common(key, state);
    }
}

const struct argp cli_completion_argp = {
    .options = table,
    .parser = parse_one,
    .args_doc = "bash|zsh|fish",
    .doc = "Print a shell's script for the completion of commands, options and values.\v"
           "An installed segment has brought the scripts along. For one that is not installed: source <(segment "
           "completion bash), or segment completion fish | source. The manual page segment-completion(1) tells more.",
};

int cli_run_completion(int argc, char **argv) {
    completion_options options = {.shell = NULL};
    int code = cli_parse(&cli_completion_argp, "segment completion", argc, argv, &options);
    if (code != -1) {
        return code;
    }
    if (strcasecmp(options.shell, "bash") == 0) {
        cli_completion_bash();
    } else if (strcasecmp(options.shell, "zsh") == 0) {
        cli_completion_zsh();
    } else if (strcasecmp(options.shell, "fish") == 0) {
        cli_completion_fish();
    } else {
        cli_say("completion takes bash, zsh or fish, not '%s'", options.shell);
        return CLI_USAGE;
    }
    return cli_finish_output(CLI_OK);
}
