/* Parts of the method mixture: pairs that may be wrong, the choice on part of the samples, the mean of the candidates.
 */
#include "selection/mixture_chooser.h"

#include "base/base.h"
#include "base/random.h"
#include "clustering/link_labels.h"
#include "constraints/closed.h"
#include "optim/matching.h"

#include <stdlib.h>
#include <string.h>

/* ---- Pairs that may be wrong, because people make mistakes. A wrong pair that contradicts no other is kept by every
 * labelling, and through chains of linked samples it makes other samples wrong. Candidates that do not know a pair
 * predict it, and these predictions tell which pairs to leave out. ---- */

#define LEAVE_OUT_BELOW 0.1  /* least predicted probability of a pair that is kept */
#define TAKE_BACK_FROM  0.5  /* least predicted probability of a pair that comes back */
#define MOST            0.25 /* largest share of the pairs that may be left out */
#define AS_WELL         1.01 /* factor by which the loss may rise */
#define ROUNDS          4

/* The probability that a pair is right, as the mean over the candidates. */
static double foretold(const seg_mixture_chooser *s, size_t p) {
    double same = 0, shares = 0;
    for (int which = 0; which < CANDIDATES; which++) {
        same += s->now.share[which] * s->now.same[p * CANDIDATES + (size_t)which];
        shares += s->now.share[which];
    }
    return s->all.pair[p].sign > 0 ? same / shares : 1 - same / shares;
}

/* Choose the pairs that the others contradict. Pairs that were left out come back if the others predict them. @return
 * how many are left out */
static size_t choose_pairs(const seg_mixture_chooser *s, unsigned char *left_out) {
    size_t count = 0;
    for (size_t p = 0, kept = 0; p < s->all.pairs; p++) {
        const int judged = s->now.left_out[p] || s->now.held.part[kept] < s->now.parts;
        kept += !s->now.left_out[p];
        left_out[p] = judged && foretold(s, p) < (s->now.left_out[p] ? TAKE_BACK_FROM : LEAVE_OUT_BELOW);
        count += left_out[p];
    }
    return count;
}

/* The loss of the candidates' mean on all pairs, including those left out: right pairs that are left out count as much
 * as wrong ones that stay. */
static double loss_of_all(const seg_mixture_chooser *s) {
    seg_mixture_errors e = {0};
    for (size_t p = 0, kept = 0; p < s->all.pairs; p++) {
        const int sign = s->all.pair[p].sign, judged = s->now.left_out[p] || s->now.held.part[kept] < s->now.parts;
        kept += !s->now.left_out[p];
        if (judged)
            seg_mixture_errors_add(&e, sign, sign > 0 ? foretold(s, p) : 1 - foretold(s, p));
    }
    return seg_mixture_errors_loss(&e, s->data.k);
}

static void choice_free(seg_mixture_choice *c) {
    seg_held_out_free(&c->held);
    free(c->left_out);
    free(c->same);
}

seg_status seg_mixture_leave_out_mistakes(seg_context *ctx, seg_mixture_chooser *s) {
    seg_status status = SEG_OK;
    for (int round = 0; round < ROUNDS && !status; round++) {
        seg_mixture_choice before = s->now;
        unsigned char *left_out = seg_alloc(ctx, s->all.pairs, sizeof *left_out);
        if (!left_out)
            return SEG_ERR_MEMORY;
        const size_t count = choose_pairs(s, left_out);
        if ((double)count > MOST * (double)s->all.pairs || memcmp(left_out, before.left_out, s->all.pairs) == 0) {
            free(left_out);
            break;
        }
        const double loss = loss_of_all(s);
        s->now = (seg_mixture_choice){.left_out = left_out};
        if ((status = seg_mixture_kept_pairs(ctx, s)) == SEG_OK)
            status = seg_mixture_weigh(ctx, s);
        const double now = status ? 0 : loss_of_all(s);
        seg_log(ctx, SEG_LOG_INFO, "mixture: without %zu pairs the loss is %.4f, %.4f before", count, now, loss);
        if (status || now > AS_WELL * loss) {
            choice_free(&s->now);
            s->now = before;
            const seg_status back = seg_mixture_kept_pairs(ctx, s);
            return status ? status : back;
        }
        choice_free(&before);
    }
    return status;
}

/* ---- The choice of start and weight on part of the samples. It is much the same as on all if all named samples are in
 * the part, because a mixture has k d parameters for any number of rows. ---- */

#define STREAM 0x7601

/* Divide the samples that are not named into `most` stretches of nearly equal length and pick a random one of each. The
 * selection is even for rows in any order, a periodic one too. */
static size_t pick(seg_context *ctx, const unsigned char *named, size_t n, size_t others, size_t most, size_t *picked) {
    seg_random random;
    size_t count = 0, met = 0, stretch = 0, chosen = 0;
    seg_random_seed(&random, ctx ? ctx->seed : 1, STREAM);
    for (size_t i = 0; i < n; i++) {
        if (named[i]) {
            picked[count++] = i;
            continue;
        }
        const size_t from = stretch * others / most, to = (stretch + 1) * others / most;
        if (met == from)
            chosen = from + seg_random_below(&random, to - from);
        if (met == chosen)
            picked[count++] = i;
        if (++met == to)
            stretch++;
    }
    return count;
}

static seg_status take_rows(seg_context *ctx, const seg_mixture_chooser *whole, size_t m, seg_mixture_chooser *out) {
    const size_t d = whole->data.d;
    const seg_status status = seg_matrix_create(ctx, m, d, &out->Z);
    if (status)
        return status;
    for (size_t i = 0; i < m; i++)
        memcpy(out->Z.at + i * d, whole->data.Z + out->picked[i] * d, d * sizeof *out->Z.at);
    out->data = whole->data;
    out->data.n = m;
    out->data.Z = out->Z.at;
    out->data.moments = NULL;
    return seg_mixture_prepare(ctx, &out->data);
}

static seg_status take_starts(seg_context *ctx, const seg_mixture_chooser *whole, size_t m, seg_mixture_chooser *out) {
    for (int which = 0; which < STARTS; which++) {
        if (!whole->start[which])
            continue;
        out->start[which] = seg_alloc(ctx, m, sizeof *out->start[which]);
        if (!out->start[which])
            return SEG_ERR_MEMORY;
        for (size_t i = 0; i < m; i++)
            out->start[which][i] = whole->start[which][out->picked[i]];
    }
    return SEG_OK;
}

/* New indices keep the order of the samples, so the order of the pairs is kept too. */
static seg_status take_constraints(seg_context *ctx, const seg_mixture_chooser *whole, size_t m,
                                   seg_mixture_chooser *out) {
    const seg_constraints *all = &whole->all;
    int32_t *number = seg_alloc(ctx, all->n, sizeof *number);
    seg_status status = number ? seg_constraints_create(ctx, m, &out->all) : SEG_ERR_MEMORY;
    for (size_t i = 0; i < m && !status; i++) {
        number[out->picked[i]] = (int32_t)i;
        out->all.group[i] = all->group[out->picked[i]];
    }
    for (size_t p = 0; p < all->pairs && !status; p++) {
        seg_pair pair = all->pair[p];
        pair.i = number[pair.i];
        pair.j = number[pair.j];
        status = seg_constraints_add(ctx, &out->all, pair);
    }
    free(number);
    if (status)
        return status;
    out->all.groups = all->groups;
    out->now.left_out = seg_alloc(ctx, all->pairs, sizeof *out->now.left_out);
    if (!out->now.left_out)
        return SEG_ERR_MEMORY;
    memcpy(out->now.left_out, whole->now.left_out, all->pairs * sizeof *out->now.left_out);
    return seg_mixture_kept_pairs(ctx, out);
}

static seg_status take_part(seg_context *ctx, const seg_mixture_chooser *whole, const unsigned char *named,
                            size_t names, size_t most, seg_mixture_chooser *out) {
    const size_t n = whole->data.n, others = n - names;
    out->picked = seg_alloc(ctx, names + most, sizeof *out->picked);
    if (!out->picked)
        return SEG_ERR_MEMORY;
    const size_t m = pick(ctx, named, n, others, most, out->picked);
    out->stands_for = (double)others / (double)most;
    seg_status status = take_rows(ctx, whole, m, out);
    if (!status)
        status = take_starts(ctx, whole, m, out);
    if (!status)
        status = take_constraints(ctx, whole, m, out);
    if (!status)
        seg_log(ctx, SEG_LOG_INFO, "mixture: chosen on %zu of %zu samples, %zu of them in constraints", m, n, names);
    return status;
}

seg_status seg_mixture_sample(seg_context *ctx, seg_mixture_chooser *whole, size_t most, seg_mixture_chooser *out) {
    unsigned char *named = NULL;
    size_t names = 0;
    *out = (seg_mixture_chooser){.problem = whole->problem, .param = whole->param, .whole = whole};
    if (whole->data.n <= most)
        return SEG_OK;
    seg_status status = seg_constraints_named(ctx, &whole->all, &named, &names);
    if (!status && whole->data.n - names > most)
        status = take_part(ctx, whole, named, names, most, out);
    free(named);
    return status;
}

seg_status seg_mixture_constraints_of_all(seg_context *ctx, const seg_mixture_chooser *s, const seg_constraints *among,
                                          seg_constraints *out) {
    seg_status status = seg_constraints_create(ctx, s->whole->data.n, out);
    for (size_t p = 0; p < among->pairs && !status; p++) {
        seg_pair pair = among->pair[p];
        pair.i = (int32_t)s->picked[pair.i];
        pair.j = (int32_t)s->picked[pair.j];
        status = seg_constraints_add(ctx, out, pair);
    }
    for (size_t i = 0; i < among->n && !status; i++)
        out->group[s->picked[i]] = among->group[i];
    if (!status)
        out->groups = among->groups;
    return status ? status : seg_constraints_close(ctx, out, SEG_CONTRADICTIONS_REFUSE);
}

/* ---- Several soft clusterings as one. ---- */

#define UNIT  1024                /* scale of sums of products as whole numbers */
#define ALIKE ((uint64_t)1 << 39) /* gain of clusters that must match, more than any sum */

static seg_status match_clusters(seg_context *ctx, const seg_joint *j, const double *score, int32_t *match) {
    const size_t k = j->k;
    uint64_t best, *gain;
    double *both;
    seg_status status = SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(gain, k, k), SEG_TABLE(both, k, k));
    for (size_t i = 0; i < j->n && !status; i++)
        for (size_t a = 0; a < k; a++)
            for (size_t b = 0; score[i * k + a] > 0 && b < k; b++)
                both[a * k + b] += score[i * k + a] * j->reference[i * k + b];
    for (size_t e = 0; e < k * k && !status; e++)
        gain[e] = (uint64_t)(both[e] * UNIT) + (e % (k + 1) == 0 && e / k < (size_t)j->groups ? ALIKE : 0);
    if (!status)
        status = seg_matching_best(ctx, gain, k, k, match, &best);
    free(gain);
    return status;
}

seg_status seg_joint_add(seg_context *ctx, seg_joint *j, const double *score, double share) {
    int32_t match[SEG_MAX_LABELS];
    const seg_status status = match_clusters(ctx, j, score, match);
    for (size_t i = 0; i < j->n && !status; i++)
        for (size_t c = 0; c < j->k; c++)
            j->mean[i * j->k + (size_t)match[c]] += share * score[i * j->k + c];
    j->shares += share;
    return status;
}

seg_status seg_joint_end(seg_context *ctx, const seg_joint *j, const seg_neighbourhoods *near, int32_t *label) {
    const size_t n = j->n, k = j->k, count = (size_t)near->count;
    double *links, *mean = j->mean;
    int32_t *of;
    seg_status status = SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(links, count, k), SEG_ARRAY(of, count));
    for (size_t e = 0; e < n * k && !status; e++)
        mean[e] /= j->shares;
    for (size_t g = 0; g < count && !status; g++) {
        of[g] = label[near->member[near->start[g]]];
        for (size_t m = near->start[g]; m < near->start[g + 1]; m++)
            for (size_t c = 0; c < k; c++)
                links[g * k + c] += mean[(size_t)near->member[m] * k + c];
    }
    if (!status)
        status = seg_link_labels(ctx, &(seg_link_scores){near, k, links, 1}, of, NULL);
    for (size_t i = 0; i < n && !status; i++) {
        double *row = mean + i * k;
        for (size_t c = 0; near->of[i] >= 0 && c < k; c++)
            row[c] = (int32_t)c == of[near->of[i]];
        label[i] = (int32_t)seg_largest_of(k, row);
    }
    free(links);
    return status;
}
