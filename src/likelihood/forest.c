#include "likelihood/forest.h"
#include "base/base.h"
#include "likelihood/tree.h"

#include <float.h>

#define FOREST_STREAM 0x7000
#define MOST_SAMPLES  ((size_t)4000)
#define UNIT          0x1p16 /* resolution of columns: finer than features, coarser than rounding */
#define DRAWS         4096   /* entries that columns in one unit have together among those that are drawn */
#define UNLIKE        0.2    /* standard deviations beyond the samples' ranges at which half of the votes count */
#define BLOCK         256    /* rows that one thread classifies at a time */

/* The training samples and their data, which the arena owns. */
typedef struct samples {
    seg_arena *arena;
    seg_samples list;
    float *value;
    int16_t *group;
    int32_t *order; /* of the columns */
} samples;

/* Round to single precision, clamped: thresholds lie within the samples' range, outside it any number will do. */
static float narrow(double value, double scale) {
    const double scaled = value * scale;
    return (float)(scaled > FLT_MAX ? (double)FLT_MAX : scaled < -FLT_MAX ? -(double)FLT_MAX : scaled);
}

/* Trees compare numbers within a column only, so each column may have its own scale. */
static seg_status choose_scales(seg_context *ctx, const seg_matrix *F, const int16_t *group, seg_forest *f) {
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(f->scale, F->cols)));
    for (size_t i = 0; i < F->rows; i++)
        for (size_t c = 0; group[i] >= 0 && c < F->cols; c++)
            f->scale[c] = fmax(f->scale[c], fabs(F->at[i * F->cols + c]));
    for (size_t c = 0; c < F->cols; c++) /* 2^1023 is the largest power there is */
        f->scale[c] = f->scale[c] > 0 ? ldexp(1, -(ilogb(f->scale[c]) < -1023 ? -1023 : ilogb(f->scale[c]))) : 1;
    return SEG_OK;
}

/* A column over all samples, labelled or not. */
typedef struct column_sum {
    double most;          /* largest magnitude, scaled */
    int64_t sum, squares; /* of the values as integers, UNIT the largest magnitude; of their squares */
    int32_t column;
} column_sum;

static int by_sum(const void *x, const void *y) {
    const column_sum *p = x, *q = y;
    return p->sum != q->sum ? (p->sum < q->sum ? -1 : 1) : (p->column > q->column) - (p->column < q->column);
}

static void add_up(const seg_matrix *F, const seg_forest *f, column_sum *sums) {
    for (size_t i = 0; i < F->rows; i++)
        for (size_t c = 0; c < F->cols; c++)
            sums[c].most = fmax(sums[c].most, fabs(F->at[i * F->cols + c] * f->scale[c]));
    for (size_t i = 0; i < F->rows; i++)
        for (size_t c = 0; c < F->cols; c++)
            if (sums[c].most > 0) {
                const int64_t whole = (int64_t)(UNIT * (F->at[i * F->cols + c] * f->scale[c] / sums[c].most));
                sums[c].sum += whole;
                sums[c].squares += whole * whole;
            }
}

/* Columns in one unit: each is drawn as often as the square root of its standard deviation says. One that hardly varies
 * splits a few samples as purely as any other, and shows nothing of the rest. The same shares weigh how far a sample
 * lies beyond the labelled ones. */
static seg_status weigh_columns(seg_context *ctx, const seg_matrix *F, const int16_t *group, const column_sum *sums,
                                samples *taken, seg_forest *f) {
    double total = 0, done = 0;
    size_t e = 0;
    int32_t *drawn = seg_arena_alloc(ctx, taken->arena, DRAWS, sizeof *drawn);
    SEG_TRY(taken->arena->status);
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(f->range, F->cols)));
    for (size_t c = 0; c < F->cols; c++) {
        const column_sum *s = &sums[c];
        const double n = (double)F->rows, mean = (double)s->sum / n;
        const double variance = fmax((double)s->squares / n - mean * mean, 0);
        f->range[c] =
            (seg_forest_range){s->column, INFINITY, -INFINITY, sqrt(variance) * (s->most / UNIT) / f->scale[s->column]};
        total += sqrt(f->range[c].weight);
    }
    for (size_t c = 0; c < F->cols; c++) {
        seg_forest_range *range = &f->range[c];
        const double deviation = range->weight, share = deviation > 0 ? sqrt(deviation) / total : 0;
        for (done += share; e < DRAWS && (double)e < DRAWS * done;)
            drawn[e++] = range->column;
        range->weight = deviation > 0 ? share / deviation : 0;
    }
    for (size_t i = 0; i < F->rows; i++)
        for (size_t c = 0; group[i] >= 0 && c < F->cols; c++) {
            seg_forest_range *range = &f->range[c];
            range->low = fmin(range->low, F->at[i * F->cols + (size_t)range->column]);
            range->high = fmax(range->high, F->at[i * F->cols + (size_t)range->column]);
        }
    taken->list.scale = f->scale;
    if (e > 0) {
        taken->list.drawn = drawn;
        taken->list.draws = e;
    }
    return SEG_OK;
}

/* Order the columns by their sums over all samples, as integers relative to the largest magnitude, so that neither the
 * order of samples and columns nor the scale matters, nor which samples are labelled: one more stroke does not act like
 * another seed. A flipped image has its texture columns in another order. */
static seg_status order_columns(seg_context *ctx, const seg_matrix *F, const int16_t *group, int one_unit,
                                samples *taken, seg_forest *f) {
    SEG_LOCAL(column_sum, sums, seg_alloc_zero(ctx, F->cols, sizeof *sums));
    taken->order = seg_arena_alloc(ctx, taken->arena, F->cols, sizeof *taken->order);
    SEG_TRY(taken->arena->status);
    for (size_t c = 0; c < F->cols; c++)
        sums[c].column = (int32_t)c;
    add_up(F, f, sums);
    qsort(sums, F->cols, sizeof *sums, by_sum);
    for (size_t c = 0; c < F->cols; c++)
        taken->order[c] = sums[c].column;
    taken->list.drawn = taken->order;
    taken->list.draws = F->cols;
    return one_unit ? weigh_columns(ctx, F, group, sums, taken, f) : SEG_OK;
}

typedef struct marked {
    const double *row;
    const samples *all;
    int16_t group;
} marked;

static int by_features(const void *x, const void *y) {
    const marked *p = x, *q = y;
    for (size_t c = 0; c < p->all->list.columns; c++) {
        const double a = p->row[p->all->order[c]], b = q->row[p->all->order[c]];
        SEG_ORDER_BY(a, b);
    }
    return p->group - q->group;
}

/* Take the labelled samples, evenly thinned to `most` in lexicographic order of their features; store by column. */
static seg_status take_samples(seg_context *ctx, const seg_matrix *F, const int16_t *group,
                               const seg_forest_options *options, seg_forest *f, samples *taken) {
    const size_t most = options->samples ? options->samples : MOST_SAMPLES;
    size_t all = 0, found = 0;
    for (size_t i = 0; i < F->rows; i++)
        all += group[i] >= 0;
    if (all == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "nothing is marked for the forest to learn from");
    const size_t count = all < most ? all : most;
    SEG_LOCAL(marked, list, seg_alloc(ctx, all, sizeof *list));
    taken->value = seg_arena_alloc(ctx, taken->arena, count, F->cols * sizeof *taken->value);
    taken->group = seg_arena_alloc(ctx, taken->arena, count, sizeof *taken->group);
    SEG_TRY(taken->arena->status);
    SEG_TRY(choose_scales(ctx, F, group, f));
    taken->list = (seg_samples){count, F->cols, f->groups, taken->value, taken->group};
    SEG_TRY(order_columns(ctx, F, group, options->one_unit, taken, f));
    for (size_t i = 0; i < F->rows; i++)
        if (group[i] >= 0)
            list[found++] = (marked){F->at + i * F->cols, taken, group[i]};
    if (count < all)
        qsort(list, all, sizeof *list, by_features);
    for (size_t m = 0; m < count; m++) {
        const marked *own = &list[m * all / count];
        for (size_t c = 0; c < F->cols; c++)
            taken->value[c * count + m] = narrow(own->row[c], f->scale[c]);
        taken->group[m] = own->group;
    }
    return SEG_OK;
}

typedef struct growing {
    const seg_samples *samples;
    seg_tree *tree;
    uint64_t seed;
    int candidates;
    int32_t *order;       /* m per worker */
    seg_tree_span *stack; /* m + 1 per worker */
} growing;

static void grow_trees(void *arg, size_t first, size_t last, int worker) {
    const growing *g = arg;
    const size_t m = g->samples->count, own = (size_t)worker;
    for (size_t t = first; t < last; t++) {
        seg_random random = seg_random_seeded(g->seed, FOREST_STREAM + (uint64_t)t);
        seg_tree_grow(g->samples, g->candidates, seg_random_bits(&random), g->order + own * m, g->stack + own * (m + 1),
                      g->tree + t);
    }
}

/* Everything is allocated before the loop: memory is then counted, and threads of the loop cannot report a failure. */
static seg_status grow(seg_context *ctx, const seg_samples *list, int candidates, const seg_forest *f) {
    const size_t m = list->count, workers = (size_t)seg_threads(ctx);
    SEG_LOCAL(int32_t, order, seg_alloc(ctx, workers, m * sizeof *order));
    SEG_LOCAL(seg_tree_span, stack, seg_alloc(ctx, workers, (m + 1) * sizeof *stack));
    for (int t = 0; t < f->trees; t++) {
        seg_tree *tree = f->tree + t;
        SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(tree->node, 2 * m - 1), SEG_TABLE(tree->vote, m, (size_t)f->groups)));
    }
    return seg_parallel_polled(ctx, (size_t)f->trees, 1, grow_trees,
                               &(growing){list, f->tree, ctx->seed, candidates, order, stack});
}

seg_status seg_forest_grow(seg_context *ctx, const seg_matrix *F, const int16_t *group, int groups,
                           const seg_forest_options *options, seg_forest *out) {
    const int candidates = options->candidates ? options->candidates : (int)ceil(sqrt((double)F->cols));
    SEG_RELEASED(seg_arena_free) seg_arena arena = {0};
    samples taken = {.arena = &arena};
    SEG_RELEASED(seg_forest_free) seg_forest made = {.trees = options->trees, .groups = groups, .columns = F->cols};
    memset(out, 0, sizeof *out);
    SEG_TRY(take_samples(ctx, F, group, options, &made, &taken));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(made.tree, (size_t)made.trees)));
    SEG_TRY(grow(ctx, &taken.list, candidates, &made));
    return SEG_HANDED_OVER(out, made);
}

void seg_forest_free(seg_forest *forest) {
    for (int t = 0; forest->tree && t < forest->trees; t++)
        free(forest->tree[t].node);
    SEG_CLEAR(forest, forest->tree, forest->scale, forest->range);
}

typedef struct classifying {
    const seg_forest *f;
    const seg_matrix *F;
    double floor;
    float *rows;
    seg_matrix *P;
} classifying;

/* Votes of trees that agree say nothing of a sample unlike any labelled one: they fade with its mean distance beyond
 * the ranges of the labelled samples, in standard deviations of the columns. */
static void fade(const seg_forest_range *range, const seg_matrix *F, size_t i, seg_matrix *P) {
    double beyond = 0;
    for (size_t c = 0; c < F->cols; c++) {
        const double value = F->at[i * F->cols + (size_t)range[c].column];
        beyond += range[c].weight * fmax(0, fmax(range[c].low - value, value - range[c].high));
    }
    const double far = beyond / UNLIKE, share = 1 / (1 + far * far * far);
    for (double *p = P->at + i * P->cols; p < P->at + (i + 1) * P->cols; p++)
        *p = share * *p + (1 - share) / (double)P->cols;
}

static void classify(void *arg, size_t from, size_t to, SEG_UNUSED int worker) {
    const classifying *c = arg;
    const seg_forest *f = c->f;
    const seg_matrix *F = c->F;
    seg_matrix *P = c->P;
    const size_t d = F->cols, k = P->cols;
    const double total = f->trees + c->floor * f->trees * (double)k;
    float *row = c->rows + from * d;
    for (size_t i = from; i < to; i++, row += d)
        for (size_t j = 0; j < d; j++)
            row[j] = narrow(F->at[i * d + j], f->scale[j]);
    for (size_t i = from * k; i < to * k; i++)
        P->at[i] = c->floor * f->trees;
    for (int t = 0; t < f->trees; t++) /* one tree at a time, which stays in the cache */
        for (size_t i = from; i < to; i++) {
            const float *vote = seg_tree_vote(f->tree + t, (int)k, c->rows + i * d);
            for (size_t g = 0; g < k; g++)
                P->at[i * k + g] += vote[g];
        }
    for (size_t i = from * k; i < to * k; i++)
        P->at[i] /= total;
    for (size_t i = from; f->range && i < to; i++)
        fade(f->range, F, i, P);
}

seg_status seg_forest_votes(seg_context *ctx, const seg_forest *forest, const seg_matrix *F, double floor,
                            seg_matrix *P) {
    SEG_RELEASED(seg_matrix_free) seg_matrix made = {0};
    memset(P, 0, sizeof *P);
    SEG_LOCAL(float, rows, seg_alloc(ctx, F->rows, F->cols * sizeof *rows));
    SEG_TRY(seg_matrix_create(ctx, F->rows, (size_t)forest->groups, &made));
    SEG_TRY(seg_poll(ctx));
    SEG_TRY(seg_parallel_polled(ctx, F->rows, BLOCK, classify, &(classifying){forest, F, floor, rows, &made}));
    return SEG_HANDED_OVER(P, made);
}

seg_status seg_forest_posterior(seg_context *ctx, const seg_matrix *F, const int16_t *group, int groups,
                                const seg_forest_options *options, seg_matrix *P) {
    SEG_RELEASED(seg_forest_free) seg_forest forest = {0};
    memset(P, 0, sizeof *P);
    SEG_TRY(seg_forest_grow(ctx, F, group, groups, options, &forest));
    return seg_forest_votes(ctx, &forest, F, options->floor, P);
}
