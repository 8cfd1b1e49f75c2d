#include "clustering/penalties.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static int by_ends(const void *x, const void *y) {
    const seg_pair *p = x, *q = y;
    if (p->i != q->i)
        return p->i < q->i ? -1 : 1;
    if (p->j != q->j)
        return p->j < q->j ? -1 : 1;
    if (p->sign != q->sign)
        return p->sign < q->sign ? -1 : 1;
    return p->weight < q->weight ? -1 : p->weight > q->weight;
}

/* Listed pairs by sample, in one order whatever the order of the list. */
static seg_status list_pairs(seg_context *ctx, const seg_constraints *constraints, seg_penalties *out) {
    const size_t n = out->n;
    const int32_t *of = out->f->of;
    size_t pairs = 0;
    seg_pair *sorted = seg_alloc(ctx, constraints->pairs, sizeof *sorted);
    seg_status status = SEG_ERR_MEMORY;
    out->pair_start = seg_alloc_zero(ctx, n + 2, sizeof *out->pair_start);
    out->pair_other = seg_alloc(ctx, constraints->pairs, 2 * sizeof *out->pair_other);
    out->pair_weight = seg_alloc(ctx, constraints->pairs, 2 * sizeof *out->pair_weight);
    if (!sorted || !out->pair_start || !out->pair_other || !out->pair_weight)
        goto done;
    for (size_t p = 0; p < constraints->pairs; p++) {
        seg_pair pair = constraints->pair[p];
        if (of[pair.i] < out->f->groups && of[pair.j] < out->f->groups)
            continue; /* the groups imply it */
        if (pair.i > pair.j) {
            int32_t swap = pair.i;
            pair.i = pair.j;
            pair.j = swap;
        }
        sorted[pairs++] = pair;
        out->pair_start[pair.i + 2]++;
        out->pair_start[pair.j + 2]++;
    }
    qsort(sorted, pairs, sizeof *sorted, by_ends);
    for (size_t i = 0; i < n; i++)
        out->pair_start[i + 2] += out->pair_start[i + 1];
    for (size_t p = 0; p < pairs; p++)
        for (int side = 0; side < 2; side++) {
            size_t at = out->pair_start[(side ? sorted[p].j : sorted[p].i) + 1]++;
            out->pair_other[at] = side ? sorted[p].i : sorted[p].j;
            out->pair_weight[at] = sorted[p].sign * sorted[p].weight;
        }
    status = SEG_OK;
done:
    free(sorted);
    return status;
}

seg_status seg_penalties_create(seg_context *ctx, const seg_constraints *constraints,
                                const seg_neighbourhoods *neighbourhoods, int k, int closure, seg_penalties *out) {
    *out = (seg_penalties){.ctx = ctx,
                           .f = neighbourhoods,
                           .n = neighbourhoods->n,
                           .k = (size_t)k,
                           .counted = closure ? neighbourhoods->count : neighbourhoods->groups};
    out->label = seg_alloc(ctx, out->n, sizeof *out->label);
    out->count = seg_alloc(ctx, (size_t)out->counted, out->k * sizeof *out->count);
    out->grouped = seg_alloc(ctx, out->k, sizeof *out->grouped);
    seg_status status = out->label && out->count && out->grouped ? SEG_OK : SEG_ERR_MEMORY;
    if (status == SEG_OK && !closure)
        status = list_pairs(ctx, constraints, out);
    if (status == SEG_OK)
        seg_penalties_clear(out);
    else
        seg_penalties_free(out);
    return status;
}

void seg_penalties_free(seg_penalties *penalties) {
    free(penalties->label);
    free(penalties->count);
    free(penalties->grouped);
    free(penalties->pair_start);
    free(penalties->pair_other);
    free(penalties->pair_weight);
    memset(penalties, 0, sizeof *penalties);
}

void seg_penalties_clear(seg_penalties *p) {
    memset(p->label, 0xff, p->n * sizeof *p->label);
    memset(p->count, 0, (size_t)p->counted * p->k * sizeof *p->count);
    memset(p->grouped, 0, p->k * sizeof *p->grouped);
}

void seg_penalties_move(seg_penalties *p, int32_t sample, int32_t to) {
    const int32_t which = p->f->of[sample], from = p->label[sample];
    p->label[sample] = to;
    if (which < 0 || which >= p->counted)
        return;
    uint32_t *count = p->count + (size_t)which * p->k;
    if (from >= 0)
        count[from]--;
    count[to]++;
    if (which < p->f->groups) {
        if (from >= 0)
            p->grouped[from]--;
        p->grouped[to]++;
    }
}

/* Cannot-links from one member of a counted neighbourhood. */
static void add_apart(const seg_penalties *p, int32_t which, double times, double *row) {
    const seg_neighbourhoods *f = p->f;
    const uint32_t *own = p->count + (size_t)which * p->k;
    if (which < f->groups)
        for (size_t h = 0; h < p->k; h++)
            row[h] += times * (double)(p->grouped[h] - own[h]);
    for (size_t e = f->cannot_start[which]; e < f->cannot_start[which + 1]; e++) {
        if (f->cannot[e] >= p->counted)
            continue;
        const uint32_t *other = p->count + (size_t)f->cannot[e] * p->k;
        for (size_t h = 0; h < p->k; h++)
            row[h] += times * f->apart[e] * (double)other[h];
    }
}

static void add_pairs(const seg_penalties *p, int32_t sample, double *row) {
    if (!p->pair_start)
        return;
    for (size_t e = p->pair_start[sample]; e < p->pair_start[sample + 1]; e++) {
        const int32_t at = p->label[p->pair_other[e]];
        if (at < 0)
            continue;
        if (p->pair_weight[e] < 0)
            row[at] -= p->pair_weight[e];
        else
            for (size_t h = 0; h < p->k; h++)
                row[h] += h == (size_t)at ? 0 : p->pair_weight[e];
    }
}

void seg_penalties_of_sample(const seg_penalties *p, int32_t sample, double *row) {
    const int32_t which = p->f->of[sample];
    memset(row, 0, p->k * sizeof *row);
    if (which >= 0 && which < p->counted) {
        const uint32_t *own = p->count + (size_t)which * p->k;
        double others = 0;
        for (size_t h = 0; h < p->k; h++)
            others += (double)own[h] - ((size_t)p->label[sample] == h);
        for (size_t h = 0; h < p->k; h++)
            row[h] += p->f->must[which] * (others - ((double)own[h] - ((size_t)p->label[sample] == h)));
        add_apart(p, which, 1, row);
    }
    add_pairs(p, sample, row);
}

void seg_penalties_of_neighbourhood(const seg_penalties *p, int32_t which, double *row) {
    const seg_neighbourhoods *f = p->f;
    memset(row, 0, p->k * sizeof *row);
    add_apart(p, which, (double)seg_neighbourhood_size(f, which), row);
    for (size_t m = f->start[which]; p->pair_start && m < f->start[which + 1]; m++)
        add_pairs(p, f->member[m], row);
}

static double pairs_of(double samples) {
    return samples * (samples - 1) / 2;
}

double seg_penalties_total(const seg_penalties *p) {
    const seg_neighbourhoods *f = p->f;
    double total = 0;
    for (size_t h = 0; h < p->k; h++)
        total += pairs_of(p->grouped[h]);
    for (int32_t a = 0; a < p->counted; a++) {
        const uint32_t *own = p->count + (size_t)a * p->k;
        double members = 0, together = 0;
        for (size_t h = 0; h < p->k; h++) {
            members += own[h];
            together += pairs_of(own[h]);
        }
        total += f->must[a] * (pairs_of(members) - together);
        if (a < f->groups)
            total -= together; /* of one group: no cannot-links */
        for (size_t e = f->cannot_start[a]; e < f->cannot_start[a + 1]; e++) {
            if (f->cannot[e] >= p->counted || f->cannot[e] < a)
                continue;
            const uint32_t *other = p->count + (size_t)f->cannot[e] * p->k;
            for (size_t h = 0; h < p->k; h++)
                total += f->apart[e] * (double)own[h] * (double)other[h];
        }
    }
    for (size_t i = 0; p->pair_start && i < p->n; i++)
        for (size_t e = p->pair_start[i]; e < p->pair_start[i + 1]; e++) {
            const int32_t j = p->pair_other[e];
            if ((size_t)j > i && p->label[i] >= 0 && p->label[j] >= 0 &&
                (p->label[i] == p->label[j]) == (p->pair_weight[e] < 0))
                total += p->pair_weight[e] < 0 ? -p->pair_weight[e] : p->pair_weight[e];
        }
    return total;
}

double seg_penalties_constraints(const seg_penalties *p) {
    const seg_neighbourhoods *f = p->f;
    double constraints = 0, grouped = 0;
    for (int32_t a = 0; a < p->counted; a++) {
        const double size = (double)seg_neighbourhood_size(f, a);
        constraints += pairs_of(size);
        if (a < f->groups) {
            constraints += size * grouped;
            grouped += size;
        }
        for (size_t e = f->cannot_start[a]; e < f->cannot_start[a + 1]; e++)
            if (f->cannot[e] > a && f->cannot[e] < p->counted)
                constraints += size * (double)seg_neighbourhood_size(f, f->cannot[e]);
    }
    if (p->pair_start)
        constraints += (double)p->pair_start[p->n] / 2;
    return constraints;
}
