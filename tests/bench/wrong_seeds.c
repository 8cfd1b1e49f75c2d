/* What wrong strokes cost: a share of each label's seeds moved to another label. */
#include "bench.h"

#include "base/base.h"
#include "base/random.h"
#include "pipeline/option_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct seed {
    size_t pixel;
    double key;
} seed;

static int by_key(const void *a, const void *b) {
    const seed *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->pixel > y->pixel) - (x->pixel < y->pixel);
}

/* In place; `together`: those nearest to one of them, as where a stroke runs over into the next region, all to one
 * label; else any, each to a label of its own. Labels that had seeds keep most of them. */
static void move_seeds(seg_mask *scribbles, double percent, int together, seg_random *random) {
    const size_t pixels = (size_t)scribbles->width * (size_t)scribbles->height;
    const int width = scribbles->width;
    uint8_t *before = bench_alloc(pixels, 1), present[256];
    AUTOFREE seed *all = bench_alloc(pixels, sizeof *all);
    size_t count[256] = {0};
    int labels = 0;
    memcpy(before, scribbles->label, pixels);
    for (size_t p = 0; p < pixels; p++)
        count[before[p]]++;
    for (int l = 1; l <= scribbles->labels; l++)
        if (count[l])
            present[labels++] = (uint8_t)l;
    for (int own = 0; own < labels && labels > 1; own++) {
        const size_t moved = (size_t)lround(percent / 100 * (double)count[present[own]]);
        size_t n = 0;
        for (size_t p = 0; p < pixels; p++)
            if (before[p] == present[own])
                all[n++] = (seed){p, seg_random_uniform(random)};
        const size_t centre = all[seg_random_below(random, n)].pixel;
        int other = own;
        for (size_t i = 0; i < n && together; i++)
            all[i].key = hypot((double)(all[i].pixel % (size_t)width) - (double)(centre % (size_t)width),
                               (double)(all[i].pixel / (size_t)width) - (double)(centre / (size_t)width));
        qsort(all, n, sizeof *all, by_key);
        for (size_t i = 0; i < moved; i++) {
            if (!together || i == 0)
                other = (own + 1 + (int)seg_random_below(random, (uint64_t)labels - 1)) % labels;
            scribbles->label[all[i].pixel] = present[other];
        }
    }
    free(before);
}

static seg_status mean_dice(seg_context *ctx, const seg_sample *sample, double *out) {
    seg_options options = seg_options_default();
    seg_result *result = NULL;
    SCOPED(seg_contingency) table = {0};
    seg_scores scores;
    seg_status status = seg_segment_photo(ctx, &sample->photo, &sample->scribbles, NULL, &options, &result);
    if (!status && (status = seg_contingency_masks(ctx, &result->mask, &sample->truth, &table)) == SEG_OK &&
        (status = seg_score(ctx, &table, &scores)) == SEG_OK)
        *out = scores.mean_dice;
    seg_result_free(result);
    return status;
}

int bench_wrong(const bench_options *options) {
    seg_photo_set set = {0};
    seg_sample sample = {0};
    double before = 0, after = 0;
    size_t count = 0;
    seg_context ctx = seg_context_default();
    ctx.threads = options->threads < 0 ? 0 : options->threads;
    seg_status status = seg_photo_set_open(&ctx, "auto", options->folder, options->truth, options->scribbles, &set);
    if (!status)
        printf("%-20s %8s %8s %8s\n", "image", "Dice", "after", "fall");
    for (size_t i = 0; !status && i < set.items; i += (size_t)options->every) {
        double clean = 0, wrong = 0;
        seg_random random = seg_random_seeded(ctx.seed, i);
        status = seg_photo_set_read(&ctx, &set, i, &sample);
        if (!status && !sample.scribbles.label)
            status = seg_fail(&ctx, SEG_ERR_INPUT, "there are no strokes for '%s'", set.item[i].name);
        if (!status && (status = mean_dice(&ctx, &sample, &clean)) == SEG_OK) {
            move_seeds(&sample.scribbles, options->percent, options->together, &random);
            status = mean_dice(&ctx, &sample, &wrong);
        }
        seg_sample_free(&sample);
        if (!status)
            printf("%-20s %8.4f %8.4f %+8.4f\n", set.item[i].name, clean, wrong, clean - wrong);
        fflush(stdout);
        before += clean;
        after += wrong;
        count++;
    }
    seg_photo_set_free(&set);
    if (status)
        return bench_fail("%s", ctx.message);
    before /= (double)count;
    after /= (double)count;
    printf("\n%zu images, %g %% of the seeds on a wrong label: mean Dice %.4f, before %.4f, fall %.4f\n", count,
           options->percent, after, before, before - after);
    if (options->fall > 0 && before - after > options->fall)
        return bench_fail("the mean Dice falls by %.4f, more than %g", before - after, options->fall);
    seg_context_end(&ctx);
    return 0;
}
