/* Running time against the number of constraints [chen2011npkl, Sec. 5.4]: processor seconds of the thread that learns
 * the kernel, so that other work on the machine hardly shows; graphs are made beforehand, as in the paper. */
#include "evaluation/experiments/curves.h"
#include "evaluation/experiments/measure.h"

#include "base/base.h"
#include "kernels/sdp_kernels.h"

#include <stdlib.h>
#include <time.h>

static const seg_variant variants[] = {
    {.name = "pcp", .method = "pcp", .style = 1, .most = SEG_PCP_SAMPLES},
    {.name = "tragek", .method = "tragek", .style = 0, .most = SEG_TRAGEK_SAMPLES},
    {.name = "enpakl", .method = "enpakl", .style = 4},
    {.name = "enpakl1", .method = "enpakl1", .param = {"B=20", "R=10"}, .style = 7},
    {.name = "ccskl", .method = "ccskl", .style = 2},
    {.name = "ccsr", .method = "ccsr", .style = 3},
};

static int sizes(const seg_dataset *set, int *size) {
    for (int s = 0; s < 5; s++)
        size[s] = (s == 0 ? 10 : 25 * s) * (set->X.rows > 400 ? 5 : 1);
    return 5;
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static seg_status solve(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    seg_trial trial;
    seg_status status = seg_trial_begin(ctx, run, item, &trial);
    if (!status) {
        const double before = processor_seconds();
        status = seg_label_often(ctx, item->variant, &trial.problem, 1, trial.label, NULL);
        value[0] = processor_seconds() - before;
    }
    return seg_trial_end(ctx, status, &trial, value, 1);
}

static seg_status report(seg_context *ctx, const seg_run *run) {
    static const seg_curve time = {.stem = "time",
                                   .x_label = "must-links per class, cannot-links per pair of classes",
                                   .y_label = "processor seconds",
                                   .logarithmic = 1,
                                   .reduce = seg_first_value};
    return seg_curve_report(ctx, run, &time);
}

static const char *const synthetic[] = {"chessboard", "gaussians", NULL};

const seg_protocol seg_protocol_running_time = {
    .info = {"running-time", "processor time against the number of constraints", "chen2011npkl, Sec. 5.4", synthetic, 3,
             1, 10, 1, "sets of constraints", "not used"},
    .variant = variants,
    .variants = sizeof variants / sizeof *variants,
    .graphs = SEG_DATASET_KNN,
    .pairs = SEG_PAIRS_BETWEEN,
    .timed = 1,
    .columns = "seconds",
    .values = 1,
    .sizes = sizes,
    .solve = solve,
    .report = report,
};
