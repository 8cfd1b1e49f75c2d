/* The options that several commands have and that are not of one segmentation. */
#ifndef CLI_COMMON_OPTIONS_H
#define CLI_COMMON_OPTIONS_H

#include <segment/options.h>

#include <stdint.h>

/* Room for so many options of a command; tests/cli/test_usage.sh counts them, and who is beyond is told. */
#define CLI_MOST_OPTIONS 256

/* The first member of the structure that a command's options are read into: what every command has. */
typedef struct cli_common {
    seg_texts words;                       /* what stands on the line besides options, in order; the array is owned */
    uint64_t given[CLI_MOST_OPTIONS / 64]; /* bit by bit: the i-th option of the table was given */
    int64_t seed;
    int threads;
    size_t max_memory; /* bytes, 0 for no limit */
    double timeout;    /* seconds, likewise */
    int progress;      /* cli_progress_mode */
    int json, quiet, verbose;
    int help, version; /* asked for; cli_parse answers them */
} cli_common;

/* The row of that name, whose offset is in cli_common; NULL where there is none. */
const seg_option *cli_common_option(const char *name);

#endif
