#include "graph/harmonic.h"
#include "base/base.h"
#include "graph/neighbours/nearest.h"
#include "linalg/sparse.h"

/* Fraction of a node's degree added to the diagonal, so that the system is not singular on components without a fixed
 * node; far too small to change values elsewhere. */
#define GROUND 1e-10

/* The rows of fixed nodes become those of the identity, with their values on the right-hand side. */
seg_status seg_harmonic_directly(seg_context *ctx, const seg_csr *W, const uint8_t *fixed, seg_matrix *F) {
    const size_t n = W->rows, r = F->cols;
    SEG_RELEASED(seg_csr_free) seg_csr L = {0};
    seg_row_writer w = {.A = &L};
    seg_cholesky *factor;
    if (r == 0)
        return SEG_OK;
    SEG_TRY(seg_csr_create(ctx, n, n, W->start[n] + n, &L));
    for (size_t i = 0; i < n; i++) {
        double degree = 0, *f = F->at + i * r;
        if (!fixed[i])
            memset(f, 0, r * sizeof *f);
        for (size_t e = W->start[i]; !fixed[i] && e < W->start[i + 1]; e++) {
            const size_t j = (size_t)W->column[e];
            if (j == i)
                continue;
            degree += W->value[e];
            for (size_t c = 0; fixed[j] && c < r; c++)
                f[c] += W->value[e] * F->at[j * r + c];
            if (!fixed[j])
                seg_row_put(&w, (int32_t)j, -W->value[e]);
        }
        seg_row_end(&w, degree > 0 ? degree * (1 + GROUND) : 1);
    }
    SEG_TRY(seg_cholesky_create(ctx, &L, &factor));
    const seg_status status = seg_cholesky_solve(ctx, factor, r, F->at, F->at);
    seg_cholesky_free(factor);
    return status;
}

seg_status seg_harmonic_extend(seg_context *ctx, const seg_csr *W, const seg_laplacian *laplacian, const uint8_t *fixed,
                               double tolerance, seg_matrix *F) {
    const size_t n = W->rows, r = F->cols;
    SEG_FREED double *absorb = seg_alloc(ctx, n, sizeof *absorb), *X = seg_alloc_zero(ctx, n, r * sizeof *X);
    SEG_TRY(seg_allocated(absorb && X));
    for (size_t i = 0; i < n; i++) {
        absorb[i] = fixed[i] ? SEG_FIXED : 0;
        if (fixed[i])
            memcpy(X + i * r, F->at + i * r, r * sizeof *X);
    }
    seg_status status = seg_laplacian_solve(ctx, laplacian, &(seg_laplacian_system){absorb, r, tolerance, X, X, NULL});
    if (status)
        return status == SEG_ERR_NUMERIC ? seg_harmonic_directly(ctx, W, fixed, F) : status;
    memcpy(F->at, X, n * r * sizeof *X);
    return SEG_OK;
}

#define GRAIN  16 /* chosen nodes per block */
#define ROOM   64 /* chosen nodes kept of those that a walk reaches: the likeliest */
#define UNSEEN (-1.0)

/* State of a node during a walk. One comparison tells most edges that there is nothing to do. */
typedef struct place {
    double mass;  /* that waits here or, at a chosen node, was absorbed */
    double wakes; /* mass that calls for more: UNSEEN, later `least`; NAN (none) in the queue and at chosen nodes */
} place;

/* One thread's buffers; between two walks masses are zero and no node is seen. */
typedef struct scratch {
    place *place;   /* n */
    int32_t *queue; /* n: ring buffer of nodes with waiting mass, each at most once */
    int32_t *seen;  /* n: nodes reached, chosen ones included */
    seg_key *ended; /* count: chosen nodes reached, minus the mass that was absorbed there */
} scratch;

typedef struct walks {
    seg_context *ctx;
    const seg_csr *W;
    const size_t *node;
    size_t count;
    seg_first_met_options options;
    int32_t *number;  /* n: index of a chosen node, -1 for other nodes */
    double *degree;   /* n */
    scratch *scratch; /* one per thread */
    size_t room;
    seg_key *met;   /* count x room: nodes reached from each chosen node, by index */
    size_t *filled; /* count */
    seg_arena *arena;
} walks;

static int by_number(const void *x, const void *y) {
    const seg_key *a = x, *b = y;
    return (a->number > b->number) - (a->number < b->number);
}

/* Propagate the mass of a walk from chosen node c, first in, first out: all mass that waits at a node moves on at once.
 * @return the number of nodes reached */
static size_t follow(const walks *w, size_t c, scratch *s) {
    const size_t n = w->W->rows, *start = w->W->start;
    const int32_t *column = w->W->column;
    const double *weight = w->W->value;
    size_t head = 0, waiting = 0, seen = 0, at = w->node[c];
    double mass = w->degree[at];
    const double least = w->options.least * mass;
    for (size_t step = 0; mass > 0 && step < w->options.most; step++) {
        const double share = fmin(mass / w->degree[at], 1e300); /* no NaN from here */
        for (size_t e = start[at], end = start[at + 1]; e < end; e++) {
            place *to = &s->place[column[e]];
            to->mass += share * weight[e];
            if (!(to->mass >= to->wakes))
                continue;
            if (to->wakes == UNSEEN) {
                to->wakes = w->number[column[e]] < 0 ? least : NAN;
                s->seen[seen++] = column[e];
            }
            if (to->mass >= to->wakes) {
                to->wakes = NAN;
                const size_t last = head + waiting++;
                s->queue[last < n ? last : last - n] = column[e];
            }
        }
        if (waiting == 0)
            break;
        at = (size_t)s->queue[head];
        head = head + 1 < n ? head + 1 : 0;
        waiting--;
        s->place[at].wakes = least;
        mass = s->place[at].mass;
        s->place[at].mass = 0;
    }
    return seen;
}

static void body(void *arg, size_t first, size_t last, int worker) {
    walks *w = arg;
    scratch *s = &w->scratch[worker];
    for (size_t c = first; c < last; c++) {
        const size_t seen = follow(w, c, s);
        size_t others = 0;
        for (size_t i = 0; i < seen; i++) {
            place *at = &s->place[s->seen[i]];
            const int32_t number = w->number[s->seen[i]];
            if (number >= 0 && (size_t)number != c && at->mass > 0)
                s->ended[others++] = (seg_key){-at->mass, number};
            *at = (place){0, UNSEEN};
        }
        if (others > w->room) {
            seg_select_smallest(s->ended, others, w->room);
            others = w->room;
        }
        qsort(s->ended, others, sizeof *s->ended, by_number);
        memcpy(w->met + c * w->room, s->ended, others * sizeof *s->ended);
        w->filled[c] = others;
    }
}

static void scratch_create(walks *w, scratch *s) {
    const size_t n = w->W->rows;
    s->place = seg_arena_alloc(w->ctx, w->arena, n, sizeof *s->place);
    s->queue = seg_arena_alloc(w->ctx, w->arena, n, sizeof *s->queue);
    s->seen = seg_arena_alloc(w->ctx, w->arena, n, sizeof *s->seen);
    s->ended = seg_arena_alloc(w->ctx, w->arena, w->count, sizeof *s->ended);
    for (size_t i = 0; !w->arena->status && i < n; i++)
        s->place[i] = (place){0, UNSEEN};
}

static seg_status gather(const walks *w, seg_csr *out) {
    size_t entries = 0;
    for (size_t c = 0; c < w->count; c++)
        entries += w->filled[c];
    SEG_TRY(seg_csr_create(w->ctx, w->count, w->count, entries, out));
    for (size_t c = 0; c < w->count; c++) {
        out->start[c + 1] = out->start[c] + w->filled[c];
        for (size_t i = 0; i < w->filled[c]; i++) {
            out->column[out->start[c] + i] = w->met[c * w->room + i].number;
            out->value[out->start[c] + i] = -w->met[c * w->room + i].value;
        }
    }
    return SEG_OK;
}

/* (A + A') / 2: the truncated part differs between the two directions. */
static seg_status both_ways(seg_context *ctx, const seg_csr *A, seg_csr *out) {
    SEG_RELEASED(seg_csr_free) seg_csr B = {0};
    size_t entries = 0;
    SEG_TRY(seg_csr_transpose(ctx, A, &B));
    SEG_TRY(seg_csr_create(ctx, A->rows, A->rows, 2 * A->start[A->rows], out));
    for (size_t r = 0; r < A->rows; r++) {
        size_t a = A->start[r], b = B.start[r];
        while (a < A->start[r + 1] || b < B.start[r + 1]) {
            const int32_t from_a = a < A->start[r + 1] ? A->column[a] : INT32_MAX;
            const int32_t from_b = b < B.start[r + 1] ? B.column[b] : INT32_MAX;
            const int32_t column = from_a < from_b ? from_a : from_b;
            double sum = 0;
            sum += from_a == column ? A->value[a++] : 0;
            sum += from_b == column ? B.value[b++] : 0;
            out->column[entries] = column;
            out->value[entries++] = sum / 2;
        }
        out->start[r + 1] = entries;
    }
    return SEG_OK;
}

seg_status seg_first_met(seg_context *ctx, const seg_csr *W, const size_t *node, size_t count,
                         seg_first_met_options options, seg_csr *out) {
    const size_t n = W->rows, threads = (size_t)seg_threads(ctx);
    SEG_RELEASED(seg_arena_free) seg_arena arena = {0};
    walks w = {.ctx = ctx, .W = W, .node = node, .count = count, .options = options, .arena = &arena};
    SEG_RELEASED(seg_csr_free) seg_csr one_way = {0};
    memset(out, 0, sizeof *out);
    w.room = count < ROOM ? count : ROOM;
    w.degree = seg_arena_alloc_zero(ctx, &arena, n, sizeof *w.degree);
    w.number = seg_arena_alloc(ctx, &arena, n, sizeof *w.number);
    w.met = seg_arena_alloc(ctx, &arena, count * w.room, sizeof *w.met);
    w.filled = seg_arena_alloc_zero(ctx, &arena, count, sizeof *w.filled);
    w.scratch = seg_arena_alloc(ctx, &arena, threads, sizeof *w.scratch);
    for (size_t t = 0; t < threads && !arena.status; t++)
        scratch_create(&w, &w.scratch[t]);
    SEG_TRY(arena.status);
    memset(w.number, 0xff, n * sizeof *w.number);
    for (size_t c = 0; c < count; c++)
        w.number[node[c]] = (int32_t)c;
    for (size_t i = 0; i < n; i++)
        w.degree[i] = seg_csr_row_sum(W, i);
    SEG_TRY(seg_parallel_polled(ctx, count, GRAIN, body, &w));
    SEG_TRY(gather(&w, &one_way));
    return both_ways(ctx, &one_way, out);
}
