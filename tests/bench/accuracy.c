/* How good the methods are on images with strokes and truths, by the library alone. */
#include "bench.h"
#include "pipeline/option_fields.h"

#include <math.h>
#include <stdio.h>

typedef struct tally {
    double sum, least, dice, seconds;
    int count;
} tally;

static seg_status run_one(seg_context *ctx, const bench_image *image, const char *method, seg_scores *scores,
                          double *seconds) {
    seg_image photo = {0};
    seg_mask scribbles = {0}, truth = {0};
    seg_result *result = NULL;
    seg_contingency table = {0};
    seg_options options;
    seg_status status;
    seg_options_default(&options);
    options.method = method;
    const double started = bench_seconds();
    if ((status = seg_image_read(ctx, image->photo, &photo)) == SEG_OK &&
        (status = seg_scribbles_read(ctx, image->scribbles, &photo, NULL, &scribbles, NULL)) == SEG_OK &&
        (status = seg_segment_photo(ctx, &photo, &scribbles, NULL, &options, &result)) == SEG_OK) {
        *seconds = bench_seconds() - started;
        if ((status = bench_truth_read(ctx, image, &truth)) == SEG_OK &&
            (status = seg_contingency_masks(ctx, &result->mask, &truth, &table)) == SEG_OK)
            status = seg_score(ctx, &table, scores);
    }
    seg_contingency_free(&table);
    seg_result_free(result);
    seg_mask_free(&truth);
    seg_mask_free(&scribbles);
    seg_image_free(&photo);
    return status;
}

/* 0, or 1 after a message. */
static int run_method(seg_context *ctx, const bench_folder *folder, const char *method, tally *out) {
    out->least = 1;
    for (size_t i = 0; i < folder->count; i++) {
        const bench_image *image = &folder->image[i];
        seg_scores scores;
        double seconds;
        if (!image->scribbles || !image->truth)
            return bench_fail("%s has no %s", image->photo, image->scribbles ? "truth" : "scribbles beside it");
        const seg_status status = run_one(ctx, image, method, &scores, &seconds);
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
    seg_context ctx;
    bench_folder folder;
    tally of[32] = {{0}};
    const char *name[32] = {first->name};
    int methods = 1, code = 0;
    seg_context_init(&ctx);
    ctx.threads = options->threads < 0 ? 0 : options->threads;
    if (bench_folder_list(options, &folder))
        return 1;
    for (int m = 0; seg_method_at(m) && methods < 32 && !options->default_only; m++)
        if (seg_method_at(m) != first)
            name[methods++] = seg_method_at(m)->name;
    printf("%-18s %-20s %8s %8s %8s\n", "method", "image", "accuracy", "Dice", "seconds");
    for (int m = 0; m < methods && !code; m++)
        code = run_method(&ctx, &folder, name[m], &of[m]);
    if (code)
        goto done;
    printf("\n%-18s %6s %14s %15s %10s %13s\n", "method", "images", "mean accuracy", "least accuracy", "mean Dice",
           "mean seconds");
    for (int m = 0; m < methods; m++)
        if (of[m].count == (int)folder.count)
            printf("%-18s %6d %14.4f %15.4f %10.4f %13.3f%s\n", name[m], of[m].count, of[m].sum / of[m].count,
                   of[m].least, of[m].dice / of[m].count, of[m].seconds / of[m].count, m ? "" : "  (default)");
    if (of[0].least < options->least)
        code = bench_fail("%s: the least accuracy is %.4f, below %g", first->name, of[0].least, options->least);
    if (of[0].sum / of[0].count < options->mean)
        code =
            bench_fail("%s: the mean accuracy is %.4f, below %g", first->name, of[0].sum / of[0].count, options->mean);
done:
    bench_folder_free(&folder);
    seg_context_end(&ctx);
    return code;
}
