#include "cli/common/process.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>

cli_end cli_exit_code(seg_status status, cli_phase phase) {
    static const cli_end codes[] = {[SEG_ERR_USAGE] = CLI_USAGE,   [SEG_ERR_IO] = CLI_FAILED,
                                    [SEG_ERR_INPUT] = CLI_INPUT,   [SEG_ERR_CONTRADICTION] = CLI_CONTRADICTION,
                                    [SEG_ERR_LIMIT] = CLI_LIMIT,   [SEG_ERR_MEMORY] = CLI_FAILED,
                                    [SEG_ERR_NUMERIC] = CLI_FAILED};
    return status == SEG_ERR_CANCELLED                    ? (cli_end)(CLI_SIGNAL + cli_interrupted())
           : status == SEG_ERR_IO && phase == CLI_READING ? CLI_INPUT
                                                          : codes[status];
}

seg_context *cli_context_create(void) {
    seg_context *ctx = seg_context_create();
    if (!ctx)
        cli_say_library("", seg_context_message(NULL));
    return ctx;
}

cli_end cli_fail(const seg_context *ctx, seg_status status, cli_phase phase) {
    seg_context_info info;
    seg_context_about(ctx, &info);
    if (status == SEG_ERR_MEMORY && info.over_limit)
        status = SEG_ERR_LIMIT; /* an allocation failed that no plan predicted */
    const char *message = seg_context_message(ctx);
    cli_say_library("", message[0] ? message : seg_status_text(status));
    return cli_exit_code(status, phase);
}

cli_end cli_finish_output(cli_end code) {
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || code != CLI_OK)
        return code;
    return cli_refuse(CLI_FAILED, "cannot write to standard output%s%s", errno ? ": " : "",
                      errno ? strerror(errno) : "");
}

/* Blocks of this size and more are returned to the system when they are freed. Left to itself the C library raises the
 * threshold with each such block, and keeps what it gets back. */
#define BLOCK_OF_ITS_OWN (1 << 18)
/* Without a limit: blocks below this size come from the heap, which keeps what is freed for the next stage; */
#define LARGE_BLOCK (1 << 25)
/* the heap begins with this much, in large pages, */
#define FIRST_HEAP ((size_t)1 << 25)
#define LARGE_PAGE ((uintptr_t)1 << 21)
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

static void limit_memory(seg_context *ctx, size_t max_memory) {
    seg_context_settings(ctx)->max_memory = max_memory;
    if (max_memory) {
        mallopt(M_MMAP_THRESHOLD, BLOCK_OF_ITS_OWN);
        mallopt(M_TRIM_THRESHOLD, BLOCK_OF_ITS_OWN);
    } else {
        keep_heap();
    }
}

int cli_verbosity(const cli_common *common) {
    return common->quiet ? -1 : common->verbose;
}

void cli_start(seg_context *ctx, const cli_common *common) {
    seg_context_settings(ctx)->threads = common->threads;
    seg_context_settings(ctx)->seed = (uint64_t)common->seed;
    limit_memory(ctx, common->max_memory);
    cli_progress_start(ctx, common->progress, cli_verbosity(common));
}

cli_end cli_start_limited(seg_context *ctx, const cli_common *common) {
    const size_t held = seg_peak_memory();
    cli_start(ctx, common);
    if (!common->max_memory || held <= common->max_memory)
        return CLI_GO_ON;
    return cli_refuse(CLI_LIMIT, "the limit is %.0f MB, but the program alone uses %.0f MB; allow at least %.0f MB",
                      1e-6 * (double)common->max_memory, 1e-6 * (double)held, 1e-6 * (double)held + 10);
}

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
static int on_progress(SEG_UNUSED void *user, double done, const char *stage) {
    done = done > 0 ? done < 1 ? done : 1 : 0;
    stage = stage ? stage : "";
    if (progress_mode == CLI_PROGRESS_JSON)
        fprintf(stderr, "{\"progress\": %.4f, \"stage\": \"%s\"}\n", done, stage);
    else if (progress_mode == CLI_PROGRESS_AUTO)
        cli_bar_draw(done, stage);
    return stop_signal && !writing;
}

cli_end cli_before_writing(void) {
    writing = !stop_signal;
    return writing ? CLI_GO_ON : cli_refuse((cli_end)(CLI_SIGNAL + stop_signal), "interrupted; nothing was written");
}

static void on_log(SEG_UNUSED void *user, seg_log_level level, const char *line) {
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
            /* Opened in the wrong direction, so using it is still an error. open() returns the lowest free number. */
            (void)!open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}
