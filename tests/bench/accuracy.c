/* How good the methods are on images with strokes and truths, by the library alone. */
#include "bench.h"

#include "base/base.h"
#include "pipeline/option_fields.h"

typedef struct tally {
    double sum, least, dice, seconds;
    int count;
} tally;

static seg_status run_one(seg_context *ctx, const seg_sample *sample, const char *method, seg_scores *scores,
                          double *seconds) {
    seg_result *result = NULL;
    SCOPED(seg_contingency) table = {0};
    seg_options options = seg_options_default();
    options.method = method;
    const double started = seg_now();
    seg_status status = seg_segment_photo(ctx, &sample->photo, &sample->scribbles, NULL, &options, &result);
    *seconds = seg_now() - started;
    if (status == SEG_OK && (status = seg_contingency_masks(ctx, &result->mask, &sample->truth, &table)) == SEG_OK)
        status = seg_score(ctx, &table, scores);
    seg_result_free(result);
    return status;
}

/* 0, or 1 after a message. */
static int run_method(seg_context *ctx, const seg_photo_set *set, const char *method, tally *out) {
    out->least = 1;
    for (size_t i = 0; i < set->items; i++) {
        const seg_photo_item *image = &set->item[i];
        seg_sample sample;
        seg_scores scores;
        double seconds;
        seg_status status = seg_photo_set_read(ctx, set, i, &sample);
        if (!status && !sample.scribbles.label)
            status = seg_fail(ctx, SEG_ERR_INPUT, "no scribbles beside it");
        status = status ? status : run_one(ctx, &sample, method, &scores, &seconds);
        seg_sample_free(&sample);
        if (status == SEG_ERR_USAGE) { /* too many patches for it: a row without figures */
            printf("%-18s %-20s %s\n", method, image->name, ctx->message);
            return 0;
        }
        if (status)
            return bench_fail("%s, method %s: %s", image->name, method, ctx->message);
        printf("%-18s %-20s %8.4f %8.4f %8.3f\n", method, image->name, scores.pairwise_accuracy, scores.mean_dice,
               seconds);
        fflush(stdout);
        out->sum += scores.pairwise_accuracy;
        out->dice += scores.mean_dice;
        out->seconds += seconds;
        out->least = fmin(out->least, scores.pairwise_accuracy);
        out->count++;
    }
    return 0;
}

int bench_accuracy(const bench_options *options) {
    const seg_method *first = seg_method_find(NULL);
    seg_photo_set set;
    tally of[32] = {{0}};
    const char *name[32] = {first->name};
    int methods = 1, code = 0;
    seg_context ctx = seg_context_default();
    ctx.threads = options->threads < 0 ? 0 : options->threads;
    if (seg_photo_set_open(&ctx, "auto", options->folder, options->truth, NULL, &set))
        return bench_fail("%s", ctx.message);
    for (int m = 0; seg_method_at(m) && methods < 32 && !options->default_only; m++)
        if (seg_method_at(m) != first)
            name[methods++] = seg_method_at(m)->name;
    printf("%-18s %-20s %8s %8s %8s\n", "method", "image", "accuracy", "Dice", "seconds");
    for (int m = 0; m < methods && !code; m++)
        code = run_method(&ctx, &set, name[m], &of[m]);
    if (code)
        goto done;
    printf("\n%-18s %6s %14s %15s %10s %13s\n", "method", "images", "mean accuracy", "least accuracy", "mean Dice",
           "mean seconds");
    for (int m = 0; m < methods; m++)
        if (of[m].count == (int)set.items)
            printf("%-18s %6d %14.4f %15.4f %10.4f %13.3f%s\n", name[m], of[m].count, of[m].sum / of[m].count,
                   of[m].least, of[m].dice / of[m].count, of[m].seconds / of[m].count, m ? "" : "  (default)");
    if (of[0].least < options->least)
        code = bench_fail("%s: the least accuracy is %.4f, below %g", first->name, of[0].least, options->least);
    if (of[0].sum / of[0].count < options->mean)
        code =
            bench_fail("%s: the mean accuracy is %.4f, below %g", first->name, of[0].sum / of[0].count, options->mean);
done:
    seg_photo_set_free(&set);
    seg_context_end(&ctx);
    return code;
}
