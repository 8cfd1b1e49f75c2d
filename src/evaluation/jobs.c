#include "evaluation/jobs.h"

#include "base/base.h"
#include "base/parallel.h"
#include "base/random.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STAGE_SIZE = 64 };

typedef struct crew {
    seg_context *ctx; /* of the caller; its log only under the lock */
    seg_job job;
    void *user;
    size_t count, next, done;
    int working; /* threads that have not ended */
    int stop;    /* no further item begins, running ones are to end */
    seg_status status;
    size_t failed; /* item of `status` */
    char message[SEG_MESSAGE_SIZE];
    pthread_mutex_t lock;
    pthread_cond_t changed;
} crew;

static void forward_log(void *user, seg_log_level level, const char *line) {
    crew *all = user;
    pthread_mutex_lock(&all->lock);
    if (all->ctx->log)
        all->ctx->log(all->ctx->log_user, level, line);
    pthread_mutex_unlock(&all->lock);
}

static int wants_stop(void *user, double done, const char *stage) {
    crew *all = user;
    (void)done;
    (void)stage;
    pthread_mutex_lock(&all->lock);
    const int stop = all->stop;
    pthread_mutex_unlock(&all->lock);
    return stop;
}

static void *work(void *user) {
    crew *all = user;
    pthread_mutex_lock(&all->lock);
    while (!all->stop && all->next < all->count) {
        const size_t item = all->next++;
        seg_context own;
        seg_context_init(&own);
        own.threads = 1;
        own.seed = all->ctx->seed;
        own.log = forward_log;
        own.progress = wants_stop;
        own.log_user = own.progress_user = all;
        pthread_mutex_unlock(&all->lock);
        const seg_status status = all->job(&own, all->user, item);
        seg_context_end(&own);
        pthread_mutex_lock(&all->lock);
        all->done += status == SEG_OK;
        /* What the run ends with is the failure of the smallest item; that others were stopped is not a failure. */
        if (status != SEG_OK && !(all->stop && status == SEG_ERR_CANCELLED) &&
            (all->status == SEG_OK || item < all->failed)) {
            all->status = status;
            all->failed = item;
            memcpy(all->message, own.message, sizeof all->message);
        }
        all->stop |= all->status != SEG_OK;
        pthread_cond_signal(&all->changed);
    }
    all->working--;
    pthread_cond_signal(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

void seg_jobs_describe(size_t done, size_t count, double seconds, char *text, size_t size) {
    const double left = done ? seconds / (double)done * (double)(count - done) : 0;
    const unsigned long whole = (unsigned long)(left + 0.5);
    if (done == 0 || done == count)
        snprintf(text, size, "%zu/%zu", done, count);
    else if (left < 60)
        snprintf(text, size, "%zu/%zu, %lu s left", done, count, whole);
    else if (left < 3600)
        snprintf(text, size, "%zu/%zu, %lu min %lu s left", done, count, whole / 60, whole % 60);
    else
        snprintf(text, size, "%zu/%zu, %lu h %lu min left", done, count, whole / 3600, whole / 60 % 60);
}

/* Wait for the workers, telling the caller's callback how far they are. The lock is held, but for the telling. */
static seg_status watch(crew *all) {
    const double started = seg_now();
    seg_status status = SEG_OK;
    while (all->working > 0) {
        char stage[STAGE_SIZE];
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += 100000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        while (all->working > 0 && pthread_cond_timedwait(&all->changed, &all->lock, &until) != ETIMEDOUT)
            ;
        if (status)
            continue;
        seg_jobs_describe(all->done, all->count, seg_now() - started, stage, sizeof stage);
        const double share = (double)all->done / (double)all->count;
        pthread_mutex_unlock(&all->lock);
        status = seg_progress(all->ctx, share, stage);
        pthread_mutex_lock(&all->lock);
        all->stop |= status != SEG_OK;
    }
    all->ctx->progress_stage = "items"; /* the last stage's text goes with this function */
    return status;
}

seg_status seg_jobs_run(seg_context *ctx, size_t count, int jobs, seg_job job, void *user) {
    if (jobs < 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "%d items at once: it must be 0 for all processors, or more", jobs);
    if (count == 0)
        return SEG_OK;
    size_t threads = jobs ? (size_t)jobs : (size_t)seg_threads(ctx), running = 0;
    threads = threads < count ? threads : count;
    crew all = {.ctx = ctx, .job = job, .user = user, .count = count};
    pthread_condattr_t monotonic;
    pthread_t *thread = seg_alloc(ctx, threads, sizeof *thread);
    if (!thread)
        return SEG_ERR_MEMORY;
    pthread_mutex_init(&all.lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&all.changed, &monotonic);
    pthread_condattr_destroy(&monotonic);

    pthread_mutex_lock(&all.lock);
    while (running < threads && pthread_create(&thread[running], NULL, work, &all) == 0) {
        running++;
        all.working++;
    }
    seg_status status = running ? watch(&all) : seg_fail(ctx, SEG_ERR_MEMORY, "no thread could be started");
    pthread_mutex_unlock(&all.lock);
    for (size_t t = 0; t < running; t++)
        pthread_join(thread[t], NULL);
    if (all.status != SEG_OK)
        status = seg_fail(ctx, all.status, "%s", all.message);
    if (status == SEG_OK)
        status = seg_progress(ctx, 1, "done");
    pthread_cond_destroy(&all.changed);
    pthread_mutex_destroy(&all.lock);
    free(thread);
    return status;
}

uint64_t seg_item_seed(uint64_t seed, const char *key) {
    uint64_t hash = 0xcbf29ce484222325ull; /* FNV-1a */
    seg_random random;
    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * 0x100000001b3ull;
    seg_random_seed(&random, seed, hash);
    return seg_random_bits(&random);
}
