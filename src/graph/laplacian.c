/* Conjugate gradients, preconditioned by multigrid, on four right sides at a time. */
#include "graph/laplacian.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"
#include "graph/multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COARSEST   200
#define MOST_STEPS 400
#define BLOCK      ((size_t)1024) /* rows whose products are summed by one thread */
#define WORTH      8192           /* rows that are worth more than one thread */

struct seg_laplacian {
    seg_hierarchy hierarchy;
};

/* Of one group of four right sides. Columns that are not wanted hold zeros. */
typedef struct solver {
    const seg_context *ctx;
    const seg_graph_level *graph;
    const int32_t *order; /* of the graph's nodes: its i is the caller's order[i] */
    double unit;          /* of the graph's weights, and of absorption and right sides with them */
    seg_multigrid grid;
    size_t n, blocks;
    double *absorb, *diagonal; /* in the graph's order; the latter degree + absorption, 0 at fixed nodes */
    double *x, *r, *q;         /* n x 4 */
    float *p;                  /* likewise: any direction will do, as long as x and r use the same */
    double *sums;              /* blocks x 4 */
    seg_arena arena;
} solver;

seg_status seg_laplacian_create(seg_context *ctx, const seg_csr *W, seg_laplacian **out) {
    SEG_FREED seg_laplacian *made = seg_alloc_zero(ctx, 1, sizeof *made);
    const seg_status status = made ? seg_hierarchy_create(ctx, W, COARSEST, &made->hierarchy) : SEG_ERR_MEMORY;
    *out = status ? NULL : seg_taken(&made);
    return status;
}

void seg_laplacian_free(seg_laplacian *laplacian) {
    if (!laplacian)
        return;
    seg_hierarchy_free(&laplacian->hierarchy);
    free(laplacian);
}

size_t seg_laplacian_nodes(const seg_laplacian *laplacian) {
    return laplacian->hierarchy.level[0].n;
}

static void solver_free(solver *s) {
    seg_multigrid_free(&s->grid);
    seg_arena_free(&s->arena);
}

static seg_status solver_create(seg_context *ctx, const seg_laplacian *laplacian, const double *absorb, solver *s) {
    const size_t n = seg_laplacian_nodes(laplacian);
    *s = (solver){.ctx = ctx,
                  .graph = &laplacian->hierarchy.level[0],
                  .order = laplacian->hierarchy.order,
                  .unit = laplacian->hierarchy.unit,
                  .n = n,
                  .blocks = (n + BLOCK - 1) / BLOCK};
    s->absorb = seg_arena_alloc(ctx, &s->arena, n, sizeof *s->absorb);
    s->diagonal = seg_arena_alloc(ctx, &s->arena, n, sizeof *s->diagonal);
    s->x = seg_arena_alloc(ctx, &s->arena, n, 4 * sizeof *s->x);
    s->r = seg_arena_alloc(ctx, &s->arena, n, 4 * sizeof *s->r);
    s->p = seg_arena_alloc(ctx, &s->arena, n, 4 * sizeof *s->p);
    s->q = seg_arena_alloc(ctx, &s->arena, n, 4 * sizeof *s->q);
    s->sums = seg_arena_alloc(ctx, &s->arena, s->blocks, 4 * sizeof *s->sums);
    seg_status status = s->arena.status;
    for (size_t i = 0; !status && i < n; i++)
        s->absorb[i] = absorb[s->order[i]] * s->unit;
    if (!status)
        status = seg_multigrid_create(ctx, &laplacian->hierarchy, s->absorb, &s->grid);
    for (size_t i = 0; !status && i < n; i++)
        s->diagonal[i] = s->grid.level[0].inverse[i] > 0 ? s->graph->degree[i] + s->absorb[i] : 0;
    return status;
}

static void add_up(const solver *s, double total[4]) {
    for (int c = 0; c < 4; c++)
        total[c] = 0;
    for (size_t block = 0; block < s->blocks; block++)
        for (int c = 0; c < 4; c++)
            total[c] += s->sums[4 * block + (size_t)c];
}

/* The loop over all blocks of nodes; one thread for a small graph. */
static void for_nodes(const solver *s, seg_body body, void *arg) {
    seg_parallel_on(s->ctx, s->n < WORTH ? 1 : seg_threads(s->ctx), s->n, BLOCK, body, arg);
}

/* Four columns of a row. As vectors by name: the compiler did not find them in loops over the columns. */
typedef float quad __attribute__((vector_size(16)));
typedef double quad_of_doubles __attribute__((vector_size(32)));

/* q = (diagonal - W) p over the rows from .. to-1, 0 at fixed nodes; sum: <p, q> of each column. */
SEG_WIDER_TOO static void product_rows(const seg_graph_level *g, const double *diagonal, const float *p, size_t from,
                                       size_t to, double *q, double sum[4]) {
    quad_of_doubles total = {sum[0], sum[1], sum[2], sum[3]};
    for (size_t i = from; i < to; i++) {
        quad_of_doubles part = {0}, own;
        quad here;
        for (size_t e = g->start[i]; diagonal[i] > 0 && e < g->start[i + 1]; e++) {
            quad other;
            memcpy(&other, p + 4 * (size_t)g->column[e], sizeof other);
            part += (double)g->weight[e] * __builtin_convertvector(other, quad_of_doubles);
        }
        memcpy(&here, p + 4 * i, sizeof here);
        own = __builtin_convertvector(here, quad_of_doubles);
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
    const seg_multigrid_level *top = &s->grid.level[0];
    double sum[4] = {0};
    for (size_t i = from; i < to; i++)
        for (size_t c = 0; c < 4; c++)
            sum[c] += s->r[4 * i + c] * (double)top->x[4 * i + c];
    memcpy(s->sums + 4 * (from / BLOCK), sum, sizeof sum);
}

/* z = M r, products <r, z> of each column. */
static void precondition(solver *s, double product[4]) {
    seg_multigrid_cycle(s->ctx, &s->grid);
    for_nodes(s, multiply_residual, s);
    add_up(s, product);
}

/* One step of the iteration, a factor a column. */
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

/* p = z + beta p, then q = A p and <p, q>. */
static void turn(solver *s, const double beta[4], double product[4]) {
    for_nodes(s, turn_nodes, &(stepping){s, beta});
    for_nodes(s, multiply_nodes, s);
    add_up(s, product);
}

/* x += factor p, r -= factor q; the grid's right side is r. */
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

/* All columns go on until the slowest has arrived; one that has nothing left to do stands still. */
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
        turn(s, beta, curvature);
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
    seg_status status = solver_create(ctx, laplacian, system->absorb, &s);
    for (size_t first = 0; !status && first < cols; first += 4) {
        const size_t count = cols - first < 4 ? cols - first : 4;
        begin(&(beginning){&s, system, first, count});
        status = iterate(ctx, &s, system->tolerance, &taken);
        most = taken > most ? taken : most;
        for (size_t i = 0; !status && i < s.n; i++)
            memcpy(system->X + (size_t)s.order[i] * cols + first, s.x + 4 * i, count * sizeof *system->X);
    }
    if (system->steps)
        *system->steps = most;
    return status;
}
