#include "masks/refine.h"

#include "base/base.h"
#include "base/parallel.h"
#include "features/grid.h"

#include <math.h>
#include <string.h>

size_t seg_largest_score(size_t k, const double *score) {
    size_t best = 0;
    for (size_t c = 1; c < k; c++)
        if (score[c] > score[best])
            best = c;
    return best;
}

void seg_pixel_scores_put(const seg_pixel_scores *out, size_t p, size_t k, const float *score) {
    float best = 0, second = 0;
    if (out->probability)
        memcpy(out->probability + p * k, score, k * sizeof *score);
    for (size_t c = 0; c < k; c++) {
        if (score[c] > best) {
            second = best;
            best = score[c];
        } else if (score[c] > second)
            second = score[c];
    }
    if (out->uncertainty)
        out->uncertainty[p] = (uint8_t)lrintf(255 * fminf(fmaxf(1 - (best - second), 0), 1));
}

typedef struct spreading {
    const seg_patch_grid *grid;
    const seg_matrix *score;
    const seg_pixel_scribbles *scribbles;
    const seg_pixel_scores *out;
} spreading;

static void spread_rows(void *arg, size_t first, size_t last, int worker) {
    const spreading *j = arg;
    const seg_patch_grid *grid = j->grid;
    const seg_matrix *score = j->score;
    const seg_pixel_scores *out = j->out;
    const size_t k = score->cols;
    uint8_t best = 0;
    (void)worker;
    for (int y = (int)first; y < (int)last; y++)
        for (int x = 0; x < grid->width; x++) {
            const size_t p = (size_t)y * (size_t)grid->width + (size_t)x;
            const double *own = score->at + seg_patch_of_pixel(grid, x, y) * k;
            const int mark = seg_mark_at(j->scribbles, p);
            float single[SEG_MAX_LABELS];
            best = x % grid->side ? best : (uint8_t)seg_largest_score(k, own);
            out->label[p] = mark >= 0 ? (uint8_t)mark : best;
            if (!seg_wants_scores(out))
                continue;
            for (size_t c = 0; c < k; c++)
                single[c] = mark >= 0 ? (float)((size_t)mark == c) : (float)own[c];
            seg_pixel_scores_put(out, p, k, single);
        }
}

void seg_refine_none(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                     const seg_pixel_scribbles *scribbles, const seg_pixel_scores *out) {
    seg_parallel(ctx, (size_t)grid->height, 0, spread_rows, &(spreading){grid, score, scribbles, out});
}
