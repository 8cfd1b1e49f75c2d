/* The options that several commands have and that are not of one segmentation. */
#ifndef CLI_COMMON_OPTIONS_H
#define CLI_COMMON_OPTIONS_H

#include <segment/options.h>

/* The row of that name, whose offset is in cli_common; NULL where there is none. */
const seg_option *cli_common_option(const char *name);

#endif
