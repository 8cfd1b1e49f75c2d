/* The driver: sweep TOPIC runs its cases; sweep complete FOLDER compares what the cases call with the public headers.
 *
 * Not failed: what some libraries allocate for themselves (spare_libraries in allocations.c says which, and why). */
#include "sweep.h"

#include "base/json_read.h"

#include <dirent.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

/* With the sanitizers, which take ten times as long, every tenth allocation fails alone, and all from others on. */
#ifdef SEG_SANITIZED
enum { STRIDE = 10 };
#else
enum { STRIDE = 1 };
#endif
enum { EVERY = 500, MOST_FAULTS = 6, MOST_NAMES = 512 };

static const sweep_topic *const topics[] = {&sweep_image,  &sweep_writing, &sweep_vectors, &sweep_constraints,
                                            &sweep_active, &sweep_graph,   &sweep_methods, &sweep_kernels,
                                            &sweep_photo,  &sweep_model,   &sweep_plain,   &sweep_evaluation};
enum { TOPICS = sizeof topics / sizeof *topics };

seg_context own;

static char folder[256];
static const char *called[MOST_NAMES];
static size_t call_count;

static const char *running = "nothing", *last_call = "nothing";
static size_t running_n;
static int running_all, ended, faults, went_on;
static uint64_t digest;

/* ---- for the cases ---- */

void sweep_begin(const char *function) {
    size_t i = 0;
    while (i < call_count && strcmp(called[i], function) != 0)
        i++;
    if (i == call_count && call_count < MOST_NAMES)
        called[call_count++] = function;
    sweep_begin_inside(function);
}

void sweep_begin_inside(const char *function) {
    last_call = function;
    arm_allocations();
}

seg_status sweep_end(seg_status status) {
    disarm_allocations();
    return status;
}

void sweep_whole_anyway(int failed) {
    went_on = failed;
}

void sweep_fault(const char *format, ...) {
    va_list arguments;
    if (faults++ >= MOST_FAULTS)
        return;
    fprintf(stderr, "%s, %s %zu, last call %s: ", running, running_all ? "all allocations from" : "allocation",
            running_n, last_call);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void sweep_zeroed(const char *what, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (((const unsigned char *)bytes)[i])
            return sweep_fault("%s is not zeroed", what);
}

void told(const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        digest = (digest ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3ull;
}

void told_number(double number) {
    told(&number, sizeof number);
}

void told_text(const char *text) {
    told(text ? text : "(none)", text ? strlen(text) : 6);
}

void told_matrix(const seg_matrix *matrix) {
    told(matrix->at, matrix->rows * matrix->cols * sizeof *matrix->at);
}

void told_graph(const seg_csr *graph) {
    told(graph->start, (graph->rows + 1) * sizeof *graph->start);
    told(graph->column, graph->start[graph->rows] * sizeof *graph->column);
    told(graph->value, graph->start[graph->rows] * sizeof *graph->value);
}

void told_constraints(const seg_constraints *c) {
    told(c->group, c->n * sizeof *c->group);
    for (size_t i = 0; i < c->pairs; i++) {
        told(&c->pair[i].i, sizeof c->pair[i].i);
        told(&c->pair[i].j, sizeof c->pair[i].j);
        told(&c->pair[i].sign, sizeof c->pair[i].sign);
        told(&c->pair[i].weight, sizeof c->pair[i].weight);
    }
}

void told_image(const seg_image *image) {
    told(image, offsetof(seg_image, data));
    told(image->data, 3 * (size_t)image->width * (size_t)image->height * (size_t)(image->depth / 8));
}

void told_mask(const seg_mask *mask) {
    told(mask->label, (size_t)mask->width * (size_t)mask->height);
    told(mask->colour, sizeof mask->colour);
}

const char *in_folder(const char *name) {
    static char path[8][512];
    static int turn;
    turn = (turn + 1) % 8;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

void make_file(const char *name, const void *bytes, size_t size) {
    FILE *to = fopen(in_folder(name), "wb");
    if (!to || fwrite(bytes, 1, size, to) != size || fclose(to) != 0)
        abort();
}

void make_text(const char *name, const char *text) {
    make_file(name, text, strlen(text));
}

static const char old_text[] = "what was there before";

void old_output(const char *name) {
    make_text(name, old_text);
}

seg_status check_output(const char *name, seg_status status) {
    static unsigned char bytes[1 << 20];
    FILE *from = fopen(in_folder(name), "rb");
    const size_t size = from ? fread(bytes, 1, sizeof bytes, from) : 0;
    const int old = size == strlen(old_text) && memcmp(bytes, old_text, size) == 0;
    if (from)
        fclose(from);
    if (status == SEG_OK) {
        told(bytes, size);
        if (old)
            sweep_fault("success, and %s still holds the old text", name);
    } else if (!old) {
        sweep_fault("a failure, and %s lost its old text", name);
    }
    unlink(in_folder(name));
    return status;
}

void must(seg_context *ctx, seg_status status) {
    if (status == SEG_OK)
        return;
    fprintf(stderr, "%s: setting up failed: %s\n", running, ctx->message);
    exit(1);
}

/* ---- the sweep ---- */

/* A library that ends the process, or a crash: say where. */
static void on_exit_early(void) {
    if (!ended)
        fprintf(stderr, "sweep: the process ends in %s, %s %zu, last call %s\n", running,
                running_all ? "all allocations from" : "allocation", running_n, last_call);
}

static void on_crash(int signal_number) {
    on_exit_early();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void check_folder(void) {
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (strncmp(entry->d_name, ".segment-", 9) == 0) {
            sweep_fault("%s was left", entry->d_name);
            unlink(in_folder(entry->d_name));
        }
    if (dir)
        closedir(dir);
}

/* @return whether an allocation failed in it */
static int attempt(const sweep_case *one, size_t n, int all, uint64_t expected, size_t *count) {
    seg_context ctx = seg_context_default();
    ctx.threads = one->threads;
    running_n = n;
    running_all = all;
    digest = 0xCBF29CE484222325ull;
    went_on = 0;
    fail_allocations(n, all);
    const seg_status status = one->run(&ctx, one->argument);
    const size_t failed = failed_allocations();
    *count = armed_allocations();
    seg_context_end(&ctx); /* its threads; the message stays */
    if (lost_blocks(faults < MOST_FAULTS))
        sweep_fault("%zu blocks are not freed", lost_blocks(0));
    if ((status == SEG_OK || went_on) && expected && digest != expected)
        sweep_fault("success with another result");
    else if (status != SEG_OK && !failed)
        sweep_fault("without a failed allocation: %s", ctx.message);
    else if (status != SEG_OK && status != SEG_ERR_MEMORY)
        sweep_fault("'%s' in place of 'out of memory': %s", seg_status_text(status), ctx.message);
    else if (status != SEG_OK && !ctx.message[0])
        sweep_fault("no message");
    if (status != SEG_OK && strchr(ctx.message, '\n'))
        sweep_fault("not one sentence: %s", ctx.message);
    check_folder();
    return failed > 0;
}

static int run_case(const char *topic, const sweep_case *one) {
    static char name[128];
    const clock_t started = clock();
    size_t total, count, tried = 0;
    snprintf(name, sizeof name, "%s/%s", topic, one->name);
    running = name;
    faults = 0;
    attempt(one, FAIL_NEVER, 0, 0, &total); /* what libraries keep for ever is made now */
    attempt(one, FAIL_NEVER, 0, 0, &total);
    const uint64_t expected = digest;
    for (int all = 0; all < 2; all++) {
        size_t n = all ? 1 + STRIDE / 2 : 1;
        while (attempt(one, n, all, expected, &count)) {
            tried++;
            n += n < EVERY ? STRIDE : STRIDE + (n - EVERY) / 25; /* the first in turn, then ever fewer */
        }
        tried++;
    }
    printf("%s: %zu allocations, %zu runs, %.1f s%s\n", name, total, tried,
           (double)(clock() - started) / CLOCKS_PER_SEC, faults ? ": FAULTS" : "");
    return faults != 0;
}

static int run_topic(const sweep_topic *topic, const char *only) {
    int bad = 0;
    for (size_t i = 0; i < topic->count; i++)
        if (!only || strcmp(only, topic->cases[i].name) == 0)
            bad |= run_case(topic->name, &topic->cases[i]);
    return bad;
}

/* Names of functions in a header's declarations: what stands before the bracket after SEG_API. */
static int compare_header(const char *path) {
    static char text[1 << 17];
    int bad = 0, found = 0;
    FILE *from = fopen(path, "rb");
    const size_t size = from ? fread(text, 1, sizeof text - 1, from) : 0;
    if (!from || size == sizeof text - 1)
        abort();
    fclose(from);
    text[size] = 0;
    for (char *at = text; (at = strstr(at, "\nSEG_API "));) {
        char *end = at += strlen("\nSEG_API ");
        while (*end && *end != '(' && *end != ';')
            end++;
        char *start = end, name[128];
        while (start > at &&
               (start[-1] == '_' || (start[-1] >= 'a' && start[-1] <= 'z') || (start[-1] >= '0' && start[-1] <= '9')))
            start--;
        snprintf(name, sizeof name, "%.*s", (int)(end - start), start);
        size_t i = 0;
        while (i < call_count && strcmp(called[i], name) != 0)
            i++;
        if (i == call_count) {
            fprintf(stderr, "%s: no case of the allocation sweep calls %s\n", path, name);
            bad = 1;
        }
        found++;
        at = end;
    }
    printf("%s: %d functions\n", path, found);
    return bad ? -1 : found;
}

static int is_complete(const char *headers) {
    size_t functions = 0, count;
    int bad = 0;
    for (int t = 0; t < TOPICS; t++)
        for (size_t i = 0; i < topics[t]->count; i++) {
            running = topics[t]->cases[i].name;
            attempt(&topics[t]->cases[i], FAIL_NEVER, 0, 0, &count);
            bad |= faults != 0;
        }
    DIR *dir = opendir(headers);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[1024];
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".h") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", headers, entry->d_name);
        const int found = compare_header(path);
        bad |= found < 0;
        functions += found > 0 ? (size_t)found : 0;
    }
    if (dir)
        closedir(dir);
    if (!bad && functions != call_count) {
        fprintf(stderr, "the headers declare %zu functions, the cases call %zu\n", functions, call_count);
        bad = 1;
    }
    printf("%zu functions, %zu of them called\n", functions, call_count);
    return bad;
}

static void remove_folder(void) {
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        unlink(in_folder(entry->d_name));
    if (dir)
        closedir(dir);
    rmdir(folder);
}

int main(int argc, char **argv) {
    const char *temporary = getenv("TMPDIR");
    int bad = 1;
    snprintf(folder, sizeof folder, "%s/segment-sweep-XXXXXX", temporary ? temporary : "/tmp");
    if (argc < 2 || !mkdtemp(folder))
        return 2;
    own = seg_context_default();
    spare_libraries();
    seg_json_watch();
    atexit(on_exit_early);
    signal(SIGSEGV, on_crash);
    signal(SIGABRT, on_crash);
    signal(SIGBUS, on_crash);
    signal(SIGFPE, on_crash);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(argv[1], "complete") == 0 && argc == 3)
        bad = is_complete(argv[2]);
    for (int t = 0; t < TOPICS; t++)
        if (strcmp(argv[1], topics[t]->name) == 0)
            bad = run_topic(topics[t], argc > 2 ? argv[2] : NULL);
    remove_folder();
    seg_context_end(&own);
    ended = 1;
    return bad;
}
