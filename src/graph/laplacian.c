/* Conjugate gradients, preconditioned by multigrid, on four right-hand sides at a time. */
#include "graph/laplacian.h"
#include "base/lanes.h"
#include "graph/hierarchy.h"

#define COARSEST   200
#define MOST_STEPS 400
#define BLOCK      ((size_t)1024) /* rows per partial sum of a product */
#define WORTH      8192           /* fewer rows run on one thread */

/* ---- One symmetric multigrid cycle over a hierarchy of graphs: the preconditioner. It is computed in single
 * precision: it affects how fast the gradients converge, not the solution. ---- */

typedef struct multigrid_level {
    float *inverse;     /* 1 / (degree + absorption), 0 at fixed nodes: they take no part */
    float *x, *b, *old; /* n x 4 */
} multigrid_level;

typedef struct multigrid {
    const seg_hierarchy *hierarchy; /* borrowed */
    multigrid_level level[SEG_MOST_LEVELS];
    float *factor; /* lower Cholesky factor of the last graph's matrix; NULL: too large, it is swept */
    seg_arena arena;
} multigrid;

#define DENSE_MOST  400  /* a last graph of more nodes gets no dense factor */
#define WORTH_NODES 4096 /* a graph of fewer nodes runs on one thread */
#define TINY_PIVOT  1e-12

/* Absorption of a fixed node on the coarser graphs, in units of its degree: it keeps the coarse node that contains it
 * near 0, because the correction is 0 at fixed nodes; this need not be exact. */
#define FIXED_HOLD 1.0

/* sum + weights times values of the entries first .. last-1. */
static inline seg_quad gather(const seg_graph_level *g, size_t first, size_t last, const float *x, seg_quad sum) {
    for (size_t e = first; e < last; e++)
        sum += g->weight[e] * seg_quad_load(x + 4 * (size_t)g->column[e]);
    return sum;
}

/* Make the dense matrix A = D + absorption - W of the last graph, given as zeros, and its lower Cholesky factor. A
 * component without absorption is singular: its last pivot becomes 0, and so does the solution at that node. */
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

/* Set out->inverse to 1 / (degree + absorption) of one graph. `absorb` becomes that of the next graph; `diagonal` is
 * degree + absorption if there is no next one, else scratch space. */
static void enter(const seg_graph_level *g, double *absorb, const seg_graph_level *next, double *diagonal,
                  multigrid_level *out) {
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

/* Prepare a cycle for an absorption (at the first graph's nodes; HUGE_VAL: fixed). SEG_OK, SEG_ERR_MEMORY. O(nodes). */
static seg_status multigrid_create(seg_context *ctx, const seg_hierarchy *hierarchy, const double *absorb,
                                   multigrid *out) {
    const int last = hierarchy->levels - 1;
    const size_t n = hierarchy->level[0].n, coarsest = hierarchy->level[last].n;
    SEG_FREED double *current = seg_alloc(ctx, n, sizeof *current), *diagonal = seg_alloc(ctx, n, sizeof *diagonal);
    *out = (multigrid){.hierarchy = hierarchy};
    for (int l = 0; l <= last; l++) {
        const size_t nodes = hierarchy->level[l].n;
        multigrid_level *level = &out->level[l];
        level->inverse = seg_arena_alloc(ctx, &out->arena, nodes, sizeof *level->inverse);
        level->x = seg_arena_alloc_zero(ctx, &out->arena, nodes, 4 * sizeof *level->x);
        level->b = seg_arena_alloc_zero(ctx, &out->arena, nodes, 4 * sizeof *level->b);
        level->old = seg_arena_alloc_zero(ctx, &out->arena, nodes, 4 * sizeof *level->old);
    }
    SEG_TRY(seg_allocated(current && diagonal && !out->arena.status));
    memcpy(current, absorb, n * sizeof *current);
    for (int l = 0; l <= last; l++)
        enter(&hierarchy->level[l], current, l < last ? &hierarchy->level[l + 1] : NULL, diagonal, &out->level[l]);
    if (last > 0 && coarsest <= DENSE_MOST) {
        SEG_FREED double *A = seg_alloc_zero(ctx, coarsest * coarsest, sizeof *A);
        out->factor = seg_arena_alloc(ctx, &out->arena, coarsest * coarsest, sizeof *out->factor);
        SEG_TRY(seg_allocated(A && out->factor));
        factorise(&hierarchy->level[last], diagonal, A, out->factor);
    }
    return SEG_OK;
}

static void solve_last(const multigrid *grid, const multigrid_level *m, size_t n) {
    const float *factor = grid->factor;
    for (size_t i = 0; i < n; i++) {
        seg_quad sum = seg_quad_load(m->b + 4 * i);
        for (size_t j = 0; j < i; j++)
            sum -= factor[i * n + j] * seg_quad_load(m->x + 4 * j);
        seg_quad_store(m->x + 4 * i, factor[i * n + i] > 0 ? sum / factor[i * n + i] : (seg_quad){0});
    }
    for (size_t i = n; i-- > 0;) {
        const seg_quad x = factor[i * n + i] > 0 ? seg_quad_load(m->x + 4 * i) / factor[i * n + i] : (seg_quad){0};
        seg_quad_store(m->x + 4 * i, x);
        for (size_t j = 0; j < i; j++)
            seg_quad_store(m->x + 4 * j, seg_quad_load(m->x + 4 * j) - factor[i * n + j] * x);
    }
}

/* One level of a cycle; next and below: NULL on the last level. */
typedef struct visit {
    const seg_graph_level *g, *next;
    const multigrid_level *m, *below;
} visit;

/* Forward Gauss-Seidel from x = 0 within each block: x = (D - W_lower)^-1 b, D with the absorption. */
static void sweep_down(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const visit *v = arg;
    const seg_graph_level *g = v->g;
    const multigrid_level *m = v->m;
    for (size_t i = first * g->n / SEG_SWEEP_BLOCKS; i < last * g->n / SEG_SWEEP_BLOCKS; i++) {
        const size_t start = g->start[i];
        seg_quad_store(m->x + 4 * i,
                       m->inverse[i] * gather(g, start, start + g->lower[i], m->x, seg_quad_load(m->b + 4 * i)));
    }
}

/* Restriction: the residual after sweep_down, summed over the nodes of each coarse node. What it used cancels. */
static void restrict_to_next(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const visit *v = arg;
    for (size_t p = first; p < last; p++) {
        seg_quad sum = {0};
        for (size_t i = v->next->child[p]; i < v->next->child[p + 1]; i++)
            if (v->m->inverse[i] > 0)
                sum = gather(v->g, v->g->start[i] + v->g->lower[i], v->g->start[i + 1], v->m->x, sum);
        seg_quad_store(v->below->b + 4 * p, sum);
    }
}

static void correct(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const visit *v = arg;
    const multigrid_level *m = v->m;
    for (size_t i = first; i < last; i++) {
        seg_quad x = seg_quad_load(m->x + 4 * i);
        if (v->below && m->inverse[i] > 0)
            x += seg_quad_load(v->below->x + 4 * (size_t)v->g->parent[i]);
        seg_quad_store(m->x + 4 * i, x);
        seg_quad_store(m->old + 4 * i, x);
    }
}

/* Backward Gauss-Seidel within each block; values of other blocks are those before the sweep (old). */
static void sweep_up(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const visit *v = arg;
    const seg_graph_level *g = v->g;
    const multigrid_level *m = v->m;
    for (size_t i = last * g->n / SEG_SWEEP_BLOCKS; i-- > first * g->n / SEG_SWEEP_BLOCKS;) {
        const size_t start = g->start[i], own = start + g->own[i];
        seg_quad sum = gather(g, start, own, m->x, seg_quad_load(m->b + 4 * i));
        seg_quad_store(m->x + 4 * i, m->inverse[i] * gather(g, own, g->start[i + 1], m->old, sum));
    }
}

/* level[0].x = M level[0].b, M symmetric positive definite on the free nodes, close to the system's inverse. */
static void cycle(const seg_context *ctx, multigrid *grid, int l) {
    const seg_graph_level *g = &grid->hierarchy->level[l], *next = g + 1;
    const int last = l == grid->hierarchy->levels - 1;
    const int threads = g->n < WORTH_NODES ? 1 : seg_threads(ctx);
    multigrid_level *m = &grid->level[l];
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

/* ---- Conjugate gradients. ---- */

struct seg_laplacian {
    seg_hierarchy hierarchy;
};

/* State for one group of four right-hand sides; unused columns are zero. */
typedef struct solver {
    const seg_context *ctx;
    const seg_graph_level *graph;
    const int32_t *order; /* node i of the graph is the caller's node order[i] */
    double unit;          /* scale of the weights, absorption and right-hand sides */
    multigrid grid;
    size_t n, blocks;
    double *absorb, *diagonal; /* in the graph's order; diagonal: degree + absorption, 0 at fixed nodes */
    double *x, *r, *q;         /* n x 4 */
    float *p;                  /* likewise: a rounded direction will do, as long as x and r use the same */
    double *sums;              /* blocks x 4 */
} solver;

seg_status seg_laplacian_create(seg_context *ctx, const seg_csr *W, seg_laplacian **out) {
    seg_laplacian *made = *out = seg_alloc_zero(ctx, 1, sizeof *made);
    SEG_RETURN_OR(made ? seg_hierarchy_create(ctx, W, COARSEST, &made->hierarchy) : SEG_ERR_MEMORY,
                  seg_laplacian_free(seg_taken(out)));
}

void seg_laplacian_free(seg_laplacian *laplacian) {
    if (!laplacian)
        return;
    seg_hierarchy_free(&laplacian->hierarchy);
    free(laplacian);
}

static void solver_free(solver *s) {
    seg_arena_free(&s->grid.arena);
    free(s->absorb); /* and all after it */
}

static seg_status solver_create(seg_context *ctx, const seg_laplacian *laplacian, const double *absorb, solver *s) {
    const size_t n = laplacian->hierarchy.level[0].n;
    *s = (solver){.ctx = ctx,
                  .graph = &laplacian->hierarchy.level[0],
                  .order = laplacian->hierarchy.order,
                  .unit = laplacian->hierarchy.unit,
                  .n = n,
                  .blocks = (n + BLOCK - 1) / BLOCK};
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(s->absorb, n), SEG_ARRAY(s->diagonal, n), SEG_TABLE(s->x, n, 4),
                             SEG_TABLE(s->r, n, 4), SEG_TABLE(s->p, n, 4), SEG_TABLE(s->q, n, 4),
                             SEG_TABLE(s->sums, s->blocks, 4)));
    for (size_t i = 0; i < n; i++)
        s->absorb[i] = absorb[s->order[i]] * s->unit;
    SEG_TRY(multigrid_create(ctx, &laplacian->hierarchy, s->absorb, &s->grid));
    for (size_t i = 0; i < n; i++)
        s->diagonal[i] = s->grid.level[0].inverse[i] > 0 ? s->graph->degree[i] + s->absorb[i] : 0;
    return SEG_OK;
}

static void add_up(const solver *s, double total[4]) {
    memset(total, 0, 4 * sizeof *total);
    for (size_t block = 0; block < s->blocks; block++)
        for (int c = 0; c < 4; c++)
            total[c] += s->sums[4 * block + (size_t)c];
}

/* Run `body` over all blocks of nodes, on one thread if the graph is small. */
static void for_nodes(const solver *s, seg_body body, void *arg) {
    seg_parallel_on(s->ctx, s->n < WORTH ? 1 : seg_threads(s->ctx), s->n, BLOCK, body, arg);
}

typedef double quad_of_doubles __attribute__((vector_size(32)));

/* q = (diagonal - W) p over the rows from .. to-1, 0 at fixed nodes; sum: <p, q> of each column. */
SEG_WIDER_TOO static void product_rows(const seg_graph_level *g, const double *diagonal, const float *p, size_t from,
                                       size_t to, double *q, double sum[4]) {
    quad_of_doubles total = {sum[0], sum[1], sum[2], sum[3]};
    for (size_t i = from; i < to; i++) {
        const quad_of_doubles own = __builtin_convertvector(seg_quad_load(p + 4 * i), quad_of_doubles);
        quad_of_doubles part = {0};
        for (size_t e = g->start[i]; diagonal[i] > 0 && e < g->start[i + 1]; e++)
            part += (double)g->weight[e] *
                    __builtin_convertvector(seg_quad_load(p + 4 * (size_t)g->column[e]), quad_of_doubles);
        part = diagonal[i] * own - part;
        memcpy(q + 4 * i, &part, sizeof part);
        total += own * part;
    }
    for (int c = 0; c < 4; c++)
        sum[c] = total[c];
}

/* The columns first .. first + count - 1 of a system. */
typedef struct beginning {
    solver *s;
    const seg_laplacian_system *system;
    size_t first, count;
} beginning;

static void begin_nodes(void *arg, size_t from, size_t to, SEG_UNUSED int worker) {
    const beginning *b = arg;
    const solver *s = b->s;
    const size_t count = b->count;
    for (size_t i = from; i < to; i++) {
        double *r = s->r + 4 * i;
        memset(r, 0, 4 * sizeof *r);
        if (!(s->diagonal[i] > 0))
            continue;
        for (size_t e = s->graph->start[i]; e < s->graph->start[i + 1]; e++)
            for (size_t c = 0; c < count; c++)
                r[c] += (double)s->graph->weight[e] * s->x[4 * (size_t)s->graph->column[e] + c];
        for (size_t c = 0; c < count; c++)
            r[c] += s->unit * b->system->B[(size_t)s->order[i] * b->system->cols + b->first + c];
    }
}

/* r = B + W x_fixed, x = 0 but at the fixed nodes. */
static void begin(const beginning *b) {
    const solver *s = b->s;
    memset(s->x, 0, s->n * 4 * sizeof *s->x);
    for (size_t i = 0; i < s->n; i++)
        if (isinf(s->absorb[i]))
            memcpy(s->x + 4 * i, b->system->B + (size_t)s->order[i] * b->system->cols + b->first,
                   b->count * sizeof *s->x);
    for_nodes(s, begin_nodes, (void *)b);
    for (size_t e = 0; e < 4 * s->n; e++) {
        s->grid.level[0].b[e] = (float)s->r[e];
        s->p[e] = 0;
    }
}

static void multiply_residual(void *arg, size_t from, size_t to, SEG_UNUSED int worker) {
    const solver *s = arg;
    const multigrid_level *top = &s->grid.level[0];
    double sum[4] = {0};
    for (size_t i = from; i < to; i++)
        for (size_t c = 0; c < 4; c++)
            sum[c] += s->r[4 * i + c] * (double)top->x[4 * i + c];
    memcpy(s->sums + 4 * (from / BLOCK), sum, sizeof sum);
}

/* z = M r, products <r, z> of each column. */
static void precondition(solver *s, double product[4]) {
    cycle(s->ctx, &s->grid, 0);
    for_nodes(s, multiply_residual, s);
    add_up(s, product);
}

/* A vector update with one factor per column. */
typedef struct stepping {
    const solver *s;
    const double *factor;
} stepping;

static void turn_nodes(void *arg, size_t from, size_t to, SEG_UNUSED int worker) {
    const stepping *j = arg;
    const solver *s = j->s;
    const float *z = s->grid.level[0].x;
    for (size_t i = from; i < to; i++)
        for (size_t c = 0; c < 4; c++)
            s->p[4 * i + c] = (float)((double)z[4 * i + c] + j->factor[c] * (double)s->p[4 * i + c]);
}

static void multiply_nodes(void *arg, size_t from, size_t to, SEG_UNUSED int worker) {
    const solver *s = arg;
    double sum[4] = {0};
    product_rows(s->graph, s->diagonal, s->p, from, to, s->q, sum);
    memcpy(s->sums + 4 * (from / BLOCK), sum, sizeof sum);
}

/* x += factor p, r -= factor q; r is also the right-hand side of the next cycle. */
static void step_nodes(void *arg, size_t from, size_t to, SEG_UNUSED int worker) {
    const stepping *j = arg;
    const solver *s = j->s;
    float *b = s->grid.level[0].b;
    for (size_t i = from; i < to; i++)
        for (size_t c = 0; c < 4; c++) {
            s->x[4 * i + c] += j->factor[c] * (double)s->p[4 * i + c];
            s->r[4 * i + c] -= j->factor[c] * s->q[4 * i + c];
            b[4 * i + c] = (float)s->r[4 * i + c];
        }
}

/* Iterate until the slowest of the four columns has converged; a column whose residual is 0 stays unchanged. */
static seg_status iterate(seg_context *ctx, solver *s, double tolerance, int *steps) {
    double before[4], now[4], first[4], curvature[4], beta[4] = {0}, alpha[4];
    precondition(s, now);
    memcpy(first, now, sizeof first);
    for (*steps = 0; *steps < MOST_STEPS; ++*steps) {
        int arrived = 1;
        for (int c = 0; c < 4; c++)
            arrived &= !(now[c] > tolerance * tolerance * first[c]);
        if (arrived)
            return SEG_OK;
        SEG_TRY(seg_poll(ctx));
        for_nodes(s, turn_nodes, &(stepping){s, beta}); /* p = z + beta p, then q = A p and <p, q> */
        for_nodes(s, multiply_nodes, s);
        add_up(s, curvature);
        for (int c = 0; c < 4; c++)
            alpha[c] = curvature[c] > 0 && now[c] > 0 ? now[c] / curvature[c] : 0;
        for_nodes(s, step_nodes, &(stepping){s, alpha});
        memcpy(before, now, sizeof before);
        precondition(s, now);
        for (int c = 0; c < 4; c++)
            beta[c] = before[c] > 0 ? now[c] / before[c] : 0;
    }
    return seg_fail(ctx, SEG_ERR_NUMERIC, "conjugate gradients on a graph of %zu nodes did not converge in %d steps",
                    s->n, MOST_STEPS);
}

seg_status seg_laplacian_solve(seg_context *ctx, const seg_laplacian *laplacian, const seg_laplacian_system *system) {
    const size_t cols = system->cols;
    SEG_RELEASED(solver_free) solver s;
    int taken = 0, most = 0;
    SEG_TRY(solver_create(ctx, laplacian, system->absorb, &s));
    for (size_t first = 0; first < cols; first += 4) {
        const size_t count = cols - first < 4 ? cols - first : 4;
        begin(&(beginning){&s, system, first, count});
        SEG_TRY(iterate(ctx, &s, system->tolerance, &taken));
        most = taken > most ? taken : most;
        for (size_t i = 0; i < s.n; i++)
            memcpy(system->X + (size_t)s.order[i] * cols + first, s.x + 4 * i, count * sizeof *system->X);
    }
    if (system->steps)
        *system->steps = most;
    return SEG_OK;
}
