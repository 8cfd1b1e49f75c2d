#include "masks/pieces.h"

#include "base/base.h"
#include "features/grid.h"

#include <stdlib.h>
#include <string.h>

typedef struct keeping {
    const seg_patch_grid *grid;
    const seg_matrix *score;
    const seg_pixel_scribbles *scribbles;
    const seg_pixel_scores *out;
    size_t k, pixels[256]; /* pixels of each column */
    uint8_t *best;         /* column of each patch */
    int32_t *piece;        /* per patch: the first patch of its piece, -1 if it has none yet */
    int32_t *queue;        /* patches */
} keeping;

static seg_status prepare(seg_context *ctx, keeping *s) {
    const seg_matrix *score = s->score;
    s->best = seg_alloc(ctx, score->rows, 1);
    s->piece = seg_alloc(ctx, score->rows, 2 * sizeof *s->piece);
    if (!s->best || !s->piece)
        return SEG_ERR_MEMORY;
    s->queue = s->piece + score->rows;
    for (size_t i = 0; i < score->rows; i++) {
        s->best[i] = (uint8_t)seg_largest_of(s->k, score->at + i * s->k);
        s->piece[i] = -1;
    }
    return SEG_OK;
}

/* Label the connected patches of the same column as `first` with its index. @return their number */
static size_t find_piece(keeping *s, int32_t first) {
    int32_t near[4];
    size_t count = 0;
    s->queue[count++] = first;
    s->piece[first] = first;
    for (size_t at = 0; at < count; at++)
        for (int c = seg_patches_touching(s->grid, (size_t)s->queue[at], near); c-- > 0;)
            if (s->piece[near[c]] < 0 && s->best[near[c]] == s->best[first]) {
                s->piece[near[c]] = first;
                s->queue[count++] = near[c];
            }
    return count;
}

/* Give a piece of patches its pixels of row y; label: the labels of the row. @return the number of pixels changed */
static size_t give_row(keeping *s, int32_t piece, int y, uint8_t *label) {
    const seg_patch_grid *grid = s->grid;
    size_t taken = 0;
    for (int x = 0; x < grid->width; x++) {
        const size_t p = (size_t)y * (size_t)grid->width + (size_t)x;
        const size_t patch = seg_patch_of_pixel(grid, x, y);
        float single[SEG_MAX_LABELS];
        if (s->piece[patch] != piece || s->pixels[label[x]] < 2 || seg_scribbles_in_row(s->scribbles, y, x, x + 1, -1))
            continue;
        s->pixels[label[x]]--;
        label[x] = s->best[piece];
        s->pixels[label[x]]++;
        taken++;
        for (size_t c = 0; c < s->k; c++)
            single[c] = (float)s->score->at[patch * s->k + c];
        seg_pixel_scores_put(s->out, p, s->k, single);
    }
    return taken;
}

/* Whether row y of the image has patches of the piece. */
static int row_has(const keeping *s, int32_t piece, int y) {
    const size_t first = (size_t)(y / s->grid->side) * (size_t)s->grid->columns;
    for (size_t i = first; i < first + (size_t)s->grid->columns; i++)
        if (s->piece[i] == piece)
            return 1;
    return 0;
}

/* Build the rows anew; those with patches of the piece are decoded into an array. */
static seg_status give_back(seg_context *ctx, keeping *s, int32_t piece, seg_label_rows *rows, size_t *taken) {
    seg_label_rows made = {0};
    SEG_FREED uint8_t *label = seg_alloc(ctx, (size_t)rows->width, 1);
    seg_status status = label ? SEG_OK : SEG_ERR_MEMORY;
    *taken = 0;
    for (int y = 0; !status && y < rows->height; y++) {
        if (row_has(s, piece, y)) {
            seg_label_rows_read(rows, y, 0, rows->width, label);
            *taken += give_row(s, piece, y, label);
            status = seg_label_rows_append(ctx, rows->width, 1, label, &made);
        } else {
            status = seg_label_rows_append_runs(ctx, rows->width, rows->run + rows->first[y],
                                                rows->first[y + 1] - rows->first[y], &made);
        }
    }
    seg_label_rows_free(status ? &made : rows);
    if (!status)
        *rows = made;
    return status;
}

seg_status seg_regions_keep(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                            const seg_pixel_scribbles *scribbles, const seg_pixel_scores *out, seg_label_rows *rows) {
    keeping s = {.grid = grid, .score = score, .scribbles = scribbles, .out = out, .k = score->cols};
    size_t largest[256] = {0};
    int32_t piece[256];
    int lost = 0;
    for (size_t i = 0; i < rows->first[rows->height]; i++)
        s.pixels[rows->run[i].label] += (size_t)(rows->run[i].to - rows->run[i].from);
    for (size_t c = 0; c < score->cols; c++)
        lost |= s.pixels[c] == 0;
    seg_status status = lost ? prepare(ctx, &s) : SEG_OK;
    for (size_t i = 0; lost && !status && i < score->rows; i++) {
        if (s.piece[i] >= 0 || s.pixels[s.best[i]] > 0)
            continue;
        const size_t count = find_piece(&s, (int32_t)i);
        if (count > largest[s.best[i]]) {
            largest[s.best[i]] = count;
            piece[s.best[i]] = (int32_t)i;
        }
    }
    for (size_t c = 0; !status && c < s.k; c++) {
        size_t taken = 0;
        if (largest[c] == 0)
            continue;
        status = give_back(ctx, &s, piece[c], rows, &taken);
        if (!status)
            seg_log(ctx, SEG_LOG_INFO,
                    "region %zu is too small for refinement: its %zu pixels are patches with straight borders", c + 1,
                    taken);
    }
    free(s.best);
    free(s.piece);
    return status;
}
