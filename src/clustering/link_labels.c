#include "clustering/link_labels.h"
#include "base/base.h"

#define SWEEPS   30
#define IMPROVED 1e-9 /* relative to a score: smaller gains are rounding */

typedef struct search {
    const seg_neighbourhoods *near;
    size_t k;
    const double *score;
    double penalty; /* per broken cannot-link: more than any difference of scores */
    int32_t *label; /* current labels; -1: none yet */
    int32_t *queue; /* count entries */
    double *held;   /* greedy: count x k, scores less the penalties of labelled neighbours */
    double *margin; /* greedy: count */
    int32_t *heap, *place;
    size_t heaped;
} search;

/* The contribution of a neighbourhood to the value with label c, given the other labels. */
static double gain_of(const search *s, int32_t which, size_t c) {
    const seg_neighbourhoods *near = s->near;
    double value = s->score[(size_t)which * s->k + c];
    for (size_t e = near->cannot_start[which]; e < near->cannot_start[which + 1]; e++)
        value -= s->label[near->cannot[e]] == (int32_t)c ? s->penalty : 0;
    return value;
}

/* ---- The greedy start: a heap of neighbourhoods, the largest margin between the best two labels on top. ---- */

static double margin_of(const search *s, int32_t which) {
    size_t first, second;
    const double margin = seg_two_largest_of(s->k, s->held + (size_t)which * s->k, &first, &second);
    return s->k > 1 ? margin : 0;
}

static int before(const search *s, int32_t a, int32_t b) {
    const double first = s->margin[a], second = s->margin[b];
    return first > second || (first == second && a < b);
}

static void put(search *s, size_t at, int32_t which) {
    s->heap[at] = which;
    s->place[which] = (int32_t)at;
}

static void rise(search *s, size_t at) {
    const int32_t which = s->heap[at];
    for (; at > 0 && before(s, which, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        put(s, at, s->heap[(at - 1) / 2]);
    put(s, at, which);
}

static void sink(search *s, size_t at) {
    const int32_t which = s->heap[at];
    for (size_t child; (child = 2 * at + 1) < s->heaped; at = child) {
        child += child + 1 < s->heaped && before(s, s->heap[child + 1], s->heap[child]);
        if (!before(s, s->heap[child], which))
            break;
        put(s, at, s->heap[child]);
    }
    put(s, at, which);
}

static void forbid(search *s, int32_t which, int32_t c) {
    const seg_neighbourhoods *near = s->near;
    for (size_t e = near->cannot_start[which]; e < near->cannot_start[which + 1]; e++) {
        const int32_t other = near->cannot[e];
        if (s->label[other] >= 0)
            continue;
        s->held[(size_t)other * s->k + (size_t)c] -= s->penalty;
        s->margin[other] = margin_of(s, other);
        if (s->place[other] >= 0) {
            rise(s, (size_t)s->place[other]);
            sink(s, (size_t)s->place[other]);
        }
    }
}

static void greedy(search *s) {
    const int32_t count = s->near->count, groups = s->near->groups;
    memcpy(s->held, s->score, (size_t)count * s->k * sizeof *s->held);
    for (int32_t f = 0; f < count; f++) {
        s->label[f] = f < groups ? f : -1;
        s->place[f] = -1;
    }
    for (int32_t g = 0; g < groups; g++)
        forbid(s, g, g);
    s->heaped = 0;
    for (int32_t f = groups; f < count; f++) {
        s->margin[f] = margin_of(s, f);
        put(s, s->heaped, f);
        rise(s, s->heaped++);
    }
    while (s->heaped > 0) {
        const int32_t which = s->heap[0], last = s->heap[--s->heaped];
        const size_t best = seg_largest_of(s->k, s->held + (size_t)which * s->k);
        s->place[which] = -1;
        if (s->heaped > 0) {
            put(s, 0, last);
            sink(s, 0);
        }
        s->label[which] = (int32_t)best;
        forbid(s, which, (int32_t)best);
    }
}

/* ---- Moves. ---- */

static int move_single(search *s) {
    int moved = 0;
    for (int32_t f = s->near->groups; f < s->near->count; f++) {
        size_t best = (size_t)s->label[f];
        double most = gain_of(s, f, best);
        for (size_t c = 0; c < s->k; c++) {
            const double value = gain_of(s, f, c);
            if (value > most + IMPROVED * (1 + fabs(most))) {
                most = value;
                best = c;
            }
        }
        moved |= (int32_t)best != s->label[f];
        s->label[f] = (int32_t)best;
    }
    return moved;
}

/* Find the neighbourhoods in clusters a and b that are connected to `from` by cannot-links; `place` marks those found.
 * @return the gain of exchanging their clusters, -INFINITY if a group is among them */
static double joined(search *s, int32_t from, int32_t a, int32_t b, size_t *count) {
    const seg_neighbourhoods *near = s->near;
    double gain = 0;
    size_t done = 0;
    *count = 0;
    s->queue[(*count)++] = from;
    s->place[from] = 1;
    while (done < *count) {
        const int32_t f = s->queue[done++], other = s->label[f] == a ? b : a;
        const double *score = s->score + (size_t)f * s->k;
        gain += f < near->groups ? -INFINITY : score[other] - score[s->label[f]];
        for (size_t e = near->cannot_start[f]; e < near->cannot_start[f + 1]; e++) {
            const int32_t g = near->cannot[e];
            if (s->place[g] < 0 && (s->label[g] == a || s->label[g] == b)) {
                s->place[g] = 1;
                s->queue[(*count)++] = g;
            }
        }
    }
    return gain;
}

/* Exchange clusters a and b in connected sets, which neither repairs nor breaks a cannot-link within a set. */
static int exchange(search *s, int32_t a, int32_t b) {
    int moved = 0;
    memset(s->place, 0xff, (size_t)s->near->count * sizeof *s->place);
    for (int32_t f = 0; f < s->near->count; f++) {
        size_t count;
        if (s->place[f] >= 0 || (s->label[f] != a && s->label[f] != b))
            continue;
        const double gain = joined(s, f, a, b, &count);
        if (!(gain > IMPROVED * s->penalty))
            continue;
        for (size_t i = 0; i < count; i++)
            s->label[s->queue[i]] = s->label[s->queue[i]] == a ? b : a;
        moved = 1;
    }
    return moved;
}

static void improve(search *s) {
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        int moved = move_single(s);
        for (int32_t a = 0; a < (int32_t)s->k; a++)
            for (int32_t b = a + 1; b < (int32_t)s->k; b++)
                moved |= exchange(s, a, b);
        if (!moved)
            break;
    }
}

static double value_of(const search *s, size_t *broken) {
    const seg_neighbourhoods *near = s->near;
    size_t twice = 0;
    double sum = 0;
    for (int32_t f = 0; f < near->count; f++) {
        sum += s->score[(size_t)f * s->k + (size_t)s->label[f]];
        for (size_t e = near->cannot_start[f]; e < near->cannot_start[f + 1]; e++)
            twice += s->label[near->cannot[e]] == s->label[f];
    }
    *broken = twice / 2;
    return sum - s->penalty * (double)*broken;
}

static double penalty_of(const search *s) {
    double largest = 0;
    for (size_t f = 0; f < (size_t)s->near->count; f++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t c = 0; c < s->k; c++) {
            low = fmin(low, s->score[f * s->k + c]);
            high = fmax(high, s->score[f * s->k + c]);
        }
        largest = fmax(largest, high - low);
    }
    return 10 * largest + 1;
}

seg_status seg_link_labels(seg_context *ctx, const seg_link_scores *scores, int32_t *label, size_t *broken) {
    const size_t count = (size_t)scores->near->count, k = scores->k;
    search s = {.near = scores->near, .k = k, .score = scores->score};
    size_t own = 0, again = 0;
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(s.held, count, k), SEG_ARRAY(s.margin, count), SEG_ARRAY(s.queue, count),
                     SEG_ARRAY(s.heap, count), SEG_ARRAY(s.place, count), SEG_ARRAY(s.label, count));
    int32_t *const found = s.label;
    s.penalty = penalty_of(&s);
    greedy(&s);
    improve(&s);
    const double value = value_of(&s, &own);
    s.label = label;
    if (scores->warm) {
        for (int32_t g = 0; g < s.near->groups; g++)
            label[g] = g;
        improve(&s);
    }
    if (scores->warm && value_of(&s, &again) >= value)
        own = again;
    else if (count > 0)
        memcpy(label, found, count * sizeof *label);
    if (broken)
        *broken = own;
    return SEG_OK;
}
