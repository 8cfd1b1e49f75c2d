#include "clustering/pckmeans_step.h"
#include "base/base.h"
#include "clustering/link_labels.h"
#include "linalg/dense.h"

#define POLL_EVERY   8192  /* samples between two cancellation checks */
#define PERTURBATION 0.1   /* perturbation of the mean in units of the standard deviation */
#define SAME         1e-12 /* relative difference of penalties that counts as rounding */

/* ---- Penalties. ---- */

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

/* Reset all labels to -1. */
static void penalties_clear(seg_penalties *p) {
    memset(p->label, 0xff, p->n * sizeof *p->label);
    memset(p->count, 0, (size_t)p->counted * p->k * sizeof *p->count);
    memset(p->grouped, 0, p->k * sizeof *p->grouped);
}

seg_status seg_penalties_create(seg_context *ctx, const seg_constraints *constraints,
                                const seg_neighbourhoods *neighbourhoods, int k, int closure, seg_penalties *out) {
    *out = (seg_penalties){.f = neighbourhoods,
                           .n = neighbourhoods->n,
                           .k = (size_t)k,
                           .counted = closure ? neighbourhoods->count : neighbourhoods->groups};
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->label, out->n), SEG_TABLE(out->count, (size_t)out->counted, out->k),
                             SEG_ARRAY(out->grouped, out->k)));
    if (!closure)
        SEG_TRY(list_pairs(ctx, constraints, out));
    penalties_clear(out);
    return SEG_OK;
}

void seg_penalties_free(seg_penalties *penalties) {
    seg_csr_free(&penalties->pairs);
    SEG_CLEAR(penalties, penalties->label);
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

/* Add `times` the penalties of the cannot-links of one member of a counted neighbourhood. */
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
            total -= together; /* no cannot-links within a group */
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

/* ---- Steps. ---- */

/* Mean squared distance between two rows: twice the mean squared distance to their mean. */
static double mean_distance2(const seg_lloyd *lloyd) {
    const double sum = seg_rows_scatter(&lloyd->x, lloyd->room, lloyd->centre); /* which is not in use yet */
    return lloyd->n > 1 ? 2 * sum / (double)(lloyd->n - 1) : 0;
}

static double weight_of_one(const seg_pck *pck) {
    const seg_pckmeans_options *options = pck->problem->soft;
    const double count =
        options->given ? seg_constraints_given(pck->problem->constraints) : seg_penalties_constraints(&pck->penalties);
    double unit = 1;
    if (options->kind != SEG_PCKMEANS_SOFT)
        return options->kind == SEG_PCKMEANS_HARD ? INFINITY : 0;
    if (options->unit == SEG_PCKMEANS_DISTANCE)
        unit = mean_distance2(&pck->lloyd);
    else if (options->unit != SEG_PCKMEANS_ONE)
        unit = (double)pck->lloyd.n / ((double)options->k * fmax(count, 1));
    if (options->unit == SEG_PCKMEANS_SPREAD) /* the variance over n - 1 is half the mean squared distance */
        unit *= 0.5 * mean_distance2(&pck->lloyd) / (double)pck->lloyd.d;
    return options->w * unit;
}

/* List the samples in constraints and the neighbourhoods by index. */
static void set_order(seg_pck *pck) {
    pck->samples = 0;
    for (size_t i = 0; i < pck->lloyd.n; i++)
        if (pck->f->of[i] >= 0)
            pck->sample[pck->samples++] = (int32_t)i;
    for (int32_t a = 0; a < pck->f->count; a++)
        pck->neighbourhood[a] = a;
}

static seg_status add_constraints(const seg_pck_problem *problem, seg_pck *out) {
    const seg_pckmeans_options *options = problem->soft;
    const size_t n = problem->X->rows, k = out->lloyd.k;
    SEG_TRY(seg_penalties_create(out->ctx, problem->constraints, problem->f, options->k,
                                 options->closure || options->kind == SEG_PCKMEANS_HARD, &out->penalties));
    SEG_TRY(SEG_ALLOC_ARRAYS(out->ctx, SEG_ARRAY(out->start, n), SEG_ARRAY(out->hold, n), SEG_ARRAY(out->sample, n),
                             SEG_ARRAY(out->neighbourhood, (size_t)problem->f->count), SEG_ARRAY(out->distance, k),
                             SEG_ARRAY(out->penalty, k)));
    if ((double)n * (double)k * (double)problem->X->cols < SEG_PCK_SMALL_WORK)
        out->lloyd.threads = 1;
    out->w = weight_of_one(out);
    out->follow = out->w > 0;
    return SEG_OK;
}

seg_status seg_pck_create(seg_context *ctx, const seg_pck_problem *problem, const seg_lloyd *like, seg_pck *out) {
    *out = (seg_pck){.ctx = ctx, .problem = problem, .f = problem->f};
    SEG_TRY(seg_lloyd_create(ctx, problem->X, &problem->plain, like, &out->lloyd));
    return problem->soft ? add_constraints(problem, out) : SEG_OK;
}

void seg_pck_free(seg_pck *pck) {
    seg_lloyd_free(&pck->lloyd);
    seg_penalties_free(&pck->penalties);
    SEG_CLEAR(pck, pck->start);
}

static void shuffle(seg_random *random, int32_t *list, size_t count) {
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)seg_random_below(random, i);
        SEG_SWAP(int32_t, list[i - 1], list[j]);
    }
}

/* Start clusters without a neighbourhood at random perturbations of the mean of all rows. */
static seg_status perturb(seg_pck *pck, seg_random *random) {
    const seg_lloyd *lloyd = &pck->lloyd;
    const size_t n = lloyd->n, d = lloyd->d, k = lloyd->k;
    double *mean, *square;
    char *started;
    SEG_LOCAL_ARRAYS(pck->ctx, SEG_ARRAY(mean, d), SEG_ARRAY(square, d), SEG_ARRAY(started, k));
    seg_rows_scatter(&lloyd->x, lloyd->room, mean);
    for (size_t i = 0; i < n; i++) {
        const double *x = seg_lloyd_row(lloyd, i);
        if (pck->start[i] >= 0)
            started[pck->start[i]] = 1;
        for (size_t t = 0; t < d; t++)
            square[t] += (x[t] - mean[t]) * (x[t] - mean[t]) / (double)n;
    }
    for (size_t c = 0; c < k; c++) {
        for (size_t t = 0; !started[c] && t < d; t++)
            lloyd->centre[c * d + t] = mean[t] + PERTURBATION * sqrt(square[t]) * seg_random_normal(random);
        if (lloyd->cosine && !started[c] && !seg_sphere_centre(d, lloyd->centre + c * d))
            memcpy(lloyd->centre + c * d, seg_lloyd_row(lloyd, 0),
                   d * sizeof *lloyd->centre); /* all rows are equal or opposite */
    }
    return SEG_OK;
}

/* Add the squared distances of a sample to all centres to `row`. */
static void add_distances(const seg_lloyd *lloyd, int32_t sample, double *row) {
    const double *x = seg_lloyd_row(lloyd, (size_t)sample);
    for (size_t c = 0; c < lloyd->k; c++)
        row[c] += seg_distance2(lloyd->d, x, lloyd->centre + c * lloyd->d);
}

/* With hard constraints, start from an assignment that breaks none. */
static seg_status keep_all(seg_pck *pck) {
    const seg_neighbourhoods *f = pck->f;
    const size_t k = pck->lloyd.k;
    SEG_FREED double *cost = NULL;
    int32_t *label;
    SEG_TRY(SEG_ALLOC_ARRAYS(pck->ctx, SEG_TABLE(cost, (size_t)f->count, k), SEG_ARRAY(label, (size_t)f->count)));
    for (size_t m = 0; m < f->start[f->count]; m++)
        add_distances(&pck->lloyd, f->member[m], cost + (size_t)f->of[f->member[m]] * k);
    SEG_TRY(seg_feasible_labels(pck->ctx, f, pck->problem->soft->k, cost, pck->neighbourhood, label));
    for (size_t m = 0; m < f->start[f->count]; m++)
        seg_penalties_move(&pck->penalties, f->member[m], label[f->of[f->member[m]]]);
    return SEG_OK;
}

/* ---- COP-KMeans as printed [wagstaff2001cop, Table 1]. ---- */

/* Start at k different rows drawn at random. */
static void draw_starts(seg_lloyd *lloyd, seg_random *random) {
    for (size_t c = 0, earlier; c < lloyd->k; c++) {
        do { /* size: the rows drawn so far; k <= n */
            lloyd->size[c] = seg_random_below(random, lloyd->n);
            for (earlier = 0; earlier < c && lloyd->size[earlier] != lloyd->size[c]; earlier++)
                ;
        } while (earlier < c);
        memcpy(lloyd->centre + c * lloyd->d, seg_lloyd_row(lloyd, lloyd->size[c]), lloyd->d * sizeof *lloyd->centre);
    }
}

/* Whether the cluster already contains a neighbourhood that has a cannot-link to `which`; groups are not listed. */
static int breaks(const seg_neighbourhoods *f, const int32_t *placed, int32_t which, size_t cluster) {
    int broken = 0;
    for (size_t e = f->cannot_start[which]; e < f->cannot_start[which + 1]; e++)
        broken |= placed[f->cannot[e]] == (int32_t)cluster;
    for (int32_t group = 0; which < f->groups && group < f->groups; group++)
        broken |= placed[group] == (int32_t)cluster;
    return broken;
}

/* Assign each row, in the order of the table, to the nearest centre at which it breaks no constraint (of the closure)
 * with the rows before it. SEG_ERR_USAGE, without a message, where pck->dead_end finds none. */
static seg_status assign_in_order(seg_pck *pck, size_t *changed) {
    seg_lloyd *lloyd = &pck->lloyd;
    int32_t *placed = pck->neighbourhood; /* cluster of each neighbourhood in this step, -1 none yet */
    memset(placed, 0xff, (size_t)pck->f->count * sizeof *placed);
    for (size_t i = 0; i < lloyd->n; i++) {
        const int32_t which = pck->f->of[i];
        int32_t best = which >= 0 ? placed[which] : -1;
        double least = INFINITY;
        memset(pck->distance, 0, lloyd->k * sizeof *pck->distance);
        if (best < 0)
            add_distances(lloyd, (int32_t)i, pck->distance);
        for (size_t c = 0; c < lloyd->k && (which < 0 || placed[which] < 0); c++)
            if (pck->distance[c] < least && (which < 0 || !breaks(pck->f, placed, which, c))) {
                least = pck->distance[c];
                best = (int32_t)c;
            }
        pck->dead_end = i;
        if (best < 0)
            return SEG_ERR_USAGE;
        if (which >= 0)
            placed[which] = best;
        *changed += lloyd->label[i] != best;
        lloyd->label[i] = best;
    }
    lloyd->summed = 0;
    return SEG_OK;
}

seg_status seg_pck_begin(seg_pck *pck, seg_random *random) {
    const seg_pckmeans_options *options = pck->problem->soft;
    const size_t n = pck->lloyd.n;
    seg_lloyd *lloyd = &pck->lloyd;
    if (options && options->printed) {
        draw_starts(lloyd, random);
        seg_lloyd_begin(lloyd);
        return SEG_OK;
    }
    if (options && !options->label)
        SEG_TRY(seg_neighbourhoods_start(pck->ctx, pck->f, pck->problem->X,
                                         &(seg_starts){options->k, options->start, random}, pck->start));
    for (size_t i = 0; options && options->label && i < n; i++)
        pck->start[i] = (int16_t)options->label[i];
    if (options)
        lloyd->group = pck->start;
    seg_kmeans_seed(lloyd, random);
    if (options && options->perturbed)
        SEG_TRY(perturb(pck, random));
    for (size_t i = 0; options && i < n; i++)
        pck->hold[i] = options->kind == SEG_PCKMEANS_CONSTRAINED ? pck->start[i] : -1;
    if (options)
        lloyd->group = pck->hold;
    if (pck->follow) {
        set_order(pck); /* not the order of the previous run: a run depends on its stream only */
        shuffle(random, pck->sample, pck->samples);
        shuffle(random, pck->neighbourhood, (size_t)pck->f->count);
        penalties_clear(&pck->penalties);
        if (options->kind == SEG_PCKMEANS_HARD)
            SEG_TRY(keep_all(pck));
        for (size_t i = 0; options->kind != SEG_PCKMEANS_HARD && i < n; i++)
            if (pck->start[i] >= 0)
                seg_penalties_move(&pck->penalties, (int32_t)i, pck->start[i]);
    }
    seg_lloyd_begin(lloyd);
    return SEG_OK;
}

/* The cheapest cluster; the sample's own if none is strictly cheaper. The least penalty is subtracted from all first,
 * so that the distances keep their digits beside a large w. */
static int32_t choose(const seg_pck *pck, int32_t own) {
    const size_t k = pck->lloyd.k;
    double least = INFINITY, most = 0, best_cost = INFINITY;
    int32_t best = -1;
    for (size_t h = 0; h < k; h++) {
        least = fmin(least, pck->penalty[h]);
        most = fmax(most, pck->penalty[h]);
    }
    for (size_t h = 0; h < k; h++) {
        const double excess = pck->penalty[h] - least;
        const double cost =
            pck->problem->soft->distortion * pck->distance[h] + (excess > SAME * most ? pck->w * excess : 0);
        if (best < 0 || cost < best_cost || (cost == best_cost && (int32_t)h == own)) {
            best = (int32_t)h;
            best_cost = cost;
        }
    }
    return best;
}

/* Move samples of one cluster, whose penalties are known, to the cheapest one. @return whether it is another */
static size_t move(seg_pck *pck, const int32_t *sample, size_t count) {
    const int32_t own = pck->penalties.label[*sample];
    memset(pck->distance, 0, pck->lloyd.k * sizeof *pck->distance);
    for (size_t m = 0; m < count; m++)
        add_distances(&pck->lloyd, sample[m], pck->distance);
    const int32_t to = choose(pck, own);
    for (size_t m = 0; to != own && m < count; m++)
        seg_penalties_move(&pck->penalties, sample[m], to);
    return to != own;
}

/* Move a neighbourhood with all members in one cluster, or none: with a large w, single samples cannot leave it. */
static size_t move_neighbourhood(seg_pck *pck, int32_t which) {
    const seg_neighbourhoods *f = pck->f;
    const size_t from = f->start[which], to = f->start[which + 1];
    if (which >= pck->penalties.counted || to - from < 2)
        return 0;
    for (size_t m = from + 1; m < to; m++)
        if (pck->penalties.label[f->member[m]] != pck->penalties.label[f->member[from]])
            return 0;
    seg_penalties_of_neighbourhood(&pck->penalties, which, pck->penalty);
    return move(pck, f->member + from, to - from);
}

/* The neighbourhood, not of a group, with the largest mean squared distance to its centres whose removal empties no
 * cluster; -1 if there is none. size: sizes of the clusters. */
static int32_t farthest_neighbourhood(const seg_pck *pck, const size_t *size, size_t *own) {
    const seg_neighbourhoods *f = pck->f;
    const seg_lloyd *lloyd = &pck->lloyd;
    double most = -1;
    int32_t best = -1;
    for (int32_t a = f->groups; a < f->count; a++) {
        double sum = 0;
        int may = 1;
        for (size_t m = f->start[a]; m < f->start[a + 1]; m++)
            own[lloyd->label[f->member[m]]]++;
        for (size_t m = f->start[a]; m < f->start[a + 1]; m++) {
            const size_t i = (size_t)f->member[m], c = (size_t)lloyd->label[i];
            may &= size[c] > own[c];
            sum += seg_distance2(lloyd->d, seg_lloyd_row(lloyd, i), lloyd->centre + c * lloyd->d);
        }
        for (size_t m = f->start[a]; m < f->start[a + 1]; m++)
            own[lloyd->label[f->member[m]]] = 0;
        sum /= (double)seg_neighbourhood_size(f, a);
        if (may && sum > most) {
            most = sum;
            best = a;
        }
    }
    return best;
}

/* seg_lloyd_assign fills empty clusters with samples in no constraint; if those do not suffice, fill them with whole
 * neighbourhoods, which breaks no constraint. */
static seg_status fill_empty(seg_pck *pck, size_t *changed) {
    const seg_neighbourhoods *f = pck->f;
    const size_t k = pck->lloyd.k;
    size_t empty = 0, *size = pck->lloyd.size;
    for (size_t c = 0; c < k; c++)
        empty += size[c] == 0;
    if (empty == 0 || !pck->follow)
        return SEG_OK;
    SEG_LOCAL(size_t, own, seg_alloc_zero(pck->ctx, k, sizeof *own));
    for (size_t c = 0; c < k; c++) {
        const int32_t which = size[c] > 0 ? -1 : farthest_neighbourhood(pck, size, own);
        for (size_t m = which < 0 ? 0 : f->start[which]; which >= 0 && m < f->start[which + 1]; m++) {
            const int32_t i = f->member[m];
            size[pck->lloyd.label[i]]--;
            size[c]++;
            pck->lloyd.label[i] = (int32_t)c;
            pck->hold[i] = (int16_t)c;
            seg_penalties_move(&pck->penalties, i, (int32_t)c);
        }
        *changed += which >= 0;
        pck->lloyd.summed &= which < 0;
    }
    return SEG_OK;
}

seg_status seg_pck_assign(seg_pck *pck, size_t *changed) {
    const seg_pckmeans_options *options = pck->problem->soft;
    size_t looked = 0;
    *changed = 0;
    if (options && options->printed)
        return assign_in_order(pck, changed);
    if (pck->follow) {
        const int32_t whole = options->whole || options->kind == SEG_PCKMEANS_HARD ? pck->f->count : 0;
        for (int32_t a = 0; a < whole; a++) {
            *changed += move_neighbourhood(pck, pck->neighbourhood[a]);
            looked += seg_neighbourhood_size(pck->f, pck->neighbourhood[a]);
            if (looked >= POLL_EVERY) {
                looked = 0;
                SEG_TRY(seg_poll(pck->ctx));
            }
        }
        for (size_t e = 0; e < pck->samples; e++) {
            seg_penalties_of_sample(&pck->penalties, pck->sample[e], pck->penalty);
            *changed += move(pck, &pck->sample[e], 1);
            if (e % POLL_EVERY == POLL_EVERY - 1)
                SEG_TRY(seg_poll(pck->ctx));
        }
        for (size_t e = 0; e < pck->samples; e++)
            pck->hold[pck->sample[e]] = (int16_t)pck->penalties.label[pck->sample[e]];
    }
    *changed += seg_lloyd_assign(&pck->lloyd);
    return fill_empty(pck, changed);
}

double seg_pck_objective(seg_pck *pck, double *broken) {
    const double distortion = pck->problem->soft ? pck->problem->soft->distortion : pck->lloyd.cosine ? 0.5 : 1;
    const double sum = distortion * seg_lloyd_objective(&pck->lloyd);
    *broken = pck->follow ? seg_penalties_total(&pck->penalties) : 0;
    return sum + (*broken > 0 ? pck->w * *broken : 0);
}
