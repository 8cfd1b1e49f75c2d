#include "base/base.h"

#include <segment/version.h>

#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

const char *seg_status_text(seg_status status) {
    static const char *const text[] = {[SEG_OK] = "ok",
                                       [SEG_ERR_MEMORY] = "out of memory",
                                       [SEG_ERR_USAGE] = "wrong option or argument",
                                       [SEG_ERR_IO] = "file cannot be read or written",
                                       [SEG_ERR_INPUT] = "unfit input",
                                       [SEG_ERR_CONTRADICTION] = "contradictory constraints",
                                       [SEG_ERR_NUMERIC] = "numerical failure",
                                       [SEG_ERR_CANCELLED] = "cancelled",
                                       [SEG_ERR_LIMIT] = "limit on memory"};
    const size_t at = (size_t)status;
    return at < sizeof text / sizeof *text && text[at] ? text[at] : "unknown status";
}

/* Text quoted from a file must not contain line ends or control characters of terminals. */
static void make_one_line(char *text) {
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
}

seg_status seg_fail(seg_context *ctx, seg_status status, const char *format, ...) {
    if (ctx) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(ctx->message, sizeof ctx->message, format, arguments);
        va_end(arguments);
        make_one_line(ctx->message);
    }
    return status;
}

void seg_log(seg_context *ctx, seg_log_level level, const char *format, ...) {
    char line[SEG_MESSAGE_SIZE];
    va_list arguments;
    if (!ctx || !ctx->log)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    make_one_line(line);
    ctx->log(ctx->log_user, level, line);
}

int seg_write_all(int file, const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        const ssize_t put = write(file, at, size);
        if (put < 0 && errno != EINTR)
            return 0;
        at += put > 0 ? put : 0;
        size -= put > 0 ? (size_t)put : 0;
    }
    return 1;
}

int seg_ends_in(const char *text, const char *ending) {
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcasecmp(text + length - tail, ending) == 0;
}

int seg_same_file(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

seg_status seg_progress(seg_context *ctx, double done, const char *stage) {
    if (!ctx)
        return SEG_OK;
    ctx->progress_last = ctx->progress_from + done * (ctx->progress_to - ctx->progress_from);
    ctx->progress_stage = stage;
    return seg_poll(ctx);
}

seg_status seg_poll(seg_context *ctx) {
    if (ctx && ctx->progress && ctx->progress(ctx->progress_user, ctx->progress_last, ctx->progress_stage))
        return seg_fail(ctx, SEG_ERR_CANCELLED, "cancelled during the stage '%s'", ctx->progress_stage);
    return SEG_OK;
}

void seg_progress_share(seg_context *ctx, double from, double to) {
    if (!ctx)
        return;
    ctx->progress_from = from;
    ctx->progress_to = to;
}

const char *seg_text_of_code(int code, const seg_code_text *list, const char *otherwise) {
    while (list->text && list->code != code)
        list++;
    return list->text ? list->text : otherwise;
}

double seg_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The peak memory of this program from /proc. getrusage would include memory that the process used before exec, for
 * example that of a notebook that starts this program. 0 if there is no such file. */
static size_t peak_of_program(void) {
    char text[4096], *at;
    const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = 0;
    at = strstr(text, "\nVmHWM:");
    return at ? (size_t)strtoull(at + 7, NULL, 10) * 1024 : 0;
}

size_t seg_peak_memory(void) {
    struct rusage usage;
    const size_t peak = peak_of_program();
    if (peak)
        return peak;
    return getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_maxrss < 0 ? 0 : (size_t)usage.ru_maxrss * 1024;
}

void seg_stage_end(seg_context *ctx, const char *name, double started) {
    if (!ctx || ctx->stage_count >= SEG_MAX_STAGES)
        return;
    seg_stage *stage = &ctx->stages[ctx->stage_count++];
    stage->name = name;
    stage->seconds = seg_now() - started;
    stage->peak_memory = seg_peak_memory();
}

int seg_by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int seg_by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int seg_by_rank(const void *a, const void *b) {
    const seg_ranked *x = a, *y = b;
    SEG_ORDER_BY(y->size, x->size);
    SEG_ORDER_BY(x->turn, y->turn);
    return (x->which > y->which) - (x->which < y->which);
}

void seg_list_by_key(size_t count, const int32_t *key, size_t keys, size_t *start, int32_t *list) {
    memset(start, 0, (keys + 1) * sizeof *start);
    for (size_t i = 0; i < count; i++)
        if (key[i] >= 0)
            start[key[i] + 1]++;
    for (size_t k = 0; k < keys; k++)
        start[k + 1] += start[k];
    for (size_t i = 0; i < count; i++)
        if (key[i] >= 0)
            list[start[key[i]]++] = (int32_t)i;
    memmove(start + 1, start, keys * sizeof *start);
    start[0] = 0;
}

double seg_decimal(const char *text, char **end) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) /* glibc's "C" is always there */
        return strtod(text, end);
    const double value = strtod_l(text, end, plain);
    freelocale(plain);
    return value;
}

seg_context seg_context_default(void) {
    return (seg_context){.seed = 1, .processors = seg_processors(), .progress_to = 1, .progress_stage = "start"};
}

seg_context *seg_context_create(void) {
    seg_context *ctx = malloc(sizeof *ctx);
    if (ctx)
        *ctx = seg_context_default();
    return ctx;
}

void seg_context_free(seg_context *ctx) {
    seg_context_end(ctx);
    free(ctx);
}

void seg_free(void *block) {
    free(block);
}

seg_call_settings *seg_context_settings(seg_context *ctx) {
    return &ctx->settings;
}

const char *seg_context_message(const seg_context *ctx) {
    return ctx ? ctx->message : "out of memory: no context could be made";
}

void seg_context_about(const seg_context *ctx, seg_context_info *out) {
    *out = (seg_context_info){
        .over_limit = ctx->over_limit, .recall = 1 - ctx->missed, .stage = ctx->stages, .stages = ctx->stage_count};
}

const char *seg_version(void) {
    return SEG_VERSION;
}
