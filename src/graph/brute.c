/* Exact nearest neighbours by all distances, for vectors too long for a tree to help: no n x n matrix, only blocks that
 * stay in cache while a block of queries passes over them. */
#include "base/base.h"
#include "graph/nearest.h"

#define TILE_BYTES                                                                                                     \
    131072 /* of points that a group of queries looks at before it goes on: half a second-level cache                  \
            */

seg_status seg_nearest_by_blocks(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                                 double *distance2) {
    const size_t block_bytes = SEG_LANES * (X->cols + 1) * sizeof(double);
    const size_t tile = block_bytes < TILE_BYTES ? TILE_BYTES / block_bytes : 1;
    seg_blocks points;
    seg_status status = seg_blocks_create(ctx, X->rows, X->cols, &points);
    if (status != SEG_OK)
        return status;
    seg_blocks_fill(&points, X);
#pragma omp parallel for num_threads(seg_threads(ctx)) schedule(dynamic)
    for (size_t group = 0; group < points.blocks; group++) {
        const size_t first = group * SEG_LANES;
        const size_t queries = X->rows - first < SEG_LANES ? X->rows - first : SEG_LANES;
        seg_heap heap[SEG_LANES];
        for (size_t i = 0; i < queries; i++)
            heap[i] = seg_heap_make(neighbour + (first + i) * count, distance2 + (first + i) * count, count);
        for (size_t start = 0; start < points.blocks; start += tile) {
            const size_t stop = points.blocks - start < tile ? points.blocks : start + tile;
            for (size_t i = 0; i < queries; i++)
                for (size_t block = start; block < stop; block++)
                    seg_block_offer(&points, block, X->at + (first + i) * X->cols, (int32_t)(first + i), &heap[i]);
        }
        for (size_t i = 0; i < queries; i++)
            seg_heap_sort(&heap[i]);
    }
    seg_blocks_free(&points);
    return SEG_OK;
}
