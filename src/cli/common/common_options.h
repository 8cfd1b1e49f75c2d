/* Options that several commands share and that are not options of one segmentation. */
#ifndef CLI_COMMON_COMMON_OPTIONS_H
#define CLI_COMMON_COMMON_OPTIONS_H

#include <segment/options.h>

#include <stdint.h>

/* Largest number of options of a command; tests/cli/test_usage.sh counts them, and a command with more is refused with
 * a message. */
#define CLI_MOST_OPTIONS 256

/* First member of the structure that the options of a command are read into. */
typedef struct cli_common {
    seg_texts words;                       /* words that are not options, in order; the array is owned */
    uint64_t given[CLI_MOST_OPTIONS / 64]; /* bit by bit: the i-th option of the table was given */
    int64_t seed;
    int threads;
    size_t max_memory; /* bytes, 0 for no limit */
    double timeout;    /* seconds, likewise */
    int progress;      /* cli_progress_mode */
    int json, quiet, verbose;
    int help, version; /* requested; cli_parse prints them */
} cli_common;

/* The row of that name, whose offset is in cli_common; or NULL. */
const seg_option *cli_common_option(const char *name);

#endif
