/* Starting the other programs, segment-evaluation and segment-paint, which are beside this one in a build and in
 * libexec when installed. */
#ifndef CLI_COMMON_PROGRAMS_H
#define CLI_COMMON_PROGRAMS_H

#include "cli/common/exit_codes.h"

/* Replace this process by that program, with the same argv (NULL-ended, argv[0] included). Returns only if it cannot be
 * run: the exit code, after a message. */
cli_end cli_run_program(const char *program, char **argv);

#endif
