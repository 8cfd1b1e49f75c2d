/* jobs and journal: every item once, failures, cancellation; records survive crashes, damage and foreign runs. */
#include "check.h"

#include "evaluation/jobs.h"
#include "evaluation/journal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static seg_context ctx;
static const char path[] = "test_jobs.journal";

static int start(void **state) {
    (void)state;
    seg_context_init(&ctx);
    unlink(path);
    return 0;
}

enum { ITEMS = 200 };

typedef struct tally {
    int ran[ITEMS];
    uint64_t seed[ITEMS];
    int fail_at[2], stop_after;
    pthread_mutex_t lock;
    int began;
} tally;

static seg_status count_item(seg_context *own, void *user, size_t item) {
    tally *all = user;
    char key[32];
    assert_int_equal(own->threads, 1);
    snprintf(key, sizeof key, "item %zu", item);
    all->ran[item]++;
    all->seed[item] = seg_item_seed(own->seed, key);
    pthread_mutex_lock(&all->lock);
    all->began++;
    pthread_mutex_unlock(&all->lock);
    for (int f = 0; f < 2; f++)
        if ((int)item == all->fail_at[f]) {
            snprintf(own->message, sizeof own->message, "item %zu failed", item);
            return SEG_ERR_INPUT;
        }
    return SEG_OK;
}

static void every_item_once(void **state) {
    (void)state;
    static tally first, second;
    for (int jobs = 1; jobs <= 3; jobs += 2) {
        tally *all = jobs == 1 ? &first : &second;
        pthread_mutex_init(&all->lock, NULL);
        all->fail_at[0] = all->fail_at[1] = -1;
        assert_ok(&ctx, seg_jobs_run(&ctx, ITEMS, jobs, count_item, all));
        for (int i = 0; i < ITEMS; i++)
            assert_int_equal(all->ran[i], 1);
    }
    assert_memory_equal(first.seed, second.seed, sizeof first.seed);
    assert_true(first.seed[0] != first.seed[1]);
    assert_ok(&ctx, seg_jobs_run(&ctx, 0, 2, count_item, &first));
    assert_int_equal(seg_jobs_run(&ctx, 5, -1, count_item, &first), SEG_ERR_USAGE);
}

static void first_failure(void **state) {
    (void)state;
    static tally all;
    pthread_mutex_init(&all.lock, NULL);
    all.fail_at[0] = 20;
    all.fail_at[1] = 21;
    for (int jobs = 1; jobs <= 4; jobs++) {
        assert_int_equal(seg_jobs_run(&ctx, ITEMS, jobs, count_item, &all), SEG_ERR_INPUT);
        if (jobs == 1)
            assert_string_equal(ctx.message, "item 20 failed");
    }
    assert_int_equal(all.ran[ITEMS - 1], 0);
}

static seg_status wait_for_stop(seg_context *own, void *user, size_t item) {
    (void)item;
    for (int i = 0; i < 5000; i++) {
        if (own->progress(own->progress_user, 0, "waiting"))
            return SEG_ERR_CANCELLED;
        usleep(1000);
    }
    *(int *)user = 1; /* nobody asked */
    return SEG_OK;
}

static int stop_soon(void *user, double done, const char *stage) {
    assert_true(done >= 0 && done <= 1);
    assert_non_null(strstr(stage, "0/"));
    return ++*(int *)user > 1;
}

static void cancelled(void **state) {
    (void)state;
    int calls = 0, unheard = 0;
    ctx.progress = stop_soon;
    ctx.progress_user = &calls;
    assert_int_equal(seg_jobs_run(&ctx, 10, 2, wait_for_stop, &unheard), SEG_ERR_CANCELLED);
    assert_int_equal(unheard, 0);
    seg_context_init(&ctx);
}

static seg_journal *open_journal(const char *settings) {
    seg_journal *journal;
    assert_ok(&ctx, seg_journal_open(&ctx, path, settings, 0, &journal));
    return journal;
}

static void write_file(const char *bytes, size_t size, const char *mode) {
    FILE *file = fopen(path, mode);
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void records_come_back(void **state) {
    (void)state;
    const seg_record *record;
    size_t count;
    char key[16];
    seg_journal *journal = open_journal("a run; seed 1"), *second;
    assert_ok(&ctx, seg_journal_add(&ctx, journal, "b", "2 3.5"));
    assert_ok(&ctx, seg_journal_add(&ctx, journal, "a", ""));
    assert_int_equal(seg_journal_add(&ctx, journal, "a", "again"), SEG_ERR_USAGE);
    assert_int_equal(seg_journal_add(&ctx, journal, "c\n", "x"), SEG_ERR_USAGE);
    assert_int_equal(seg_journal_add(&ctx, journal, "", "x"), SEG_ERR_USAGE);
    assert_int_equal(seg_journal_open(&ctx, path, "a run; seed 1", 0, &second), SEG_ERR_IO); /* locked */
    assert_null(second);
    seg_journal_close(journal);

    journal = open_journal("a run; seed 1");
    assert_string_equal(seg_journal_find(journal, "b"), "2 3.5");
    assert_string_equal(seg_journal_find(journal, "a"), "");
    assert_null(seg_journal_find(journal, "c"));
    for (int i = 0; i < 1000; i++) { /* the table grows */
        snprintf(key, sizeof key, "k%03d", 999 - i);
        assert_ok(&ctx, seg_journal_add(&ctx, journal, key, key));
    }
    assert_ok(&ctx, seg_journal_sorted(&ctx, journal, &record, &count));
    assert_int_equal(count, 1002);
    for (size_t r = 0; r + 1 < count; r++)
        assert_true(strcmp(record[r].key, record[r + 1].key) < 0);
    assert_string_equal(seg_journal_find(journal, "k500"), "k500");
    seg_journal_close(journal);
}

static void other_settings(void **state) {
    (void)state;
    seg_journal *journal = open_journal("seed 1");
    assert_ok(&ctx, seg_journal_add(&ctx, journal, "a", "1"));
    seg_journal_close(journal);
    assert_int_equal(seg_journal_open(&ctx, path, "seed 2", 0, &journal), SEG_ERR_USAGE);
    assert_non_null(strstr(ctx.message, "seed 1"));
    assert_non_null(strstr(ctx.message, "--restart"));
    assert_ok(&ctx, seg_journal_open(&ctx, path, "seed 2", 1, &journal));
    assert_null(seg_journal_find(journal, "a"));
    seg_journal_close(journal);
    write_file("x,y\n1,2\n", 8, "w");
    assert_int_equal(seg_journal_open(&ctx, path, "seed 2", 0, &journal), SEG_ERR_INPUT);
}

/* Cut anywhere, the journal opens with all whole records and can be written on. */
static void torn(void **state) {
    (void)state;
    char bytes[4096];
    seg_journal *journal = open_journal("seed 1");
    for (int i = 0; i < 5; i++) {
        const char key[2] = {(char)('a' + i), 0};
        assert_ok(&ctx, seg_journal_add(&ctx, journal, key, "some text"));
    }
    seg_journal_close(journal);
    FILE *file = fopen(path, "r");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t cut = 0; cut <= size; cut++) {
        write_file(bytes, cut, "w");
        journal = open_journal("seed 1");
        size_t count, whole = 0;
        const seg_record *record;
        for (size_t i = 0; i < cut; i++)
            whole += bytes[i] == '\n';
        assert_ok(&ctx, seg_journal_sorted(&ctx, journal, &record, &count));
        assert_int_equal(count, whole ? whole - 1 : 0);
        assert_ok(&ctx, seg_journal_add(&ctx, journal, "z", "later"));
        seg_journal_close(journal);
        journal = open_journal("seed 1");
        assert_string_equal(seg_journal_find(journal, "z"), "later");
        seg_journal_close(journal);
    }
    bytes[size / 2] ^= 1; /* in a record in the middle */
    write_file(bytes, size, "w");
    assert_int_equal(seg_journal_open(&ctx, path, "seed 1", 0, &journal), SEG_ERR_INPUT);
    assert_non_null(strstr(ctx.message, "line"));
}

static void parts_come_together(void **state) {
    (void)state;
    static const char part[] = "test_jobs.part";
    seg_journal *journal, *other;
    unlink(part);
    assert_ok(&ctx, seg_journal_open(&ctx, part, "seed 1", 0, &other));
    assert_ok(&ctx, seg_journal_add(&ctx, other, "a", "1"));
    assert_ok(&ctx, seg_journal_add(&ctx, other, "b", "2"));
    seg_journal_close(other);
    journal = open_journal("seed 1");
    assert_ok(&ctx, seg_journal_add(&ctx, journal, "b", "2"));
    assert_ok(&ctx, seg_journal_merge(&ctx, journal, part));
    assert_string_equal(seg_journal_find(journal, "a"), "1");
    seg_journal_close(journal);
    journal = open_journal("seed 1"); /* what was merged is on disk */
    assert_string_equal(seg_journal_find(journal, "a"), "1");
    seg_journal_close(journal);
    assert_ok(&ctx, seg_journal_open(&ctx, path, "seed 1", 1, &journal));
    assert_ok(&ctx, seg_journal_add(&ctx, journal, "b", "3"));
    assert_int_equal(seg_journal_merge(&ctx, journal, part), SEG_ERR_INPUT);
    seg_journal_close(journal);
    unlink(part);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_once),
        cmocka_unit_test(first_failure),
        cmocka_unit_test(cancelled),
        cmocka_unit_test_setup(records_come_back, start),
        cmocka_unit_test_setup(other_settings, start),
        cmocka_unit_test_setup(torn, start),
        cmocka_unit_test_setup(parts_come_together, start),
    };
    const int failed = cmocka_run_group_tests(tests, start, NULL);
    unlink(path);
    return failed;
}
