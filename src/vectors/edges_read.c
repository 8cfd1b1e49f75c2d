/* A graph from a list of its edges: read all edges, then make the symmetric matrix by two counting sorts. */

#include "base/base.h"
#include "linalg/sparse.h"
#include "vectors/table.h"

enum { NODES_AN_EDGE = 100, NODES_AT_LEAST = 1000 }; /* larger node numbers are taken for names, not indices */

#define SAME 1e-8 /* relative difference of equal weights */

typedef struct edge {
    int32_t i, j;
    double weight;
    size_t line;
} edge;

typedef struct reader {
    seg_context *ctx;
    seg_table table;
    edge *edge;
    size_t edges, loops;
    int32_t smallest, largest; /* of all node numbers, loops included; smallest > largest before the first edge */
} reader;

static seg_status read_node(const reader *r, size_t column, int32_t *node) {
    double value;
    SEG_TRY(seg_table_number(r->ctx, &r->table, column, &value));
    if (value != floor(value) || value < 0 || value >= INT32_MAX)
        return seg_table_refuse(r->ctx, &r->table, column, "is not the number of a node, a whole number from 0");
    *node = (int32_t)value;
    return SEG_OK;
}

static seg_status read_edge(reader *r) {
    const seg_table *table = &r->table;
    edge e = {.weight = 1, .line = table->line};
    if (table->fields != 2 && table->fields != 3)
        return seg_fail(r->ctx, SEG_ERR_INPUT, "%s:%zu: %zu columns; an edge is written i j or i j weight",
                        table->label, table->line, table->fields);
    SEG_TRY(read_node(r, 0, &e.i));
    SEG_TRY(read_node(r, 1, &e.j));
    if (table->fields == 3) {
        SEG_TRY(seg_table_number(r->ctx, table, 2, &e.weight));
        if (e.weight < 0)
            return seg_table_refuse(r->ctx, table, 2, "is a negative weight; weights are similarities from 0");
        if (e.weight > SEG_LARGEST_SIMILARITY)
            return seg_table_refuse(r->ctx, table, 2, "is a weight above 1e100; scale the weights down");
    }
    int32_t low = e.i < e.j ? e.i : e.j, high = e.i < e.j ? e.j : e.i;
    r->smallest = low < r->smallest ? low : r->smallest;
    r->largest = high > r->largest ? high : r->largest;
    if (e.i == e.j)
        r->loops++;
    else
        r->edge[r->edges++] = e;
    return SEG_OK;
}

static seg_status read_lines(reader *r) {
    size_t lines = seg_table_lines_left(&r->table), most = seg_span_size(r->table.left) / 4 + 1;
    int more = 1;
    r->edge = seg_alloc(r->ctx, lines < most ? lines : most, sizeof *r->edge); /* "1 2" and a line end take 4 bytes */
    SEG_TRY(seg_allocated(r->edge));
    for (int first = 1; more; first = 0) {
        int header = 0;
        SEG_TRY(seg_table_next(r->ctx, &r->table, &more));
        if (more && first)
            SEG_TRY(seg_table_is_header(r->ctx, &r->table, 0, 3, &header));
        if (more && !header)
            SEG_TRY(read_edge(r));
    }
    return SEG_OK;
}

/* Check the node numbers and convert them to indices from 0. */
static seg_status number_nodes(reader *r, int *from, size_t *nodes) {
    const char *label = r->table.label;
    int base = *from;
    if (r->edges == 0)
        return seg_fail(r->ctx, SEG_ERR_INPUT,
                        "'%s' has no edge between two nodes; write i j or i j weight, one per line", label);
    if (base == SEG_BASE_DETECT)
        base = r->smallest > 0;
    if (r->smallest < base)
        return seg_fail(r->ctx, SEG_ERR_INPUT, "'%s' has a node 0, but nodes are to be counted from 1", label);
    size_t found = (size_t)r->largest - (size_t)base + 1;
    if (*nodes && found > *nodes)
        return seg_fail(r->ctx, SEG_ERR_INPUT, "'%s' has a node %d, but there are %zu nodes, counted from %d", label,
                        r->largest, *nodes, base);
    if (!*nodes && found > NODES_AT_LEAST && found / NODES_AN_EDGE > r->edges)
        return seg_fail(r->ctx, SEG_ERR_INPUT,
                        "'%s' has a node %d and only %zu edges; number the nodes one after the other", label,
                        r->largest, r->edges);
    if (!*nodes)
        *nodes = found;
    for (size_t e = 0; e < r->edges; e++) {
        r->edge[e].i -= base;
        r->edge[e].j -= base;
    }
    *from = base;
    return SEG_OK;
}

/* Both directions of all edges, sorted by row, then column, then line: 2e stands for edge e, 2e + 1 for its reverse. */
static seg_status sort_directions(seg_context *ctx, const reader *r, size_t nodes, size_t **sorted, size_t **start) {
    const size_t count = 2 * r->edges;
    SEG_LOCAL(size_t, by_column, seg_alloc(ctx, count, sizeof *by_column));
    SEG_TRY(seg_allocated(*sorted = seg_alloc(ctx, count, sizeof **sorted)));
    SEG_TRY(seg_allocated(*start = seg_alloc_zero(ctx, nodes + 2, sizeof **start)));
    size_t *at = *start + 1; /* shifted by one: filling advances each start to its final place */
    for (size_t e = 0; e < r->edges; e++) {
        at[r->edge[e].i + 1]++;
        at[r->edge[e].j + 1]++;
    }
    for (size_t v = 0; v < nodes; v++)
        at[v + 1] += at[v];
    for (size_t d = 0; d < count; d++) {
        const edge *e = &r->edge[d / 2];
        by_column[at[d % 2 ? e->i : e->j]++] = d;
    }
    memmove(at + 1, at, nodes * sizeof *at); /* restore the starts: rows and columns have the same counts */
    at[0] = 0;
    for (size_t p = 0; p < count; p++) {
        const edge *e = &r->edge[by_column[p] / 2];
        (*sorted)[at[by_column[p] % 2 ? e->j : e->i]++] = by_column[p];
    }
    return SEG_OK; /* (*start)[v] is now the start of row v: at[v] has advanced to the start of row v + 1 */
}

/* One entry per edge, however often it is listed: all of its weights must agree, and the first is used. */
static seg_status fill(reader *r, size_t nodes, const size_t *sorted, const size_t *start, seg_csr *out) {
    size_t used = 0;
    SEG_TRY(seg_csr_create(r->ctx, nodes, nodes, 2 * r->edges, out));
    for (size_t v = 0; v < nodes; v++) {
        const edge *before = NULL;
        int32_t last = -1;
        for (size_t p = start[v]; p < start[v + 1]; p++) {
            const edge *e = &r->edge[sorted[p] / 2];
            int32_t column = sorted[p] % 2 ? e->i : e->j;
            if (column == last) {
                if (fabs(e->weight - before->weight) > SAME * fmax(e->weight, before->weight))
                    return seg_fail(r->ctx, SEG_ERR_INPUT,
                                    "%s:%zu: the edge has the weight %g, but %g in line %zu; give each edge one weight",
                                    r->table.label, e->line, e->weight, before->weight, before->line);
                continue;
            }
            before = e;
            last = column;
            if (e->weight > 0) {
                out->column[used] = column;
                out->value[used++] = e->weight;
            }
        }
        out->start[v + 1] = used;
    }
    return SEG_OK;
}

static void end(reader *r) {
    free(r->edge);
    seg_table_close(&r->table);
}

seg_status seg_edges_read(seg_context *ctx, const char *path, int *base, size_t nodes, seg_csr *out) {
    SEG_RELEASED(seg_loaded_free) seg_loaded file = {0};
    SEG_RELEASED(end) reader r = {.ctx = ctx, .smallest = INT32_MAX, .largest = -1};
    SEG_RELEASED(seg_csr_free) seg_csr made = {0};
    SEG_FREED size_t *sorted = NULL, *start = NULL;
    int found = *base;
    memset(out, 0, sizeof *out);
    if (found < SEG_BASE_DETECT || found > 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "nodes are counted from 0 or 1, not from %d", found);
    if (nodes >= INT32_MAX)
        return seg_fail(ctx, SEG_ERR_USAGE, "a graph of %zu nodes is too large", nodes);
    SEG_TRY(seg_load(ctx, path, &file));
    SEG_TRY(seg_table_open(ctx, &file, 1, &r.table));
    SEG_TRY(read_lines(&r));
    SEG_TRY(number_nodes(&r, &found, &nodes));
    SEG_TRY(sort_directions(ctx, &r, nodes, &sorted, &start));
    SEG_TRY(fill(&r, nodes, sorted, start, &made));
    if (r.loops)
        seg_log(ctx, SEG_LOG_WARNING, "%s: ignored %zu edges from a node to itself", file.label, r.loops);
    seg_log(ctx, SEG_LOG_INFO, "%s: %zu nodes counted from %d, %zu edges", file.label, nodes, found,
            made.start[nodes] / 2);
    *base = found;
    return SEG_HANDED_OVER(out, made);
}
