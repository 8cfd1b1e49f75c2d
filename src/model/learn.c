/* The forest of all images, and the distance (reach) beyond which a patch fits none of the labels. */
#include "model/series.h"

#include "base/base.h"
#include "features/context_features.h"
#include "features/spec.h"

#include <segment/version.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TREES        40
#define CANDIDATES   0.5 /* share of the columns per split: more than within one image, whose strokes are close */
#define MOST_SAMPLES ((size_t)20000)
#define MOST_VOTES   ((size_t)1 << 26) /* votes of all trees while they grow, 4 bytes each */
#define ALONE        3.0               /* reach of one image, as a multiple of its own spread */
#define MARGIN       2.0               /* reach of several images, as a multiple of that which held-out images need */
#define QUANTILE     0.99
#define LEAST_REACH  0.5 /* standard deviations: very similar images do not tell how much others may differ */

seg_forest_options seg_model_forest_options(const struct seg_model *model) {
    const size_t room = MOST_VOTES / TREES / (size_t)model->labels;
    const double columns = (double)seg_series_columns(&model->features);
    return (seg_forest_options){.trees = TREES,
                                .candidates = (int)ceil(CANDIDATES * columns),
                                .floor = SEG_MODEL_FLOOR,
                                .samples = room < MOST_SAMPLES ? room : MOST_SAMPLES};
}

/* The patches' own columns without the texture, which is the last of them: it is normalised within each image. */
static size_t novelty_columns(const seg_feature_spec *spec) {
    const size_t all = seg_series_columns(spec), own = (all - all % 3) / 3; /* the rest: 2 scales, position */
    const size_t texture = spec->weight[SEG_FEATURE_TEXTURE] > 0 ? seg_feature_columns(SEG_FEATURE_TEXTURE) : 0;
    return own > texture ? own - texture : own;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Distances of `own`, samples of the part, to the samples of the other parts. */
static seg_status distances(seg_context *ctx, const struct seg_model *model, int part, int parts, const seg_matrix *own,
                            double *distance) {
    SEG_RELEASED(seg_series_samples_free) seg_series_samples others = {0};
    SEG_RELEASED(seg_novelty_free) seg_novelty novelty = {0};
    SEG_TRY(seg_series_take(ctx, model, part, parts, &others));
    SEG_TRY(seg_novelty_learn(ctx, &others.F, model->novelty.columns, &novelty));
    return seg_novelty_distance(ctx, &novelty, own, distance);
}

/* The samples of one image, taken from a copy of the model with this image as its series. */
static seg_status samples_of(seg_context *ctx, const struct seg_model *model, int i, seg_series_samples *out) {
    seg_series one = {.image = &model->series->image[i], .images = 1};
    struct seg_model own = *model;
    own.series = &one;
    return seg_series_take(ctx, &own, 0, 0, out);
}

/* Distances of the odd samples to the even ones. */
static seg_status halves(seg_context *ctx, size_t columns, const seg_matrix *F, double *distance, size_t *count) {
    const size_t half = F->rows / 2;
    SEG_RELEASED(seg_matrix_free) seg_matrix even = {0};
    SEG_RELEASED(seg_matrix_free) seg_matrix odd = {0};
    SEG_RELEASED(seg_novelty_free) seg_novelty novelty = {0};
    *count = half;
    if (!half)
        return SEG_OK;
    SEG_TRY(seg_matrix_create(ctx, half, F->cols, &even));
    SEG_TRY(seg_matrix_create(ctx, half, F->cols, &odd));
    for (size_t i = 0; i < 2 * half; i++)
        memcpy((i % 2 ? odd : even).at + i / 2 * F->cols, F->at + i * F->cols, F->cols * sizeof *F->at);
    SEG_TRY(seg_novelty_learn(ctx, &even, columns, &novelty));
    return seg_novelty_distance(ctx, &novelty, &odd, distance);
}

/* Set the reach: twice the 0.99 quantile of the distances of held-out images; for a single image three times that
 * between its halves. */
static seg_status find_reach(seg_context *ctx, struct seg_model *model, const seg_series_samples *all) {
    const int images = model->series->images, parts = images < 20 ? images : 20;
    const size_t columns = model->novelty.columns;
    SEG_FREED double *distance = seg_alloc(ctx, all->F.rows, sizeof *distance);
    size_t count = 0;
    if (!distance)
        return SEG_ERR_MEMORY;
    for (int i = 0; images > 1 && i < images; i++) {
        SEG_RELEASED(seg_series_samples_free) seg_series_samples own = {0};
        SEG_TRY(samples_of(ctx, model, i, &own));
        SEG_TRY(distances(ctx, model, i % parts, parts, &own.F, distance + count));
        count += own.F.rows;
    }
    if (images == 1)
        SEG_TRY(halves(ctx, columns, &all->F, distance, &count));
    if (!count)
        return SEG_OK;
    qsort(distance, count, sizeof *distance, by_size);
    model->novelty.reach =
        fmax((images > 1 ? MARGIN : ALONE) * distance[(size_t)(QUANTILE * (double)(count - 1))], LEAST_REACH);
    return SEG_OK;
}

seg_status seg_model_grow(seg_context *ctx, struct seg_model *model) {
    SEG_RELEASED(seg_series_samples_free) seg_series_samples all = {0};
    seg_forest_free(&model->forest);
    seg_novelty_free(&model->novelty);
    const seg_forest_options options = seg_model_forest_options(model);
    seg_status status = seg_model_cross_validate(ctx, model);
    if (!status && (status = seg_progress(ctx, 0.9, "forest")) == SEG_OK)
        status = seg_series_take(ctx, model, 0, 0, &all);
    if (!status)
        status = seg_novelty_learn(ctx, &all.F, novelty_columns(&model->features), &model->novelty);
    if (!status)
        status = find_reach(ctx, model, &all);
    if (!status)
        status = seg_forest_grow(ctx, &all.F, all.group, model->labels, &options, &model->forest);
    model->images = model->series->images;
    model->seed = ctx->seed;
    snprintf(model->version, sizeof model->version, "%s", seg_version());
    if (status) {
        seg_forest_free(&model->forest);
        seg_novelty_free(&model->novelty);
    }
    return status ? status : seg_progress(ctx, 1, "forest");
}
