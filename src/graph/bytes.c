#include "graph/bytes.h"

#include "graph/fast_sum.h"
#include "graph/nearest.h"

enum { REAL = sizeof(double), SINGLE = sizeof(float), INDEX = sizeof(int32_t), EDGE = REAL + INDEX };

/* What a product's worker holds of rough neighbours (graph/products.c). */
#define WORKER_BYTES ((size_t)1 << 20)

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static size_t neighbours_of(size_t n, const seg_graph_spec *spec) {
    const size_t most = n > 0 ? n - 1 : 0, wanted = (size_t)spec->neighbours;
    return spec->kind & SEG_GRAPH_KNN ? (wanted < most ? wanted : most) : 0;
}

/* Neighbours count in both directions, the grid's four in one. */
size_t seg_graph_entries(size_t n, const seg_graph_spec *spec) {
    if (spec->kind == SEG_GRAPH_FULL)
        return n <= SEG_FULL_LISTED ? n * n : 0;
    return n * (2 * neighbours_of(n, spec) + (spec->kind & SEG_GRAPH_GRID ? 4 : 0));
}

/* A list of edges: a start a node; a column and a length an edge. */
static size_t edge_list(size_t n, size_t edges) {
    return (n + 1) * sizeof(size_t) + edges * EDGE;
}

/* Fast sums (graph/fast_sum.h): a window of some 60 numbers, a place and four work numbers per node; the grid and its
 * transform. A matrix where that is cheaper. */
static size_t full_bytes(size_t n) {
    const size_t sums = n * 80 * REAL + 2 * SEG_FAST_CELLS * REAL;
    return n <= SEG_FULL_DENSE ? larger(sums, n * n * REAL) : sums;
}

size_t seg_graph_bytes(size_t n, const seg_graph_spec *spec) {
    const size_t entries = seg_graph_entries(n, spec);
    return spec->kind == SEG_GRAPH_FULL && !entries ? full_bytes(n) : edge_list(n, entries);
}

/* graph/kdtree.c: the points in blocks, boxes of the nodes (a 16th of the points, four numbers per column), keys;
 * graph/products.c: two copies in single precision, three numbers a point. */
static size_t search(size_t n, size_t columns, int threads) {
    const size_t tree = n * (columns * REAL + columns * REAL / 4 + INDEX + 2 * REAL);
    const size_t products = n * (2 * columns * SINGLE + 3 * SINGLE) + (size_t)threads * WORKER_BYTES;
    return columns <= SEG_KDTREE_LIMIT ? tree : products;
}

/* graph/affinity.c: the neighbours' list, beside the search for them; then the grid's list, the neighbours' reversed
 * and sorted, a start a node and the graph. */
size_t seg_graph_building_bytes(size_t n, size_t columns, const seg_graph_spec *spec, int threads) {
    const size_t near = spec->kind & SEG_GRAPH_KNN ? edge_list(n, n * neighbours_of(n, spec)) : 0;
    const size_t touch = spec->kind & SEG_GRAPH_GRID ? edge_list(n, 4 * n) : 0;
    if (spec->kind == SEG_GRAPH_FULL)
        return seg_graph_bytes(n, spec) + n * columns * REAL;
    return near + larger(search(n, columns, threads),
                         touch + 2 * near + n * sizeof(size_t) + edge_list(n, seg_graph_entries(n, spec)));
}
