/* Any bytes as a list of edges; the graph is symmetric, and written again as a list it reads the same. */
#include "fuzz.h"

#include <segment/vectors.h>

#include <inttypes.h>

static double weight(const seg_csr *graph, size_t i, size_t j) {
    for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++)
        if ((size_t)graph->column[e] == j)
            return graph->value[e];
    return -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    enum { MOST = 300, LINE = 48 };
    seg_context ctx = fuzz_context();
    SCOPED(seg_csr) graph;
    const unsigned how = fuzz_take(&bytes, &size);
    const size_t nodes = how & 4 ? how : 0;
    const int base = (int)(how % 4) - 1;
    const seg_status status = seg_edges_read(&ctx, fuzz_file(0, bytes, size), &(int){base}, nodes, &graph);
    if (!fuzz_outcome(&ctx, status, REFUSED | ALLOW(SEG_ERR_USAGE), &graph, sizeof graph)) {
        CHECK((status == SEG_ERR_USAGE) == (base > 1));
        return 0;
    }
    CHECK(graph.rows == graph.cols && (!nodes || graph.rows == nodes));
    for (size_t i = 0; i < graph.rows; i++)
        for (size_t e = graph.start[i]; e < graph.start[i + 1]; e++) {
            CHECK(graph.value[e] > 0 && graph.column[e] >= 0 && (size_t)graph.column[e] < graph.cols);
            CHECK(e == graph.start[i] || graph.column[e] > graph.column[e - 1]);
        }
    const size_t entries = graph.start[graph.rows];
    if (entries > 0 && entries <= MOST) {
        SCOPED(seg_csr) again;
        AUTOFREE char *text = malloc(entries * LINE);
        size_t used = 0;
        CHECK(text);
        for (size_t i = 0; i < graph.rows; i++)
            for (size_t e = graph.start[i]; e < graph.start[i + 1]; e++) {
                CHECK(weight(&graph, (size_t)graph.column[e], i) == graph.value[e]);
                used +=
                    (size_t)snprintf(text + used, LINE, "%zu %" PRId32 " %.17g\n", i, graph.column[e], graph.value[e]);
            }
        CHECK(seg_edges_read(&ctx, fuzz_file(1, text, used), &(int){0}, graph.rows, &again) == SEG_OK);
        CHECK(again.start[again.rows] == entries);
        CHECK(memcmp(again.column, graph.column, entries * sizeof *graph.column) == 0);
        CHECK(memcmp(again.value, graph.value, entries * sizeof *graph.value) == 0);
    }
    return 0;
}
