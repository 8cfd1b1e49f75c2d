#include "graph/join_edges.h"

#include "base/base.h"
#include "base/parallel.h"
#include "linalg/sparse.h"

#include <string.h>

/* Walk row i of up to three sorted lists at once, every column once; writes where `column` is given. @return columns.
 */
static size_t merge_row(const seg_csr *const list[3], size_t i, int32_t *column, double *value) {
    size_t at[3] = {0}, stop[3] = {0}, count = 0;
    for (int l = 0; l < 3; l++)
        if (list[l]->rows > 0) {
            at[l] = list[l]->start[i];
            stop[l] = list[l]->start[i + 1];
        }
    for (;;) {
        int32_t next = INT32_MAX;
        for (int l = 0; l < 3; l++)
            if (at[l] < stop[l] && list[l]->column[at[l]] < next)
                next = list[l]->column[at[l]];
        if (next == INT32_MAX) /* rows are fewer than that */
            return count;
        double number = 0;
        for (int l = 0; l < 3; l++)
            if (at[l] < stop[l] && list[l]->column[at[l]] == next)
                number = list[l]->value[at[l]++];
        if (column) {
            column[count] = next;
            value[count] = number;
        }
        count++;
    }
}

typedef struct merging {
    const seg_csr *const *list;
    size_t *start;
    seg_csr *out; /* NULL: rows are counted */
} merging;

static void merge_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const merging *m = arg;
    for (size_t i = first; i < last; i++)
        if (m->out)
            merge_row(m->list, i, m->out->column + m->start[i], m->out->value + m->start[i]);
        else
            m->start[i + 1] = merge_row(m->list, i, NULL, NULL);
}

seg_status seg_edges_join(seg_context *ctx, const seg_csr *edges, const seg_csr *touch, seg_csr *out) {
    const size_t rows = edges->rows > 0 ? edges->rows : touch->rows;
    SEG_RELEASED(seg_csr_free) seg_csr from = {0}, sorted = {0};
    const seg_csr *const list[3] = {&sorted, &from, touch};
    seg_status status;
    memset(out, 0, sizeof *out);
    /* Transposing twice sorts the columns in linear time, and the reversed edges make the graph symmetric. */
    if (edges->rows > 0 &&
        ((status = seg_csr_transpose(ctx, edges, &from)) || (status = seg_csr_transpose(ctx, &from, &sorted))))
        return status;
    SEG_FREED size_t *start = seg_alloc_zero(ctx, rows + 1, sizeof *start);
    if (!start)
        return SEG_ERR_MEMORY;
    seg_parallel(ctx, rows, 0, merge_rows, &(merging){list, start, NULL});
    for (size_t i = 0; i < rows; i++)
        start[i + 1] += start[i];
    SEG_TRY(seg_csr_create(ctx, rows, rows, start[rows], out));
    memcpy(out->start, start, (rows + 1) * sizeof *start);
    seg_parallel(ctx, rows, 0, merge_rows, &(merging){list, start, out});
    return SEG_OK;
}
