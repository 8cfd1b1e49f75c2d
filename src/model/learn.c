/* The forest of all images, and the distance (reach) beyond which a patch fits none of the labels. */
#include "model/series.h"

#include "base/base.h"
#include "features/context_features.h"
#include "features/spec.h"
#include "graph/laplacian.h"
#include "linalg/sparse.h"

#include <segment/version.h>

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
    const double columns = (double)seg_series_columns(&model->features, model->channels);
    return (seg_forest_options){.trees = TREES,
                                .candidates = (int)ceil(CANDIDATES * columns),
                                .floor = SEG_MODEL_FLOOR,
                                .samples = room < MOST_SAMPLES ? room : MOST_SAMPLES};
}

/* The patches' own columns without the texture, which is the last of them: it is normalised within each image. */
static size_t novelty_columns(const struct seg_model *model) {
    const seg_feature_spec *spec = &model->features;
    const size_t all = seg_series_columns(spec, model->channels),
                 own = (all - all % 3) / 3; /* the rest: 2 scales, position */
    const size_t texture =
        spec->weight[SEG_FEATURE_TEXTURE] > 0 && model->channels == 1 ? seg_feature_columns(SEG_FEATURE_TEXTURE) : 0;
    return own > texture ? own - texture : own;
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

/* Set the reach: twice the 0.99 quantile of held-out images' distances; of one image three times that of its halves. */
static seg_status find_reach(seg_context *ctx, struct seg_model *model, const seg_series_samples *all) {
    const int images = model->series->images, parts = images < 20 ? images : 20;
    const size_t columns = model->novelty.columns;
    size_t count = 0;
    SEG_LOCAL(double, distance, seg_alloc(ctx, all->F.rows, sizeof *distance));
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
    qsort(distance, count, sizeof *distance, seg_by_value);
    model->novelty.reach =
        fmax((images > 1 ? MARGIN : ALONE) * distance[(size_t)(QUANTILE * (double)(count - 1))], LEAST_REACH);
    return SEG_OK;
}

static seg_status grow(seg_context *ctx, struct seg_model *model) {
    const seg_forest_options options = seg_model_forest_options(model);
    SEG_RELEASED(seg_series_samples_free) seg_series_samples all = {0};
    SEG_TRY(seg_model_cross_validate(ctx, model));
    SEG_TRY(seg_progress(ctx, 0.9, "forest"));
    SEG_TRY(seg_series_take(ctx, model, 0, 0, &all));
    SEG_TRY(seg_novelty_learn(ctx, &all.F, novelty_columns(model), &model->novelty));
    SEG_TRY(find_reach(ctx, model, &all));
    return seg_forest_grow(ctx, &all.F, all.group, model->labels, &options, &model->forest);
}

seg_status seg_model_grow(seg_context *ctx, struct seg_model *model) {
    seg_forest_free(&model->forest);
    seg_novelty_free(&model->novelty);
    const seg_status status = grow(ctx, model);
    model->images = model->series->images;
    model->seed = ctx->seed;
    snprintf(model->version, sizeof model->version, "%s", seg_version());
    if (status) {
        seg_forest_free(&model->forest);
        seg_novelty_free(&model->novelty);
    }
    return status ? status : seg_progress(ctx, 1, "forest");
}

/* Allocation and release of models, and the marked patches of their series as training samples. */

#define MOST_OF_AN_IMAGE ((size_t)2000)

void seg_series_image_free(seg_series_image *image) {
    seg_csr_free(&image->affinity);
    seg_matrix_free(&image->score);
    SEG_CLEAR(image, image->name, image->feature, image->label);
}

int seg_model_column(const struct seg_model *model, int number) {
    for (int c = 0; c < model->labels; c++)
        if (model->number[c] == number)
            return c;
    return -1;
}

static void put_row(const seg_series_image *image, size_t i, double *row) {
    for (size_t c = 0; c < image->columns; c++)
        row[c] = (double)image->feature[i * image->columns + c];
}

seg_status seg_series_rows(seg_context *ctx, const seg_series_image *image, seg_matrix *F) {
    const size_t n = (size_t)image->grid.columns * (size_t)image->grid.rows;
    SEG_TRY(seg_matrix_create(ctx, n, image->columns, F));
    for (size_t i = 0; i < n; i++)
        put_row(image, i, F->at + i * image->columns);
    return SEG_OK;
}

static size_t taken_of(const seg_series_image *image) {
    return image->marked < MOST_OF_AN_IMAGE ? image->marked : MOST_OF_AN_IMAGE;
}

static int is_in(int image, int part, int parts) {
    return parts == 0 || image % parts != part;
}

/* Append the image's marked patches, evenly subsampled. @return the row after the last one */
static size_t take(const struct seg_model *model, const seg_series_image *image, size_t at, seg_series_samples *out) {
    const size_t n = (size_t)image->grid.columns * (size_t)image->grid.rows, count = taken_of(image);
    size_t seen = 0, m = 0;
    for (size_t i = 0; i < n; i++) {
        if (!image->label[i] || seen++ * count / image->marked < m)
            continue;
        m++;
        put_row(image, i, out->F.at + at * out->F.cols);
        out->group[at] = (int16_t)seg_model_column(model, image->label[i]);
        out->of_label[out->group[at++]]++;
    }
    return at;
}

seg_status seg_series_take(seg_context *ctx, const struct seg_model *model, int part, int parts,
                           seg_series_samples *out) {
    const seg_series *series = model->series;
    size_t count = 0;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < series->images; i++)
        count += is_in(i, part, parts) ? taken_of(&series->image[i]) : 0;
    SEG_TRY(seg_matrix_create(ctx, count, series->image[0].columns, &out->F));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->group, count)));
    count = 0;
    for (int i = 0; i < series->images; i++)
        if (is_in(i, part, parts))
            count = take(model, &series->image[i], count, out);
    return SEG_OK;
}

void seg_series_samples_free(seg_series_samples *samples) {
    seg_matrix_free(&samples->F);
    SEG_CLEAR(samples, samples->group);
}

/* A model's label probabilities for the patches of an image: from their features, then smoothed over the graph. */

#define TOLERANCE 1e-6

void seg_sharpen(double sharpness, seg_matrix *P) {
    for (size_t i = 0; sharpness != 1 && i < P->rows; i++) {
        double *row = P->at + i * P->cols, sum = 0;
        for (size_t c = 0; c < P->cols; c++)
            sum += row[c] = pow(row[c], sharpness);
        for (size_t c = 0; c < P->cols; c++)
            row[c] /= sum;
    }
}

seg_status seg_model_posterior(seg_context *ctx, const struct seg_model *model, const seg_matrix *F, seg_matrix *P) {
    SEG_TRY(seg_forest_votes(ctx, &model->forest, F, SEG_MODEL_FLOOR, P));
    seg_sharpen(model->sharpness, P);
    return SEG_OK;
}

/* A random walker with priors but without seeds [grady2005priors, Eq. 8]. */
seg_status seg_posterior_smooth(seg_context *ctx, const seg_csr *W, const seg_laplacian *laplacian, const seg_matrix *P,
                                double prior, seg_matrix *S) {
    const size_t n = P->rows, k = P->cols;
    SEG_LOCAL(double, absorb, seg_alloc(ctx, n, sizeof *absorb));
    SEG_TRY(seg_matrix_create(ctx, n, k, S));
    for (size_t i = 0; i < n; i++) {
        const double degree = seg_csr_row_sum(W, i);
        absorb[i] = prior * (degree > 0 ? degree : 1);
        for (size_t c = 0; c < k; c++)
            S->at[i * k + c] = absorb[i] * P->at[i * k + c];
    }
    SEG_TRY(seg_laplacian_solve(ctx, laplacian, &(seg_laplacian_system){absorb, k, TOLERANCE, S->at, S->at, NULL}));
    for (size_t i = 0; i < n; i++) {
        double sum = 0, *row = S->at + i * k;
        for (size_t c = 0; c < k; c++)
            sum += row[c] = fmax(row[c], 0);
        for (size_t c = 0; c < k; c++)
            row[c] = sum > 0 ? row[c] / sum : P->at[i * k + c];
    }
    return SEG_OK;
}
