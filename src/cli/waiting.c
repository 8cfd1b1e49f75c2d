/* Threads that have nothing to do sleep at once. OpenMP's default is to look for work in a loop for a while, which on a
 * machine that others use too takes the processor from the very thread that is waited for: ten times the time was
 * measured with two threads on one free processor. On an idle machine it makes no difference.
 *
 * OpenMP reads its settings when it is loaded, before main; what stands in .preinit_array runs before that. A setting
 * of the user's own is left alone. */
#include <stdlib.h>

#ifdef __SANITIZE_ADDRESS__ /* the sanitizer is not yet at work that early */
typedef int nothing_here;
#else
static void sleep_while_waiting(void) {
    setenv("OMP_WAIT_POLICY", "passive", 0);
}

__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = sleep_while_waiting;
#endif
