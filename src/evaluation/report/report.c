#include "evaluation/report/report.h"

#include "base/base.h"
#include "evaluation/sets/layout.h"

#include <stdlib.h>

seg_status seg_report_write(seg_context *ctx, const seg_results *results, const seg_report_options *options,
                            const char *out) {
    seg_report report = {.results = results, .options = options, .out = out};
    char *figures = seg_format(ctx, "%s/figures", out);
    seg_status status = figures ? seg_folder_make(ctx, figures) : SEG_ERR_MEMORY;
    free(figures);
    report.standing = seg_alloc_zero(ctx, (size_t)results->settings.labels, sizeof *report.standing);
    if (!report.standing)
        return SEG_ERR_MEMORY;
    for (int m = -1; m < results->settings.labels && status == SEG_OK; m++) {
        char *layers = seg_format(ctx, "%s/layers/%s", out, m < 0 ? "strokes" : results->settings.label[m]);
        status = layers ? seg_folder_make(ctx, layers) : SEG_ERR_MEMORY;
        free(layers);
    }
    for (int m = 0; m < results->settings.labels && status == SEG_OK; m++)
        status = seg_results_standing(ctx, results, m, &report.standing[m]);
    seg_status (*const part[])(seg_context *, const seg_report *) = {seg_report_csv, seg_report_json, seg_report_tex,
                                                                     seg_report_figures, seg_report_html};
    for (size_t p = 0; p < sizeof part / sizeof *part && status == SEG_OK; p++)
        status = part[p](ctx, &report);
    free(report.standing);
    return status;
}
