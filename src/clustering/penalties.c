#include "clustering/penalties.h"

#include "base/base.h"
#include "clustering/listed_pairs.h"

#include <stdlib.h>
#include <string.h>

/* The listed pairs, without those that the groups imply. */
static seg_status list_pairs(seg_context *ctx, const seg_constraints *constraints, seg_penalties *out) {
    const int32_t *of = out->f->of, groups = out->f->groups;
    SEG_FREED seg_pair *pair = seg_alloc(ctx, constraints->pairs, sizeof *pair);
    seg_constraints kept = {.n = out->n, .pair = pair};
    for (size_t p = 0; p < constraints->pairs && pair; p++)
        if (of[constraints->pair[p].i] >= groups || of[constraints->pair[p].j] >= groups)
            pair[kept.pairs++] = constraints->pair[p];
    return pair ? seg_pairs_by_sample(ctx, &kept, 1, &out->pairs) : SEG_ERR_MEMORY;
}

seg_status seg_penalties_create(seg_context *ctx, const seg_constraints *constraints,
                                const seg_neighbourhoods *neighbourhoods, int k, int closure, seg_penalties *out) {
    *out = (seg_penalties){.ctx = ctx,
                           .f = neighbourhoods,
                           .n = neighbourhoods->n,
                           .k = (size_t)k,
                           .counted = closure ? neighbourhoods->count : neighbourhoods->groups};
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->label, out->n), SEG_TABLE(out->count, (size_t)out->counted, out->k),
                             SEG_ARRAY(out->grouped, out->k)));
    if (!closure)
        SEG_TRY(list_pairs(ctx, constraints, out));
    seg_penalties_clear(out);
    return SEG_OK;
}

void seg_penalties_free(seg_penalties *penalties) {
    free(penalties->label);
    seg_csr_free(&penalties->pairs);
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
    if (!p->pairs.start)
        return;
    for (size_t e = p->pairs.start[sample]; e < p->pairs.start[sample + 1]; e++) {
        const int32_t at = p->label[p->pairs.column[e]];
        if (at < 0)
            continue;
        if (p->pairs.value[e] < 0)
            row[at] -= p->pairs.value[e];
        else
            for (size_t h = 0; h < p->k; h++)
                row[h] += h == (size_t)at ? 0 : p->pairs.value[e];
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
    for (size_t m = f->start[which]; p->pairs.start && m < f->start[which + 1]; m++)
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
    for (size_t i = 0; p->pairs.start && i < p->n; i++)
        for (size_t e = p->pairs.start[i]; e < p->pairs.start[i + 1]; e++) {
            const int32_t j = p->pairs.column[e];
            if ((size_t)j > i && p->label[i] >= 0 && p->label[j] >= 0 &&
                (p->label[i] == p->label[j]) == (p->pairs.value[e] < 0))
                total += p->pairs.value[e] < 0 ? -p->pairs.value[e] : p->pairs.value[e];
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
    if (p->pairs.start)
        constraints += (double)p->pairs.start[p->n] / 2;
    return constraints;
}
