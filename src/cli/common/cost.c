#include "cli/common/cost.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double cli_now(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The peak memory of this program from /proc. getrusage would include memory that the process used before exec, for
 * example that of a notebook that starts this program. 0 if there is no such file. */
static size_t peak_of_program(void) {
    char text[4096], *at;
    const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = 0;
    at = strstr(text, "\nVmHWM:");
    return at ? (size_t)strtoull(at + 7, NULL, 10) * 1024 : 0;
}

size_t cli_peak_memory(void) {
    struct rusage usage;
    const size_t peak = peak_of_program();
    if (peak)
        return peak;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (size_t)usage.ru_maxrss * 1024 : 0;
}
