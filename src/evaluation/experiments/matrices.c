#include "evaluation/experiments/matrices.h"

#include "base/base.h"
#include "evaluation/report/text.h"
#include "vectors/npy_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 400, MOST_CLASSES_SHOWN = 8 };

double seg_entry_distance(const seg_matrix *Z, size_t i, size_t j) {
    double sum = 0;
    for (size_t c = 0; c < Z->cols; c++) {
        const double difference = Z->at[i * Z->cols + c] - Z->at[j * Z->cols + c];
        sum += difference * difference;
    }
    return sqrt(sum);
}

double seg_entry_cosine(const seg_matrix *Z, size_t i, size_t j) {
    double dot = 0, own = 0, other = 0;
    for (size_t c = 0; c < Z->cols; c++) {
        const double a = Z->at[i * Z->cols + c], b = Z->at[j * Z->cols + c];
        dot += a * b;
        own += a * a;
        other += b * b;
    }
    return own > 0 && other > 0 ? dot / sqrt(own * other) : 0;
}

/* Samples class after class. */
static size_t *class_order(seg_context *ctx, const seg_labels *labels) {
    size_t *order = seg_alloc(ctx, labels->n, sizeof *order), next = 0;
    for (int c = 0; order && c < labels->classes; c++)
        for (size_t i = 0; i < labels->n; i++)
            if (labels->label[i] == c)
                order[next++] = i;
    return order;
}

static char *item_path(seg_context *ctx, const seg_run *run, const seg_item *item) {
    return seg_format(ctx, "%s/%s-%s.npy", run->options->out, item->set->name, item->variant->name);
}

seg_status seg_matrix_item(seg_context *ctx, const seg_run *run, const seg_item *item, const seg_matrix *Z,
                           seg_entry_fn entry, double *within, double *between) {
    const seg_labels *labels = &item->set->labels;
    const size_t n = labels->n, shown = n < MOST_SHOWN ? n : MOST_SHOWN;
    seg_matrix picture = {0};
    size_t *order = class_order(ctx, labels), inside = 0, outside = 0;
    double *members = seg_alloc_zero(ctx, shown, sizeof *members);
    char *path = item_path(ctx, run, item);
    seg_status status = order && members && path ? seg_matrix_create(ctx, shown, shown, &picture) : SEG_ERR_MEMORY;
    *within = *between = 0;
    for (size_t a = 0; a < n && !status; a++)
        members[a * shown / n]++;
    for (size_t a = 0; a < n && !status; a++) {
        for (size_t b = 0; b < n; b++) {
            const double value = entry(Z, order[a], order[b]);
            const size_t row = a * shown / n, col = b * shown / n;
            picture.at[row * shown + col] += value / (members[row] * members[col]);
            if (a == b)
                continue;
            if (labels->label[order[a]] == labels->label[order[b]]) {
                *within += value;
                inside++;
            } else {
                *between += value;
                outside++;
            }
        }
        status = seg_poll(ctx);
    }
    *within /= inside ? (double)inside : 1;
    *between /= outside ? (double)outside : 1;
    if (!status)
        status = seg_npy_write(ctx, path, &picture);
    seg_matrix_free(&picture);
    free(order);
    free(members);
    free(path);
    return status;
}

/* Panels of a set, and what they borrow. */
typedef struct page {
    seg_panel panel[SEG_MOST_VARIANTS + 1];
    size_t panels;
    seg_matrix matrix[SEG_MOST_VARIANTS];
    char caption[SEG_MOST_VARIANTS][128];
    size_t matrices;
    seg_series series[MOST_CLASSES_SHOWN];
    double *points;
} page;

static seg_status add_points(seg_context *ctx, const seg_dataset *set, page *out) {
    const size_t n = set->X.rows,
                 shown = set->labels.classes < MOST_CLASSES_SHOWN ? (size_t)set->labels.classes : MOST_CLASSES_SHOWN;
    size_t next = 0;
    out->points = seg_alloc(ctx, n, 2 * sizeof *out->points);
    if (!out->points)
        return SEG_ERR_MEMORY;
    for (size_t c = 0; c < shown; c++) {
        const size_t first = next;
        for (size_t i = 0; i < n; i++)
            if (set->labels.label[i] == (int32_t)c) {
                out->points[next] = set->X.at[2 * i];
                out->points[n + next++] = set->X.at[2 * i + 1];
            }
        out->series[c] = (seg_series){
            .count = next - first, .x = out->points + first, .y = out->points + n + first, .style = (int)c};
    }
    out->panel[out->panels++] =
        (seg_panel){.kind = SEG_PANEL_SCATTER, .title = "points", .series = out->series, .series_count = shown};
    return SEG_OK;
}

static seg_status add_matrix(seg_context *ctx, const seg_run *run, const seg_item *item,
                             const seg_matrix_figure *figure, page *out) {
    char *path = item_path(ctx, run, item), *caption = out->caption[out->matrices];
    seg_matrix *matrix = &out->matrix[out->matrices++];
    seg_status status = path ? seg_vectors_read(ctx, path, SEG_LABELS_NONE, matrix, NULL) : SEG_ERR_MEMORY;
    free(path);
    figure->caption(item, caption, sizeof out->caption[0]);
    out->panel[out->panels++] = (seg_panel){.kind = SEG_PANEL_MATRIX,
                                            .title = item->variant->name,
                                            .caption = caption,
                                            .value = matrix->at,
                                            .rows = matrix->rows,
                                            .cols = matrix->cols,
                                            .low = figure->low,
                                            .high = figure->high,
                                            .colours = figure->colours};
    return status;
}

static seg_status draw_set(seg_context *ctx, const seg_run *run, size_t d, const seg_matrix_figure *figure) {
    page *out = seg_alloc_zero(ctx, 1, sizeof *out);
    seg_status status = out ? SEG_OK : SEG_ERR_MEMORY;
    if (!status && figure->scatter && run->data[d].X.cols == 2)
        status = add_points(ctx, &run->data[d], out);
    for (int v = 0; v < run->variants && !status; v++) {
        int count;
        const seg_item *item = seg_run_cell(run, d, v, 0, &count);
        if (item && !isnan(item->value[0]))
            status = add_matrix(ctx, run, item, figure, out);
    }
    char *stem = seg_format(ctx, "%s/%s-%s", run->options->out, figure->stem, run->data[d].name);
    if (!stem)
        status = SEG_ERR_MEMORY;
    if (!status && out->panels > 0) {
        const seg_figure drawn = {.panel = out->panel,
                                  .panel_count = out->panels,
                                  .columns = out->panels < 5 ? out->panels : 3,
                                  .width = 140,
                                  .height = 140,
                                  .title = run->data[d].name};
        status = seg_figure_write_all(ctx, &drawn, stem);
    }
    for (size_t m = 0; out && m < out->matrices; m++)
        seg_matrix_free(&out->matrix[m]);
    if (out)
        free(out->points);
    free(out);
    free(stem);
    return status;
}

seg_status seg_matrix_report(seg_context *ctx, const seg_run *run, const seg_matrix_figure *figure) {
    seg_status status = SEG_OK;
    for (size_t d = 0; d < run->datasets && !status; d++)
        status = draw_set(ctx, run, d, figure);
    return status;
}
