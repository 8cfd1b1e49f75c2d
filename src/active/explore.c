/* Explore and Consolidate [basu2004active, Sec. 4, Figures 2 and 3], and MinMax [mallapragada2008minmax].
 *
 *   Explore       N_1 = {a sample at random}. While there are questions left (and fewer than k neighbourhoods):
 *                   x = argmax over samples of min over y in all N_p of |x - y|
 *                   ask about x and a random member of each N_p: x joins N_p if it must link to it, and starts
 *                   a new neighbourhood if it cannot link to any
 *   Consolidate   mu_p = centroid of N_p. While there are questions left:
 *                   x = a sample at random in no neighbourhood; order the N_p by |x - mu_p|;
 *                   ask about x and a member of each until x must link to one, and joins it. After k - 1
 *                   cannot-links no question is needed about the last.
 *   MinMax        as Explore, then x = argmin over samples of max over y in all N_p of K(x, y), the N_p in the order
 *                   of their largest similarity to x. K(x, y) = exp(-|x - y|^2 / 2 s^2) of a single width decreases
 *                   with the distance, so x is again the farthest sample, whatever s is. MinMax differs from Explore
 *                   only in the order of the N_p and in asking about the most similar member.
 *
 * Explore orders the neighbourhoods by their centroids too: the paper leaves the order open, and asking about near
 * neighbourhoods first takes fewer questions. */
#include "active/selector.h"

#include "base/base.h"
#include "linalg/dense.h"

#define UNANSWERED_ALLOWED 2 /* "unknown" answers about a sample before it is put aside */

/* Neighbourhoods: sets of must-linked samples, every two of which cannot link to each other. */

static double distance2(const seg_active *active, int32_t i, int32_t j) {
    const size_t d = active->spec.features->cols;
    const double *x = active->spec.features->at + (size_t)i * d, *y = active->spec.features->at + (size_t)j * d;
    return seg_distance2(d, x, y);
}

static double from_centroid(const seg_active *active, int32_t sample, size_t hood) {
    const size_t d = active->spec.features->cols;
    const double *x = active->spec.features->at + (size_t)sample * d, *total = active->sum + hood * d;
    double sum = 0;
    for (size_t t = 0; t < d; t++) {
        const double difference = x[t] - total[t] / (double)active->hoods[hood].size;
        sum += difference * difference;
    }
    return sum;
}

static int complete(const seg_active *active) {
    return active->spec.k > 0 && active->hood_count >= (size_t)active->spec.k;
}

/* 1 if samples are drawn at random among those that are left: in Consolidate and, where nothing is uncertain, NPU. */
static int draws(const seg_active *active) {
    return active->spec.strategy == SEG_ACTIVE_NPU ||
           (active->spec.strategy == SEG_ACTIVE_EXPLORE_CONSOLIDATE && complete(active));
}

typedef struct approaching {
    seg_active *active;
    int32_t sample;
} approaching;

static void approach(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const approaching *a = arg;
    for (size_t i = first; i < last; i++) {
        const double distance = distance2(a->active, (int32_t)i, a->sample);
        if (distance < a->active->distance[i])
            a->active->distance[i] = distance;
    }
}

/* Update d(x, S) = min over y in S of |x - y| [basu2004active, Sec. 4] for a sample that joins S, the samples in
 * neighbourhoods, so that farthest-first avoids samples near it. Does nothing once no distances are needed. */
static void keep_away(seg_context *ctx, seg_active *active, int32_t sample) {
    const size_t n = draws(active) ? 0 : active->spec.n;
    seg_parallel_on(ctx, n > 4096 ? seg_threads(ctx) : 1, n, 0, approach, &(approaching){active, sample});
}

/* Add the sample and all samples that must link to it to a neighbourhood. */
static seg_status join_hood(seg_context *ctx, seg_active *active, int32_t sample, size_t hood) {
    const size_t d = active->spec.features->cols;
    int32_t member = sample;
    do {
        if (active->hood[member] < 0) {
            const double *x = active->spec.features->at + (size_t)member * d;
            active->hood[member] = (int32_t)hood;
            active->hoods[hood].size++;
            for (size_t t = 0; t < d; t++)
                active->sum[hood * d + t] += x[t];
            SEG_TRY(seg_poll(ctx));
            keep_away(ctx, active, member);
            if (active->spec.strategy == SEG_ACTIVE_NPU)
                seg_npu_join(ctx, active, member, hood);
        }
        member = active->relations.ring[member];
    } while (member != sample);
    return SEG_OK;
}

/* Start a neighbourhood of the sample and all samples that must link to it. */
static seg_status start_hood(seg_context *ctx, seg_active *active, int32_t sample) {
    const size_t d = active->spec.features->cols, hood = active->hood_count;
    SEG_TRY(seg_extend(ctx, &active->hoods, hood, sizeof *active->hoods));
    SEG_TRY(seg_extend(ctx, &active->sum, hood, d * sizeof *active->sum));
    SEG_TRY(active->spec.strategy == SEG_ACTIVE_NPU ? seg_npu_start(ctx, active, hood) : SEG_OK);
    active->hoods[hood] = (seg_hood){.member = sample};
    memset(active->sum + hood * d, 0, d * sizeof *active->sum);
    const seg_status status = join_hood(ctx, active, sample, hood);
    active->hood_count++;
    return status;
}

/* Remove the only neighbourhood, so that Explore starts from another sample. */
static void restart(seg_active *active) {
    const int32_t start = active->hoods[0].member;
    active->hood_count = 0;
    active->start_unanswered = active->unanswered = 0;
    active->candidate = -1;
    active->hood[start] = -1;
    for (size_t i = 0; i < active->spec.n; i++) {
        active->distance[i] = INFINITY;
        if (active->aside[i] == ASIDE_DOUBTED)
            active->aside[i] = ASIDE_NOT; /* it may have been unanswered because of the start */
    }
    active->aside[start] = ASIDE_BAD_START;
}

seg_status seg_hoods_from_known(seg_context *ctx, seg_active *active) {
    const size_t parts = (size_t)active->closure.components;
    size_t found = 0;
    SEG_LOCAL(seg_ranked, list, seg_alloc(ctx, parts, sizeof *list));
    for (size_t i = 0; i < active->spec.n && found < parts; i++)
        if (active->closure.component[i] == (int32_t)found) /* components are numbered by their smallest members */
            list[found++] =
                (seg_ranked){.size = active->relations.size[seg_relations_root(&active->relations, (int32_t)i)],
                             .which = (int32_t)i};
    qsort(list, parts, sizeof *list, seg_by_rank);
    for (size_t p = 0; p < parts; p++) {
        int apart = 1;
        for (size_t h = 0; h < active->hood_count && apart; h++)
            apart = seg_relations_between(&active->relations, list[p].which, active->hoods[h].member) < 0;
        if (!apart)
            continue;
        if (active->spec.k && active->hood_count == (size_t)active->spec.k)
            return seg_fail(ctx, SEG_ERR_CONTRADICTION,
                            "the constraints need more than k = %d clusters: that many cannot link to each other, and "
                            "sample %d cannot link to any of them; use a larger k, or remove a constraint",
                            active->spec.k, list[p].which);
        SEG_TRY(start_hood(ctx, active, list[p].which));
    }
    return SEG_OK;
}

/* The choice of questions. */

int seg_active_is_free(const seg_active *active, size_t i) {
    return active->hood[i] < 0 && active->aside[i] == ASIDE_NOT;
}

static int32_t random_sample(seg_active *active) {
    uint64_t left = 0;
    for (size_t i = 0; i < active->spec.n; i++)
        left += (uint64_t)seg_active_is_free(active, i);
    uint64_t drawn = left ? seg_random_below(&active->random, left) : 0;
    for (size_t i = 0; i < active->spec.n; i++)
        if (seg_active_is_free(active, i) && drawn-- == 0)
            return (int32_t)i;
    return -1;
}

static int32_t farthest_sample(const seg_active *active) {
    int32_t best = -1;
    for (size_t i = 0; i < active->spec.n; i++)
        if (seg_active_is_free(active, i) && (best < 0 || active->distance[i] > active->distance[best]))
            best = (int32_t)i;
    return best;
}

static int by_similarity(const seg_active *active) {
    return active->spec.strategy == SEG_ACTIVE_MINMAX && complete(active);
}

/* -1 if no sample is left. */
static seg_status choose_sample(seg_context *ctx, seg_active *active, int32_t *out) {
    *out = -1;
    if (active->spec.strategy == SEG_ACTIVE_NPU)
        SEG_TRY(seg_npu_choose(ctx, active, out));
    if (*out < 0)
        *out = active->hood_count == 0 || draws(active) ? random_sample(active) : farthest_sample(active);
    return SEG_OK;
}

/* A member of the neighbourhood to ask about with the sample: random, or the nearest for MinMax; -1 if none. */
static int32_t choose_member(seg_active *active, int32_t sample, const seg_hood *hood) {
    const int nearest = by_similarity(active);
    int32_t chosen = -1, member = hood->member;
    double least = INFINITY;
    uint64_t seen = 0;
    do {
        if (seg_relations_open(&active->relations, sample, member)) {
            const double distance = nearest ? distance2(active, sample, member) : 0;
            if (nearest ? distance < least : seg_random_below(&active->random, ++seen) == 0) {
                chosen = member;
                least = distance;
            }
        }
        member = active->relations.ring[member];
    } while (member != hood->member);
    return chosen;
}

static double from_hood(seg_active *active, int32_t sample, size_t hood) {
    if (active->spec.strategy == SEG_ACTIVE_NPU)
        return -seg_npu_similarity(active, sample, hood);
    if (!by_similarity(active))
        return from_centroid(active, sample, hood);
    double least = INFINITY;
    int32_t member = active->hoods[hood].member;
    do {
        least = fmin(least, distance2(active, sample, member));
        member = active->relations.ring[member];
    } while (member != active->hoods[hood].member);
    return least;
}

/* The neighbourhoods that the candidate may belong to. */
typedef struct standing {
    size_t open;  /* how many there are */
    size_t first; /* the one with the fewest "unknown" answers, of equals the nearest; hood_count if none */
} standing;

static standing look_round(seg_active *active, int32_t sample) {
    standing s = {.first = active->hood_count};
    double least = INFINITY;
    for (size_t h = 0; h < active->hood_count; h++) {
        const seg_hood *hood = &active->hoods[h];
        if (seg_relations_between(&active->relations, sample, hood->member) < 0)
            continue;
        const double distance = from_hood(active, sample, h);
        const int unanswered = s.open ? hood->unanswered - active->hoods[s.first].unanswered : -1;
        if (unanswered < 0 || (unanswered == 0 && distance < least)) {
            s.first = h;
            least = distance;
        }
        s.open++;
    }
    return s;
}

static seg_status place(seg_context *ctx, seg_active *active, size_t hood) {
    const int32_t sample = active->candidate;
    active->candidate = -1;
    SEG_TRY(seg_relations_must(ctx, &active->relations, sample, active->hoods[hood].member));
    return join_hood(ctx, active, sample, hood);
}

/* Place the candidate if no question is needed: in a new neighbourhood, or in the only one that it can link to. */
static seg_status settle(seg_context *ctx, seg_active *active, const standing *s) {
    const int32_t sample = active->candidate;
    if (s->open == 0 && complete(active))
        return seg_fail(ctx, SEG_ERR_CONTRADICTION,
                        "sample %d cannot link to any of the k = %d clusters; use a larger k, or remove a constraint",
                        sample, active->spec.k);
    if (s->open == 0) {
        active->candidate = -1;
        return start_hood(ctx, active, sample);
    }
    if (s->open == 1 && complete(active)) {
        seg_question entry = {sample, active->hoods[s->first].member, SEG_ANSWER_MUST, 1};
        SEG_TRY(seg_active_record(ctx, active, entry));
        return place(ctx, active, s->first);
    }
    return SEG_OK;
}

/* One step with the candidate: ask a question, place it without one, or put it aside. */
static seg_status step(seg_context *ctx, seg_active *active) {
    const int32_t sample = active->candidate;
    const standing s = look_round(active, sample);
    SEG_TRY(settle(ctx, active, &s));
    if (active->candidate < 0)
        return SEG_OK;
    const int32_t member =
        active->unanswered < UNANSWERED_ALLOWED ? choose_member(active, sample, &active->hoods[s.first]) : -1;
    if (member >= 0) {
        seg_active_pose(active, sample, member);
        return SEG_OK;
    }
    /* Questions about samples near one that is put aside are likely to go unanswered too, so farthest-first avoids
     * them, as if it were in a neighbourhood. */
    active->aside[sample] = ASIDE_DOUBTED;
    keep_away(ctx, active, sample);
    active->candidate = -1;
    return SEG_OK;
}

seg_status seg_active_next_by_hoods(seg_context *ctx, seg_active *active, int *more) {
    *more = active->spec.k != 1; /* one cluster: everything is known */
    while (*more && !active->open) {
        if (active->candidate < 0) {
            SEG_TRY(choose_sample(ctx, active, &active->candidate));
            active->unanswered = 0;
            for (size_t h = 0; h < active->hood_count; h++)
                active->hoods[h].unanswered = 0;
            *more = active->candidate >= 0;
        } else
            SEG_TRY(step(ctx, active));
    }
    return SEG_OK;
}

seg_status seg_active_answer_by_hoods(seg_context *ctx, seg_active *active, seg_answer answer) {
    const int32_t hood = active->hood[active->j];
    if (answer == SEG_ANSWER_MUST)
        return place(ctx, active, (size_t)hood);
    if (answer == SEG_ANSWER_CANNOT) { /* apply what follows now, since there may be no next question */
        SEG_TRY(seg_relations_cannot(ctx, &active->relations, active->i, active->j));
        const standing s = look_round(active, active->candidate);
        return settle(ctx, active, &s);
    }
    active->unanswered++;
    active->hoods[hood].unanswered++;
    if (active->hood_count == 1 && active->hoods[0].size == 1 && ++active->start_unanswered == UNANSWERED_ALLOWED)
        restart(active);
    return SEG_OK;
}
