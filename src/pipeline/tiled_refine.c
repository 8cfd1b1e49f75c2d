/* The second pass over an image that is read by tiles: window by window (masks/refine_windows.h), of which only tiles
 * near borders are decoded. */
#include "pipeline/tiled.h"

#include "base/base.h"
#include "base/parallel.h"
#include "features/grid.h"
#include "masks/refine_windows.h"

#include <stdlib.h>
#include <string.h>

/* One window, as an image of its own. */
typedef struct part {
    const seg_refine_tiles *tiles;
    seg_tile_range all;
    int left, top; /* pixels */
    seg_patch_grid grid;
    seg_matrix score;
    uint8_t *best, *chosen, *mark, *label;
    seg_image image;
    seg_edges edges;
} part;

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Whether a tile near a border overlaps these pixels. */
static int is_wanted(const void *user, const seg_area *a) {
    const part *p = user;
    const int side = p->tiles->side;
    const seg_tile_range range = {a->left / side, (a->right - 1) / side + 1, a->top / side, (a->bottom - 1) / side + 1};
    return seg_refine_chosen(p->tiles, &range);
}

/* The patches' scores and labels, the tiles' choice. */
static seg_status cut_patches(seg_context *ctx, const seg_run *r, part *p) {
    const seg_matrix *score = seg_run_cell_scores(r);
    const seg_patch_grid *whole = seg_run_cells(r);
    const int across = p->all.right - p->all.left;
    const size_t k = score->cols, columns = (size_t)p->grid.columns;
    seg_status status = seg_matrix_create(ctx, columns * (size_t)p->grid.rows, k, &p->score);
    p->best = seg_alloc(ctx, columns * (size_t)p->grid.rows, 1);
    p->chosen = seg_alloc(ctx, (size_t)across * (size_t)(p->all.bottom - p->all.top), 1);
    if (status || !p->best || !p->chosen)
        return SEG_ERR_MEMORY;
    for (int y = 0; y < p->grid.rows; y++) {
        const size_t from =
            (size_t)(p->top / whole->side + y) * (size_t)whole->columns + (size_t)(p->left / whole->side);
        memcpy(p->score.at + (size_t)y * columns * k, score->at + from * k, columns * k * sizeof *p->score.at);
        memcpy(p->best + (size_t)y * columns, p->tiles->best + from, columns);
    }
    for (int y = p->all.top; y < p->all.bottom; y++)
        memcpy(p->chosen + (size_t)(y - p->all.top) * (size_t)across,
               p->tiles->chosen + (size_t)y * (size_t)p->tiles->columns + (size_t)p->all.left, (size_t)across);
    return SEG_OK;
}

/* The scribbles in the window; none if it is unmarked. */
static seg_status cut_marks(seg_context *ctx, const seg_run *r, part *p, seg_pixel_scribbles *out) {
    const seg_label_rows *rows = r->scan.marks.rows;
    const size_t width = (size_t)p->grid.width;
    int any = 0;
    memcpy(out->column, r->scan.marks.column, sizeof out->column);
    for (int y = 0; rows && !any && y < p->grid.height; y++)
        any = seg_scribbles_in_row(&r->scan.marks, r->session->layout.grid.width, p->top + y, p->left,
                                   p->left + p->grid.width, -1);
    if (!any)
        return SEG_OK;
    p->mark = seg_alloc(ctx, width, (size_t)p->grid.height);
    for (int y = 0; p->mark && y < p->grid.height; y++)
        seg_label_rows_read(rows, p->top + y, p->left, p->left + p->grid.width, p->mark + (size_t)y * width);
    out->label = p->mark;
    return p->mark ? SEG_OK : SEG_ERR_MEMORY;
}

static void part_free(part *p) {
    seg_matrix_free(&p->score);
    seg_image_free(&p->image);
    seg_edges_free(&p->edges);
    free(p->best);
    free(p->chosen);
    free(p->mark);
    free(p->label);
}

/* The columns of a window's pixels into the strip of its row of windows, which begins at row `top`. */
static seg_status refine_window(seg_context *ctx, const seg_run *r, const seg_refine_tiles *tiles,
                                const seg_tile_window *w, int top, uint8_t *strip) {
    const seg_patch_grid *whole = seg_run_cells(r);
    const int side = tiles->side, any = seg_refine_chosen(tiles, &w->core);
    part p = {.tiles = tiles, .all = any ? w->all : w->core};
    seg_pixel_scribbles marks = {0};
    p.left = p.all.left * side;
    p.top = p.all.top * side;
    p.grid = seg_patch_grid_make(least(p.all.right * side, whole->width) - p.left,
                                 least(p.all.bottom * side, whole->height) - p.top, whole->side);
    const size_t width = (size_t)p.grid.width;
    seg_status status = cut_patches(ctx, r, &p);
    if (!status)
        status = cut_marks(ctx, r, &p, &marks);
    if (!status && !(p.label = seg_alloc(ctx, width, (size_t)p.grid.height)))
        status = SEG_ERR_MEMORY;
    if (!status)
        status = seg_edges_create(ctx, &p.grid, &p.edges);
    if (!status && any)
        status = seg_tiled_read(ctx, r->tiles->image,
                                &(seg_area){p.left, p.top, p.left + p.grid.width, p.top + p.grid.height}, is_wanted, &p,
                                &p.image);
    p.image.low = (uint16_t)r->tiles->low;
    p.image.high = (uint16_t)r->tiles->high;
    const seg_tile_range core = {w->core.left - p.all.left, w->core.right - p.all.left, w->core.top - p.all.top,
                                 w->core.bottom - p.all.top};
    const seg_pixel_scores out = {p.label, NULL, NULL};
    if (!status)
        status = seg_refine_part(ctx, &(seg_refining){&p.image, &p.edges, &p.score, &marks, &out}, p.best,
                                 any ? p.chosen : NULL, &core);
    const int right = least(w->core.right * side, whole->width), bottom = least(w->core.bottom * side, whole->height);
    for (int y = w->core.top * side; !status && y < bottom; y++)
        memcpy(strip + (size_t)(y - top) * (size_t)whole->width + (size_t)(w->core.left * side),
               p.label + (size_t)(y - p.top) * width + (size_t)(w->core.left * side - p.left),
               (size_t)(right - w->core.left * side));
    part_free(&p);
    return status;
}

seg_status seg_tiled_refine(seg_context *ctx, seg_run *r) {
    const seg_patch_grid *grid = seg_run_cells(r);
    const int reach = r->options->reach ? r->options->reach : SEG_REFINE_REACH;
    seg_refine_tiles tiles = {0};
    seg_tile_window w;
    uint8_t *strip = NULL;
    seg_status status = seg_refine_choose(ctx, grid, seg_run_cell_scores(r), &r->scan.marks, reach, &tiles);
    if (!status && r->options->refine == SEG_REFINE_NONE)
        memset(tiles.chosen, 0, (size_t)tiles.columns * (size_t)tiles.rows);
    for (int number = 0; !status && seg_refine_window(&tiles, number, &w); number++) {
        const int top = w.core.top * tiles.side, bottom = least(w.core.bottom * tiles.side, grid->height);
        if (!strip && !(strip = seg_alloc(ctx, (size_t)grid->width, (size_t)(bottom - top))))
            status = SEG_ERR_MEMORY;
        if (!status)
            status = seg_progress(
                ctx, ((double)top + (double)(bottom - top) * w.core.left / tiles.columns) / grid->height, "mask");
        if (!status)
            status = refine_window(ctx, r, &tiles, &w, top, strip);
        if (!status && w.core.right == tiles.columns)
            status = seg_label_rows_append(ctx, grid->width, bottom - top, strip, r->rows);
    }
    free(strip);
    seg_refine_tiles_free(&tiles);
    return status;
}
