/* Whole jobs of the program, each in a process of its own, with the n-th allocation failing (all), with the n-th call
 * that touches files failing, and with files that may not grow beyond n bytes. Whatever fails, the program ends
 * orderly: with what it always writes, or with one sentence, nothing half-written, and what was there before untouched.
 *
 *     sweep_program memory|files JOB|all [FIRST]
 *     sweep_program damaged JOB|all VARIANTS
 *
 * It is the program's own main() that runs, called segment_main here. */
#include "../allocations.h"
#include "disk.h"
#include "jobs.h"

#include "damage.h"

#include <dirent.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_FAULTS = 8, MOST_FILES = 64, SECONDS = 120 };

static char folder[256];
static int faults;
static size_t first = 1; /* the n to begin with: for looking closer at one */

/* ---- what is in the folder ---- */

typedef struct entry {
    char name[64];
    uint64_t content;
} entry;

typedef struct listing {
    entry file[MOST_FILES];
    int count;
} listing;

static uint64_t digest(const char *bytes, size_t size) {
    uint64_t sum = 0xCBF29CE484222325ull;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001B3ull;
    return sum;
}

static uint64_t digest_file(const char *path) {
    static char bytes[1 << 20];
    FILE *from = fopen(path, "rb");
    const size_t size = from ? fread(bytes, 1, sizeof bytes, from) : 0;
    if (from)
        fclose(from);
    return digest(bytes, size);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

static void list_folder(const char *prefix, listing *out) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, prefix);
    DIR *dir = opendir(path);
    for (struct dirent *one; dir && (one = readdir(dir));) {
        struct stat about;
        if (strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0 || out->count == MOST_FILES)
            continue;
        entry *to = &out->file[out->count];
        if (snprintf(to->name, sizeof to->name, "%s%s", prefix, one->d_name) >= (int)sizeof to->name)
            abort();
        snprintf(path, sizeof path, "%s/%s", folder, to->name);
        if (lstat(path, &about) != 0)
            continue;
        to->content = S_ISREG(about.st_mode) ? digest_file(path) : 0;
        out->count++;
        if (S_ISDIR(about.st_mode)) {
            char inner[80];
            snprintf(inner, sizeof inner, "%s/", to->name);
            list_folder(inner, out);
        }
    }
    if (dir)
        closedir(dir);
}

static void take_listing(listing *out) {
    out->count = 0;
    list_folder("", out);
    qsort(out->file, (size_t)out->count, sizeof *out->file, by_name);
}

static const entry *find(const listing *in, const char *name) {
    for (int i = 0; i < in->count; i++)
        if (strcmp(in->file[i].name, name) == 0)
            return &in->file[i];
    return NULL;
}

/* Back to what was there at the start. */
static void clean(const listing *start, const listing *now) {
    for (int i = now->count - 1; i >= 0; i--)
        if (!find(start, now->file[i].name)) {
            char path[1024];
            snprintf(path, sizeof path, "%s/%s", folder, now->file[i].name);
            if (remove(path) != 0)
                perror(path);
        }
}

/* ---- a run ---- */

typedef struct outcome {
    int status;
    uint64_t out;
    char words[8192];
    listing files;
} outcome;

/* What the program says goes into pipes, which have no limit of a file, and are large enough to be read afterwards. */
static size_t take_all(int from, char *to, size_t room) {
    size_t size = 0;
    ssize_t got;
    while (size < room && (got = read(from, to + size, room - size)) > 0)
        size += (size_t)got;
    close(from);
    return size;
}

static void on_crash(int signal_number) {
    void *frames[16];
    disarm_allocations();
    backtrace_symbols_fd(frames, backtrace(frames, 16), 2);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void run(const char *arguments, long limit, outcome *out) {
    static char text[1 << 20];
    int said[2], warned[2];
    if (pipe(said) != 0 || pipe(warned) != 0)
        abort();
    fcntl(said[1], F_SETPIPE_SZ, 1 << 20);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        char name[] = "segment", *words[32] = {name};
        int count = 1;
        snprintf(text, sizeof text, "%s", arguments);
        for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
            words[count++] = word;
        if (chdir(folder) != 0)
            abort();
        dup2(said[1], 1);
        dup2(warned[1], 2);
        for (int i = 0; i < 2; i++) {
            close(said[i]);
            close(warned[i]);
        }
        freopen("/dev/null", "r", stdin);
        alarm(SECONDS);
        signal(SIGSEGV, on_crash);
        if (limit >= 0) {
            const struct rlimit most = {(rlim_t)limit, (rlim_t)limit};
            setrlimit(RLIMIT_FSIZE, &most);
        }
        arm_allocations();
        arm_disk();
        exit(segment_main(count, words));
    }
    if (child < 0 || waitpid(child, &out->status, 0) != child)
        abort();
    close(said[1]);
    close(warned[1]);
    out->out = digest(text, take_all(said[0], text, sizeof text));
    out->words[take_all(warned[0], out->words, sizeof out->words - 1)] = 0;
    take_listing(&out->files);
}

static void fault(const job *one, const char *how, size_t n, const outcome *got, const char *what, const char *which) {
    if (faults++ < MOST_FAULTS)
        fprintf(stderr, "%s, %s %zu: %s %s (exit %d, signal %d)\n%s", one->name, how, n, what, which,
                WIFEXITED(got->status) ? WEXITSTATUS(got->status) : -1,
                WIFSIGNALED(got->status) ? WTERMSIG(got->status) : 0, got->words);
}

static void check(const job *one, const char *how, size_t n, const listing *start, const outcome *whole,
                  const outcome *got) {
    const int code = WIFEXITED(got->status) ? WEXITSTATUS(got->status) : -1;
    const char *words = got->words;
    while (one->in_parts && strncmp(words, "segment: warning: ", 18) == 0 && strchr(words, '\n'))
        words = strchr(words, '\n') + 1; /* of a part that failed before the whole did */
    const char *line = strchr(words, '\n');
    /* Of a data set one look at a folder is still answered with "not there" where memory ran out. */
    const int unseen = one->in_parts && code == 3 && strstr(words, "contains no files of the layout");
    if (strstr(got->words, "crashed"))
        fault(one, how, n, got, "a process of its own crashed", "");
    if (code != 0 && code != 1 && !(one->in_parts && code == 5) && !unseen)
        fault(one, how, n, got, "not an orderly end", "");
    if (code == 0 && got->out != whole->out)
        fault(one, how, n, got, "success, and something else on standard output", "");
    if (code == 1 && (!line || line[1] || strncmp(words, "segment: ", 9) != 0))
        fault(one, how, n, got, "not one sentence", "");
    for (int i = 0; i < got->files.count; i++) {
        const entry *now = &got->files.file[i], *before = find(start, now->name),
                    *after = find(&whole->files, now->name);
        if (strstr(now->name, ".segment-"))
            fault(one, how, n, got, "left over:", now->name);
        else if (one->in_parts && (!before || code == 5))
            continue; /* records of what failed */
        else if (!(before && before->content == now->content) && !(after && after->content == now->content))
            fault(one, how, n, got, "half-written:", now->name);
        else if (code == 0 && after && after->content != now->content)
            fault(one, how, n, got, "success, and the old", now->name);
    }
    for (int i = 0; code == 0 && i < whole->files.count; i++)
        if (!find(&got->files, whole->files.file[i].name))
            fault(one, how, n, got, "success, and there is no", whole->files.file[i].name);
    for (int i = 0; i < start->count; i++)
        if (!find(&got->files, start->file[i].name))
            fault(one, how, n, got, "lost:", start->file[i].name);
}

static int sweep_job(const job *one, int memory) {
    static listing start;
    static outcome whole, got;
    size_t total, tried = 0, largest = 0;
    faults = 0;
    make_inputs(folder, one);
    fail_allocations(FAIL_NEVER, 0);
    fail_disk(FAIL_NEVER, 0);
    if (one->before) {
        run(one->before, -1, &whole);
        make_inputs(folder, one);
    }
    take_listing(&start);
    fail_allocations(FAIL_NEVER, 0);
    run(one->arguments, -1, &whole);
    total = armed_allocations();
    clean(&start, &whole.files);
    make_inputs(folder, one);
    if (whole.status != 0) {
        fprintf(stderr, "%s does not run: %s", one->name, whole.words);
        return 1;
    }
    for (int all = 0; all < 2; all++)
        for (size_t n = first;; n += 1 + n / (memory ? one->stride / SWEEP_COARSER : 8)) { /* ever fewer */
            fail_allocations(memory ? n : FAIL_NEVER, all);
            fail_disk(memory ? FAIL_NEVER : n, all);
            run(one->arguments, -1, &got);
            check(one,
                  memory ? all ? "all allocations from" : "allocation"
                  : all  ? "all calls from"
                         : "call",
                  n, &start, &whole, &got);
            clean(&start, &got.files);
            make_inputs(folder, one);
            tried++;
            if (memory ? !failed_allocations() : !failed_disk())
                break;
        }
    for (int i = 0; !memory && i < whole.files.count; i++) {
        char path[1024];
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", folder, whole.files.file[i].name);
        largest = stat(path, &about) == 0 && (size_t)about.st_size > largest ? (size_t)about.st_size : largest;
    }
    fail_allocations(FAIL_NEVER, 0);
    fail_disk(FAIL_NEVER, 0);
    for (long bytes = 0; !memory && bytes < 100000; bytes += 1 + bytes / 2) {
        run(one->arguments, bytes, &got);
        check(one, "files of at most", (size_t)bytes, &start, &whole, &got);
        clean(&start, &got.files);
        make_inputs(folder, one);
        tried++;
    }
    printf("%s: %zu allocations, %zu runs%s\n", one->name, total, tried, faults ? ": FAULTS" : "");
    return faults != 0;
}

/* Inputs damaged in many ways: 0, or one sentence and the code of unfit input (2 and 4: what a damaged record or list
 * asks for may be impossible; 1: a damaged record may ask for another mask), nothing written. */
static int damage_job(const job *one, unsigned variants) {
    static listing start;
    static outcome got;
    static unsigned char whole[1 << 16], variant[1 << 18];
    char names[256];
    unsigned accepted = 0, tried = 0;
    faults = 0;
    make_inputs(folder, one);
    if (one->before)
        run(one->before, -1, &got);
    snprintf(names, sizeof names, "%s", one->damaged ? one->damaged : "");
    for (char *rest = names, *name; (name = strtok_r(rest, " ", &rest));) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, name);
        FILE *from = fopen(path, "rb");
        const size_t size = from ? fread(whole, 1, sizeof whole, from) : 0;
        if (from)
            fclose(from);
        for (unsigned number = 0; size && number < variants; number++, tried++) {
            make_inputs(folder, one);
            const size_t left = damage(whole, size, number, variant);
            FILE *to = fopen(path, "wb");
            if (!to || fwrite(variant, 1, left, to) != left || fclose(to) != 0)
                abort();
            take_listing(&start);
            run(one->arguments, -1, &got);
            const int code = WIFEXITED(got.status) ? WEXITSTATUS(got.status) : -1;
            const char *line = strchr(got.words, '\n');
            accepted += code == 0;
            if (code < 0 || code > 4 || (code == 1 && !strstr(got.words, "differs from that of the saved run")))
                fault(one, name, number, &got, "not an orderly end", "");
            if (code && (!line || line[1] || strncmp(got.words, "segment: ", 9) != 0))
                fault(one, name, number, &got, "not one sentence", "");
            for (int i = 0; i < got.files.count; i++) {
                const entry *now = &got.files.file[i], *before = find(&start, now->name);
                if (strstr(now->name, ".segment-") || (code && (!before || before->content != now->content)))
                    fault(one, name, number, &got, "written:", now->name);
            }
            clean(&start, &got.files);
        }
        FILE *to = fopen(path, "wb");
        if (!to || fwrite(whole, 1, size, to) != size || fclose(to) != 0)
            abort();
    }
    printf("%s: %u damaged inputs, %u accepted%s\n", one->name, tried, accepted, faults ? ": FAULTS" : "");
    return faults != 0;
}

int main(int argc, char **argv) {
    const char *temporary = getenv("TMPDIR");
    /* Of these, fontconfig and what it stands on follow pointers that are not there. */
    static const char *const unsafe[] = {"libfontconfig", "libfreetype", "libexpat", "libcairo", "libpixman"};
    static listing none, all;
    int bad = 0, found = 0;
    snprintf(folder, sizeof folder, "%s/segment-program-XXXXXX", temporary ? temporary : "/tmp");
    if (argc < 3 || !mkdtemp(folder))
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    first = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
    share_allocations();
    share_disk();
    spare_libraries();
    for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++)
        spare_library(unsafe[i]);
    for (int i = 0; i < job_count; i++)
        if (strcmp(argv[2], "all") == 0 || strcmp(argv[2], jobs[i].name) == 0) {
            bad |= strcmp(argv[1], "damaged") == 0 ? damage_job(&jobs[i], (unsigned)first)
                                                   : sweep_job(&jobs[i], strcmp(argv[1], "memory") == 0);
            found = 1;
            take_listing(&all);
            clean(&none, &all);
        }
    rmdir(folder);
    return bad || !found;
}
