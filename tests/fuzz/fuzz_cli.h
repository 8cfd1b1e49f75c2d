/* What the fuzzers of the command line share. */
#ifndef TESTS_FUZZ_CLI_H
#define TESTS_FUZZ_CLI_H

#include "fuzz.h"

#include "cli/common/commands.h"

const cli_command cli_commands[] = {{0}, {0}}; /* every program has a table of its commands: here none */

/* What the options' parsers say is not wanted; findings do not come by way of stdio. */
static inline void fuzz_silence(void) {
    static int silent;
    if (silent)
        return;
    CHECK(freopen("/dev/null", "w", stdout));
    stderr = fopen("/dev/null", "w");
    CHECK(stderr);
    silent = 1;
}

#endif
