/* Calls that touch files counted, and failed on demand as on a full disk: they are defined in the program itself. */
#ifndef TESTS_SWEEP_DISK_H
#define TESTS_SWEEP_DISK_H

#include <stddef.h>

/* The `first`-th call from arm_disk on (from 1) fails with ENOSPC; with `all` every later one too. */
void fail_disk(size_t first, int all);
void arm_disk(void);
/* Of all processes forked since share_disk: calls that failed. */
void share_disk(void);
size_t failed_disk(void);

#endif
