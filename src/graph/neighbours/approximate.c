/* Approximate nearest neighbours by cells of rows, a sample and rounds. */
#include "graph/neighbours/approximate.h"

#include "base/parallel.h"
#include "graph/neighbours/nearest.h"

#include <string.h>

enum { SAMPLE_CELLS = 128, SAMPLE_ROWS = SEG_CELL_LANES / 4 }; /* of the sample; rows of a cell */
static const float AS_NEAR = 1.00001f;                         /* rounding in single precision */

void seg_pilot_free(seg_pilot *pilot) {
    seg_arena_free(&pilot->arena);
}

typedef struct sampling {
    const seg_cells *cells;
    seg_pilot *pilot;
    seg_cell_scan *scan; /* per worker */
    uint64_t *heap;      /* per row of the sample */
    uint64_t *order;     /* per worker: all cells by rank */
    size_t *rank;        /* per worker: of each cell */
    size_t *per_rank;    /* per cell of the sample: neighbours by rank of their cell */
} sampling;

/* The exact neighbours of a cell's rows, their largest distance, and the ranks of the cells that hold them. */
static void look(void *arg, size_t begin, size_t end, int worker) {
    const sampling *j = arg;
    const seg_cells *cells = j->cells;
    seg_pilot *p = j->pilot;
    seg_cell_scan *scan = &j->scan[worker];
    uint64_t *order = j->order + (size_t)worker * cells->cells;
    size_t *rank = j->rank + (size_t)worker * cells->cells;
    for (size_t s = begin; s < end; s++) {
        const size_t own = (size_t)cells->cell[p->first[s]];
        uint64_t *heap = j->heap + s * SAMPLE_ROWS * p->count;
        seg_cells_nearest(cells, own, cells->cells, order);
        seg_cell_scan_begin(scan, own, p->first[s], p->taken[s], heap);
        for (size_t r = 0; r < cells->cells; r++) {
            rank[seg_near_place(order[r])] = r;
            seg_cell_scan_visit(scan, seg_near_place(order[r]));
        }
        for (size_t i = 0; i < p->taken[s]; i++) {
            const float *x = cells->row + (p->first[s] + i) * cells->d;
            float most = 0;
            for (size_t e = 0; e < p->count; e++) {
                const size_t place = seg_near_place(heap[i * p->count + e]);
                const float distance2 = seg_near_square(cells->d, x, cells->row + place * cells->d);
                most = distance2 > most ? distance2 : most;
                j->per_rank[s * cells->cells + rank[cells->cell[place]]]++;
            }
            p->farthest[s * SAMPLE_ROWS + i] = most;
        }
    }
}

static seg_status sample_rows(seg_context *ctx, const seg_cells *cells, seg_pilot *out, seg_arena *arena) {
    const size_t sample = out->cells, all = cells->cells, threads = (size_t)seg_threads(ctx);
    const size_t workers = sample < threads ? sample : threads, count = out->count;
    sampling j = {.cells = cells, .pilot = out};
    out->first = seg_arena_alloc(ctx, &out->arena, sample, sizeof *out->first);
    out->taken = seg_arena_alloc(ctx, &out->arena, sample, sizeof *out->taken);
    out->farthest = seg_arena_alloc(ctx, &out->arena, sample, SAMPLE_ROWS * sizeof *out->farthest);
    out->within = seg_arena_alloc_zero(ctx, &out->arena, all, sizeof *out->within);
    j.scan = seg_arena_alloc(ctx, arena, workers, sizeof *j.scan);
    j.heap = seg_arena_alloc(ctx, arena, sample * SAMPLE_ROWS, count * sizeof *j.heap);
    j.order = seg_arena_alloc(ctx, arena, workers, all * sizeof *j.order);
    j.rank = seg_arena_alloc(ctx, arena, workers, all * sizeof *j.rank);
    j.per_rank = seg_arena_alloc_zero(ctx, arena, sample, all * sizeof *j.per_rank);
    for (size_t w = 0; j.scan && w < workers; w++)
        seg_cell_scan_create(ctx, cells, count, arena, &j.scan[w]);
    if (arena->status || out->arena.status)
        return SEG_ERR_MEMORY;
    for (size_t s = 0; s < sample; s++) {
        const size_t cell = s * all / sample, rows = cells->start[cell + 1] - cells->start[cell];
        out->taken[s] = rows < SAMPLE_ROWS ? rows : SAMPLE_ROWS;
        out->first[s] = cells->start[cell] + s % (rows - out->taken[s] + 1);
        out->rows += out->taken[s];
    }
    const seg_status status = seg_parallel_polled(ctx, sample, 1, look, &j);
    for (size_t s = 0; !status && s < sample; s++)
        for (size_t r = 0; r < all; r++)
            out->within[r] += j.per_rank[s * all + r];
    for (size_t r = 1; r < all; r++)
        out->within[r] += out->within[r - 1];
    return status;
}

seg_status seg_pilot_create(seg_context *ctx, const seg_cells *cells, size_t count, seg_pilot *out) {
    SEG_RELEASED(seg_arena_free) seg_arena arena = {0};
    const size_t all = cells->cells;
    *out = (seg_pilot){.cells = all < SAMPLE_CELLS ? all : SAMPLE_CELLS, .count = count, .ranks = all};
    const seg_status status = sample_rows(ctx, cells, out, &arena);
    if (status)
        seg_pilot_free(out);
    return status;
}

size_t seg_pilot_cells(const seg_pilot *pilot, double share) {
    const double wanted = share * (double)(pilot->rows * pilot->count);
    size_t cells = 1;
    while (cells < pilot->ranks && (double)pilot->within[cells - 1] < wanted)
        cells++;
    return cells;
}

double seg_pilot_recall(const seg_pilot *pilot, const uint64_t *heap) {
    size_t found = 0;
    for (size_t s = 0; s < pilot->cells; s++)
        for (size_t i = 0; i < pilot->taken[s]; i++)
            for (size_t e = 0; e < pilot->count; e++)
                found += seg_near_distance2(heap[(pilot->first[s] + i) * pilot->count + e]) <=
                         AS_NEAR * pilot->farthest[s * SAMPLE_ROWS + i];
    return (double)found / (double)(pilot->rows * pilot->count);
}

enum { MOST_JOINED = 24 };
#define NEW ((uint32_t)1 << 31) /* places are below */

/* What one thread works with. */
struct seg_descent_worker {
    uint64_t *sorted; /* count */
    uint32_t *seen;   /* n: the mark of the row that last looked at a place */
    uint32_t mark;
    uint8_t *visited; /* per cell */
};

seg_status seg_descent_create(seg_context *ctx, seg_descent *t) {
    const size_t n = t->cells->n, threads = (size_t)seg_threads(ctx);
    t->joined = t->count < MOST_JOINED ? t->count : MOST_JOINED;
    t->workers = t->cells->cells < threads ? t->cells->cells : threads;
    t->link = seg_arena_alloc(ctx, &t->arena, n, t->joined * sizeof *t->link);
    t->back = seg_arena_alloc(ctx, &t->arena, n, t->joined * sizeof *t->back);
    t->backs = seg_arena_alloc(ctx, &t->arena, n, sizeof *t->backs);
    t->worker = seg_arena_alloc(ctx, &t->arena, t->workers, sizeof *t->worker);
    for (size_t w = 0; t->worker && w < t->workers; w++) {
        t->worker[w].sorted = seg_arena_alloc(ctx, &t->arena, t->count, sizeof *t->worker[w].sorted);
        t->worker[w].seen = seg_arena_alloc(ctx, &t->arena, n, sizeof *t->worker[w].seen);
        t->worker[w].visited = seg_arena_alloc_zero(ctx, &t->arena, t->cells->cells, sizeof *t->worker[w].visited);
    }
    const seg_status status = t->arena.status;
    if (status)
        seg_descent_free(t);
    else
        memset(t->link, 0xff, n * t->joined * sizeof *t->link); /* no row: all are new in the first round */
    return status;
}

void seg_descent_free(seg_descent *descent) {
    seg_arena_free(&descent->arena);
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

enum { MOST_ROUNDS = 8 };
/* What cells are to bring, neighbours of neighbours being cheaper beyond; where to end; a round that gains less is the
 * last. By measurement (docs/history/scale.md). */
static const double BY_CELLS = 0.93, ENOUGH = 0.965, LEAST_GAIN = 0.002;

typedef struct search {
    const seg_cells *cells;
    size_t count, visits;
    seg_cell_scan *scan; /* per worker */
    uint64_t *ranks;     /* per worker: visits */
    int32_t *visited;    /* cells x visits */
    uint64_t *heap;      /* n x count */
    seg_arena arena;
} search;

/* The entries of a heap with distances that do not depend on the cell they were found from. */
static void measure(const search *s, size_t row) {
    const size_t d = s->cells->d;
    uint64_t *heap = s->heap + row * s->count;
    size_t filled = 0;
    for (size_t e = 0; e < s->count; e++) {
        const size_t place = seg_near_place(heap[e]);
        const float distance2 = seg_near_square(d, s->cells->row + row * d, s->cells->row + place * d);
        seg_near_push(heap, &filled, s->count, seg_near_make(distance2, place));
    }
}

static void scan_cells(void *arg, size_t first, size_t last, int worker) {
    const search *s = arg;
    seg_cell_scan *scan = &s->scan[worker];
    uint64_t *ranks = s->ranks + (size_t)worker * s->visits;
    for (size_t a = first; a < last; a++) {
        const size_t from = s->cells->start[a], rows = s->cells->start[a + 1] - from;
        seg_cells_nearest(s->cells, a, s->visits, ranks);
        seg_cell_scan_begin(scan, a, from, rows, s->heap + from * s->count);
        for (size_t v = 0; v < s->visits; v++) {
            s->visited[a * s->visits + v] = (int32_t)seg_near_place(ranks[v]);
            seg_cell_scan_visit(scan, seg_near_place(ranks[v]));
        }
        for (size_t row = from; row < from + rows; row++)
            measure(s, row);
    }
}

static seg_status scan_all(seg_context *ctx, search *s) {
    const size_t threads = (size_t)seg_threads(ctx), workers = s->cells->cells < threads ? s->cells->cells : threads;
    SEG_RELEASED(seg_arena_free) seg_arena arena = {0};
    s->scan = seg_arena_alloc(ctx, &arena, workers, sizeof *s->scan);
    s->ranks = seg_arena_alloc(ctx, &arena, workers, s->visits * sizeof *s->ranks);
    for (size_t w = 0; s->scan && w < workers; w++)
        seg_cell_scan_create(ctx, s->cells, s->count, &arena, &s->scan[w]);
    s->visited = seg_arena_alloc(ctx, &s->arena, s->cells->cells, s->visits * sizeof *s->visited);
    s->heap = seg_arena_alloc(ctx, &s->arena, s->cells->n, s->count * sizeof *s->heap);
    return arena.status || s->arena.status ? SEG_ERR_MEMORY
                                           : seg_parallel_polled(ctx, s->cells->cells, 1, scan_cells, s);
}

static seg_status refine(seg_context *ctx, const search *s, const seg_pilot *pilot, double *recall, int *rounds) {
    seg_descent descent = {s->cells, s->count, s->heap, s->visited, s->visits};
    *recall = seg_pilot_recall(pilot, s->heap);
    *rounds = 0;
    if (*recall >= ENOUGH || s->visits == s->cells->cells)
        return SEG_OK;
    seg_status status = seg_descent_create(ctx, &descent);
    for (double gain = 1; status == SEG_OK && *recall < ENOUGH && gain >= LEAST_GAIN && *rounds < MOST_ROUNDS;) {
        status = seg_descent_round(ctx, &descent);
        gain = seg_pilot_recall(pilot, s->heap) - *recall;
        *recall += gain;
        ++*rounds;
    }
    seg_descent_free(&descent);
    return status;
}

typedef struct writing {
    const search *s;
    const seg_matrix *X;
    int32_t *neighbour;
    double *distance2;
} writing;

/* Rows of the matrix for places, distances in double precision, nearest first. */
static void write_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const writing *w = arg;
    const seg_matrix *X = w->X;
    const size_t count = w->s->count, d = X->cols;
    for (size_t place = first; place < last; place++) {
        const size_t row = (size_t)w->s->cells->number[place];
        const double *x = X->at + row * d;
        seg_heap heap = seg_heap_make(w->neighbour + row * count, w->distance2 + row * count, count);
        for (size_t e = 0; e < count; e++) {
            const int32_t number = w->s->cells->number[seg_near_place(w->s->heap[place * count + e])];
            const double *y = X->at + (size_t)number * d;
            double distance2 = 0;
            for (size_t c = 0; c < d; c++)
                distance2 += (x[c] - y[c]) * (x[c] - y[c]);
            seg_heap_offer(&heap, distance2, number);
        }
        seg_heap_sort(&heap);
    }
}

seg_status seg_nearest_approximate(seg_context *ctx, const seg_matrix *X, size_t count, int32_t *neighbour,
                                   double *distance2, double *recall) {
    SEG_RELEASED(seg_cells_free) seg_cells cells = {0};
    SEG_RELEASED(seg_pilot_free) seg_pilot pilot = {0};
    search s = {.cells = &cells, .count = count};
    double found = 0;
    int rounds = 0;
    seg_status status;
    if ((status = seg_cells_create(ctx, X, &cells)) || (status = seg_poll(ctx)) ||
        (status = seg_pilot_create(ctx, &cells, count, &pilot)))
        return status;
    /* At least so many cells that their rows fill every heap, whichever cells they are. */
    s.visits = seg_larger(seg_pilot_cells(&pilot, BY_CELLS), count / SEG_CELL_LEAST + 2);
    s.visits = s.visits < cells.cells ? s.visits : cells.cells;
    if (!(status = scan_all(ctx, &s)) && !(status = refine(ctx, &s, &pilot, &found, &rounds)))
        status = seg_parallel_polled(ctx, X->rows, SEG_CELL_ROWS, write_rows, &(writing){&s, X, neighbour, distance2});
    seg_arena_free(&s.arena);
    if (status)
        return status;
    *recall = found;
    seg_log(ctx, SEG_LOG_INFO,
            "%zu nearest neighbours of %zu rows, approximate: recall %.3f on a sample of %zu rows (%zu of %zu cells "
            "searched a row, %d rounds of neighbours' neighbours)",
            count, X->rows, found, pilot.rows, s.visits, cells.cells, rounds);
    return SEG_OK;
}
