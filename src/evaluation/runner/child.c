#include "evaluation/runner/child.h"
#include "base/base.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define FAREWELL 3 /* file descriptor that the text goes to */

/* Runs in the new process; does not return. Other files are closed: a lock on a journal must not outlive its run. */
static void run(seg_child_work work, void *user, int pipe, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    if (pipe != FAREWELL && dup2(pipe, FAREWELL) < 0)
        _exit(1);
    close_range(FAREWELL + 1, ~0u, 0);
    char *text = work(user);
    _exit(text && seg_write_all(FAREWELL, text, strlen(text)) ? 0 : 1);
}

seg_status seg_child_start(seg_context *ctx, seg_child_work work, void *user, seg_child *out) {
    int ends[2];
    const pid_t parent = getpid();
    memset(out, 0, sizeof *out);
    if (pipe(ends) != 0)
        return seg_fail(ctx, SEG_ERR_MEMORY, "no pipe: %s", SEG_ERROR_TEXT(errno));
    out->pid = fork();
    if (out->pid == 0)
        run(work, user, ends[1], parent);
    close(ends[1]);
    out->pipe = ends[0];
    if (out->pid > 0)
        return SEG_OK;
    out->pid = 0;
    close(ends[0]);
    return seg_fail(ctx, SEG_ERR_MEMORY, "cannot start a process: %s", SEG_ERROR_TEXT(errno));
}

/* Read what is available; 1 at the end of the text, or if out of memory. */
static int take(seg_child *child) {
    enum { PIECE = 16384 };
    if (child->size + PIECE >= child->room) {
        child->room = 2 * child->room + 2 * PIECE;
        char *grown = seg_realloc(NULL, child->text, child->room, 1);
        child->lost = !grown;
        if (!grown)
            return 1;
        child->text = grown;
    }
    const ssize_t got = read(child->pipe, child->text + child->size, PIECE);
    if (got < 0)
        return errno != EINTR && errno != EAGAIN;
    child->size += (size_t)got;
    child->text[child->size] = 0;
    return got == 0;
}

int seg_child_wait(seg_child *child, size_t count, int milliseconds) {
    struct pollfd watched[256];
    const size_t number = count < 256 ? count : 256;
    for (size_t c = 0; c < number; c++) /* negative: skipped */
        watched[c] = (struct pollfd){.fd = child[c].pid ? child[c].pipe : -1, .events = POLLIN};
    if (poll(watched, number, milliseconds) <= 0)
        return -1;
    for (size_t c = 0; c < number; c++)
        if (watched[c].revents && take(&child[c]))
            return (int)c;
    return -1;
}

seg_status seg_child_end(seg_context *ctx, seg_child *child) {
    struct rusage cost;
    int how = 0;
    pid_t ended;
    if (child->lost) /* it may be blocked writing to the pipe */
        kill(child->pid, SIGKILL);
    while ((ended = wait4(child->pid, &how, 0, &cost)) < 0 && errno == EINTR)
        ;
    close(child->pipe);
    child->pid = 0;
    child->memory = ended > 0 ? (size_t)cost.ru_maxrss * 1024 : 0;
    const int killed = ended > 0 && !child->lost && WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    if (killed == SIGALRM)
        return seg_fail(ctx, SEG_ERR_CANCELLED, "was out of time");
    if (killed)
        return seg_fail(ctx, SEG_ERR_NUMERIC, "crashed: %s", strsignal(killed));
    return child->lost || ended < 0 || how ? seg_fail(ctx, SEG_ERR_MEMORY, "gave up: out of memory") : SEG_OK;
}

void seg_child_free(seg_child *child) {
    if (child->pid) {
        kill(child->pid, SIGKILL);
        while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        close(child->pipe);
    }
    SEG_CLEAR(child, child->text);
}
