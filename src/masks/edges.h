/* The affinities of neighbouring pixels, and the confidence in the score of each patch for its pixels: the refinement's
 * view of the image. The image is divided into tiles of whole patches, each computed when first needed. */
#ifndef SEG_MASKS_EDGES_H
#define SEG_MASKS_EDGES_H

#include <segment/features.h>

/* Tile (column c, row r) has number r * columns + c and covers side x side pixels, fewer at the right and lower border.
 */
typedef struct seg_edges {
    seg_patch_grid grid;
    int side, columns, rows; /* of the tiles; side in pixels, a multiple of the patches' */
    float **tile;            /* of each, NULL until it is prepared: affinity of each pixel to its right neighbour, */
                             /* side * side numbers of 0..1, then the same for the pixel below; 0 at the borders */
    float *confidence;       /* of each patch in a prepared tile */
} seg_edges;

/* The largest side of a tile: the side of a patch is at most 64 pixels, that of a cell of the largest images 332. */
#define SEG_EDGES_MOST_SIDE 512

/* Create the tiles without preparing any. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_edges_create(seg_context *ctx, const seg_patch_grid *grid, seg_edges *out);
void seg_edges_free(seg_edges *edges);
/* Free the prepared tiles. */
void seg_edges_forget(seg_edges *edges);

/* A part of an image, and the position of its first pixel in the whole. */
typedef struct seg_image_part {
    const seg_image *image;
    int left, top;
} seg_image_part;

/* Prepare those tiles of the list that are not prepared yet; they must lie in the part. SEG_OK, SEG_ERR_MEMORY. Cost
 * O(pixels of the tiles). */
seg_status seg_edges_prepare(seg_context *ctx, const seg_image_part *part, const int32_t *list, size_t count,
                             seg_edges *edges);

/* Width (height) in pixels of the tiles of column c (row r). */
static inline int seg_tile_width(const seg_edges *e, int c) {
    return e->side < e->grid.width - c * e->side ? e->side : e->grid.width - c * e->side;
}
static inline int seg_tile_height(const seg_edges *e, int r) {
    return e->side < e->grid.height - r * e->side ? e->side : e->grid.height - r * e->side;
}

/* 1 / (1 + (difference / sigma)^2)^2 of two colours with squared difference d2: needs neither root nor exponential. */
static inline float seg_alike(float d2, float inverse) {
    float x = 1 + d2 * inverse;
    return 1 / (x * x);
}

#endif
