#include "process.h"

#include "bench.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

static double seconds(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

int bench_spawn(const char *const *command, bench_usage *out) {
    union {
        const char *const *from;
        char *const *to;
    } arguments = {command}; /* posix_spawn changes none of them, but its type does not say so */
    struct rusage usage;
    pid_t process;
    int end;
    const double started = bench_seconds();
    const int error = posix_spawnp(&process, command[0], NULL, NULL, arguments.to, environ);
    if (error)
        return bench_fail("cannot run '%s': %s", command[0], strerror(error));
    while (wait4(process, &end, 0, &usage) < 0)
        if (errno != EINTR)
            return bench_fail("cannot wait for '%s': %s", command[0], strerror(errno));
    out->wall = bench_seconds() - started;
    out->cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    out->memory = 1024.0 * (double)usage.ru_maxrss;
    if (WIFEXITED(end) && WEXITSTATUS(end) == 0)
        return 0;
    return bench_fail("'%s %s' %s %d", command[0], command[1],
                      WIFEXITED(end) ? "ended with exit code" : "died of signal",
                      WIFEXITED(end) ? WEXITSTATUS(end) : WTERMSIG(end));
}
