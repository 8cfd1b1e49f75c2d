#include "base/base.h"

#include <pthread.h>
#include <signal.h>

enum {
    MOST_WORKERS = 1023,
    SHARE_BLOCKS = 8, /* of a thread, where the loop leaves the size of blocks open */
    LINE = 64,        /* bytes of a line of the cache */
    POLL_NANOSECONDS = 20000000,
    LOOKS = 150 /* number of checks before a thread sleeps: some microseconds, less than waking it takes */
};

/* A thread begins with the same part of the data in every loop; when finished, it takes from the shares of others. */
typedef struct share {
    _Alignas(LINE) size_t next; /* atomic: the first that nobody has taken, or beyond the end */
    size_t end;
} share;

typedef struct loop {
    size_t count, grain;
    seg_body body;
    void *arg;
} loop;

typedef struct worker {
    struct seg_pool *pool;
    pthread_t thread;
    pthread_cond_t wake;
    int number; /* from 1: the thread that calls is 0 */
    int called; /* written under the pool's lock: may join the loop */
} worker;

struct seg_pool {
    pthread_mutex_t lock;
    pthread_cond_t left; /* the caller waits here for the last that joined */
    pid_t process;       /* that started the workers: a child has none of them */
    int room, started;   /* workers there may be, and that run */
    int busy;            /* a loop runs: written by its caller only, when no worker is inside */
    int inside;          /* written under the lock: workers that joined and have not left */
    int ending;          /* guarded by lock */
    int refused;         /* a thread could not be started: no more are tried */
    loop loop;           /* written under the lock when no worker is inside */
    int shares;
    share *share; /* room + 1, behind the workers */
    worker worker[];
};

int seg_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

int seg_threads(const seg_context *ctx) {
    return ctx && ctx->threads > 0 ? ctx->threads : ctx && ctx->processors > 0 ? ctx->processors : seg_processors();
}

static void run_block(const loop *l, size_t block, int number) {
    const size_t first = block * l->grain, left = l->count - first;
    l->body(l->arg, first, first + (left < l->grain ? left : l->grain), number);
}

/* 1 if the progress callback cancels. It is called only from time to time. */
static int cancels(seg_context *ctx, double *asked) {
    const double now = seg_now();
    if (now - *asked < 1e-9 * POLL_NANOSECONDS)
        return 0;
    *asked = now;
    return seg_poll(ctx) != SEG_OK;
}

static void stop_handing_out(struct seg_pool *pool) {
    for (int s = 0; s < pool->shares; s++)
        __atomic_store_n(&pool->share[s].next, pool->share[s].end, __ATOMIC_RELAXED);
}

/* Process the blocks of the own share, then of others. polled: NULL for workers, and for loops that do not poll. */
static int take_blocks(struct seg_pool *pool, int number, seg_context *polled, double *asked) {
    int cancelled = 0;
    for (int s = 0; s < pool->shares; s++) {
        share *from = &pool->share[(number + s) % pool->shares];
        size_t block;
        while ((block = __atomic_fetch_add(&from->next, 1, __ATOMIC_RELAXED)) < from->end) {
            run_block(&pool->loop, block, number);
            if (polled && !cancelled && cancels(polled, asked)) {
                cancelled = 1;
                stop_handing_out(pool);
            }
        }
    }
    return cancelled;
}

/* Loops follow each other closely, so a short wait is often enough, and too short to slow a busy machine. It takes no
 * lock, since the other thread needs it. */
static void look_out_for(const int *flag, int wanted) {
    for (int look = 0; look < LOOKS && !__atomic_load_n(flag, __ATOMIC_RELAXED) != !wanted; look++)
#ifdef __x86_64__
        __builtin_ia32_pause();
#else
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

static void *work(void *arg) {
    worker *w = arg;
    struct seg_pool *pool = w->pool;
    for (;;) {
        look_out_for(&w->called, 1);
        pthread_mutex_lock(&pool->lock);
        while (!w->called && !pool->ending)
            pthread_cond_wait(&w->wake, &pool->lock);
        if (pool->ending)
            break;
        __atomic_store_n(&w->called, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&pool->inside, pool->inside + 1, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&pool->lock);
        take_blocks(pool, w->number, NULL, NULL);
        pthread_mutex_lock(&pool->lock);
        __atomic_store_n(&pool->inside, pool->inside - 1, __ATOMIC_RELAXED);
        if (pool->inside == 0)
            pthread_cond_signal(&pool->left);
        pthread_mutex_unlock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Start a worker. The program's own threads handle its signals; only faults that it causes reach it. */
static int start_worker(struct seg_pool *pool) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    worker *w = &pool->worker[pool->started];
    pthread_attr_t attributes;
    sigset_t blocked, before;
    *w = (worker){.pool = pool, .number = pool->started + 1};
    if (pthread_cond_init(&w->wake, NULL) != 0)
        return 0;
    int started = pthread_attr_init(&attributes) == 0;
    if (started) {
        sigfillset(&blocked);
        for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
            sigdelset(&blocked, faults[f]);
        pthread_sigmask(SIG_SETMASK, &blocked, &before);
        started = pthread_attr_setstacksize(&attributes, SEG_WORKER_STACK) == 0 &&
                  pthread_create(&w->thread, &attributes, work, w) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    if (!started)
        pthread_cond_destroy(&w->wake);
    pool->started += started;
    return started;
}

static struct seg_pool *pool_create(int room) {
    const size_t workers = sizeof(struct seg_pool) + (size_t)room * sizeof(worker);
    const size_t offset = (workers + LINE - 1) / LINE * LINE;
    struct seg_pool *pool = aligned_alloc(LINE, offset + ((size_t)room + 1) * sizeof(share));
    pthread_condattr_t monotonic;
    if (!pool)
        return NULL;
    memset(pool, 0, offset);
    pool->process = getpid();
    pool->room = room;
    pool->share = (share *)((char *)pool + offset);
    if (pthread_condattr_init(&monotonic) == 0) {
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
        const int made = pthread_cond_init(&pool->left, &monotonic) == 0;
        pthread_condattr_destroy(&monotonic);
        if (made && pthread_mutex_init(&pool->lock, NULL) == 0)
            return pool;
        if (made)
            pthread_cond_destroy(&pool->left);
    }
    free(pool);
    return NULL;
}

static void pool_free(struct seg_pool *pool) {
    if (pool->process == getpid()) {
        pthread_mutex_lock(&pool->lock);
        pool->ending = 1;
        for (int i = 0; i < pool->started; i++)
            pthread_cond_signal(&pool->worker[i].wake);
        pthread_mutex_unlock(&pool->lock);
        for (int i = 0; i < pool->started; i++) {
            pthread_join(pool->worker[i].thread, NULL);
            pthread_cond_destroy(&pool->worker[i].wake);
        }
        pthread_cond_destroy(&pool->left);
        pthread_mutex_destroy(&pool->lock);
    }
    free(pool);
}

void seg_context_end(seg_context *ctx) {
    if (!ctx)
        return;
    if (ctx->pool && ctx->pool_owner == ctx)
        pool_free(ctx->pool);
    ctx->pool = NULL;
    ctx->pool_owner = NULL;
}

/* The pool of the context with this number of workers, created if needed; NULL: run without. A copy of a context has
 * the pool of its original and does not use it. Contexts of callers are never constant objects: `const` in the library
 * means that a function stores no message. */
static struct seg_pool *pool_of(const seg_context *const_ctx, int room) {
    seg_context *ctx = (seg_context *)const_ctx;
    if (ctx->pool && ctx->pool_owner == ctx) {
        if (ctx->pool->busy && ctx->pool->process == getpid())
            return NULL;
        if (ctx->pool->room >= room && ctx->pool->process == getpid())
            return ctx->pool;
        seg_context_end(ctx);
    }
    ctx->pool = pool_create(room);
    ctx->pool_owner = ctx->pool ? ctx : NULL;
    return ctx->pool;
}

static void deal_shares(struct seg_pool *pool, size_t blocks, int shares) {
    pool->shares = shares;
    for (int s = 0; s < shares; s++) {
        const size_t from = blocks / (size_t)shares * (size_t)s, rest = blocks % (size_t)shares;
        const size_t own = (size_t)s < rest ? (size_t)s : rest;
        pool->share[s].next = from + own;
        pool->share[s].end = from + own + blocks / (size_t)shares + ((size_t)s < rest);
    }
}

/* Wait until every worker that joined has left; ask the callback meanwhile. */
static int wait_for_workers(struct seg_pool *pool, seg_context *polled, double *asked) {
    int cancelled = 0;
    while (pool->inside > 0) {
        if (!polled || cancelled) {
            pthread_cond_wait(&pool->left, &pool->lock);
            continue;
        }
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += POLL_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&pool->left, &pool->lock, &until);
        if (pool->inside > 0) {
            pthread_mutex_unlock(&pool->lock);
            if ((cancelled = cancels(polled, asked)))
                stop_handing_out(pool);
            pthread_mutex_lock(&pool->lock);
        }
    }
    return cancelled;
}

static int run_with(struct seg_pool *pool, int helpers, size_t blocks, const loop *l, seg_context *polled) {
    double asked = polled ? seg_now() : 0;
    pthread_mutex_lock(&pool->lock);
    pool->busy = 1;
    pool->loop = *l;
    deal_shares(pool, blocks, helpers + 1);
    for (int i = 0; i < helpers; i++)
        __atomic_store_n(&pool->worker[i].called, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < helpers; i++)
        pthread_cond_signal(&pool->worker[i].wake);
    int cancelled = take_blocks(pool, 0, polled, &asked);
    look_out_for(&pool->inside, 0);
    pthread_mutex_lock(&pool->lock);
    for (int i = 0; i < helpers; i++) /* too late: nothing is left */
        __atomic_store_n(&pool->worker[i].called, 0, __ATOMIC_RELAXED);
    cancelled |= wait_for_workers(pool, cancelled ? NULL : polled, &asked);
    pool->busy = 0;
    pthread_mutex_unlock(&pool->lock);
    return cancelled;
}

static int run_alone(const loop *l, size_t blocks, seg_context *polled) {
    double asked = polled ? seg_now() : 0;
    for (size_t block = 0; block < blocks; block++) {
        run_block(l, block, 0);
        if (polled && block + 1 < blocks && cancels(polled, &asked))
            return 1;
    }
    return 0;
}

/* 1 if the callback cancelled. The loop's grain may be open. */
static int run(const seg_context *ctx, int threads, loop l, seg_context *polled) {
    if (l.count == 0)
        return 0;
    const int own = ctx ? seg_threads(ctx) : 1, most = own <= MOST_WORKERS ? own : MOST_WORKERS + 1;
    if (threads > most)
        threads = most;
    if (threads < 1)
        threads = 1;
    if (l.grain == 0)
        l.grain = threads == 1 && !polled ? l.count : (l.count - 1) / ((size_t)threads * SHARE_BLOCKS) + 1;
    const size_t blocks = (l.count - 1) / l.grain + 1;
    const int wanted = blocks < (size_t)threads ? (int)blocks : threads;
    struct seg_pool *pool = wanted > 1 ? pool_of(ctx, most - 1) : NULL;
    if (!pool) /* inside another loop the callback belongs to another thread */
        return run_alone(&l, blocks, ctx && ctx->pool && ctx->pool_owner == ctx && ctx->pool->busy ? NULL : polled);
    while (pool->started < wanted - 1 && !pool->refused)
        pool->refused = !start_worker(pool);
    const int helpers = pool->started < wanted - 1 ? pool->started : wanted - 1;
    return helpers > 0 ? run_with(pool, helpers, blocks, &l, polled) : run_alone(&l, blocks, polled);
}

void seg_parallel(const seg_context *ctx, size_t count, size_t grain, seg_body body, void *arg) {
    run(ctx, MOST_WORKERS + 1, (loop){count, grain, body, arg}, NULL);
}

void seg_parallel_on(const seg_context *ctx, int threads, size_t count, size_t grain, seg_body body, void *arg) {
    run(ctx, threads, (loop){count, grain, body, arg}, NULL);
}

seg_status seg_parallel_polled(seg_context *ctx, size_t count, size_t grain, seg_body body, void *arg) {
    seg_context *polled = ctx && ctx->progress ? ctx : NULL;
    return run(ctx, MOST_WORKERS + 1, (loop){count, grain, body, arg}, polled) ? SEG_ERR_CANCELLED : SEG_OK;
}
