/* Cross-validation over images: calibration of the votes, strength of the smoothing over the graph, accuracy. */
#include "model/series.h"

#include "base/base.h"
#include "graph/laplacian.h"

#define MOST_PARTS 20

/* Candidates; the first is the default. */
static const double sharpness[] = {1, 0.5, 0.7, 1.5, 2};
static const double prior[] = {0.03, 0.1, 0.01, 0.3, 0.003, 1};
enum { SHARPNESSES = sizeof sharpness / sizeof *sharpness, PRIORS = sizeof prior / sizeof *prior };

/* 1 where patch i is marked and the forest, grown without this image, knows its label from other images. */
static int is_judged(const struct seg_model *model, const seg_series_image *image, size_t i, const size_t *of_label) {
    return image->label[i] && of_label[seg_model_column(model, image->label[i])] > 0;
}

static size_t best_of(const seg_matrix *S, size_t i) {
    return seg_largest_of(S->cols, S->at + i * S->cols);
}

/* Mean over the image's labels of the mean loss at their marked patches, so that every label has equal weight. NAN if
 * no patch can be judged. The loss of a patch whose label is that of column c is -log S for calibration; for smoothing
 * the 0-1 loss, since smoothing makes probabilities less certain only at borders, which strokes avoid. */
static double mean_loss(const struct seg_model *model, const seg_series_image *image, const size_t *of_label,
                        const seg_matrix *S, int by_error) {
    double sum[SEG_MAX_LABELS] = {0}, all = 0;
    size_t count[SEG_MAX_LABELS] = {0};
    int labels = 0;
    for (size_t i = 0; i < S->rows; i++)
        if (is_judged(model, image, i, of_label)) {
            const size_t c = (size_t)seg_model_column(model, image->label[i]);
            sum[c] += by_error ? best_of(S, i) != c : -log(fmax(S->at[i * S->cols + c], 1e-6));
            count[c]++;
        }
    for (int c = 0; c < model->labels; c++)
        if (count[c]) {
            all += sum[c] / (double)count[c];
            labels++;
        }
    return labels ? all / labels : NAN;
}

/* The first candidate with a loss (images x candidates) within one standard error of the least. */
static int choose(const double *loss, int candidates, int images) {
    double mean[PRIORS > SHARPNESSES ? PRIORS : SHARPNESSES] = {0};
    int best = 0, judged = 0;
    for (int i = 0; i < images; i++)
        if (!isnan(loss[i * candidates])) {
            judged++;
            for (int c = 0; c < candidates; c++)
                mean[c] += loss[i * candidates + c];
        }
    for (int c = 1; c < candidates; c++)
        best = mean[c] < mean[best] ? c : best;
    for (int c = 0; c < best; c++) {
        double squares = 0;
        const double gain = judged ? (mean[c] - mean[best]) / judged : 0;
        for (int i = 0; i < images; i++)
            if (!isnan(loss[i * candidates])) {
                const double own = loss[i * candidates + c] - loss[i * candidates + best] - gain;
                squares += own * own;
            }
        if (judged < 2 || gain <= sqrt(squares / (judged - 1.0) / judged))
            return c;
    }
    return best;
}

/* Store in image->score of each image of the part the votes of a forest grown without the part. */
static seg_status vote(seg_context *ctx, struct seg_model *model, int part, int parts,
                       size_t (*of_label)[SEG_MAX_LABELS]) {
    const seg_forest_options options = seg_model_forest_options(model);
    SEG_RELEASED(seg_series_samples_free) seg_series_samples samples = {0};
    SEG_RELEASED(seg_forest_free) seg_forest forest = {0};
    SEG_TRY(seg_series_take(ctx, model, part, parts, &samples));
    SEG_TRY(seg_forest_grow(ctx, &samples.F, samples.group, model->labels, &options, &forest));
    for (int i = part; i < model->series->images; i += parts) {
        seg_series_image *image = &model->series->image[i];
        SEG_RELEASED(seg_matrix_free) seg_matrix F = {0};
        memcpy(of_label[i], samples.of_label, sizeof *of_label);
        SEG_TRY(seg_series_rows(ctx, image, &F));
        SEG_TRY(seg_forest_votes(ctx, &forest, &F, SEG_MODEL_FLOOR, &image->score));
    }
    return SEG_OK;
}

static seg_status try_sharpness(seg_context *ctx, const struct seg_model *model, size_t (*of_label)[SEG_MAX_LABELS],
                                double *loss) {
    for (int i = 0; i < model->series->images; i++) {
        const seg_series_image *image = &model->series->image[i];
        for (int c = 0; c < SHARPNESSES; c++) {
            SEG_RELEASED(seg_matrix_free) seg_matrix P = {0};
            SEG_TRY(seg_matrix_create(ctx, image->score.rows, image->score.cols, &P));
            memcpy(P.at, image->score.at, P.rows * P.cols * sizeof *P.at);
            seg_sharpen(sharpness[c], &P);
            loss[i * SHARPNESSES + c] = mean_loss(model, image, of_label[i], &P, 0);
        }
    }
    return SEG_OK;
}

/* Smooth an image's score with each candidate and store the losses, or (loss NULL) with model->prior and store it. */
static seg_status smooth(seg_context *ctx, const struct seg_model *model, seg_series_image *image,
                         const size_t *of_label, double *loss) {
    SEG_RELEASED(seg_laplacian_release) seg_laplacian *laplacian = NULL;
    SEG_TRY(seg_laplacian_create(ctx, &image->affinity, &laplacian));
    for (int c = 0; c < (loss ? PRIORS : 1); c++) {
        SEG_RELEASED(seg_matrix_free) seg_matrix S = {0};
        SEG_TRY(
            seg_posterior_smooth(ctx, &image->affinity, laplacian, &image->score, loss ? prior[c] : model->prior, &S));
        if (loss)
            loss[c] = mean_loss(model, image, of_label, &S, 1);
        else
            SEG_SWAP(seg_matrix, image->score, S);
    }
    return SEG_OK;
}

static void judge(const struct seg_model *model, seg_series_image *image, const size_t *of_label) {
    const seg_matrix *S = &image->score;
    size_t right = 0;
    image->judged = 0;
    for (size_t i = 0; i < S->rows; i++) {
        if (!is_judged(model, image, i, of_label))
            continue;
        right += model->number[best_of(S, i)] == image->label[i];
        image->judged++;
    }
    image->accuracy = image->judged ? (double)right / (double)image->judged : NAN;
}

static void sum_up(struct seg_model *model) {
    seg_model_accuracy *a = &model->accuracy;
    double sum = 0;
    *a = (seg_model_accuracy){.mean = NAN, .least = NAN, .worst = -1};
    for (int i = 0; i < model->series->images; i++) {
        const seg_series_image *image = &model->series->image[i];
        if (isnan(image->accuracy))
            continue;
        sum += image->accuracy;
        a->images++;
        if (a->worst < 0 || image->accuracy < a->least) {
            a->worst = i;
            a->least = image->accuracy;
        }
    }
    if (a->images)
        a->mean = sum / a->images;
}

/* Reset to the first candidates, which a single image, without cross-validation, keeps. */
static void forget(struct seg_model *model) {
    for (int i = 0; i < model->series->images; i++) {
        seg_matrix_free(&model->series->image[i].score);
        model->series->image[i].accuracy = NAN;
        model->series->image[i].judged = 0;
    }
    model->sharpness = sharpness[0];
    model->prior = prior[0];
}

seg_status seg_model_cross_validate(seg_context *ctx, struct seg_model *model) {
    const seg_series *series = model->series;
    const int images = series->images, parts = images < MOST_PARTS ? images : MOST_PARTS;
    forget(model);
    sum_up(model);
    if (images < 2 || model->labels < 2)
        return SEG_OK;
    SEG_FREED size_t(*of_label)[SEG_MAX_LABELS] = seg_alloc(ctx, (size_t)images, sizeof *of_label);
    SEG_FREED double *loss =
        seg_alloc(ctx, (size_t)images, (SHARPNESSES > PRIORS ? SHARPNESSES : PRIORS) * sizeof *loss);
    SEG_TRY(seg_allocated(of_label && loss));
    for (int part = 0; part < parts; part++) {
        SEG_TRY(seg_progress(ctx, 0.5 * part / parts, "leaving images out"));
        SEG_TRY(vote(ctx, model, part, parts, of_label));
    }
    SEG_TRY(try_sharpness(ctx, model, of_label, loss));
    model->sharpness = sharpness[choose(loss, SHARPNESSES, images)];
    for (int i = 0; i < images; i++) {
        seg_sharpen(model->sharpness, &series->image[i].score);
        SEG_TRY(seg_progress(ctx, 0.5 + 0.4 * i / images, "smoothing"));
        SEG_TRY(smooth(ctx, model, &series->image[i], of_label[i], loss + i * PRIORS));
    }
    model->prior = prior[choose(loss, PRIORS, images)];
    for (int i = 0; i < images; i++) {
        SEG_TRY(smooth(ctx, model, &series->image[i], of_label[i], NULL));
        judge(model, &series->image[i], of_label[i]);
    }
    sum_up(model);
    return SEG_OK;
}
