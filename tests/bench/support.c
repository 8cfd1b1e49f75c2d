#include "bench.h"

#include "evaluation/figures/plot.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *value, size_t count) {
    qsort(value, count, sizeof *value, ascending);
    return 0.5 * (value[(count - 1) / 2] + value[count / 2]);
}

double bench_seconds(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double bench_processor_seconds(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void *bench_alloc(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    if (!block)
        exit(bench_fail("out of memory"));
    return block;
}

char *bench_text(const char *format, ...) {
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        exit(bench_fail("out of memory"));
    return text;
}

int bench_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("segment_bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return 1;
}

seg_status bench_figure_write(seg_context *ctx, const seg_figure *figure, const char *path) {
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    return seg_figure_write(ctx, figure, folder, slash ? slash + 1 : path);
}
