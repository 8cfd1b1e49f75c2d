/* Refinement by one exact solution over all pixels, where seg_refine_fast sweeps rows and columns near borders: the
 * random walker with priors [grady2005priors, Eq. 8] on the grid of pixels, the patches' scores as priors. */
#include "masks/refine.h"

#include "base/base.h"
#include "base/parallel.h"
#include "features/grid.h"
#include "graph/laplacian.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>

#define TOLERANCE 1e-4

/* Neighbours on four sides, tied by how alike they are. */
static seg_status pixel_graph(seg_context *ctx, const seg_edges *e, seg_csr *W) {
    const int width = e->grid.width, height = e->grid.height;
    const size_t n = (size_t)width * (size_t)height, across = (size_t)(width - 1) * (size_t)height;
    const size_t down = (size_t)width * (size_t)(height - 1), area = (size_t)e->side * (size_t)e->side;
    seg_status status = seg_csr_create(ctx, n, n, 2 * (across + down), W);
    size_t at = 0;
    for (int y = 0; !status && y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t p = (size_t)y * (size_t)width + (size_t)x;
            /* The tie to the right or below of a pixel stands in its own tile. */
            const int dx[4] = {0, -1, 0, 0}, dy[4] = {-1, 0, 0, 0};
            const size_t to[4] = {p - (size_t)width, p - 1, p + 1, p + (size_t)width};
            const int inside[4] = {y > 0, x > 0, x + 1 < width, y + 1 < height};
            for (int s = 0; s < 4; s++) {
                if (!inside[s])
                    continue;
                const int u = x + dx[s], v = y + dy[s];
                const float *alike = e->tile[(size_t)(v / e->side) * (size_t)e->columns + (size_t)(u / e->side)];
                const size_t own = (size_t)(v % e->side) * (size_t)e->side + (size_t)(u % e->side);
                W->column[at] = (int32_t)to[s];
                W->value[at++] = SEG_REFINE_STRENGTH * alike[own + (s == 0 || s == 3 ? area : 0)];
            }
            W->start[p + 1] = at;
        }
    return status;
}

static seg_status prepare_all(seg_context *ctx, const seg_image *image, seg_edges *edges) {
    const size_t tiles = (size_t)edges->columns * (size_t)edges->rows;
    int32_t *list = seg_alloc(ctx, tiles, sizeof *list);
    seg_status status;
    if (!list)
        return SEG_ERR_MEMORY;
    for (size_t t = 0; t < tiles; t++)
        list[t] = (int32_t)t;
    status = seg_edges_prepare(ctx, &(seg_image_part){image, 0, 0}, list, tiles, edges);
    free(list);
    return status;
}

typedef struct reading {
    const seg_refining *of;
    const double *X;
    uint8_t *label;
} reading;

static void read_off(void *arg, size_t first, size_t last, int worker) {
    const reading *r = arg;
    const size_t k = r->of->score->cols;
    const double *X = r->X;
    const seg_pixel_scores *out = &r->of->out;
    (void)worker;
    for (size_t p = first; p < last; p++) {
        const int mark = seg_mark_at(r->of->scribbles, p);
        float single[SEG_MAX_LABELS];
        double sum = 0;
        size_t best = 0;
        for (size_t c = 0; c < k; c++) {
            sum += fmax(X[p * k + c], 0);
            if (X[p * k + c] > X[p * k + best])
                best = c;
        }
        for (size_t c = 0; c < k; c++)
            single[c] = mark >= 0 ? (float)((size_t)mark == c) : (float)(fmax(X[p * k + c], 0) / sum);
        r->label[p] = (uint8_t)(mark >= 0 ? mark : (int)best);
        seg_pixel_scores_put(out, p, k, single);
    }
}

seg_status seg_refine_best(seg_context *ctx, const seg_refining *of, uint8_t *label) {
    const seg_image *image = of->image;
    const seg_matrix *score = of->score;
    seg_edges *edges = of->edges;
    const size_t n = (size_t)image->width * (size_t)image->height, k = score->cols;
    seg_csr W = {0};
    seg_laplacian *laplacian = NULL;
    double *absorb = NULL, *X = NULL;
    seg_status status;
    if (n > SEG_REFINE_BEST_PIXELS)
        return seg_fail(
            ctx, SEG_ERR_USAGE,
            "refine best solves for all pixels at once, and takes up to %d of them, not %zu; use refine fast",
            SEG_REFINE_BEST_PIXELS, n);
    if ((status = prepare_all(ctx, image, edges)) != SEG_OK || (status = pixel_graph(ctx, edges, &W)) != SEG_OK ||
        (status = seg_laplacian_create(ctx, &W, &laplacian)) != SEG_OK)
        goto done;
    seg_csr_free(&W); /* the hierarchy has its own copy */
    absorb = seg_alloc(ctx, n, sizeof *absorb);
    X = seg_alloc(ctx, n, k * sizeof *X);
    status = absorb && X ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t p = 0; !status && p < n; p++) {
        const size_t patch =
            seg_patch_of_pixel(&edges->grid, (int)(p % (size_t)image->width), (int)(p / (size_t)image->width));
        const int mark = seg_mark_at(of->scribbles, p);
        absorb[p] = mark >= 0 ? SEG_REFINE_SCRIBBLE_CONFIDENCE : edges->confidence[patch];
        for (size_t c = 0; c < k; c++)
            X[p * k + c] = absorb[p] * (mark >= 0 ? (double)((size_t)mark == c) : score->at[patch * k + c]);
    }
    if (!status)
        status = seg_laplacian_solve(ctx, laplacian, &(seg_laplacian_system){absorb, k, TOLERANCE, X, X, NULL});
    if (!status)
        seg_parallel(ctx, n, 0, read_off, &(reading){of, X, label});
done:
    seg_csr_free(&W);
    seg_laplacian_free(laplacian);
    free(absorb);
    free(X);
    return status;
}
