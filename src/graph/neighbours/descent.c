#include "graph/neighbours/descent.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_JOINED = 24 };
#define NEW ((uint32_t)1 << 31) /* places are below */

/* What one thread works with. */
struct seg_descent_worker {
    uint64_t *sorted; /* count */
    uint32_t *seen;   /* n: the mark of the row that last looked at a place */
    uint32_t mark;
    uint8_t *visited; /* per cell */
};

seg_status seg_descent_create(seg_context *ctx, const seg_cells *cells, size_t count, uint64_t *heap,
                              const int32_t *visited, size_t visits, seg_descent *out) {
    const size_t n = cells->n, threads = (size_t)seg_threads(ctx);
    *out = (seg_descent){.cells = cells, .count = count, .heap = heap, .visited = visited, .visits = visits};
    out->joined = count < MOST_JOINED ? count : MOST_JOINED;
    out->workers = cells->cells < threads ? cells->cells : threads;
    out->link = seg_alloc(ctx, n, out->joined * sizeof *out->link);
    out->back = seg_alloc(ctx, n, out->joined * sizeof *out->back);
    out->backs = seg_alloc(ctx, n, sizeof *out->backs);
    out->worker = seg_alloc_zero(ctx, out->workers, sizeof *out->worker);
    seg_status status = out->link && out->back && out->backs && out->worker ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t w = 0; status == SEG_OK && w < out->workers; w++) {
        struct seg_descent_worker *worker = &out->worker[w];
        worker->sorted = seg_alloc(ctx, count, sizeof *worker->sorted);
        worker->seen = seg_alloc(ctx, n, sizeof *worker->seen);
        worker->visited = seg_alloc_zero(ctx, cells->cells, sizeof *worker->visited);
        status = worker->sorted && worker->seen && worker->visited ? SEG_OK : SEG_ERR_MEMORY;
    }
    if (status == SEG_OK)
        memset(out->link, 0xff, n * out->joined * sizeof *out->link); /* no row: all are new in the first round */
    else
        seg_descent_free(out);
    return status;
}

void seg_descent_free(seg_descent *descent) {
    for (size_t w = 0; descent->worker && w < descent->workers; w++) {
        free(descent->worker[w].sorted);
        free(descent->worker[w].seen);
        free(descent->worker[w].visited);
    }
    free(descent->worker);
    free(descent->link);
    free(descent->back);
    free(descent->backs);
    memset(descent, 0, sizeof *descent);
}

/* The nearest of each row, and which of them are new. */
static void list_rows(void *arg, size_t first, size_t last, int worker) {
    const seg_descent *t = arg;
    uint64_t *sorted = t->worker[worker].sorted;
    uint32_t before[MOST_JOINED];
    for (size_t i = t->cells->start[first]; i < t->cells->start[last]; i++) {
        uint32_t *link = t->link + i * t->joined;
        memcpy(sorted, t->heap + i * t->count, t->count * sizeof *sorted);
        seg_near_sort(sorted, t->count);
        for (size_t e = 0; e < t->joined; e++)
            before[e] = link[e] == UINT32_MAX ? UINT32_MAX : link[e] & ~NEW;
        for (size_t e = 0; e < t->joined; e++) {
            const uint32_t place = (uint32_t)seg_near_place(sorted[e]);
            int known = 0;
            for (size_t b = 0; b < t->joined; b++)
                known |= before[b] == place;
            link[e] = known ? place : place | NEW;
        }
    }
}

/* The other direction: of each row's followers those that hold it nearest, as far as there is room. */
static void list_back(seg_descent *t) {
    const size_t n = t->cells->n, joined = t->joined;
    memset(t->backs, 0, n);
    for (size_t e = 0; e < joined; e++)
        for (size_t i = 0; i < n; i++) {
            const uint32_t link = t->link[i * joined + e], to = link & ~NEW;
            if (t->backs[to] < joined)
                t->back[to * joined + t->backs[to]++] = (uint32_t)i | (link & NEW);
        }
}

static void offer(const seg_descent *t, struct seg_descent_worker *w, size_t row, uint32_t place) {
    const size_t d = t->cells->d;
    uint64_t *heap = t->heap + row * t->count;
    size_t full = t->count;
    if (w->seen[place] == w->mark)
        return;
    w->seen[place] = w->mark;
    if (w->visited[t->cells->cell[place]])
        return;
    const float distance2 = seg_near_square(d, t->cells->row + row * d, t->cells->row + place * d);
    const uint64_t entry = seg_near_make(distance2, place);
    if (entry < heap[0])
        seg_near_push(heap, &full, full, entry);
}

static void join(const seg_descent *t, struct seg_descent_worker *w, size_t row) {
    const size_t joined = t->joined, entries = joined + t->backs[row];
    w->mark++;
    w->seen[row] = w->mark;
    for (size_t e = 0; e < t->count; e++)
        w->seen[seg_near_place(t->heap[row * t->count + e])] = w->mark;
    for (size_t e = 0; e < entries; e++) {
        const uint32_t link = e < joined ? t->link[row * joined + e] : t->back[row * joined + e - joined];
        const uint32_t through = link & ~NEW, *next = t->link + through * joined;
        offer(t, w, row, through);
        for (size_t f = 0; f < joined; f++)
            if ((link | next[f]) & NEW)
                offer(t, w, row, next[f] & ~NEW);
    }
}

static void join_cells(void *arg, size_t first, size_t last, int worker) {
    const seg_descent *t = arg;
    struct seg_descent_worker *w = &t->worker[worker];
    for (size_t a = first; a < last; a++) {
        for (size_t v = 0; v < t->visits; v++) /* without visits there is no list */
            w->visited[t->visited[a * t->visits + v]] = 1;
        for (size_t row = t->cells->start[a]; row < t->cells->start[a + 1]; row++)
            join(t, w, row);
        for (size_t v = 0; v < t->visits; v++)
            w->visited[t->visited[a * t->visits + v]] = 0;
    }
}

seg_status seg_descent_round(seg_context *ctx, seg_descent *t) {
    for (size_t w = 0; w < t->workers; w++) {
        memset(t->worker[w].seen, 0, t->cells->n * sizeof *t->worker[w].seen);
        t->worker[w].mark = 0;
    }
    seg_status status = seg_parallel_polled(ctx, t->cells->cells, 1, list_rows, t);
    if (status != SEG_OK)
        return status;
    list_back(t);
    return seg_parallel_polled(ctx, t->cells->cells, 1, join_cells, t);
}
