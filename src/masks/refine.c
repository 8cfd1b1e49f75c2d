#include "masks/refine.h"

#include "base/base.h"
#include "features/lab.h"
#include "masks/edge_smoother.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Units: CIELAB for colours; confidences relative to a patch of one colour. */
#define EDGE_SIGMA       4.0f /* colour step that halves the tie between pixels, roughly */
#define SPREAD_HALF      6.0f /* colour spread in a patch that halves its confidence */
#define LEAST_CONFIDENCE 0.02f
#define MARK_CONFIDENCE  20.0f
#define STRENGTH         100.0f /* smoothing reaches about its root in pixels where there is no edge */
#define TURNS            3

static size_t largest(size_t k, const double *score) {
    size_t best = 0;
    for (size_t c = 1; c < k; c++)
        if (score[c] > score[best])
            best = c;
    return best;
}

void seg_refine_none(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score, uint8_t *label) {
#pragma omp parallel for schedule(static) num_threads(seg_threads(ctx))
    for (int r = 0; r < grid->rows; r++)
        for (int c = 0; c < grid->columns; c++) {
            const size_t patch = (size_t)r * (size_t)grid->columns + (size_t)c;
            const uint8_t best = (uint8_t)largest(score->cols, score->at + patch * score->cols);
            for (int y = r * grid->side; y < (r + 1) * grid->side && y < grid->height; y++)
                for (int x = c * grid->side; x < (c + 1) * grid->side && x < grid->width; x++)
                    label[(size_t)y * (size_t)grid->width + (size_t)x] = best;
        }
}

/* 1 for a patch of one colour, falling with the variance of L, a, b inside it. */
static float patch_confidence(const seg_patch_grid *grid, const float *const plane[3], int c, int r) {
    float variance = 0;
    for (int p = 0; p < 3; p++) {
        float sum = 0, squares = 0, count = 0;
        for (int y = r * grid->side; y < (r + 1) * grid->side && y < grid->height; y++)
            for (int x = c * grid->side; x < (c + 1) * grid->side && x < grid->width; x++) {
                float v = plane[p][(size_t)y * (size_t)grid->width + (size_t)x];
                sum += v;
                squares += v * v;
                count += 1;
            }
        variance += fmaxf(squares / count - sum / count * (sum / count), 0);
    }
    return LEAST_CONFIDENCE + 1 / (1 + variance / (SPREAD_HALF * SPREAD_HALF));
}

/* U: k - 1 scores times confidence, then the confidence; the last score follows from the sum of one. */
static void fill(seg_context *ctx, const seg_patch_grid *grid, const float *const plane[3], const seg_matrix *score,
                 const int16_t *mark, size_t planes, float *U) {
    const size_t k = score->cols, width = (size_t)grid->width;
#pragma omp parallel for schedule(static) num_threads(seg_threads(ctx))
    for (int r = 0; r < grid->rows; r++)
        for (int c = 0; c < grid->columns; c++) {
            const size_t patch = (size_t)r * (size_t)grid->columns + (size_t)c;
            const double *own = score->at + patch * k;
            const float confidence = patch_confidence(grid, plane, c, r);
            for (int y = r * grid->side; y < (r + 1) * grid->side && y < grid->height; y++)
                for (int x = c * grid->side; x < (c + 1) * grid->side && x < grid->width; x++) {
                    const size_t p = (size_t)y * width + (size_t)x;
                    float *u = U + p * planes;
                    const int marked = mark && mark[p] >= 0;
                    const float weight = marked ? MARK_CONFIDENCE : confidence;
                    for (size_t l = 0; l + 1 < k; l++)
                        u[l] = weight * (marked ? (float)((size_t)mark[p] == l) : (float)own[l]);
                    u[k - 1] = weight;
                    for (size_t l = k; l < planes; l++)
                        u[l] = 0;
                }
        }
}

static void pick(seg_context *ctx, size_t pixels, size_t k, size_t planes, const float *U, const int16_t *mark,
                 uint8_t *label) {
#pragma omp parallel for schedule(static) num_threads(seg_threads(ctx))
    for (size_t p = 0; p < pixels; p++) {
        const float *u = U + p * planes;
        float rest = u[k - 1], best = -1;
        size_t winner = 0;
        for (size_t l = 0; l + 1 < k; l++) {
            rest -= u[l];
            if (u[l] > best) {
                best = u[l];
                winner = l;
            }
        }
        if (rest > best)
            winner = k - 1;
        label[p] = (uint8_t)(mark && mark[p] >= 0 ? mark[p] : (int)winner);
    }
}

seg_status seg_refine_fast(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid,
                           const seg_matrix *score, const int16_t *mark, uint8_t *label) {
    const size_t pixels = (size_t)image->width * (size_t)image->height, k = score->cols;
    const size_t planes = (k + 3) / 4 * 4; /* whole vectors */
    seg_edge_weights weights = {0};
    float *lab = seg_alloc(ctx, pixels, 3 * sizeof *lab), *U = NULL;
    seg_status status = SEG_ERR_MEMORY;
    if (!lab)
        return SEG_ERR_MEMORY;
    const float *const plane[3] = {lab, lab + pixels, lab + 2 * pixels};
    if ((status = seg_lab_planes(ctx, image, lab, lab + pixels, lab + 2 * pixels)) != SEG_OK ||
        (status = seg_edge_weights_create(ctx, image->width, image->height, plane[0], plane[1], plane[2], EDGE_SIGMA,
                                          &weights)) != SEG_OK)
        goto done;
    U = seg_alloc(ctx, pixels, planes * sizeof *U);
    if (!U) {
        status = SEG_ERR_MEMORY;
        goto done;
    }
    fill(ctx, grid, plane, score, mark, planes, U);
    if ((status = seg_edge_smooth(ctx, &weights, (int)planes, STRENGTH, TURNS, U)) == SEG_OK)
        pick(ctx, pixels, k, planes, U, mark, label);
done:
    seg_edge_weights_free(&weights);
    free(lab);
    free(U);
    return status;
}
