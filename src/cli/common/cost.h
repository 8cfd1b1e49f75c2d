/* Time and memory of a run. */
#ifndef CLI_COMMON_COST_H
#define CLI_COMMON_COST_H

#include <stddef.h>

/* Seconds of a clock that only runs forward. */
double cli_now(void);

/* The highest resident size of the process so far, bytes. */
size_t cli_peak_memory(void);

#endif
