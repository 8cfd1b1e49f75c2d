/* What a graph of features takes of memory: predicted before anything is allocated. */
#ifndef SEG_GRAPH_BYTES_H
#define SEG_GRAPH_BYTES_H

#include <segment/graph.h>

/* Entries of the graph of n nodes, both directions, at most; 0 for a complete graph that is too large to be listed. */
size_t seg_graph_entries(size_t n, const seg_graph_spec *spec);
/* Bytes of the graph once built, and at most while it is built, besides the features. A complete graph that is not
 * listed is a seg_full_graph. */
size_t seg_graph_bytes(size_t n, const seg_graph_spec *spec);
size_t seg_graph_building_bytes(size_t n, size_t columns, const seg_graph_spec *spec, int threads);

#endif
