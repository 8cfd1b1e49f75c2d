/* runner and journal: every item once, failures, crashes, cancellation, parts; records survive damage and foreign runs.
 */
#include "check.h"

#include "evaluation/runner/runner.h"

#include <inttypes.h>
#include <signal.h>

FREED_BY(seg_journal, seg_journal_close)
#define SCOPED_JOURNAL SCOPED_POINTER(seg_journal)

static const char path[] = "test_runner.journal";

BEFORE_EACH {
    unlink(path);
}

AFTER_EACH {
    unlink(path);
}

static seg_journal *open_journal(const char *settings) {
    seg_journal *journal;
    assert_ok(&ctx, seg_journal_open(&ctx, path, settings, 0, &journal));
    return journal;
}

enum { ITEMS = 24, NONE = -1 };

/* What the items do; each says its number, its seed and its process. */
typedef struct script {
    int fails, crashes, sleeps, silent; /* the item that does so, NONE none */
} script;

static const script plain = {NONE, NONE, NONE, NONE};

static char *key_of(seg_context *own, const void *user, size_t item) {
    (void)own, (void)user;
    char key[32];
    snprintf(key, sizeof key, "item-%02zu", item);
    return strdup(key);
}

static seg_status play(seg_context *own, const void *user, size_t item, char **record) {
    const script *plays = user;
    char text[80];
    if ((int)item == plays->fails) {
        snprintf(own->message, sizeof own->message, "item %zu failed", item);
        return SEG_ERR_INPUT;
    }
    if ((int)item == plays->crashes)
        raise(SIGKILL);
    if ((int)item == plays->sleeps)
        sleep(60);
    snprintf(text, sizeof text, "%zu %016" PRIx64 " %d %zu", item, own->seed, own->threads, own->max_memory);
    *record = strdup((int)item == plays->silent ? "" : text);
    return SEG_OK;
}

static char *is_broken(seg_context *own, const char *how) {
    (void)own;
    char text[200];
    snprintf(text, sizeof text, "broken: %.100s", how);
    return strdup(text);
}

static seg_work work_of(const script *plays) {
    return (seg_work){.items = ITEMS, .seed = 5, .key = key_of, .solve = play, .user = plays, .max_memory = 1 << 30};
}

/* What was recorded for an item of a new journal's run. */
static void expect_record(seg_journal *journal, size_t item) {
    char key[32], wanted[80];
    snprintf(key, sizeof key, "item-%02zu", item);
    snprintf(wanted, sizeof wanted, "%zu %016" PRIx64 " 1 %d", item, seg_item_seed(5, key), 1 << 30);
    const char *found = seg_journal_find(journal, key);
    assert_non_null(found);
    assert_string_equal(found, wanted);
}

TEST(every_item_once) {
    const seg_work work = work_of(&plain);
    size_t done;
    for (int jobs = 0; jobs <= 2; jobs++) {
        SCOPED_JOURNAL *journal;
        assert_ok(&ctx, seg_journal_open(&ctx, path, "seed 5", 1, &journal));
        const seg_jobs how = {.most = jobs, .journal = journal};
        assert_ok(&ctx, seg_work_run(&ctx, &work, &how, &done)); /* a second record of a key would be refused */
        assert_int_equal(done, ITEMS);
        for (size_t i = 0; i < ITEMS; i++)
            expect_record(journal, i);
        assert_ok(&ctx, seg_work_run(&ctx, &work, &how, &done)); /* all is done */
        assert_int_equal(done, 0);
    }
    assert_true(seg_item_seed(5, "item-00") != seg_item_seed(5, "item-01"));
    assert_true(seg_item_seed(5, "item-00") != seg_item_seed(6, "item-00"));
}

TEST(no_items) {
    seg_work work = work_of(&plain);
    SCOPED_JOURNAL *journal = open_journal("seed 5");
    work.items = 0;
    assert_ok(&ctx, seg_work_run(&ctx, &work, &(seg_jobs){.journal = journal}, NULL));
    assert_null(seg_journal_find(journal, "item-00"));
}

/* The parts are disjoint, and all of them are the whole; what one part did is not done again. */
TEST(shards) {
    const seg_work work = work_of(&plain);
    SCOPED_JOURNAL *journal = open_journal("seed 5");
    size_t done, all = 0;
    for (int shard = 3; shard >= 1; shard--) {
        assert_ok(&ctx, seg_work_run(&ctx, &work, &(seg_jobs){2, shard, 3, journal}, &done));
        assert_int_equal(done, ITEMS / 3);
        all += done;
    }
    assert_int_equal(all, ITEMS);
    for (size_t i = 0; i < ITEMS; i++)
        expect_record(journal, i);
}

/* A failure ends the run with its sentence; the items before it stay, and a run without it does the rest only. */
TEST(failure_and_resume) {
    const script fails = {.fails = 12, .crashes = NONE, .sleeps = NONE, .silent = NONE};
    seg_work work = work_of(&fails);
    size_t done;
    for (int jobs = 1; jobs <= 4; jobs += 3) {
        SCOPED_JOURNAL *journal;
        assert_ok(&ctx, seg_journal_open(&ctx, path, "seed 5", 1, &journal));
        work.user = &fails;
        assert_int_equal(seg_work_run(&ctx, &work, &(seg_jobs){.most = jobs, .journal = journal}, &done),
                         SEG_ERR_INPUT);
        assert_string_equal(ctx.message, "item 12 failed");
        assert_true(done < ITEMS);
        assert_null(seg_journal_find(journal, "item-12"));
        assert_true(jobs > 1 || !seg_journal_find(journal, "item-23")); /* others may be as far on a busy machine */
        seg_journal_close(journal);
        journal = open_journal("seed 5");
        const size_t before = done;
        work.user = &plain;
        assert_ok(&ctx, seg_work_run(&ctx, &work, &(seg_jobs){.most = jobs, .journal = journal}, &done));
        assert_int_equal(before + done, ITEMS);
        for (size_t i = 0; i < ITEMS; i++)
            expect_record(journal, i);
    }
}

/* A process that is killed, one that says nothing, one that takes too long: a record, or the end of the run. */
TEST(broken_processes) {
    const script all[3] = {{NONE, 7, NONE, NONE}, {NONE, NONE, NONE, 7}, {NONE, NONE, 7, NONE}};
    static const char *const says[] = {"crashed: Killed", "", "was out of time"};
    for (int s = 0; s < 3; s++) {
        seg_work work = work_of(&all[s]);
        SCOPED_JOURNAL *journal;
        size_t done;
        work.timeout = s == 2 ? 0.2 : 0;
        work.broken = is_broken;
        assert_ok(&ctx, seg_journal_open(&ctx, path, "seed 5", 1, &journal));
        assert_ok(&ctx, seg_work_run(&ctx, &work, &(seg_jobs){.most = 2, .journal = journal}, &done));
        assert_int_equal(done, ITEMS);
        const char *record = seg_journal_find(journal, "item-07");
        assert_non_null(record);
        assert_memory_equal(record, "broken: ", 8);
        assert_non_null(strstr(record, says[s]));
        expect_record(journal, 8);
        seg_journal_close(journal);

        assert_ok(&ctx, seg_journal_open(&ctx, path, "seed 5", 1, &journal));
        work.broken = NULL;
        assert_true(seg_work_run(&ctx, &work, &(seg_jobs){.most = 2, .journal = journal}, &done) != SEG_OK);
        assert_says(&ctx, "item-07");
        assert_says(&ctx, s == 1 ? "gave no result" : says[s]);
        assert_null(seg_journal_find(journal, "item-07"));
    }
}

static int stop_soon(void *user, double done, const char *stage) {
    assert_true(done >= 0 && done <= 1);
    assert_non_null(strstr(stage, "/24"));
    return ++*(int *)user > 1;
}

/* Asked to stop, the run ends the processes it has. */
TEST(cancelled) {
    const script sleeps = {NONE, NONE, 0, NONE};
    const seg_work work = work_of(&sleeps);
    SCOPED_JOURNAL *journal = open_journal("seed 5");
    int calls = 0;
    ctx.progress = stop_soon;
    ctx.progress_user = &calls;
    alarm(30); /* less than the item sleeps */
    assert_int_equal(seg_work_run(&ctx, &work, &(seg_jobs){.most = 1, .journal = journal}, NULL), SEG_ERR_CANCELLED);
    alarm(0);
    assert_null(seg_journal_find(journal, "item-00"));
}

static void count_line(void *user, seg_log_level level, const char *line) {
    (void)level;
    *(int *)user += strstr(line, "1 of 24 items are already finished") != NULL;
}

/* An earlier run is told of. */
TEST(resumed) {
    const seg_work work = work_of(&plain);
    SCOPED_JOURNAL *journal = open_journal("seed 5");
    int lines = 0;
    ctx.log = count_line;
    ctx.log_user = &lines;
    assert_ok(&ctx, seg_journal_add(&ctx, journal, "item-15", "earlier"));
    assert_ok(&ctx, seg_work_run(&ctx, &work, &(seg_jobs){.most = 2, .journal = journal}, NULL));
    assert_int_equal(lines, 1);
    assert_string_equal(seg_journal_find(journal, "item-15"), "earlier");
}

static void write_file(const char *bytes, size_t size, const char *mode) {
    FILE *file = fopen(path, mode);
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

TEST(records_come_back) {
    char key[16];
    seg_journal *journal = open_journal("a run; seed 1"), *second;
    assert_ok(&ctx, seg_journal_add(&ctx, journal, "b", "2 3.5"));
    assert_ok(&ctx, seg_journal_add(&ctx, journal, "a", ""));
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
    assert_string_equal(seg_journal_find(journal, "k500"), "k500");
    seg_journal_close(journal);
}

TEST(other_settings) {
    seg_journal *journal = open_journal("seed 1");
    assert_ok(&ctx, seg_journal_add(&ctx, journal, "a", "1"));
    seg_journal_close(journal);
    assert_fails(&ctx, seg_journal_open(&ctx, path, "seed 2", 0, &journal), SEG_ERR_USAGE, "seed 1");
    assert_says(&ctx, "--restart");
    assert_ok(&ctx, seg_journal_open(&ctx, path, "seed 2", 1, &journal));
    assert_null(seg_journal_find(journal, "a"));
    seg_journal_close(journal);
    write_file("x,y\n1,2\n", 8, "w");
    assert_int_equal(seg_journal_open(&ctx, path, "seed 2", 0, &journal), SEG_ERR_INPUT);
}

/* Cut anywhere, the journal opens with all whole records and can be written on. */
TEST(torn) {
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
        size_t whole = 0;
        for (size_t i = 0; i < cut; i++)
            whole += bytes[i] == '\n';
        for (size_t i = 0; i < 5; i++) {
            const char key[2] = {(char)('a' + i), 0};
            assert_int_equal(seg_journal_find(journal, key) != NULL, i + 1 < whole);
        }
        assert_ok(&ctx, seg_journal_add(&ctx, journal, "z", "later"));
        seg_journal_close(journal);
        journal = open_journal("seed 1");
        assert_string_equal(seg_journal_find(journal, "z"), "later");
        seg_journal_close(journal);
    }
    bytes[size / 2] ^= 1; /* in a record in the middle */
    write_file(bytes, size, "w");
    assert_fails(&ctx, seg_journal_open(&ctx, path, "seed 1", 0, &journal), SEG_ERR_INPUT, "line");
}

/* A part knows what the others and the whole have done, and keeps its own alone; the whole takes all over. */
TEST(parts_in_a_folder) {
    static const char *const names[] = {"journal", "shard-1-of-2.journal", "shard-2-of-3.journal", "journal.txt"};
    char folder[] = "test_runner.XXXXXX", name[64];
    const seg_journal_part all = {folder, 0, 0};
    seg_journal *part, *whole;
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/journal.txt", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("not a journal", file);
    fclose(file);
    assert_ok(&ctx, seg_journal_open_part(&ctx, &(seg_journal_part){folder, 1, 2}, "seed 1", 0, &part));
    assert_ok(&ctx, seg_journal_add(&ctx, part, "a", "1"));
    seg_journal_close(part);
    assert_ok(&ctx, seg_journal_open_part(&ctx, &(seg_journal_part){folder, 2, 3}, "seed 1", 0,
                                          &part)); /* of another number of them */
    assert_string_equal(seg_journal_find(part, "a"), "1");
    assert_ok(&ctx, seg_journal_add(&ctx, part, "b", "2"));
    assert_ok(&ctx, seg_journal_open_part(&ctx, &all, "seed 1", 0, &whole));
    assert_string_equal(seg_journal_find(whole, "a"), "1");
    assert_string_equal(seg_journal_find(whole, "b"), "2");
    seg_journal_close(part);
    seg_journal_close(whole);
    snprintf(name, sizeof name, "%s/shard-2-of-3.journal", folder);
    assert_ok(&ctx, seg_journal_open(&ctx, name, "seed 1", 0, &part));
    assert_null(seg_journal_find(part, "a"));
    seg_journal_close(part);
    snprintf(name, sizeof name, "%s/journal", folder);
    assert_ok(&ctx, seg_journal_open(&ctx, name, "seed 1", 0, &whole)); /* it is all on disk */
    assert_string_equal(seg_journal_find(whole, "b"), "2");
    seg_journal_close(whole);
    snprintf(name, sizeof name, "%s/shard-2-of-3.journal", folder);
    assert_ok(&ctx, seg_journal_open(&ctx, name, "seed 1", 1, &part));
    assert_ok(&ctx, seg_journal_add(&ctx, part, "b", "3"));
    seg_journal_close(part);
    assert_int_equal(seg_journal_open_part(&ctx, &all, "seed 1", 0, &whole), SEG_ERR_INPUT); /* another result */
    assert_int_equal(seg_journal_open_part(&ctx, &(seg_journal_part){folder, 2, 2}, "seed 2", 0, &part), SEG_ERR_USAGE);
    assert_null(part);
    assert_ok(&ctx, seg_journal_open_part(&ctx, &all, "seed 2", 1, &whole));
    assert_null(seg_journal_find(whole, "a"));
    seg_journal_close(whole);
    for (int n = 0; n < 4; n++) {
        snprintf(name, sizeof name, "%s/%s", folder, names[n]);
        assert_int_equal(unlink(name), n == 1 || n == 2 ? -1 : 0);
    }
    assert_int_equal(rmdir(folder), 0); /* the refused part left nothing */
}
