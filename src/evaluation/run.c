#include "evaluation/run.h"

#include "base/base.h"
#include "evaluation/child.h"
#include "evaluation/jobs.h"
#include "evaluation/layout.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* What goes wrong with the whole run and not with an item is sent as this mark, the status as a letter, the sentence.
 */
#define FAILURE   '!'
#define NO_MEMORY "!bout of memory" /* b: SEG_ERR_MEMORY */

typedef struct task {
    const seg_context *ctx;
    const seg_eval_run *run;
    long item;
} task;

/* Work is numbered item * repeats + repeat. */
static char *key_of(seg_context *ctx, const seg_eval_run *run, long work) {
    const long repeats = run->protocol->repeats;
    return seg_item_key(ctx, run->set->item[work / repeats].name, (int)(work % repeats));
}

/* The process, and those it has started, end by SIGALRM (child.c tells why). */
static void end_after(double seconds) {
    struct itimerval time = {{0, 0}, {0, 0}};
    time.it_value.tv_sec = (time_t)seconds;
    time.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)));
    signal(SIGALRM, SIG_DFL);
    setitimer(ITIMER_REAL, &time, NULL);
}

/* In the item's process. */
static char *evaluate(void *user) {
    const task *t = user;
    const long repeats = t->run->protocol->repeats;
    seg_context ctx;
    seg_item_result result;
    seg_context_init(&ctx);
    ctx.threads = 1;
    ctx.max_memory = t->run->protocol->max_memory;
    if (t->run->protocol->timeout > 0)
        end_after(t->run->protocol->timeout);
    seg_status status = seg_item_evaluate(&ctx, t->run->protocol, t->run->set, (size_t)(t->item / repeats),
                                          (int)(t->item % repeats), &result);
    seg_context_end(&ctx);
    if (status)
        return seg_format(NULL, "%c%c%s", FAILURE, 'a' + (int)status, ctx.message);
    char *text = seg_item_result_text(&ctx, &result);
    seg_item_result_free(&result);
    return text;
}

/* A process that gave no result: the item's record says so. */
static char *broken(seg_context *ctx) {
    seg_item_result result = {.outcome = SEG_ITEM_BROKEN};
    snprintf(result.message, sizeof result.message, "its process %.480s", ctx->message);
    return seg_item_result_text(ctx, &result);
}

/* Collect an ended process; NULL without memory. */
static char *collect(seg_context *ctx, seg_child *child) {
    seg_status status = seg_child_end(ctx, child);
    char *text = NULL;
    if (status == SEG_OK && child->text && *child->text) {
        text = child->text;
        child->text = NULL;
    } else {
        text = broken(ctx);
    }
    seg_child_free(child);
    return text;
}

static seg_status record(seg_context *ctx, const seg_eval_run *run, long work, const char *text) {
    if (!text)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory");
    if (text[0] == FAILURE && text[1])
        return seg_fail(ctx, (seg_status)(text[1] - 'a'), "%s", text + 2);
    char *key = key_of(ctx, run, work);
    seg_status status = key ? seg_journal_add(ctx, run->journal, key, text) : SEG_ERR_MEMORY;
    free(key);
    return status;
}

static seg_status list_work(seg_context *ctx, const seg_eval_run *run, long **out, size_t *count) {
    const size_t all = run->set->items * (size_t)run->protocol->repeats;
    *count = 0;
    *out = seg_alloc(ctx, all, sizeof **out);
    if (!*out)
        return SEG_ERR_MEMORY;
    for (size_t work = 0; work < all; work++) {
        if (work % (size_t)run->shards != (size_t)run->shard)
            continue;
        char *key = key_of(ctx, run, (long)work);
        if (!key)
            return SEG_ERR_MEMORY;
        if (!seg_journal_find(run->journal, key))
            (*out)[(*count)++] = (long)work;
        free(key);
    }
    return SEG_OK;
}

/* The processes of one machine. */
typedef struct crew {
    seg_child child[SEG_RUN_MOST_JOBS];
    task task[SEG_RUN_MOST_JOBS];
    int running;
} crew;

static seg_status start(seg_context *ctx, crew *c, const seg_eval_run *run, long work) {
    int slot = 0;
    while (c->child[slot].pid)
        slot++;
    c->task[slot] = (task){.ctx = ctx, .run = run, .item = work};
    seg_status status = seg_child_start(ctx, evaluate, &c->task[slot], &c->child[slot]);
    c->running += status == SEG_OK;
    return status;
}

/* Whether one ended within the time. Its text is NULL where there is no memory for it. */
static int next_ended(seg_context *ctx, crew *c, const seg_eval_run *run, int milliseconds, long *work, char **text) {
    const int slot = seg_child_wait(c->child, (size_t)run->jobs, milliseconds);
    if (slot < 0)
        return 0;
    c->running--;
    *work = c->task[slot].item;
    *text = collect(ctx, &c->child[slot]);
    return 1;
}

static void dismiss(crew *c) {
    for (int slot = 0; slot < SEG_RUN_MOST_JOBS; slot++)
        seg_child_free(&c->child[slot]);
}

/* Rank 0: hand out, take in, work oneself. After a failure nothing more is handed out, but the other ranks are heard
 * until each knows. */
static seg_status lead(seg_context *ctx, const seg_eval_run *run, crew *c, size_t *done) {
    long *todo, item;
    size_t count, next = 0, abroad = 0;
    int rank, idle = 0;
    const int others = run->ranks->count - 1;
    const double started = seg_now();
    seg_status status = list_work(ctx, run, &todo, &count);
    while ((status == SEG_OK && *done < count) || idle < others || abroad > 0) {
        char *text, stage[64];
        while (status == SEG_OK && c->running < run->jobs && next < count)
            if ((status = start(ctx, c, run, todo[next])) == SEG_OK)
                next++;
        if (c->running > 0 || others > 0) {
            if (next_ended(ctx, c, run, others > 0 ? 5 : 100, &item, &text)) {
                seg_status recorded = status == SEG_OK ? record(ctx, run, item, text) : SEG_OK;
                *done += status == SEG_OK && recorded == SEG_OK;
                status = recorded ? recorded : status;
                free(text);
            }
        }
        for (seg_rank_event event; (event = seg_ranks_hear(run->ranks, &rank, &item, &text)) != SEG_RANK_QUIET;) {
            if (event == SEG_RANK_ASKS && status == SEG_OK && next < count) {
                seg_ranks_answer(rank, todo[next++]);
                abroad++;
            } else if (event == SEG_RANK_ASKS) {
                seg_ranks_answer(rank, SEG_RANKS_NO_ITEM);
                idle++;
            } else {
                seg_status recorded = status == SEG_OK ? record(ctx, run, item, text) : SEG_OK;
                *done += status == SEG_OK && recorded == SEG_OK;
                status = recorded ? recorded : status;
                abroad--;
                free(text);
            }
        }
        if (status == SEG_OK) {
            seg_jobs_describe(*done, count, seg_now() - started, stage, sizeof stage);
            status = seg_progress(ctx, count ? (double)*done / (double)count : 1, stage);
            ctx->progress_stage = "items"; /* the text goes with this function */
        }
        if (status)
            dismiss(c);
    }
    free(todo);
    return status;
}

/* The other ranks. */
static seg_status follow(seg_context *ctx, const seg_eval_run *run, crew *c, size_t *done) {
    int more = 1;
    seg_status status = SEG_OK;
    while (more || c->running > 0) {
        long item;
        while (more && c->running < run->jobs) {
            item = seg_ranks_ask();
            more = item != SEG_RANKS_NO_ITEM;
            if (more && (status = start(ctx, c, run, item)) != SEG_OK) {
                char *failure = seg_format(NULL, "%c%c%s", FAILURE, 'a' + (int)status, ctx->message);
                seg_ranks_send(item, failure ? failure : NO_MEMORY);
                free(failure);
            }
        }
        char *text = NULL;
        if (c->running > 0 && next_ended(ctx, c, run, 100, &item, &text)) {
            seg_ranks_send(item, text ? text : NO_MEMORY);
            ++*done;
            free(text);
        }
    }
    return SEG_OK;
}

seg_status seg_eval_run_all(seg_context *ctx, const seg_eval_run *run, size_t *done) {
    crew *c = seg_alloc_zero(ctx, 1, sizeof *c);
    *done = 0;
    if (!c)
        return SEG_ERR_MEMORY;
    seg_status status = run->ranks->rank == 0 ? lead(ctx, run, c, done) : follow(ctx, run, c, done);
    dismiss(c);
    free(c);
    return status;
}
