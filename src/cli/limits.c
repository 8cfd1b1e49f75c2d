#include "limits.h"
#include "cost.h"
#include "exit_codes.h"

#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <unistd.h>

/* Blocks of this size and more are returned to the system when they are freed. Left to itself the C library raises the
 * threshold with each such block, and keeps what it gets back. */
#define BLOCK_OF_ITS_OWN (1 << 18)
/* What the library may take to hear of the deadline before the process is ended: no call of another library that cannot
 * be interrupted, and no stalled pipe, holds it up for longer. */
#define GRACE 0.7

/* One run a process: the signal handler must reach these without a handle. */
static double deadline, seconds_given;
static seg_context *volatile running;

static const struct unit {
    const char *name;
    double factor;
} units[] = {
    {"", 1},
    {"B", 1},
    {"K", 1e3},
    {"M", 1e6},
    {"G", 1e9},
    {"T", 1e12},
    {"kB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"TB", 1e12},
    {"KiB", 1024.0},
    {"MiB", 1048576.0},
    {"GiB", 1073741824.0},
    {"TiB", 1099511627776.0},
};
#define UNITS   (sizeof units / sizeof *units)
#define LARGEST 1e18

int cli_read_bytes(const char *option, const char *text, size_t *out) {
    char *end = NULL;
    const double value = strtod(text, &end);
    const size_t digits = strspn(text, "0123456789.");
    for (size_t u = 0; digits && end == text + digits && u < UNITS; u++) {
        const double bytes = value * units[u].factor;
        if (strcasecmp(end, units[u].name) == 0 && bytes >= 1 && bytes <= LARGEST) {
            *out = (size_t)bytes;
            return 1;
        }
    }
    cli_say("%s takes a size like 500M, 2G or 1.5GiB, or a number of bytes, not '%s'", option, text);
    return 0;
}

const char *cli_bytes_text(size_t bytes, char text[32]) {
    snprintf(text, 32, "%zu", bytes);
    for (size_t u = 2; u < 6 && bytes; u++) {
        if (bytes % (size_t)units[u].factor == 0) {
            snprintf(text, 32, "%zu%s", bytes / (size_t)units[u].factor, units[u].name);
        }
    }
    return text;
}

/* Only what may be called from a signal handler. */
static void end_now(int signal_number) {
    static const char sentence[] =
        "segment: out of time (--timeout); the work could not be interrupted and was ended\n";
    const char *unfinished = running ? seg_context_unfinished(running) : NULL;
    (void)signal_number;
    if (unfinished) {
        unlink(unfinished);
    }
    if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0) {
        _exit(CLI_TIMEOUT);
    }
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

void cli_limits_start(seg_context *ctx, size_t max_memory, double timeout) {
    seg_context_set_max_memory(ctx, max_memory);
    running = ctx;
    if (max_memory) {
        mallopt(M_MMAP_THRESHOLD, BLOCK_OF_ITS_OWN);
        mallopt(M_TRIM_THRESHOLD, BLOCK_OF_ITS_OWN);
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

int cli_limits_check(size_t max_memory) {
    const size_t held = cli_peak_memory();
    if (!max_memory || held <= max_memory) {
        return -1;
    }
    cli_say("the limit is %.0f MB, and the program alone holds %.0f MB; allow at least %.0f MB",
            1e-6 * (double)max_memory, 1e-6 * (double)held, 1e-6 * (double)held + 10);
    return CLI_LIMIT;
}

int cli_timed_out(void) {
    return deadline > 0 && cli_now() >= deadline;
}

void cli_say_timeout(const char *stage) {
    cli_say("out of time: the %g seconds of --timeout were over during '%s'; what was not finished was not written",
            seconds_given, stage ? stage : "start");
}
