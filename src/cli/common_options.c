/* The options that several commands have and that are not of one segmentation: a row each. */
#include "common_options.h"

#include <string.h>

static const char *const progress_names[] = {"auto", "none", "json", NULL};

#define AT(member) offsetof(cli_common, member)

static const seg_option rows[] = {
    {.name = "seed",
     .type = SEG_OPTION_WHOLE,
     .offset = AT(seed),
     .high = INT64_MAX,
     .initial = "1",
     .value = "N",
     .help = "Seed of every random choice; the same seed gives the same result",
     .group = SEG_OPTIONS_HOW,
     .traits = SEG_OPTION_MAKES_RESULT},
    {.name = "threads",
     .type = SEG_OPTION_INT,
     .offset = AT(threads),
     .high = 1024,
     .initial = "0",
     .value = "N",
     .help = "Threads, 0 for all processors; never changes the result",
     .group = SEG_OPTIONS_HOW},
    {.name = "max-memory",
     .type = SEG_OPTION_BYTES,
     .offset = AT(max_memory),
     .unit = "bytes",
     .value = "SIZE",
     .help = "Memory limit: bytes, or with K, M, G, T (thousands) or KiB, MiB, GiB, TiB; a plan that needs more is "
             "adapted, which is said, or refused",
     .group = SEG_OPTIONS_HOW},
    {.name = "timeout",
     .type = SEG_OPTION_REAL,
     .offset = AT(timeout),
     .low = 0.001,
     .high = 1e9,
     .unit = "seconds",
     .value = "SECONDS",
     .help = "Stop after so many seconds with exit status 124 and nothing half-written",
     .group = SEG_OPTIONS_HOW},
    {.name = "json",
     .type = SEG_OPTION_FLAG,
     .offset = AT(json),
     .help = "Report everything about the run as JSON on standard output",
     .group = SEG_OPTIONS_OUTPUT,
     .traits = SEG_OPTION_IMPORTANT},
    {.name = "progress",
     .type = SEG_OPTION_CHOICE,
     .offset = AT(progress),
     .choices = progress_names,
     .initial = "auto",
     .value = "HOW",
     .help = "Progress on standard error: auto (a bar on a terminal), none or json",
     .group = SEG_OPTIONS_SAY},
    {.name = "quiet",
     .letter = 'q',
     .type = SEG_OPTION_FLAG,
     .offset = AT(quiet),
     .help = "Print no warnings and no bar",
     .group = SEG_OPTIONS_SAY,
     .traits = SEG_OPTION_IMPORTANT},
    {.name = "verbose",
     .letter = 'v',
     .type = SEG_OPTION_FLAG,
     .offset = AT(verbose),
     .help = "Say what is found and done; twice for more",
     .group = SEG_OPTIONS_SAY,
     .traits = SEG_OPTION_IMPORTANT},
    {.name = "help",
     .letter = 'h',
     .type = SEG_OPTION_FLAG,
     .offset = AT(help),
     .help = "Print this help and exit",
     .group = SEG_OPTIONS_SAY,
     .traits = SEG_OPTION_IMPORTANT},
    {.name = "version",
     .letter = 'V',
     .type = SEG_OPTION_FLAG,
     .offset = AT(version),
     .help = "Print the version and exit",
     .group = SEG_OPTIONS_SAY,
     .traits = SEG_OPTION_IMPORTANT},
};

const seg_option *cli_common_option(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}
