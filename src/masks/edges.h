/* The affinities of neighbouring pixels, and the confidence in the score of each patch for its pixels: the refinement's
 * view of the image. The image is divided into tiles of whole patches, each computed when first needed. */
#pragma once

#include <segment/features.h>

/* Tile (column c, row r) has number r * columns + c and covers side x side pixels, fewer at right and lower borders. */
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

/* Prepare those tiles of the list, all in the part, that are not yet. SEG_OK, SEG_ERR_MEMORY. Cost O(their pixels). */
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

/* Edge-aware smoothing of many planes at once: the fast global smoother [min2014fgs], over a part of the image. */

/* Values of the tiles that are smoothed. Tiles outside the list are treated as lying outside the image. */
typedef struct seg_tile_values {
    const seg_edges *edges; /* borrowed; the tiles of the list are prepared */
    int32_t *slot;          /* per tile: its index in the list, -1 outside the list; owned */
    int32_t *list;          /* tile numbers, ascending; owned */
    size_t count;
    int planes; /* values per pixel, a multiple of 4 */
    float *at;  /* count x side x side x planes; owned */
} seg_tile_values;

/* Allocate values for the tiles with chosen[t] != 0, without setting them. The edges of these tiles must be prepared
 * before they are smoothed. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_tile_values_create(seg_context *ctx, const seg_edges *edges, const uint8_t *chosen, int planes,
                                  seg_tile_values *out);
void seg_tile_values_free(seg_tile_values *values);

/* The values of tile list[i]. */
static inline float *seg_tile_at(const seg_tile_values *v, size_t i) {
    return v->at + i * (size_t)v->edges->side * (size_t)v->edges->side * (size_t)v->planes;
}

/* Bytes that seg_edge_smooth allocates with this number of threads. */
size_t seg_edge_smooth_bytes(const seg_edges *edges, int threads);

/* Smooth: an approximation of minimising sum |u - f|^2 + strength * sum w |u_p - u_q|^2 by alternate one-dimensional
 * solves along rows and columns, `turns` times with falling strength. Constants stay constant. O(pixels * planes *
 * turns). The same bytes for any number of threads. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_edge_smooth(seg_context *ctx, float strength, int turns, seg_tile_values *values);
