/* Exact nearest neighbours by all distances, for vectors too long for a tree to help: no n x n matrix, only blocks that
 * stay in cache while a block of queries passes over them. */
#include "base/base.h"
#include "base/parallel.h"
#include "graph/neighbours/nearest.h"

#define TILE_BYTES                                                                                                     \
    131072 /* of points that a group of queries looks at before it goes on: half a second-level cache                  \
            */

typedef struct job {
    const seg_matrix *X;
    const seg_blocks *points;
    size_t count, tile;
    int32_t *neighbour;
    double *distance2;
} job;

/* A group of queries. */
static void search(void *arg, size_t group, SEG_UNUSED size_t end, SEG_UNUSED int worker) {
    const job *j = arg;
    const seg_matrix *X = j->X;
    const size_t first = group * SEG_LANES, count = j->count;
    const size_t queries = X->rows - first < SEG_LANES ? X->rows - first : SEG_LANES;
    seg_heap heap[SEG_LANES];
    for (size_t i = 0; i < queries; i++)
        heap[i] = seg_heap_make(j->neighbour + (first + i) * count, j->distance2 + (first + i) * count, count);
    for (size_t start = 0; start < j->points->blocks; start += j->tile) {
        const size_t stop = j->points->blocks - start < j->tile ? j->points->blocks : start + j->tile;
        for (size_t i = 0; i < queries; i++)
            for (size_t block = start; block < stop; block++)
                seg_block_offer(j->points, block, X->at + (first + i) * X->cols, (int32_t)(first + i), &heap[i]);
    }
    for (size_t i = 0; i < queries; i++)
        seg_heap_sort(&heap[i]);
}

seg_status seg_nearest_by_blocks(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                                 double *distance2) {
    const size_t block_bytes = SEG_LANES * (X->cols + 1) * sizeof(double);
    seg_blocks points;
    job j = {X, &points, count, block_bytes < TILE_BYTES ? TILE_BYTES / block_bytes : 1, neighbour, distance2};
    seg_status status = seg_blocks_create(ctx, X->rows, X->cols, &points);
    if (status != SEG_OK)
        return status;
    seg_blocks_fill(&points, X);
    status = seg_parallel_polled(ctx, points.blocks, 1, search, &j);
    seg_blocks_free(&points);
    return status;
}
