#include "process.h"

#include "base/base.h"
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static double seconds(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* The process's end into *end. Where `output` is given, its standard output and error go into files. */
static int spawn(const char *const *command, const char *output, const char *words, int *end, bench_usage *out) {
    union {
        const char *const *from;
        char *const *to;
    } arguments = {command}; /* posix_spawn changes none of them, but its type does not say so */
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    pid_t process;
    const double started = seg_now();
    posix_spawn_file_actions_init(&actions);
    if (output) {
        const int create = O_WRONLY | O_CREAT | O_TRUNC;
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, create, 0666);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, words, create, 0666);
    }
    const int error = posix_spawnp(&process, command[0], &actions, NULL, arguments.to, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        return bench_fail("cannot run '%s': %s", command[0], strerror(error));
    while (wait4(process, end, 0, &usage) < 0)
        if (errno != EINTR)
            return bench_fail("cannot wait for '%s': %s", command[0], strerror(errno));
    out->wall = seg_now() - started;
    out->cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    out->memory = 1024.0 * (double)usage.ru_maxrss;
    return 0;
}

static int say_how_it_ended(const char *const *command, int end) {
    return bench_fail("'%s %s' %s %d", command[0], command[1],
                      WIFEXITED(end) ? "ended with exit code" : "died of signal",
                      WIFEXITED(end) ? WEXITSTATUS(end) : WTERMSIG(end));
}

int bench_spawn(const char *const *command, bench_usage *out) {
    int end;
    if (spawn(command, NULL, NULL, &end, out))
        return 1;
    return WIFEXITED(end) && WEXITSTATUS(end) == 0 ? 0 : say_how_it_ended(command, end);
}

int bench_spawn_to(const char *const *command, const char *output, const char *words, int *exit_code,
                   bench_usage *out) {
    int end;
    if (spawn(command, output, words, &end, out))
        return 1;
    *exit_code = WIFEXITED(end) ? WEXITSTATUS(end) : -1;
    return WIFEXITED(end) ? 0 : say_how_it_ended(command, end);
}
