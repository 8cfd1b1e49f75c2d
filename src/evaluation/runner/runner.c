#include "evaluation/runner/runner.h"
#include "base/base.h"
#include "base/hash.h"
#include "base/random.h"
#include "evaluation/report/text.h"
#include "evaluation/runner/child.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>

/* A failure that ends the whole run is sent as this mark, the status as a letter, and the message. */
#define FAILURE '!'

typedef struct task {
    const seg_context *ctx;
    const seg_work *work;
    size_t item;
} task;

/* The processes that are running. */
typedef struct processes {
    seg_child child[SEG_RUN_MOST_JOBS];
    task task[SEG_RUN_MOST_JOBS];
    int most, running;
} processes;

uint64_t seg_item_seed(uint64_t seed, const char *key) {
    seg_random random = seg_random_seeded(seed, seg_hash(SEG_HASH_START, key, strlen(key)));
    return seg_random_bits(&random);
}

double seg_processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Let SIGALRM end this process after so many seconds; its own children end with it (child.c). */
static void end_after(double seconds) {
    struct itimerval time = {{0, 0}, {0, 0}};
    time.it_value.tv_sec = (time_t)seconds;
    time.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)));
    signal(SIGALRM, SIG_DFL);
    setitimer(ITIMER_REAL, &time, NULL);
}

/* Runs in the item's process. */
static char *solve(void *user) {
    const task *t = user;
    const seg_work *work = t->work;
    char *text = NULL;
    seg_context own = seg_context_default();
    own.threads = 1;
    own.max_memory = work->max_memory;
    if (work->logs) {
        own.log = t->ctx->log;
        own.log_user = t->ctx->log_user;
    }
    if (work->timeout > 0)
        end_after(work->timeout);
    SEG_FREED char *key = work->key(&own, work->user, t->item);
    if (key)
        own.seed = seg_item_seed(work->seed, key);
    const seg_status status = key ? work->solve(&own, work->user, t->item, &text) : SEG_ERR_MEMORY;
    seg_context_end(&own);
    return status ? seg_format(NULL, "%c%c%s", FAILURE, 'a' + (int)status, own.message) : text;
}

/* Collect the text of a process that has ended; NULL if out of memory. */
static char *collect(seg_context *ctx, const seg_work *work, size_t item, seg_child *child) {
    const seg_status status = seg_child_end(ctx, child);
    char *text = NULL;
    if (status == SEG_OK && child->text && *child->text) {
        text = seg_taken(&child->text);
    } else if (work->broken) {
        text = work->broken(ctx, ctx->message);
    } else {
        SEG_FREED char *key = work->key(ctx, work->user, item);
        text = key ? seg_format(NULL, "%c%c%s: its process %s", FAILURE, 'a' + (int)(status ? status : SEG_ERR_NUMERIC),
                                key, status ? ctx->message : "gave no result")
                   : NULL;
    }
    seg_child_free(child);
    return text;
}

static seg_status record(seg_context *ctx, const seg_work *work, seg_journal *journal, size_t item, const char *text) {
    if (!text)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory");
    if (text[0] == FAILURE && text[1])
        return seg_fail(ctx, (seg_status)(text[1] - 'a'), "%s", text + 2);
    if (!journal)
        return work->take(ctx, work->user, item, text);
    SEG_FREED char *key = work->key(ctx, work->user, item);
    return key ? seg_journal_add(ctx, journal, key, text) : SEG_ERR_MEMORY;
}

static seg_status list_items(seg_context *ctx, const seg_work *work, const seg_jobs *jobs, size_t **out,
                             size_t *count) {
    size_t known = 0;
    *count = 0;
    SEG_TRY(seg_allocated(*out = seg_alloc(ctx, work->items, sizeof **out)));
    for (size_t item = 0; item < work->items; item++) {
        if (jobs->shards && item % (size_t)jobs->shards != (size_t)jobs->shard - 1)
            continue;
        SEG_LOCAL(char, key, work->key(ctx, work->user, item));
        if (jobs->journal && seg_journal_find(jobs->journal, key))
            known++;
        else
            (*out)[(*count)++] = item;
    }
    if (known)
        seg_log(ctx, SEG_LOG_INFO, "%zu of %zu items are already finished", known, known + *count);
    return SEG_OK;
}

static seg_status start(seg_context *ctx, processes *p, const seg_work *work, size_t item) {
    int slot = 0;
    while (p->child[slot].pid)
        slot++;
    p->task[slot] = (task){ctx, work, item};
    const seg_status status = seg_child_start(ctx, solve, &p->task[slot], &p->child[slot]);
    p->running += status == SEG_OK;
    return status;
}

static void describe(size_t done, size_t count, double seconds, char *text, size_t size) {
    const double left = done ? seconds / (double)done * (double)(count - done) : 0;
    if (left > 0)
        snprintf(text, size, "%zu/%zu, %.0f %s left", done, count, left < 120 ? left : left / 60,
                 left < 120 ? "s" : "min");
    else
        snprintf(text, size, "%zu/%zu", done, count);
}

static seg_status run_all(seg_context *ctx, const seg_work *work, const seg_jobs *jobs, processes *p, size_t *done) {
    SEG_FREED size_t *todo = NULL;
    size_t count, next = 0;
    const double started = seg_now();
    SEG_TRY(list_items(ctx, work, jobs, &todo, &count));
    while (*done < count) {
        char stage[96];
        while (p->running < p->most && next < count)
            SEG_TRY(start(ctx, p, work, todo[next++]));
        const int slot = seg_child_wait(p->child, (size_t)p->most, 100);
        if (slot >= 0) {
            const size_t item = p->task[slot].item;
            p->running--;
            SEG_FREED char *text = collect(ctx, work, item, &p->child[slot]);
            SEG_TRY(record(ctx, work, jobs->journal, item, text));
            ++*done;
        }
        describe(*done, count, seg_now() - started, stage, sizeof stage);
        const seg_status status = seg_progress(ctx, (double)*done / (double)count, stage);
        ctx->progress_stage = "items"; /* the old stage is a local text of this function */
        SEG_TRY(status);
    }
    return SEG_OK;
}

seg_status seg_work_run(seg_context *ctx, const seg_work *work, const seg_jobs *jobs, size_t *done) {
    size_t finished = 0;
    SEG_LOCAL(processes, p, seg_alloc_zero(ctx, 1, sizeof *p));
    p->most = jobs->most ? jobs->most : seg_threads(ctx);
    p->most = p->most < SEG_RUN_MOST_JOBS ? p->most : SEG_RUN_MOST_JOBS;
    const seg_status status = run_all(ctx, work, jobs, p, &finished);
    for (int slot = 0; slot < SEG_RUN_MOST_JOBS; slot++)
        seg_child_free(&p->child[slot]);
    if (done)
        *done = finished;
    return status;
}
