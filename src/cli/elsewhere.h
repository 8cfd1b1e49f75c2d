/* The commands of the other programs, segment-evaluation and segment-paint, which lie beside this one in a build and in
 * libexec where it is installed. */
#ifndef CLI_ELSEWHERE_H
#define CLI_ELSEWHERE_H

#include "exit_codes.h"

/* Become that program; argv[0] and the arguments stay as they are, the NULL behind them included. Returns only where it
 * cannot be run: the exit code, after a sentence. */
cli_end cli_run_elsewhere(const char *program, char **argv);

#endif
