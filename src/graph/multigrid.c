#include "graph/multigrid.h"

#include "base/base.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

#define DENSE_MOST 400  /* nodes of the last graph that are worth a dense factor */
#define WORTH      4096 /* nodes of a graph that are worth more than one thread */
#define TINY_PIVOT 1e-12

/* Absorption of a fixed node on the next graphs, in units of its degree: it must hold the node it belongs to near 0, as
 * what is solved for there is a correction, and need not do so exactly. */
#define FIXED_HOLD 1.0

typedef float quad __attribute__((vector_size(16)));

static inline quad load(const float *x) {
    quad q;
    memcpy(&q, x, sizeof q);
    return q;
}

static inline void store(float *x, quad q) {
    memcpy(x, &q, sizeof q);
}

/* sum + weights times values of the entries first .. last-1. */
static inline quad gather(const seg_graph_level *g, size_t first, size_t last, const float *x, quad sum) {
    for (size_t e = first; e < last; e++)
        sum += g->weight[e] * load(x + 4 * (size_t)g->column[e]);
    return sum;
}

/* Dense A = D + absorption - W of the last graph, replaced by its lower factor. A part without absorption is singular:
 * its last pivot vanishes, and its values are 0 there. */
static void factorise(const seg_graph_level *g, const double *diagonal, double *A, float *factor) {
    const size_t n = g->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t e = g->start[i]; e < g->start[i + 1]; e++)
            A[i * n + (size_t)g->column[e]] -= (double)g->weight[e];
        A[i * n + i] += diagonal[i];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = A[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= A[i * n + k] * A[j * n + k];
            if (i > j)
                A[i * n + j] = A[j * n + j] > 0 ? sum / A[j * n + j] : 0;
            else
                A[i * n + i] = sum > TINY_PIVOT * diagonal[i] ? sqrt(sum) : 0;
        }
    for (size_t i = 0; i < n * n; i++)
        factor[i] = (float)A[i];
}

/* diagonal: degree + absorption; inverse: of it. Both of one graph; `absorb` becomes the next graph's. */
static void enter(const seg_graph_level *g, double *absorb, const seg_graph_level *next, double *diagonal,
                  seg_multigrid_level *out) {
    for (size_t i = 0; i < g->n; i++) {
        const int fixed = isinf(absorb[i]);
        if (fixed)
            absorb[i] = FIXED_HOLD * g->degree[i];
        diagonal[i] = g->degree[i] + absorb[i];
        out->inverse[i] = fixed || !(diagonal[i] > 0) ? 0 : (float)(1 / diagonal[i]);
    }
    for (size_t p = 0; next && p < next->n; p++) {
        double sum = 0;
        for (size_t i = next->child[p]; i < next->child[p + 1]; i++)
            sum += absorb[i];
        diagonal[p] = sum;
    }
    if (next)
        memcpy(absorb, diagonal, next->n * sizeof *absorb);
}

seg_status seg_multigrid_create(seg_context *ctx, const seg_hierarchy *hierarchy, const double *absorb,
                                seg_multigrid *out) {
    const int last = hierarchy->levels - 1;
    const size_t n = hierarchy->level[0].n, coarsest = hierarchy->level[last].n;
    SEG_FREED double *current = seg_alloc(ctx, n, sizeof *current), *diagonal = seg_alloc(ctx, n, sizeof *diagonal);
    *out = (seg_multigrid){.hierarchy = hierarchy};
    for (int l = 0; l <= last; l++) {
        const size_t nodes = hierarchy->level[l].n;
        seg_multigrid_level *level = &out->level[l];
        level->inverse = seg_arena_alloc(ctx, &out->arena, nodes, sizeof *level->inverse);
        level->x = seg_arena_alloc_zero(ctx, &out->arena, nodes, 4 * sizeof *level->x);
        level->b = seg_arena_alloc_zero(ctx, &out->arena, nodes, 4 * sizeof *level->b);
        level->old = seg_arena_alloc_zero(ctx, &out->arena, nodes, 4 * sizeof *level->old);
    }
    if (!current || !diagonal || out->arena.status)
        return SEG_ERR_MEMORY;
    memcpy(current, absorb, n * sizeof *current);
    for (int l = 0; l <= last; l++)
        enter(&hierarchy->level[l], current, l < last ? &hierarchy->level[l + 1] : NULL, diagonal, &out->level[l]);
    if (last > 0 && coarsest <= DENSE_MOST) {
        SEG_FREED double *A = seg_alloc_zero(ctx, coarsest * coarsest, sizeof *A);
        out->factor = seg_arena_alloc(ctx, &out->arena, coarsest * coarsest, sizeof *out->factor);
        if (!A || !out->factor)
            return SEG_ERR_MEMORY;
        factorise(&hierarchy->level[last], diagonal, A, out->factor);
    }
    return SEG_OK;
}

void seg_multigrid_free(seg_multigrid *grid) {
    seg_arena_free(&grid->arena);
}

static void solve_last(const seg_multigrid *grid, const seg_multigrid_level *m, size_t n) {
    const float *factor = grid->factor;
    for (size_t i = 0; i < n; i++) {
        quad sum = load(m->b + 4 * i);
        for (size_t j = 0; j < i; j++)
            sum -= factor[i * n + j] * load(m->x + 4 * j);
        store(m->x + 4 * i, factor[i * n + i] > 0 ? sum / factor[i * n + i] : (quad){0});
    }
    for (size_t i = n; i-- > 0;) {
        const quad x = factor[i * n + i] > 0 ? load(m->x + 4 * i) / factor[i * n + i] : (quad){0};
        store(m->x + 4 * i, x);
        for (size_t j = 0; j < i; j++)
            store(m->x + 4 * j, load(m->x + 4 * j) - factor[i * n + j] * x);
    }
}

/* A graph on the way down and up; next and below: NULL at the last. */
typedef struct visit {
    const seg_graph_level *g, *next;
    const seg_multigrid_level *m, *below;
} visit;

/* Gauss-Seidel from x = 0 within each block, downwards: x = (D + lower)^-1 b. */
static void sweep_down(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const visit *v = arg;
    const seg_graph_level *g = v->g;
    const seg_multigrid_level *m = v->m;
    for (size_t i = first * g->n / SEG_SWEEP_BLOCKS; i < last * g->n / SEG_SWEEP_BLOCKS; i++) {
        const size_t start = g->start[i];
        store(m->x + 4 * i, m->inverse[i] * gather(g, start, start + g->lower[i], m->x, load(m->b + 4 * i)));
    }
}

/* The residual that sweep_down left, summed over the nodes of each next node. Entries that sweep_down has used
 * contribute nothing. */
static void restrict_to_next(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const visit *v = arg;
    for (size_t p = first; p < last; p++) {
        quad sum = {0};
        for (size_t i = v->next->child[p]; i < v->next->child[p + 1]; i++)
            if (v->m->inverse[i] > 0)
                sum = gather(v->g, v->g->start[i] + v->g->lower[i], v->g->start[i + 1], v->m->x, sum);
        store(v->below->b + 4 * p, sum);
    }
}

static void correct(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const visit *v = arg;
    const seg_multigrid_level *m = v->m;
    for (size_t i = first; i < last; i++) {
        quad x = load(m->x + 4 * i);
        if (v->below && m->inverse[i] > 0)
            x += load(v->below->x + 4 * (size_t)v->g->parent[i]);
        store(m->x + 4 * i, x);
        store(m->old + 4 * i, x);
    }
}

/* Gauss-Seidel upwards within each block; what other blocks hold is taken from before the sweep (old). */
static void sweep_up(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const visit *v = arg;
    const seg_graph_level *g = v->g;
    const seg_multigrid_level *m = v->m;
    for (size_t i = last * g->n / SEG_SWEEP_BLOCKS; i-- > first * g->n / SEG_SWEEP_BLOCKS;) {
        const size_t start = g->start[i], own = start + g->own[i];
        quad sum = gather(g, start, own, m->x, load(m->b + 4 * i));
        store(m->x + 4 * i, m->inverse[i] * gather(g, own, g->start[i + 1], m->old, sum));
    }
}

static void cycle(const seg_context *ctx, seg_multigrid *grid, int l) {
    const seg_graph_level *g = &grid->hierarchy->level[l], *next = g + 1;
    const int last = l == grid->hierarchy->levels - 1;
    const int threads = g->n < WORTH ? 1 : seg_threads(ctx);
    seg_multigrid_level *m = &grid->level[l];
    visit v = {g, last ? NULL : next, m, last ? NULL : m + 1};
    if (last && grid->factor) {
        solve_last(grid, m, g->n);
        return;
    }
    seg_parallel_on(ctx, threads, SEG_SWEEP_BLOCKS, 1, sweep_down, &v);
    if (!last) {
        seg_parallel_on(ctx, threads, next->n, 0, restrict_to_next, &v);
        cycle(ctx, grid, l + 1);
    }
    seg_parallel_on(ctx, threads, g->n, 0, correct, &v);
    seg_parallel_on(ctx, threads, SEG_SWEEP_BLOCKS, 1, sweep_up, &v);
}

void seg_multigrid_cycle(const seg_context *ctx, seg_multigrid *grid) {
    cycle(ctx, grid, 0);
}
