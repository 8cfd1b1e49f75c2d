/* The refinement near borders, one window of the image after the other, each with a margin around it: an image that is
 * never in memory as a whole gets the same labels as one that is. */
#ifndef SEG_MASKS_REFINE_WINDOWS_H
#define SEG_MASKS_REFINE_WINDOWS_H

#include "masks/refine.h"

/* Tiles (edges.h) of columns left .. right-1 and rows top .. bottom-1. */
typedef struct seg_tile_range {
    int left, right, top, bottom;
} seg_tile_range;

/* Which tiles of an image are near borders. */
typedef struct seg_refine_tiles {
    int side, columns, rows;
    uint8_t *chosen; /* of each tile: 1 where it is near a border; owned */
    uint8_t *best;   /* column of each patch; owned */
} seg_refine_tiles;

/* score: patches x k; reach: as for seg_refine_fast. SEG_OK, SEG_ERR_MEMORY; free `out` in either case. */
seg_status seg_refine_choose(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                             const seg_pixel_scribbles *scribbles, int reach, seg_refine_tiles *out);
void seg_refine_tiles_free(seg_refine_tiles *tiles);

/* Windows number 0, 1, 2 ... from the top left, row by row: labels are made in `core`, the tiles of `all` are smoothed
 * with them. An image of up to about 2000 x 2000 pixels is one window. @return 0 where there is none of the number */
typedef struct seg_tile_window {
    seg_tile_range core, all;
} seg_tile_window;
int seg_refine_window(const seg_refine_tiles *tiles, int number, seg_tile_window *out);

/* Whether any tile of the range is chosen. */
int seg_refine_chosen(const seg_refine_tiles *tiles, const seg_tile_range *range);

/* Refine the tiles of `range` with the chosen ones of the edges, which are those of the image or of a part of it that
 * is cut along tiles; NULL: none is chosen, and image and ties are not looked at. best: of each patch. SEG_OK,
 * SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_refine_part(seg_context *ctx, const seg_refining *of, const uint8_t *best, const uint8_t *chosen,
                           const seg_tile_range *range);

#endif
