#include "clustering/linked_samples.h"
#include "base/base.h"
#include "constraints/closed.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

/* A listed pair: of samples, or of neighbourhoods, the same for a must-link in one. */
typedef struct item {
    int32_t row, column;
    double value;
} item;

static int by_place(const void *a, const void *b) {
    const item *x = a, *y = b;
    SEG_ORDER_BY(x->row, y->row);
    SEG_ORDER_BY(x->column, y->column);
    return seg_by_value(&x->value, &y->value); /* so that sums do not depend on the order of the list */
}

/* Number the components: that of a group gets the group's index. */
static seg_status number(seg_context *ctx, const seg_constraints *constraints, const seg_closure *closure,
                         seg_neighbourhoods *out) {
    const size_t n = constraints->n;
    SEG_LOCAL(int32_t, name, seg_alloc(ctx, (size_t)closure->components, sizeof *name));
    memset(name, 0xff, (size_t)closure->components * sizeof *name);
    for (size_t i = 0; out->groups && i < n; i++)
        if (constraints->group[i] >= 0)
            name[closure->component[i]] = constraints->group[i];
    out->count = out->groups;
    for (int c = 0; c < closure->components; c++)
        if (name[c] < 0)
            name[c] = out->count++;
    for (size_t i = 0; i < n; i++)
        out->of[i] = closure->component[i] < 0 ? -1 : name[closure->component[i]];
    return SEG_OK;
}

/* Merge equal bonds into one of their mean weight, at the front of the list. @return their number. Sorting makes the
 * sums independent of the order of the pairs. */
static size_t merge(item *list, size_t count) {
    size_t kept = 0;
    for (size_t from = 0, to; from < count; from = to) {
        double sum = 0;
        for (to = from; to < count && list[to].row == list[from].row && list[to].column == list[from].column; to++)
            sum += list[to].value;
        list[kept] = list[from];
        list[kept++].value = sum / (double)(to - from);
    }
    return kept;
}

static seg_status weigh(seg_context *ctx, const seg_constraints *constraints, seg_neighbourhoods *out) {
    const int32_t groups = out->groups;
    size_t bonds = 0;
    SEG_LOCAL(item, list, seg_alloc(ctx, constraints->pairs, sizeof *list));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->must, (size_t)out->count),
                             SEG_ARRAY(out->cannot_start, (size_t)out->count + 2)));
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        int32_t a = out->of[pair->i], b = out->of[pair->j];
        if (a < groups && b < groups)
            continue; /* the groups imply it */
        list[bonds++] = (item){a < b ? a : b, a < b ? b : a, pair->weight};
    }
    qsort(list, bonds, sizeof *list, by_place);
    bonds = merge(list, bonds);
    for (int32_t f = 0; f < out->count; f++)
        out->must[f] = 1;
    for (size_t e = 0; e < bonds; e++)
        if (list[e].row == list[e].column)
            out->must[list[e].row] = list[e].value;
        else {
            out->cannot_start[list[e].row + 2]++;
            out->cannot_start[list[e].column + 2]++;
        }
    for (int32_t f = 0; f < out->count; f++)
        out->cannot_start[f + 2] += out->cannot_start[f + 1];
    const size_t ends = out->cannot_start[out->count + 1];
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->cannot, ends), SEG_ARRAY(out->apart, ends)));
    for (size_t e = 0; e < bonds; e++)
        for (int side = 0; side < 2 && list[e].row != list[e].column; side++) {
            size_t at = out->cannot_start[(side ? list[e].column : list[e].row) + 1]++;
            out->cannot[at] = side ? list[e].row : list[e].column;
            out->apart[at] = list[e].value;
        }
    return SEG_OK;
}

seg_status seg_neighbourhoods_create(seg_context *ctx, const seg_constraints *constraints, seg_neighbourhoods *out) {
    const seg_closure *closure;
    SEG_RELEASED(seg_closure_free) seg_closure own = {0};
    SEG_RELEASED(seg_neighbourhoods_free)
    seg_neighbourhoods made = {.n = constraints->n, .groups = constraints->groups};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_closure_of(ctx, constraints, &own, &closure));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(made.of, made.n)));
    SEG_TRY(number(ctx, constraints, closure, &made));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(made.start, (size_t)made.count + 1), SEG_ARRAY(made.member, made.n)));
    seg_list_by_key(made.n, made.of, (size_t)made.count, made.start, made.member);
    SEG_TRY(weigh(ctx, constraints, &made));
    return SEG_HANDED_OVER(out, made);
}

void seg_neighbourhoods_free(seg_neighbourhoods *neighbourhoods) {
    SEG_CLEAR(neighbourhoods, neighbourhoods->of, neighbourhoods->start, neighbourhoods->must, neighbourhoods->cannot);
}

/* ---- Which neighbourhoods start the clusters of k-means. ---- */

typedef struct choice {
    const seg_neighbourhoods *f;
    int free_from, k; /* clusters free_from .. k-1 have no start yet */
    char *chosen;     /* count */
    size_t chosen_count;
    int16_t *start;
} choice;

static void take(choice *c, int32_t which, int cluster) {
    const seg_neighbourhoods *f = c->f;
    if (seg_neighbourhood_size(f, which) == 0)
        return;
    for (size_t m = f->start[which]; m < f->start[which + 1]; m++)
        c->start[f->member[m]] = (int16_t)cluster;
    c->chosen[which] = 1;
    c->chosen_count++;
}

static size_t chosen_apart(const choice *c, int32_t which) {
    size_t count = 0;
    for (size_t e = c->f->cannot_start[which]; e < c->f->cannot_start[which + 1]; e++)
        count += c->chosen[c->f->cannot[e]] != 0;
    return count;
}

/* The paper looks for one sample with cannot-links to all chosen neighbourhoods. Here as many as needed are sought,
 * each with cannot-links to those before, as its Explore phase yields. Neighbourhoods of several samples come first. */
static void choose_largest(choice *c, const seg_ranked *list, size_t count) {
    size_t at = 0;
    for (; c->free_from < c->k && at < count && list[at].size > 1; at++)
        take(c, list[at].which, c->free_from++);
    for (int found = 1; found && c->free_from < c->k;) {
        size_t best = 0, most = 0;
        for (size_t e = at; e < count; e++) {
            const int32_t which = list[e].which;
            const size_t cannots = c->f->cannot_start[which + 1] - c->f->cannot_start[which];
            if (!c->chosen[which] && cannots > most && list[e].size == 1 && chosen_apart(c, which) == c->chosen_count) {
                best = e;
                most = cannots;
            }
        }
        found = most > 0;
        if (found)
            take(c, list[best].which, c->free_from++);
    }
}

/* Sum of |x - y|^2 over x in A and y in B is |B| Q_A + |A| Q_B - 2 s_A.s_B, with s the sum and Q the sum of squares. */
typedef struct sums {
    size_t d;
    double *s; /* count x d */
    double *Q; /* count */
} sums;

static double between(const seg_neighbourhoods *f, const sums *u, int32_t a, int32_t b) {
    const double dot = seg_dot(u->d, u->s + (size_t)a * u->d, u->s + (size_t)b * u->d);
    return (double)seg_neighbourhood_size(f, b) * u->Q[a] + (double)seg_neighbourhood_size(f, a) * u->Q[b] - 2 * dot;
}

static seg_status choose_farthest(seg_context *ctx, choice *c, const seg_matrix *X, const seg_ranked *list,
                                  size_t count) {
    const seg_neighbourhoods *f = c->f;
    const size_t d = X->cols, all = (size_t)f->count;
    double *mean, *nearest;
    sums u = {.d = d};
    SEG_LOCAL(double, room, seg_rows_room(ctx, X, 1));
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(mean, d), SEG_TABLE(u.s, all, d), SEG_ARRAY(u.Q, all), SEG_ARRAY(nearest, all));
    seg_rows_scatter(X, room, mean); /* centred, so that fewer digits cancel */
    for (size_t m = 0; m < f->start[f->count]; m++) {
        const double *row = seg_rows_at(X, (size_t)f->member[m], 1, room);
        for (size_t t = 0; t < d; t++) {
            double x = row[t] - mean[t];
            u.s[(size_t)f->of[f->member[m]] * d + t] += x;
            u.Q[f->of[f->member[m]]] += x * x;
        }
    }
    if (count && c->chosen_count == 0 && c->free_from < c->k)
        take(c, list[0].which, c->free_from++);
    for (int32_t a = 0; a < f->count; a++)
        nearest[a] = INFINITY;
    for (int32_t b = 0; b < f->count; b++)
        for (int32_t a = 0; c->chosen[b] && a < f->count; a++)
            nearest[a] = fmin(nearest[a], between(f, &u, a, b));
    while (c->free_from < c->k) {
        int32_t best = -1;
        for (size_t e = 0; e < count; e++)
            if (!c->chosen[list[e].which] && (best < 0 || nearest[list[e].which] > nearest[best]))
                best = list[e].which;
        if (best < 0)
            break;
        take(c, best, c->free_from++);
        for (int32_t a = 0; a < f->count; a++)
            if (!c->chosen[a])
                nearest[a] = fmin(nearest[a], between(f, &u, a, best));
    }
    return SEG_OK;
}

seg_status seg_neighbourhoods_start(seg_context *ctx, const seg_neighbourhoods *f, const seg_matrix *X,
                                    const seg_starts *how, int16_t *start) {
    choice c = {.f = f, .free_from = f->groups, .k = how->k, .start = start};
    SEG_FREED seg_ranked *list = NULL;
    size_t count = 0;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(list, (size_t)f->count), SEG_ARRAY(c.chosen, (size_t)f->count)));
    memset(start, 0xff, f->n * sizeof *start);
    for (int32_t g = 0; g < f->groups; g++)
        take(&c, g, g);
    for (int32_t a = f->groups; a < f->count; a++)
        list[count++] = (seg_ranked){seg_neighbourhood_size(f, a), seg_random_bits(how->random), a};
    qsort(list, count, sizeof *list, seg_by_rank);
    if (how->rule != SEG_START_LARGEST)
        return choose_farthest(ctx, &c, X, list, count);
    choose_largest(&c, list, count);
    return SEG_OK;
}

/* ---- Listed constraints by sample. ---- */

double seg_constraints_given(const seg_constraints *constraints) {
    double grouped = 0;
    for (size_t i = 0; constraints->groups && i < constraints->n; i++)
        grouped += constraints->group[i] >= 0;
    return (double)constraints->pairs + 0.5 * grouped * (grouped - 1);
}

seg_status seg_pairs_by_sample(seg_context *ctx, const seg_constraints *constraints, double unit, seg_csr *out) {
    const size_t n = constraints->n, count = 2 * constraints->pairs;
    SEG_LOCAL(item, items, seg_alloc(ctx, count, sizeof *items));
    SEG_TRY(seg_csr_create(ctx, n, n, count, out));
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        const double value = pair->sign * pair->weight * unit;
        items[2 * p] = (item){pair->i, pair->j, value};
        items[2 * p + 1] = (item){pair->j, pair->i, value};
        out->start[pair->i + 1]++;
        out->start[pair->j + 1]++;
    }
    qsort(items, count, sizeof *items, by_place);
    for (size_t e = 0; e < count; e++) {
        out->column[e] = items[e].column;
        out->value[e] = items[e].value;
    }
    for (size_t i = 0; i < n; i++)
        out->start[i + 1] += out->start[i];
    return SEG_OK;
}
