#include "cli/common/commands.h"
#include "cli/common/process.h"

#include <limits.h>

const char *cli_command_name(int i) {
    return cli_commands[i + 1].name;
}

const cli_command *cli_command_find(const char *name) {
    for (const cli_command *command = cli_commands + 1; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

/* Replace this process by that program, with the same argv (NULL-ended, argv[0] included). Returns only if it cannot be
 * run: the exit code, after a message. */
static cli_end run_program(const char *program, char **argv) {
    static const char *const folders[] = {"", SEGMENT_LIBEXEC "/"};
    char own[PATH_MAX], path[PATH_MAX + sizeof SEGMENT_LIBEXEC + 64];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    int why = ENOENT;
    own[length < 0 ? 0 : length] = 0;
    char *slash = strrchr(own, '/');
    if (!slash)
        return cli_refuse(CLI_FAILED,
                          "%s: cannot find the folder of this program, from which %s is started; is /proc mounted?",
                          argv[1], program);
    slash[1] = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s%s%s", own, folders[i], program);
        execv(path, argv);
        why = errno == ENOENT || errno == ENOTDIR ? why : errno;
    }
    return cli_refuse(CLI_FAILED,
                      "%s: %s%s/%s cannot be run (%s); install all of segment (building it needs libmicrohttpd)",
                      argv[1], own, SEGMENT_LIBEXEC, program, strerror(why));
}

cli_end cli_main(int argc, char **argv) {
    const cli_command *command = argc > 1 ? cli_command_find(argv[1]) : NULL;
    const cli_command *asked =
        command && command->run == cli_run_help && argc > 2 ? cli_command_find(argv[2]) : command;
    cli_guard_process();
    if (asked && asked->program)
        return run_program(asked->program, argv);
    return command && command->run ? command->run(argc - 1, argv + 1) : cli_run_photo(argc, argv);
}
