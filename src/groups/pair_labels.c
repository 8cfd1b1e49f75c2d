#include "groups/pair_labels.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void seg_pair_labels_free(seg_pair_labels *l) {
    seg_neighbourhoods_free(&l->near);
    seg_matrix_free(&l->rows);
    free(l->sample);
    free(l->cost);
    free(l->centre);
    free(l->label);
    free(l->best);
    free(l->kept);
    free(l->size);
}

seg_status seg_pair_labels_create(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z,
                                  seg_pair_labels *l) {
    const seg_constraints *given = problem->constraints;
    const size_t k = (size_t)problem->k, r = Z->cols;
    memset(l, 0, sizeof *l);
    l->k = k;
    int32_t *number = seg_alloc_zero(ctx, problem->n, sizeof *number);
    seg_status status = number ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t p = 0; !status && p < given->pairs; p++)
        number[given->pair[p].i] = number[given->pair[p].j] = 1;
    l->sample = seg_alloc(ctx, problem->n, sizeof *l->sample);
    if (!l->sample)
        status = SEG_ERR_MEMORY;
    for (size_t i = 0; !status && i < problem->n; i++)
        if (number[i]) {
            number[i] = (int32_t)l->count;
            l->sample[l->count++] = i;
        }
    l->cost = seg_alloc(ctx, l->count * k, sizeof *l->cost);
    l->centre = seg_alloc(ctx, k * r, sizeof *l->centre);
    l->label = seg_alloc(ctx, l->count, sizeof *l->label);
    l->best = seg_alloc(ctx, l->count, sizeof *l->best);
    l->kept = seg_alloc(ctx, l->count, sizeof *l->kept);
    l->size = seg_alloc(ctx, k, sizeof *l->size);
    if (!l->cost || !l->centre || !l->label || !l->best || !l->kept || !l->size)
        status = SEG_ERR_MEMORY;
    if (status || (status = seg_matrix_create(ctx, l->count, r, &l->rows)) != SEG_OK ||
        (status = seg_neighbourhoods_create(ctx, given, &l->near)) != SEG_OK)
        goto done;
    for (size_t c = 0; c < l->count; c++)
        memcpy(l->rows.at + c * r, Z->at + l->sample[c] * r, r * sizeof *Z->at);
    for (size_t m = 0; m < l->near.start[l->near.count]; m++)
        l->near.member[m] = number[l->near.member[m]];
done:
    free(number);
    return status;
}

void seg_pair_labels_count_sizes(seg_pair_labels *l) {
    memset(l->size, 0, l->k * sizeof *l->size);
    for (size_t c = 0; c < l->count; c++)
        l->size[l->label[c]]++;
}

double seg_pair_labels_cost(const seg_pair_labels *l, int32_t which, int32_t c, double apart) {
    const seg_neighbourhoods *f = &l->near;
    double sum = 0;
    for (size_t m = f->start[which]; m < f->start[which + 1]; m++)
        sum += l->cost[(size_t)f->member[m] * l->k + (size_t)c];
    for (size_t e = f->cannot_start[which]; e < f->cannot_start[which + 1]; e++)
        sum += seg_pair_labels_of(l, f->cannot[e]) == c ? apart * f->apart[e] : 0;
    return sum;
}

static void put(seg_pair_labels *l, int32_t which, int32_t c) {
    const size_t samples = seg_neighbourhood_size(&l->near, which);
    l->size[seg_pair_labels_of(l, which)] -= samples;
    l->size[c] += samples;
    for (size_t m = l->near.start[which]; m < l->near.start[which + 1]; m++)
        l->label[l->near.member[m]] = c;
}

/* Move each neighbourhood to where it costs least, unless that leaves a cluster empty. @return whether any moved */
static int sweep(seg_pair_labels *l, double apart) {
    int moved = 0;
    for (int32_t which = 0; which < l->near.count; which++) {
        const size_t samples = seg_neighbourhood_size(&l->near, which);
        const int32_t from = seg_pair_labels_of(l, which);
        int32_t to = from;
        double least = seg_pair_labels_cost(l, which, from, apart);
        for (int32_t c = 0; c < (int32_t)l->k && l->size[from] > samples; c++) {
            const double value = seg_pair_labels_cost(l, which, c, apart);
            if (value < least) {
                least = value;
                to = c;
            }
        }
        put(l, which, to);
        moved |= to != from;
    }
    return moved;
}

/* Move two neighbourhoods, with a cannot-link of weight `link` between them, to where they cost least together. If each
 * has the label of the other, neither can move alone without breaking the link. @return whether they moved */
static int move_two(seg_pair_labels *l, double apart, double link, int32_t p, int32_t q) {
    const int32_t from_p = seg_pair_labels_of(l, p), from_q = seg_pair_labels_of(l, q);
    int32_t to_p = from_p, to_q = from_q;
    double least = INFINITY;
    for (int32_t a = 0; a < (int32_t)l->k; a++) {
        put(l, p, a);
        for (int32_t b = 0; b < (int32_t)l->k; b++) {
            put(l, q, b); /* a broken link is in both costs, and must count once */
            const int kept = l->size[from_p] > 0 && l->size[from_q] > 0;
            const double value = seg_pair_labels_cost(l, p, a, apart) + seg_pair_labels_cost(l, q, b, apart) -
                                 (a == b ? apart * link : 0);
            if (kept && (value < least || (value == least && a == from_p && b == from_q))) {
                least = value;
                to_p = a;
                to_q = b;
            }
        }
    }
    put(l, p, to_p);
    put(l, q, to_q);
    return to_p != from_p || to_q != from_q;
}

double seg_pair_labels_total(const seg_pair_labels *l, double apart) {
    double total = 0;
    for (int32_t which = 0; which < l->near.count; which++) /* both ends count a broken link */
        total += seg_pair_labels_cost(l, which, seg_pair_labels_of(l, which), apart / 2);
    return total;
}

int seg_pair_labels_move(seg_pair_labels *l, double apart) {
    int moved = sweep(l, apart);
    for (int32_t p = 0; p < l->near.count; p++)
        for (size_t e = l->near.cannot_start[p]; e < l->near.cannot_start[p + 1]; e++)
            if (p < l->near.cannot[e])
                moved |= move_two(l, apart, l->near.apart[e], p, l->near.cannot[e]);
    return moved;
}
