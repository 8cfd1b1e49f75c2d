#include "cli/common/progress.h"
#include "cli/common/limits.h"
#include "cli/common/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One run a process: the signal handler and the error sentences must reach these without a handle. */
static volatile sig_atomic_t stop_signal;
static cli_progress_mode progress_mode;
static int shown_verbosity;
static int writing;

/* The first signal asks the library to stop at its next report of progress; any further one ends the process. */
static void on_signal(int signal_number) {
    if (stop_signal) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    stop_signal = signal_number;
}

int cli_interrupted(void) {
    return stop_signal;
}

/* A signal that the caller ignores (nohup) stays ignored. */
static void catch_signal(int signal_number) {
    struct sigaction old, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

/* Stage names come from the library and need no escaping. */
static int on_progress(void *user, double done, const char *stage) {
    (void)user;
    done = done > 0 ? done < 1 ? done : 1 : 0;
    stage = stage ? stage : "";
    if (progress_mode == CLI_PROGRESS_JSON)
        fprintf(stderr, "{\"progress\": %.4f, \"stage\": \"%s\"}\n", done, stage);
    else if (progress_mode == CLI_PROGRESS_AUTO)
        cli_bar_draw(done, stage);
    return (stop_signal && !writing) || cli_timed_out();
}

void cli_begin_writing(void) {
    writing = 1;
}

static void on_log(void *user, seg_log_level level, const char *line) {
    (void)user;
    if ((int)level <= shown_verbosity)
        cli_say_library(level == SEG_LOG_WARNING ? "warning: " : "", line);
}

void cli_progress_start(seg_context *ctx, cli_progress_mode mode, int verbosity) {
    const char *terminal = getenv("TERM");
    if (mode == CLI_PROGRESS_AUTO &&
        (verbosity < 0 || !isatty(STDERR_FILENO) || !terminal || strcmp(terminal, "dumb") == 0))
        mode = CLI_PROGRESS_NONE;
    progress_mode = mode;
    writing = 0;
    shown_verbosity = verbosity;
    seg_context_settings(ctx)->progress = on_progress;
    seg_context_settings(ctx)->log = on_log;
}

int cli_on_terminal(void) {
    return isatty(STDERR_FILENO);
}

void cli_catch_signals(void) {
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
}

void cli_guard_process(void) {
    signal(SIGXFSZ, SIG_IGN);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
            /* Opened in the wrong direction, so that using it is still an error. open() returns the lowest free number.
             */
            (void)!open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}
