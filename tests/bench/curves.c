/* What tests/bench/samples.sh measured, as a figure: time and memory against the number of samples. */
#include "bench.h"

#include "evaluation/figures/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_METHODS = 8, MOST_ROWS = 16 };

typedef struct curve {
    char method[32];
    size_t count;
    double rows[MOST_ROWS], wall[MOST_ROWS], memory[MOST_ROWS];
} curve;

/* The curve of the method, a new one where it is the first of its lines; NULL where there is no room. */
static curve *curve_of(curve *all, size_t *count, const char *method) {
    for (size_t c = 0; c < *count; c++)
        if (strcmp(all[c].method, method) == 0)
            return all[c].count < MOST_ROWS ? &all[c] : NULL;
    if (*count == MOST_METHODS)
        return NULL;
    curve *new = &all[(*count)++];
    snprintf(new->method, sizeof new->method, "%s", method);
    return new;
}

static int read_curves(const char *path, curve *all, size_t *count) {
    char line[256];
    FILE *file = fopen(path, "r");
    int code = 0;
    *count = 0;
    if (!file)
        return bench_fail("cannot read '%s'", path);
    for (int number = 1; fgets(line, sizeof line, file) && !code; number++) {
        char method[32];
        double rows, wall, cpu, memory;
        if (number == 1)
            continue; /* the names of the columns */
        curve *own = sscanf(line, "%31[^,],%lf,%lf,%lf,%lf", method, &rows, &wall, &cpu, &memory) == 5
                         ? curve_of(all, count, method)
                         : NULL;
        if (!own) {
            code = bench_fail(
                "'%s', line %d: METHOD,ROWS,WALL,CPU,MIB is wanted, of at most %d methods with %d lines each", path,
                number, MOST_METHODS, MOST_ROWS);
            continue;
        }
        own->rows[own->count] = rows;
        own->wall[own->count] = wall;
        own->memory[own->count++] = memory;
    }
    fclose(file);
    return code || *count ? code : bench_fail("'%s' holds no line of a method", path);
}

int bench_curves(const bench_options *options) {
    AUTOFREE curve *all = bench_alloc(MOST_METHODS, sizeof *all);
    seg_series seconds[MOST_METHODS], peak[MOST_METHODS];
    size_t count;
    seg_context ctx = seg_context_default();
    int code = read_curves(options->folder, all, &count);
    for (size_t c = 0; c < count && !code; c++) {
        seconds[c] = (seg_series){
            .name = all[c].method, .count = all[c].count, .x = all[c].rows, .y = all[c].wall, .style = (int)c};
        peak[c] = seconds[c];
        peak[c].y = all[c].memory;
    }
    if (!code) {
        const seg_axis rows = {.label = "samples", .logarithmic = 1};
        const seg_panel panel[] = {{.title = "Time",
                                    .x = rows,
                                    .y = {.label = "seconds", .logarithmic = 1},
                                    .series = seconds,
                                    .series_count = count},
                                   {.title = "Memory",
                                    .x = rows,
                                    .y = {.label = "MiB", .logarithmic = 1},
                                    .series = peak,
                                    .series_count = count}};
        const seg_figure figure = {.panel = panel, .panel_count = 2};
        if (bench_figure_write(&ctx, &figure, options->figure))
            code = bench_fail("%s", ctx.message);
    }
    seg_context_end(&ctx);
    return code;
}
