#include "bench.h"

#include "base/base.h"
#include "evaluation/figures/plot.h"

#include <stdarg.h>

double bench_median(double *value, size_t count) {
    qsort(value, count, sizeof *value, seg_by_value);
    return 0.5 * (value[(count - 1) / 2] + value[count / 2]);
}

seg_status bench_pairs_draw(seg_context *ctx, const seg_labels *labels, size_t pairs, seg_constraints *out) {
    SCOPED(seg_constraints) classes;
    seg_status status = seg_constraints_create(ctx, labels->n, &classes);
    if (status)
        return status;
    classes.groups = labels->classes;
    for (size_t i = 0; i < labels->n; i++)
        classes.group[i] = (int16_t)labels->label[i];
    return seg_constraints_sample(ctx, &classes, pairs, out);
}

seg_status bench_truth_read(seg_context *ctx, const seg_photo_set *set, size_t item, seg_mask *out) {
    SCOPED(seg_image) colours = {0};
    seg_status status = seg_truth_read(ctx, set->item[item].truth, out);
    if (status || strcmp(set->layout->name, "msrc") != 0)
        return status;
    /* A truth of one class and black would be read as two classes. Labels number the colours of the file. */
    if ((status = seg_image_read(ctx, set->item[item].truth, &colours)) != SEG_OK) {
        seg_mask_free(out);
        return status;
    }
    const uint8_t *rgb = colours.data;
    for (size_t p = 0; p < (size_t)colours.width * (size_t)colours.height; p++)
        if (!rgb[3 * p] && !rgb[3 * p + 1] && !rgb[3 * p + 2])
            out->label[p] = SEG_VOID;
    return SEG_OK;
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
