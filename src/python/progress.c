/* What stands between a running call and Python: the callback that the library makes often, and Python hears rarely. */
#include <segment/segment.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static int pysegment_progress(double done, const char *stage);
static void pysegment_log(const char *line);

/* Each call of Python takes its lock, which a thread that computes in Python gives away every few milliseconds only: so
 * often as a person can see is enough. */
typedef struct {
    double interval;
    double next; /* seconds, when Python is called again */
    int call_python;
    atomic_int cancelled;
} pysegment_watch;

static double pysegment_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static pysegment_watch *pysegment_watch_create(double interval) {
    pysegment_watch *watch = calloc(1, sizeof *watch);
    if (watch)
        watch->interval = interval;
    return watch;
}

static void pysegment_watch_free(pysegment_watch *watch) {
    free(watch);
}

static int pysegment_on_progress(void *user, double done, const char *stage) {
    pysegment_watch *watch = user;
    if (atomic_load(&watch->cancelled))
        return 1;
    if (!watch->call_python)
        return 0;
    const double now = pysegment_now();
    if (now < watch->next && done < 1)
        return 0;
    watch->next = now + watch->interval;
    return pysegment_progress(done, stage);
}

static void pysegment_on_log(void *user, seg_log_level level, const char *line) {
    (void)user;
    if (level == SEG_LOG_WARNING)
        pysegment_log(line);
}

/* Before each call of the library with the context. */
static void pysegment_watch_begin(pysegment_watch *watch, seg_context *ctx, int call_python) {
    atomic_store(&watch->cancelled, 0);
    watch->call_python = call_python;
    watch->next = pysegment_now() + watch->interval;
    seg_call_settings *settings = seg_context_settings(ctx);
    settings->progress = pysegment_on_progress;
    settings->progress_user = watch;
    settings->log = pysegment_on_log;
}

static void pysegment_watch_cancel(pysegment_watch *watch) {
    atomic_store(&watch->cancelled, 1);
}
