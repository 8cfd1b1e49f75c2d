#include "clustering/kernel_kmeans.h"
#include "base/base.h"

enum { POLL_EVERY = 256, REFUSALS = 8 };
static const double PROGRESS = 1e-12; /* least relative increase that counts: above rounding, so that every run ends */

typedef struct run {
    seg_context *ctx;
    const seg_similarities *B;
    const seg_group_links *links;
    const seg_kernel_kmeans_options *options;
    size_t n, k;
    int32_t *label, *next;
    int32_t *moved, *from, *to;
    double *sum;      /* n x k, without the group links */
    double *diagonal; /* B_ii */
    double *mass;     /* k: weights */
    double *inside;   /* k: sum of B within each cluster, group links included */
    size_t *size;     /* k */
    double *row;      /* k: one row of sums, group links included */
    size_t *count;    /* groups x k: number of samples of each group in each cluster; then k: of all groups */
    double *distance; /* n: weight times squared distance to the nearest centre */
} run;

static double weight_of(const run *r, size_t i) {
    return r->options->weight ? r->options->weight[i] : 1;
}

static int group_of(const run *r, size_t i) {
    return r->links->group ? r->links->group[i] : -1;
}

/* row = the sums of B from sample i. Of n_gc samples of its own group and n_c of all groups in cluster c, the group
 * links give weight (n_gc - (n_c - n_gc)), less the sample's own: the constraint matrix has a zero diagonal. */
static void full_row(const run *r, size_t i, const int32_t *label, double *row) {
    const int g = group_of(r, i);
    memcpy(row, r->sum + i * r->k, r->k * sizeof *row);
    if (g < 0)
        return;
    const size_t *own = r->count + (size_t)g * r->k, *all = r->count + (size_t)r->links->groups * r->k;
    for (size_t c = 0; c < r->k; c++)
        row[c] += r->links->weight * (2 * (double)own[c] - (double)all[c]);
    row[label[i]] -= r->links->weight;
}

static void count_groups(run *r, const int32_t *label) {
    const size_t groups = (size_t)r->links->groups;
    memset(r->count, 0, (groups + 1) * r->k * sizeof *r->count);
    for (size_t i = 0; i < r->n; i++)
        if (group_of(r, i) >= 0) {
            r->count[(size_t)group_of(r, i) * r->k + (size_t)label[i]]++;
            r->count[groups * r->k + (size_t)label[i]]++;
        }
}

/* Compute size, mass and inner sums of the clusters from sums that match the labels. */
static void measure(run *r, const int32_t *label) {
    count_groups(r, label);
    memset(r->mass, 0, r->k * sizeof *r->mass);
    memset(r->inside, 0, r->k * sizeof *r->inside);
    memset(r->size, 0, r->k * sizeof *r->size);
    for (size_t i = 0; i < r->n; i++) {
        const size_t c = (size_t)label[i];
        full_row(r, i, label, r->row);
        r->size[c]++;
        r->mass[c] += weight_of(r, i);
        r->inside[c] += r->row[c];
    }
}

/* The objective; *magnitude (may be NULL): the sum of absolute terms, the scale of its rounding error. */
static double objective_of(const run *r, double *magnitude) {
    double objective = 0, all = 0;
    for (size_t c = 0; c < r->k; c++)
        if (r->size[c] > 0) {
            objective += r->inside[c] / r->mass[c];
            all += fabs(r->inside[c] / r->mass[c]);
        }
    if (magnitude)
        *magnitude = all;
    return objective;
}

/* next = the nearest centre of each sample [kulis2009sskk, Eq. 1] with the given shift. With K written out, the
 * distance is K_ii - 2 (sum_ic / a_i + shift [i in c]) / mass_c + (inside_c + shift mass_c) / mass_c^2. Ties go to the
 * old cluster, then to the lowest index. */
static void assign(run *r, double shift) {
    for (size_t i = 0; i < r->n; i++) {
        const double a = weight_of(r, i);
        size_t best = (size_t)r->label[i];
        double least = INFINITY;
        full_row(r, i, r->label, r->row);
        for (size_t step = 0; step <= r->k; step++) {
            const size_t c = step == 0 ? (size_t)r->label[i] : step - 1;
            double value;
            if (r->size[c] == 0)
                continue;
            value = (r->inside[c] / r->mass[c] + shift - 2 * r->row[c] / a) / r->mass[c];
            if (c == (size_t)r->label[i])
                value -= 2 * shift / r->mass[c];
            if (value < least) {
                least = value;
                best = c;
            }
        }
        r->next[i] = (int32_t)best;
        r->distance[i] = a * (r->diagonal[i] / (a * a) + shift / a + least);
    }
}

/* Move to each empty cluster the sample farthest from its centre among those not alone in their cluster. With a
 * positive semidefinite kernel that never lowers the objective either. */
static void fill(run *r, int32_t *label) {
    memset(r->size, 0, r->k * sizeof *r->size);
    for (size_t i = 0; i < r->n; i++)
        r->size[label[i]]++;
    for (size_t c = 0; c < r->k; c++) {
        size_t farthest = r->n;
        if (r->size[c] > 0)
            continue;
        for (size_t i = 0; i < r->n; i++)
            if (r->size[label[i]] > 1 && (farthest == r->n || r->distance[i] > r->distance[farthest]))
                farthest = i;
        r->size[label[farthest]]--;
        r->size[c] = 1;
        label[farthest] = (int32_t)c;
        r->distance[farthest] = -INFINITY;
    }
}

/* Update the sums and clusters from the labels `from` to the labels `to`. *changed: how many samples moved. */
static seg_status follow(run *r, const int32_t *from, const int32_t *to, size_t *changed) {
    size_t count = 0;
    for (size_t i = 0; i < r->n; i++)
        if (from[i] != to[i]) {
            r->moved[count] = (int32_t)i;
            r->from[count] = from[i];
            r->to[count++] = to[i];
        }
    *changed = count;
    const seg_kernel_moves moves = {count, r->moved, r->from, r->to};
    const int anew = r->B->sparse || (r->B->features && !(r->B->width > 0)) || count > r->n / 4;
    SEG_TRY(anew ? seg_kernel_sums(r->ctx, r->B, to, (int)r->k, r->sum)
                 : seg_kernel_sums_update(r->ctx, r->B, &moves, (int)r->k, r->sum));
    measure(r, to);
    return SEG_OK;
}

static seg_status batch(run *r, double *objective, seg_kernel_kmeans_result *result) {
    const double bound = r->options->use == SEG_SHIFT_NONE ? 0 : r->options->shift;
    double shift = r->options->use == SEG_SHIFT_BOUND ? bound : 0;
    int refused = 0;
    while (result->iterations < r->options->iterations && !result->converged) {
        size_t changed;
        double now, magnitude;
        SEG_TRY(seg_poll(r->ctx));
        result->iterations++;
        assign(r, shift);
        fill(r, r->next);
        SEG_TRY(follow(r, r->label, r->next, &changed));
        now = objective_of(r, &magnitude);
        if (changed > 0 && now > *objective + PROGRESS * magnitude) {
            memcpy(r->label, r->next, r->n * sizeof *r->label);
            *objective = now;
            continue;
        }
        if (changed > 0) /* not better: undo it, for as many samples */
            SEG_TRY(follow(r, r->next, r->label, &changed));
        result->converged = changed == 0 || shift >= bound;
        shift = ++refused < REFUSALS ? 0.5 * (shift + bound) : bound;
    }
    return SEG_OK;
}

/* The gain of the objective if sample i, whose sums are in r->row, moves from its cluster to cluster c. */
static double gain(const run *r, size_t i, size_t from, size_t c) {
    const double a = weight_of(r, i), own = r->diagonal[i];
    const double left = (r->inside[from] - 2 * r->row[from] + own) / (r->mass[from] - a);
    const double joined = (r->inside[c] + 2 * r->row[c] + own) / (r->mass[c] + a);
    return (left - r->inside[from] / r->mass[from]) + (joined - r->inside[c] / r->mass[c]);
}

static seg_status move(run *r, size_t i, size_t to) {
    const size_t from = (size_t)r->label[i];
    const double a = weight_of(r, i);
    const int32_t sample = (int32_t)i, left = (int32_t)from, joined = (int32_t)to;
    const int g = group_of(r, i);
    r->inside[from] += r->diagonal[i] - 2 * r->row[from];
    r->inside[to] += r->diagonal[i] + 2 * r->row[to];
    r->mass[from] -= a;
    r->mass[to] += a;
    r->size[from]--;
    r->size[to]++;
    if (g >= 0) {
        size_t *own = r->count + (size_t)g * r->k, *all = r->count + (size_t)r->links->groups * r->k;
        own[from]--;
        own[to]++;
        all[from]--;
        all[to]++;
    }
    r->label[i] = joined;
    return seg_kernel_sums_update(r->ctx, r->B, &(seg_kernel_moves){1, &sample, &left, &joined}, (int)r->k, r->sum);
}

/* Move each sample in turn to the cluster with the largest gain of the objective, if there is a gain. */
static seg_status sweep(run *r, size_t *moves) {
    double least;
    objective_of(r, &least);
    least *= PROGRESS;
    *moves = 0;
    for (size_t i = 0; i < r->n; i++) {
        const size_t from = (size_t)r->label[i];
        size_t best = from;
        double most = least;
        if (i % POLL_EVERY == 0)
            SEG_TRY(seg_poll(r->ctx));
        if (r->size[from] == 1)
            continue;
        full_row(r, i, r->label, r->row);
        for (size_t c = 0; c < r->k; c++) {
            double gained = c == from ? 0 : gain(r, i, from, c);
            if (gained > most) {
                most = gained;
                best = c;
            }
        }
        if (best == from)
            continue;
        SEG_TRY(move(r, i, best));
        ++*moves;
    }
    return SEG_OK;
}

static seg_status local_search(run *r, double *objective, seg_kernel_kmeans_result *result) {
    for (int s = 0; s < r->options->sweeps; s++) {
        size_t moves;
        double now;
        memcpy(r->next, r->label, r->n * sizeof *r->next);
        SEG_TRY(sweep(r, &moves));
        result->iterations++;
        result->converged = moves == 0;
        if (moves == 0)
            return SEG_OK;
        /* Recompute the sums, so that rounding does not accumulate; a sweep whose gain was only rounding is undone. */
        SEG_TRY(seg_kernel_sums(r->ctx, r->B, r->label, (int)r->k, r->sum));
        measure(r, r->label);
        now = objective_of(r, NULL);
        if (!(now > *objective)) {
            for (size_t i = 0; i < r->n; i++)
                SEG_SWAP(int32_t, r->next[i], r->label[i]);
            SEG_TRY(follow(r, r->next, r->label, &moves));
            result->converged = 1;
            return SEG_OK;
        }
        *objective = now;
    }
    return SEG_OK;
}

seg_status seg_kernel_kmeans(seg_context *ctx, const seg_kernel_problem *problem,
                             const seg_kernel_kmeans_options *options, int32_t *label, double *sum,
                             seg_kernel_kmeans_result *result) {
    const size_t n = problem->similarities->n, k = (size_t)options->k;
    run r = {.ctx = ctx,
             .B = problem->similarities,
             .links = problem->links && problem->links->group ? problem->links : &(seg_group_links){NULL, 0, 0},
             .options = options,
             .n = n,
             .k = k,
             .label = label};
    memset(result, 0, sizeof *result);
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(r.next, n), SEG_ARRAY(r.moved, n), SEG_ARRAY(r.from, n), SEG_ARRAY(r.to, n),
                     SEG_TABLE(r.sum, n, k), SEG_ARRAY(r.diagonal, n), SEG_ARRAY(r.distance, n), SEG_ARRAY(r.mass, k),
                     SEG_ARRAY(r.inside, k), SEG_ARRAY(r.row, k), SEG_ARRAY(r.size, k),
                     SEG_TABLE(r.count, (size_t)r.links->groups + 1, k));
    for (size_t i = 0; i < n; i++)
        r.distance[i] = r.diagonal[i] = seg_similarities_diagonal(r.B, i);
    fill(&r, label);
    SEG_TRY(seg_kernel_sums(ctx, r.B, label, options->k, r.sum));
    measure(&r, label);
    result->objective = objective_of(&r, NULL);
    SEG_TRY(batch(&r, &result->objective, result));
    SEG_TRY(local_search(&r, &result->objective, result));
    if (!isfinite(result->objective))
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "kernel k-means met numbers that are not finite; check the kernel, the graph or the features");
    for (size_t i = 0; sum && i < n; i++)
        full_row(&r, i, label, sum + i * k);
    return SEG_OK;
}
