/* The threads of a context: every block once, whatever goes wrong with threads, and nobody burns a processor. */
#include "base/parallel.h"
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { MOST_ITEMS = 3000 };

/* The linker sends the library's calls here (tests/CMakeLists.txt). */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *arg);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
static int threads_left = 1000000, memory_left = 1, asked_for;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *arg) {
    __atomic_fetch_add(&asked_for, 1, __ATOMIC_RELAXED);
    if (__atomic_fetch_sub(&threads_left, 1, __ATOMIC_RELAXED) <= 0)
        return EAGAIN;
    return __real_pthread_create(thread, attributes, start, arg);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return memory_left ? __real_aligned_alloc(alignment, size) : NULL;
}

typedef struct tally {
    size_t grain, count;
    int ran[MOST_ITEMS];      /* of each item, how often: atomic */
    int inside[64];           /* of each worker: atomic */
    int highest, wrong, slow; /* atomic; slow: microseconds an item takes */
    seg_context *nested;
} tally;

static void count_items(void *arg, size_t first, size_t last, int worker) {
    tally *t = arg;
    int bad = worker < 0 || worker >= 64 || first >= last || last > t->count;
    if (t->grain)
        bad |= first % t->grain != 0 || (last - first != t->grain && last != t->count);
    if (!bad && __atomic_fetch_add(&t->inside[worker], 1, __ATOMIC_RELAXED) != 0)
        bad = 1; /* another block runs under the same number */
    for (size_t i = first; i < last && !bad; i++)
        __atomic_fetch_add(&t->ran[i], 1, __ATOMIC_RELAXED);
    if (t->slow)
        usleep((useconds_t)t->slow);
    if (!bad)
        __atomic_fetch_sub(&t->inside[worker], 1, __ATOMIC_RELAXED);
    int highest = __atomic_load_n(&t->highest, __ATOMIC_RELAXED);
    while (worker > highest &&
           !__atomic_compare_exchange_n(&t->highest, &highest, worker, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    __atomic_fetch_add(&t->wrong, bad, __ATOMIC_RELAXED);
}

static int once_each(const tally *t) {
    for (size_t i = 0; i < MOST_ITEMS; i++)
        if (t->ran[i] != (i < t->count))
            return 0;
    return t->wrong == 0;
}

/* One loop; 1 where every item was done once, in blocks of the right limits. */
static int runs_once(seg_context *ctx, size_t count, size_t grain, int slow, int *highest) {
    AUTOFREE tally *t = calloc(1, sizeof *t);
    t->count = count;
    t->grain = grain;
    t->slow = slow;
    seg_parallel(ctx, count, grain, count_items, t);
    const int good = once_each(t);
    if (highest)
        *highest = t->highest;
    return good;
}

TEST(every_block_once) {
    static const size_t counts[] = {0, 1, 2, 3, 7, 8, 63, 64, 65, 1000, MOST_ITEMS};
    static const size_t grains[] = {0, 1, 2, 7, 64, 5000};
    for (int threads = 1; threads <= 9; threads += threads < 3 ? 1 : 3) {
        ctx.threads = threads;
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
                int highest = -1;
                assert_true(runs_once(&ctx, counts[c], grains[g], 0, &highest));
                assert_true(highest < threads);
                assert_true(grains[g] == 0 || highest <= (int)(counts[c] / grains[g]));
            }
    }
    assert_true(runs_once(NULL, 100, 7, 0, NULL));
}

TEST(workers_do_take_part) {
    int highest = 0;
    ctx.threads = 4; /* more than processors, perhaps */
    assert_true(runs_once(&ctx, 40, 1, 2000, &highest));
    assert_int_equal(highest, 3);
    tally t = {.count = 40, .grain = 1, .slow = 500};
    seg_parallel_on(&ctx, 2, 40, 1, count_items, &t);
    assert_true(once_each(&t));
    assert_int_equal(t.highest, 1);
}

/* The number of threads may change from loop to loop, and a freed context serves again. */
TEST(contexts_are_used_again) {
    static const int threads[] = {2, 8, 1, 3, 0, 8};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        ctx.threads = threads[i];
        assert_true(runs_once(&ctx, 500, 3, 0, NULL));
        if (i == 3)
            seg_context_end(&ctx);
    }
    seg_context_end(&ctx);
    seg_context_end(&ctx);
    seg_context_free(NULL);
    ctx = seg_context_default(); /* never used */
    seg_context_end(&ctx);
}

/* A copy leaves its original's threads alone. */
TEST(copies) {
    ctx.threads = 3;
    assert_true(runs_once(&ctx, 100, 1, 0, NULL));
    seg_context copy = ctx;
    seg_context_end(&copy);
    copy = ctx;
    assert_true(runs_once(&copy, 100, 1, 0, NULL));
    assert_true(runs_once(&ctx, 100, 1, 0, NULL));
    seg_context_end(&ctx);
    assert_true(runs_once(&copy, 100, 1, 0, NULL));
    seg_context_end(&copy);
}

static void loop_within(void *arg, size_t first, size_t last, int worker) {
    tally *t = arg;
    for (size_t i = first; i < last; i++) {
        int highest = 0;
        if (!runs_once(t->nested, 50, 3, 0, &highest) || highest != 0)
            __atomic_fetch_add(&t->wrong, 1, __ATOMIC_RELAXED);
    }
    count_items(arg, first, last, worker);
}

TEST(loops_within_loops) {
    ctx.threads = 4;
    tally t = {.count = 200, .grain = 2, .nested = &ctx};
    seg_parallel(&ctx, 200, 2, loop_within, &t);
    assert_true(once_each(&t));
}

typedef struct asked {
    pthread_t thread;
    int calls, cancel_at, elsewhere;
} asked;

static int ask(void *user, double done, const char *stage) {
    asked *a = user;
    (void)done, (void)stage;
    a->elsewhere += !pthread_equal(pthread_self(), a->thread);
    return ++a->calls >= a->cancel_at;
}

TEST(cancelled_loops_end_soon) {
    for (int threads = 1; threads <= 4; threads += 3) {
        asked a = {.thread = pthread_self(), .cancel_at = 2};
        tally t = {.count = MOST_ITEMS, .grain = 1, .slow = 1000};
        ctx.threads = threads;
        ctx.progress = ask;
        ctx.progress_user = &a;
        assert_fails(&ctx, seg_parallel_polled(&ctx, MOST_ITEMS, 1, count_items, &t), SEG_ERR_CANCELLED, "cancelled");
        size_t ran = 0;
        for (size_t i = 0; i < MOST_ITEMS; i++) {
            assert_true(t.ran[i] <= 1);
            ran += (size_t)t.ran[i];
        }
        assert_true(ran < MOST_ITEMS / 2);
        assert_int_equal(a.elsewhere, 0);
        /* The next loop is whole. */
        a.cancel_at = 1000000;
        memset(&t, 0, sizeof t);
        t.count = 200;
        t.grain = 1;
        assert_int_equal(seg_parallel_polled(&ctx, 200, 1, count_items, &t), SEG_OK);
        assert_true(once_each(&t));
        assert_int_equal(a.elsewhere, 0);
    }
}

/* The caller has nothing left to do and waits for a worker's block: it asks all the same. */
typedef struct slow_worker {
    pthread_t caller;
    int begun;
} slow_worker;

/* The caller's block lasts until the worker has begun the other. */
static void slow_for_workers(void *arg, size_t first, size_t last, int worker) {
    slow_worker *s = arg;
    (void)first, (void)last, (void)worker;
    if (!pthread_equal(pthread_self(), s->caller)) {
        __atomic_store_n(&s->begun, 1, __ATOMIC_RELEASE);
        usleep(300000);
    }
    for (int waited = 0; waited < 10000 && !__atomic_load_n(&s->begun, __ATOMIC_ACQUIRE); waited++)
        usleep(1000);
}

TEST(waiting_callers_ask_too) {
    slow_worker slow = {.caller = pthread_self()};
    asked a = {.thread = pthread_self(), .cancel_at = 3};
    ctx.threads = 2;
    ctx.progress = ask;
    ctx.progress_user = &a;
    assert_true(runs_once(&ctx, 40, 1, 1000, NULL)); /* the worker runs */
    assert_int_equal(seg_parallel_polled(&ctx, 2, 1, slow_for_workers, &slow), SEG_ERR_CANCELLED);
    assert_true(slow.begun);
    assert_int_equal(a.elsewhere, 0);
}

TEST(threads_that_cannot_be_had) {
    for (int allowed = 0; allowed <= 2; allowed++) {
        int highest = 0;
        seg_context_end(&ctx);
        ctx.threads = 6;
        threads_left = allowed;
        assert_true(runs_once(&ctx, 60, 1, 1000, &highest));
        assert_int_equal(highest, allowed);
        asked_for = 0;
        for (int i = 0; i < 50; i++)
            assert_true(runs_once(&ctx, 60, 1, 0, NULL));
        assert_int_equal(asked_for, 0); /* not again and again */
        threads_left = 1000000;
    }
    seg_context_end(&ctx);
    memory_left = 0;
    assert_true(runs_once(&ctx, 60, 1, 0, NULL));
    memory_left = 1;
    assert_true(runs_once(&ctx, 60, 1, 0, NULL));
}

/* A child has none of its parent's workers, and must not wait for them. */
TEST(children) {
    int highest = 0, good = 1, how = 0;
    ctx.threads = 4;
    /* A sanitizer's allocator that a worker locks while it begins would stay locked in the child. */
    for (int i = 0; i < 20 || highest < 3; i++)
        assert_true(runs_once(&ctx, 100, 1, 1000, &highest));
    for (int free_only = 0; free_only < 2; free_only++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);
            for (int i = 0; !free_only && i < 20; i++)
                good &= runs_once(&ctx, 100, 1, i ? 0 : 1000, i ? NULL : &highest);
            seg_context_end(&ctx);
            _exit(good && (free_only || highest == 3) ? 0 : 1);
        }
        assert_true(waitpid(child, &how, 0) == child && WIFEXITED(how) && WEXITSTATUS(how) == 0);
        assert_true(runs_once(&ctx, 100, 1, 0, NULL));
    }
}

static void *loop_often(void *arg) {
    seg_context ctx = seg_context_default();
    ctx.threads = 3;
    for (int i = 0; i < 300; i++)
        if (!runs_once(&ctx, (size_t)i, (size_t)i % 5, 0, NULL))
            *(int *)arg = 1;
    seg_context_end(&ctx);
    return NULL;
}

TEST(contexts_side_by_side) {
    enum { CONTEXTS = 4 };
    pthread_t thread[CONTEXTS];
    int wrong[CONTEXTS] = {0};
    for (int c = 0; c < CONTEXTS; c++)
        assert_int_equal(pthread_create(&thread[c], NULL, loop_often, &wrong[c]), 0);
    for (int c = 0; c < CONTEXTS; c++) {
        assert_int_equal(pthread_join(thread[c], NULL), 0);
        assert_int_equal(wrong[c], 0);
    }
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void one_slow_block(void *arg, size_t first, size_t last, int worker) {
    (void)arg, (void)last, (void)worker;
    usleep(first == 0 ? 1000 : 300000);
}

/* Workers between loops, and callers that wait for the last block, take no processor. */
TEST(waiting_takes_no_processor) {
    ctx.threads = 8;
    assert_true(runs_once(&ctx, 80, 1, 1000, NULL)); /* all eight run */
    double before = processor_seconds();
    usleep(300000);
    assert_true(processor_seconds() - before < 0.02);
    before = processor_seconds();
    seg_parallel(&ctx, 2, 1, one_slow_block, NULL); /* 0.3 s of sleep in one of them */
    assert_true(processor_seconds() - before < 0.02);
    /* Many loops with sleep between them: nobody looks for work meanwhile. */
    before = processor_seconds();
    for (int i = 0; i < 50; i++) {
        assert_true(runs_once(&ctx, 16, 1, 0, NULL));
        usleep(5000);
    }
    assert_true(processor_seconds() - before < 0.1);
}

static void look_at_signals(void *arg, size_t first, size_t last, int worker) {
    sigset_t blocked;
    (void)first, (void)last;
    usleep(1000);
    if (worker > 0 && (pthread_sigmask(SIG_SETMASK, NULL, &blocked) != 0 || !sigismember(&blocked, SIGINT) ||
                       !sigismember(&blocked, SIGALRM) || sigismember(&blocked, SIGSEGV)))
        __atomic_store_n((int *)arg, 1, __ATOMIC_RELAXED);
}

/* The program's handlers run in the program's threads. */
TEST(signals_are_not_for_workers) {
    int wrong = 0;
    sigset_t before, after;
    ctx.threads = 3;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    seg_parallel(&ctx, 30, 1, look_at_signals, &wrong);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(wrong, 0);
    assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
}
