/* Options that several commands share and that are not options of one segmentation: one row each. */
#include "cli/common/common_options.h"

#include <string.h>

static const char *const progress_names[] = {"auto", "none", "json", NULL};

#define AT(member) offsetof(cli_common, member)

static const seg_option rows[] = {
    {SEG_OPTION_ROW("seed", 0, WHOLE, AT(seed)), SEG_OPTION_RANGE(0, (double)INT64_MAX),
     SEG_OPTION_SAID("N", "1", NULL, "Seed of every random choice; the same seed gives the same result"),
     SEG_OPTION_KIND(HOW, SEG_OPTION_MAKES_RESULT)},
    {SEG_OPTION_ROW("threads", 0, INT, AT(threads)), SEG_OPTION_RANGE(0, 1024),
     SEG_OPTION_SAID("N", "0", NULL, "Threads; 0: one per processor; does not change the result"),
     SEG_OPTION_KIND(HOW, 0)},
    {SEG_OPTION_ROW("max-memory", 0, BYTES, AT(max_memory)),
     SEG_OPTION_SAID("SIZE", NULL, "bytes",
                     "Memory limit: bytes, or with K, M, G, T (thousands) or KiB, MiB, GiB, TiB; a plan that needs "
                     "more is adapted, with a message, or refused"),
     SEG_OPTION_KIND(HOW, 0)},
    {SEG_OPTION_ROW("timeout", 0, REAL, AT(timeout)), SEG_OPTION_RANGE(0.001, 1e9),
     SEG_OPTION_SAID("SECONDS", NULL, "seconds",
                     "Stop after this many seconds with exit status 124, leaving no half-written file"),
     SEG_OPTION_KIND(HOW, 0)},
    {SEG_OPTION_ROW("json", 0, FLAG, AT(json)),
     SEG_OPTION_SAID(NULL, NULL, NULL, "Report everything about the run as JSON on standard output"),
     SEG_OPTION_KIND(OUTPUT, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("progress", 0, CHOICE, AT(progress)), SEG_OPTION_CHOICES(progress_names, 0),
     SEG_OPTION_SAID("HOW", "auto", NULL, "Progress on standard error: auto (a bar on a terminal), none or json"),
     SEG_OPTION_KIND(SAY, 0)},
    {SEG_OPTION_ROW("quiet", 'q', FLAG, AT(quiet)), SEG_OPTION_SAID(NULL, NULL, NULL, "Print no warnings and no bar"),
     SEG_OPTION_KIND(SAY, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("verbose", 'v', FLAG, AT(verbose)),
     SEG_OPTION_SAID(NULL, NULL, NULL, "Report what is found and done; twice for more"),
     SEG_OPTION_KIND(SAY, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("help", 'h', FLAG, AT(help)), SEG_OPTION_SAID(NULL, NULL, NULL, "Print this help and exit"),
     SEG_OPTION_KIND(SAY, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("version", 'V', FLAG, AT(version)), SEG_OPTION_SAID(NULL, NULL, NULL, "Print the version and exit"),
     SEG_OPTION_KIND(SAY, SEG_OPTION_IMPORTANT)},
};

const seg_option *cli_common_option(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}
