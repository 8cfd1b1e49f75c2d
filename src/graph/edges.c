#include "graph/edges.h"

#include "base/base.h"
#include "base/parallel.h"
#include "linalg/sparse.h"

#include <stdlib.h>
#include <string.h>

void seg_edge_list_free(seg_edge_list *e) {
    free(e->start);
    free(e->column);
    free(e->value);
    memset(e, 0, sizeof *e);
}

seg_status seg_edge_list_create(seg_context *ctx, size_t rows, size_t count, seg_edge_list *out) {
    memset(out, 0, sizeof *out);
    out->rows = rows;
    out->start = seg_alloc_zero(ctx, rows + 1, sizeof *out->start);
    out->column = seg_alloc(ctx, count, sizeof *out->column);
    out->value = seg_alloc(ctx, count, sizeof *out->value);
    if (!out->start || !out->column || !out->value) {
        seg_edge_list_free(out);
        return SEG_ERR_MEMORY;
    }
    return SEG_OK;
}

/* The reversed edges; those of a row come out in ascending order of their columns, whatever order they went in. */
static seg_status edges_reverse(seg_context *ctx, const seg_edge_list *in, seg_edge_list *out) {
    const size_t count = in->start[in->rows];
    seg_status status = seg_edge_list_create(ctx, in->rows, count, out);
    if (status != SEG_OK)
        return status;
    for (size_t e = 0; e < count; e++)
        out->start[in->column[e] + 1]++;
    for (size_t i = 0; i < in->rows; i++)
        out->start[i + 1] += out->start[i];
    for (size_t i = 0; i < in->rows; i++)
        for (size_t e = in->start[i]; e < in->start[i + 1]; e++) {
            size_t at = out->start[in->column[e]]++;
            out->column[at] = (int32_t)i;
            out->value[at] = in->value[e];
        }
    /* Filling moved every start to the next row's: move them back. */
    memmove(out->start + 1, out->start, in->rows * sizeof *out->start);
    out->start[0] = 0;
    return SEG_OK;
}

/* Walk row i of up to three sorted lists at once, every column once; writes where `column` is given. @return columns.
 */
static size_t merge_row(const seg_edge_list *const list[3], int mutual, size_t i, int32_t *column, double *value) {
    enum { BOTH = 1 | 2, TOUCH = 4 };
    size_t at[3] = {0}, stop[3] = {0}, count = 0;
    for (int l = 0; l < 3; l++)
        if (list[l] && list[l]->rows > 0) {
            at[l] = list[l]->start[i];
            stop[l] = list[l]->start[i + 1];
        }
    for (;;) {
        int32_t next = INT32_MAX;
        int seen = 0;
        for (int l = 0; l < 3; l++)
            if (at[l] < stop[l] && list[l]->column[at[l]] < next)
                next = list[l]->column[at[l]];
        if (next == INT32_MAX) /* rows are fewer than that */
            return count;
        double number = 0;
        for (int l = 0; l < 3; l++)
            if (at[l] < stop[l] && list[l]->column[at[l]] == next) {
                number = list[l]->value[at[l]++];
                seen |= 1 << l;
            }
        if (mutual && (seen & BOTH) != BOTH && !(seen & TOUCH))
            continue;
        if (column) {
            column[count] = next;
            value[count] = number;
        }
        count++;
    }
}

typedef struct merging {
    const seg_edge_list *const *list;
    int mutual;
    size_t *start;
    seg_csr *out; /* NULL: rows are counted */
} merging;

static void merge_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const merging *m = arg;
    for (size_t i = first; i < last; i++)
        if (m->out)
            merge_row(m->list, m->mutual, i, m->out->column + m->start[i], m->out->value + m->start[i]);
        else
            m->start[i + 1] = merge_row(m->list, m->mutual, i, NULL, NULL);
}

static seg_status merge(seg_context *ctx, const seg_edge_list *const list[3], int mutual, size_t rows, seg_csr *out) {
    size_t *start = seg_alloc_zero(ctx, rows + 1, sizeof *start);
    seg_status status;
    if (!start)
        return SEG_ERR_MEMORY;
    seg_parallel(ctx, rows, 0, merge_rows, &(merging){list, mutual, start, NULL});
    for (size_t i = 0; i < rows; i++)
        start[i + 1] += start[i];
    status = seg_csr_create(ctx, rows, rows, start[rows], out);
    if (status == SEG_OK) {
        memcpy(out->start, start, (rows + 1) * sizeof *start);
        seg_parallel(ctx, rows, 0, merge_rows, &(merging){list, mutual, start, out});
    }
    free(start);
    return status;
}

seg_status seg_edge_list_join(seg_context *ctx, const seg_edge_list *edges, const seg_edge_list *touch, int mutual,
                              seg_csr *out) {
    seg_edge_list from = {0}, sorted = {0};
    const seg_edge_list *const list[3] = {&sorted, &from, touch};
    const size_t rows = edges->rows > 0 ? edges->rows : touch->rows;
    seg_status status = SEG_OK;
    memset(out, 0, sizeof *out);
    /* Reversing twice sorts the columns in linear time, and the reversed edges make the graph symmetric. */
    if (edges->rows > 0 && (status = edges_reverse(ctx, edges, &from)) == SEG_OK)
        status = edges_reverse(ctx, &from, &sorted);
    if (status == SEG_OK)
        status = merge(ctx, list, mutual, rows, out);
    seg_edge_list_free(&from);
    seg_edge_list_free(&sorted);
    return status;
}
