/* Edge-aware smoothing of many planes at once: the fast global smoother [min2014fgs], over a part of the image. */
#ifndef SEG_MASKS_EDGE_SMOOTHER_H
#define SEG_MASKS_EDGE_SMOOTHER_H

#include "masks/edges.h"

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

#endif
