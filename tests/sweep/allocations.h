/* Every allocation of the process counted, and failed on demand: malloc and its kin are defined in the program itself,
 * so that every library calls them too. Under the address sanitizer they pass on to the sanitizer's. */
#ifndef TESTS_SWEEP_ALLOCATIONS_H
#define TESTS_SWEEP_ALLOCATIONS_H

#include <stddef.h>

#define FAIL_NEVER ((size_t)-1)

/* Begin anew: the `first`-th allocation while armed (from 1) fails, with `all` every later one too. */
void fail_allocations(size_t first, int all);
/* Allocations count, and may fail, between arm and disarm. Blocks are remembered until they are freed. */
void arm_allocations(void);
void disarm_allocations(void);
/* Since fail_allocations: allocations while armed, and how many of them failed. */
size_t armed_allocations(void);
size_t failed_allocations(void);
/* Blocks allocated while armed since fail_allocations that nobody has freed; their places are printed. */
size_t lost_blocks(int print);

/* Let the counts be of all processes that are forked from here on; blocks are not remembered. */
void share_allocations(void);

/* Allocations of a library whose file name begins so are let through: it ends the process where one fails. */
void spare_library(const char *name);
/* Likewise libvips and what it loads (cases_image.c). */
void spare_libvips(void);
/* Of all such libraries that only some programs use, the caller names the others. */
void spare_libraries(void);

#endif
