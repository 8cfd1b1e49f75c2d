/* Groups from listed pairs: labels of the samples that pairs name, by a learned kernel. */
#include "groups/groups.h"

#include "base/base.h"
#include "clustering/kmeans.h"
#include "groups/pair_labels.h"
#include "linalg/dense.h"

static void pair_labels_free(seg_pair_labels *l) {
    seg_neighbourhoods_free(&l->near);
    seg_matrix_free(&l->rows);
    SEG_CLEAR(l, l->sample, l->cost);
}

/* Z: n x r, rows of a learned kernel's factor. Free it whatever is returned. */
static seg_status pair_labels_create(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z,
                                     seg_pair_labels *l) {
    const seg_constraints *given = problem->constraints;
    const size_t k = (size_t)problem->k, r = Z->cols;
    memset(l, 0, sizeof *l);
    l->k = k;
    int32_t *number;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(l->sample, problem->n), SEG_ARRAY(number, problem->n)));
    for (size_t p = 0; p < given->pairs; p++)
        number[given->pair[p].i] = number[given->pair[p].j] = 1;
    for (size_t i = 0; i < problem->n; i++)
        if (number[i]) {
            number[i] = (int32_t)l->count;
            l->sample[l->count++] = i;
        }
    const size_t count = l->count;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(l->cost, count, k), SEG_TABLE(l->centre, k, r), SEG_ARRAY(l->size, k),
                             SEG_ARRAY(l->label, count), SEG_ARRAY(l->best, count), SEG_ARRAY(l->kept, count)));
    SEG_TRY(seg_matrix_create(ctx, count, r, &l->rows));
    SEG_TRY(seg_neighbourhoods_create(ctx, given, &l->near));
    for (size_t c = 0; c < l->count; c++)
        memcpy(l->rows.at + c * r, Z->at + l->sample[c] * r, r * sizeof *Z->at);
    seg_rows_to_sphere(count, r, l->rows.at);
    for (size_t m = 0; m < l->near.start[l->near.count]; m++)
        l->near.member[m] = number[l->near.member[m]];
    return SEG_OK;
}

void seg_pair_labels_count(seg_pair_labels *l) {
    memset(l->size, 0, l->k * sizeof *l->size);
    for (size_t c = 0; c < l->count; c++)
        l->size[l->label[c]]++;
}

int32_t seg_pair_label(const seg_pair_labels *l, int32_t which) {
    return l->label[l->near.member[l->near.start[which]]];
}

/* The cost of a neighbourhood in cluster `c`: its samples' costs, and `apart` for each cannot-link that this breaks. */
static double cost_in(const seg_pair_labels *l, int32_t which, int32_t c, double apart) {
    const seg_neighbourhoods *f = &l->near;
    double sum = 0;
    for (size_t m = f->start[which]; m < f->start[which + 1]; m++)
        sum += l->cost[(size_t)f->member[m] * l->k + (size_t)c];
    for (size_t e = f->cannot_start[which]; e < f->cannot_start[which + 1]; e++)
        sum += seg_pair_label(l, f->cannot[e]) == c ? apart * f->apart[e] : 0;
    return sum;
}

static void put(seg_pair_labels *l, int32_t which, int32_t c) {
    const size_t samples = seg_neighbourhood_size(&l->near, which);
    l->size[seg_pair_label(l, which)] -= samples;
    l->size[c] += samples;
    for (size_t m = l->near.start[which]; m < l->near.start[which + 1]; m++)
        l->label[l->near.member[m]] = c;
}

/* Move each neighbourhood to where it costs least, unless that leaves a cluster empty. @return whether any moved */
static int sweep(seg_pair_labels *l, double apart) {
    int moved = 0;
    for (int32_t which = 0; which < l->near.count; which++) {
        const size_t samples = seg_neighbourhood_size(&l->near, which);
        const int32_t from = seg_pair_label(l, which);
        int32_t to = from;
        double least = cost_in(l, which, from, apart);
        for (int32_t c = 0; c < (int32_t)l->k && l->size[from] > samples; c++) {
            const double value = cost_in(l, which, c, apart);
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
    const int32_t from_p = seg_pair_label(l, p), from_q = seg_pair_label(l, q);
    int32_t to_p = from_p, to_q = from_q;
    double least = INFINITY;
    for (int32_t a = 0; a < (int32_t)l->k; a++) {
        put(l, p, a);
        for (int32_t b = 0; b < (int32_t)l->k; b++) {
            put(l, q, b); /* a broken link is in both costs, and must count once */
            const int kept = l->size[from_p] > 0 && l->size[from_q] > 0;
            const double value = cost_in(l, p, a, apart) + cost_in(l, q, b, apart) - (a == b ? apart * link : 0);
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

double seg_pair_labels_cost(const seg_pair_labels *l, double apart) {
    double total = 0;
    for (int32_t which = 0; which < l->near.count; which++) /* both ends count a broken link */
        total += cost_in(l, which, seg_pair_label(l, which), apart / 2);
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

/* ---- Labels by a kernel: k-means on its rows, then neighbourhoods move as in [basu2004active, Sec. 3]. ---- */

#define KERNEL_STREAM 0x2100
#define KERNEL_APART  1.0 /* cost of a broken cannot-link in squared distances on the sphere, which are 4 at most */

static void distances(seg_pair_labels *l) {
    const size_t k = l->k, r = l->rows.cols;
    memset(l->centre, 0, k * r * sizeof *l->centre);
    for (size_t c = 0; c < l->count; c++)
        for (size_t t = 0; t < r; t++)
            l->centre[(size_t)l->label[c] * r + t] +=
                l->rows.at[c * r + t] / (double)(l->size[l->label[c]] ? l->size[l->label[c]] : 1);
    for (size_t c = 0; c < l->count; c++)
        for (size_t a = 0; a < k; a++)
            l->cost[c * k + a] = seg_distance2(r, l->rows.at + c * r, l->centre + a * r);
}

seg_status seg_labels_by_kernel(seg_context *ctx, const seg_problem *problem, int starts, seg_pair_labels *l) {
    double least = INFINITY;
    for (int start = 0; start < starts; start++) {
        const seg_kmeans_options options = {.k = problem->k,
                                            .restarts = problem->restarts,
                                            .iterations = SEG_PAIR_LABELS_ITERATIONS,
                                            .stream = KERNEL_STREAM + (uint64_t)start};
        seg_kmeans_result result;
        SEG_TRY(seg_kmeans(ctx, &l->rows, &options, l->label, l->centre, &result));
        for (int32_t p = 0; p < l->near.count; p++) /* k-means may separate samples that must link: as the first */
            for (size_t m = l->near.start[p] + 1; m < l->near.start[p + 1]; m++)
                l->label[l->near.member[m]] = seg_pair_label(l, p);
        seg_pair_labels_count(l);
        distances(l);
        for (int s = 0; s < SEG_PAIR_LABELS_SWEEPS && seg_pair_labels_move(l, KERNEL_APART); s++)
            distances(l);
        seg_pair_labels_note(l, seg_pair_labels_cost(l, KERNEL_APART), &least, l->best);
    }
    memcpy(l->label, l->best, l->count * sizeof *l->label);
    seg_pair_labels_count(l);
    return SEG_OK;
}

/* ---- The groups. ---- */

#define STARTS 10

seg_status seg_groups_from_pairs(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z,
                                 seg_constraints *out) {
    SEG_RELEASED(pair_labels_free) seg_pair_labels l = {0};
    int found = 0;
    memset(out, 0, sizeof *out);
    SEG_TRY(pair_labels_create(ctx, problem, Z, &l));
    SEG_TRY(seg_constraints_create(ctx, problem->n, out));
    if (l.count < (size_t)problem->k)
        return SEG_OK;
    SEG_TRY(seg_labels_by_vote(ctx, problem, &l, &found));
    if (!found)
        SEG_TRY(seg_labels_by_kernel(ctx, problem, STARTS, &l));
    for (int c = 0; c < problem->k; c++)
        if (l.size[c] == 0)
            return SEG_OK; /* must-links leave fewer neighbourhoods than clusters */
    out->groups = problem->k;
    for (size_t c = 0; c < l.count; c++)
        out->group[l.sample[c]] = (int16_t)l.label[c];
    return SEG_OK;
}
