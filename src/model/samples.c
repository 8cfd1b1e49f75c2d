/* Allocation and release of models, and the marked patches of their series as training samples. */
#include "model/series.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define MOST_OF_AN_IMAGE ((size_t)2000)

void seg_series_image_free(seg_series_image *image) {
    free(image->name);
    free(image->feature);
    free(image->label);
    seg_csr_free(&image->affinity);
    seg_matrix_free(&image->score);
    memset(image, 0, sizeof *image);
}

static void free_series(seg_series *series) {
    for (int i = 0; series && i < series->images; i++)
        seg_series_image_free(&series->image[i]);
    if (series)
        free(series->image);
    free(series);
}

void seg_model_clear(struct seg_model *model) {
    seg_forest_free(&model->forest);
    seg_novelty_free(&model->novelty);
    free_series(model->series);
    memset(model, 0, sizeof *model);
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
    if (!(out->group = seg_alloc(ctx, count, sizeof *out->group)))
        return SEG_ERR_MEMORY;
    count = 0;
    for (int i = 0; i < series->images; i++)
        if (is_in(i, part, parts))
            count = take(model, &series->image[i], count, out);
    return SEG_OK;
}

void seg_series_samples_free(seg_series_samples *samples) {
    seg_matrix_free(&samples->F);
    free(samples->group);
    memset(samples, 0, sizeof *samples);
}
