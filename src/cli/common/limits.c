#include "cli/common/limits.h"
#include "cli/common/cost.h"
#include "cli/common/messages.h"

#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

/* Blocks of this size and more are returned to the system when they are freed. Left to itself the C library raises the
 * threshold with each such block, and keeps what it gets back. */
#define BLOCK_OF_ITS_OWN (1 << 18)
/* Without a limit: blocks below this size come from the heap, which keeps what is freed for the next stage; */
#define LARGE_BLOCK (1 << 25)
/* the heap begins with this much, in large pages, */
#define FIRST_HEAP ((size_t)1 << 25)
#define LARGE_PAGE ((uintptr_t)1 << 21)
/* What the library may take to hear of the deadline before the process is ended: no call of another library that cannot
 * be interrupted, and no stalled pipe, holds it up for longer. */
#define GRACE 0.7

/* One run a process: the signal handler must reach these without a handle. */
static double deadline, seconds_given;
static seg_context *volatile running;

/* Only what may be called from a signal handler. */
static void end_now(int signal_number) {
    static const char sentence[] = "segment: out of time (--timeout); the program did not respond and was ended\n";
    seg_context_info info = {0};
    (void)signal_number;
    if (running)
        seg_context_about(running, &info);
    if (info.unfinished)
        unlink(info.unfinished);
    if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0)
        _exit(CLI_TIMEOUT);
    _exit(CLI_TIMEOUT);
}

static void set_alarm(double seconds) {
    struct sigaction action = {.sa_handler = end_now};
    struct itimerval time = {{0, 0}, {0, 0}};
    time.it_value.tv_sec = (time_t)seconds;
    time.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)));
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &time, NULL);
}

/* A sixth of a small image's time went into eight thousand page faults. Pages that nothing is written to cost nothing;
 * where the system refuses, nothing changes. Once a process. */
static void keep_heap(void) {
    static int kept;
    if (kept)
        return;
    kept = 1;
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
    mallopt(M_TRIM_THRESHOLD, 2 * LARGE_BLOCK);
    mallopt(M_TOP_PAD, (int)FIRST_HEAP);
    const uintptr_t before = (uintptr_t)sbrk(0);
    void *volatile block = malloc(LARGE_PAGE); /* the heap grows by that and M_TOP_PAD */
    free(block);
    mallopt(M_TOP_PAD, 1 << 20);
    const uintptr_t first = (before + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    const uintptr_t end = (uintptr_t)sbrk(0) / LARGE_PAGE * LARGE_PAGE;
    if (end > first)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void cli_limits_start(seg_context *ctx, size_t max_memory, double timeout) {
    seg_context_settings(ctx)->max_memory = max_memory;
    running = ctx;
    if (max_memory) {
        mallopt(M_MMAP_THRESHOLD, BLOCK_OF_ITS_OWN);
        mallopt(M_TRIM_THRESHOLD, BLOCK_OF_ITS_OWN);
    } else {
        keep_heap();
    }
    if (timeout > 0 && !(deadline > 0)) {
        seconds_given = timeout;
        deadline = cli_now() + timeout;
        set_alarm(timeout + GRACE);
    }
}

void cli_limits_end(void) {
    running = NULL;
}

cli_end cli_limits_check(size_t max_memory) {
    const size_t held = cli_peak_memory();
    if (!max_memory || held <= max_memory)
        return CLI_GO_ON;
    return cli_refuse(CLI_LIMIT, "the limit is %.0f MB, but the program alone uses %.0f MB; allow at least %.0f MB",
                      1e-6 * (double)max_memory, 1e-6 * (double)held, 1e-6 * (double)held + 10);
}

int cli_timed_out(void) {
    return deadline > 0 && cli_now() >= deadline;
}

void cli_say_timeout(const char *stage) {
    cli_say("out of time: the %g seconds of --timeout ended during '%s'; unfinished outputs were not written",
            seconds_given, stage ? stage : "start");
}
