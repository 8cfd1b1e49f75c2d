/* Neighbourhoods: must-linked samples, any two of which cannot link. */
#include "active/selector.h"

#include "base/base.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double seg_active_distance2(const seg_active *active, int32_t i, int32_t j) {
    const size_t d = active->spec.features->cols;
    const double *x = active->spec.features->at + (size_t)i * d, *y = active->spec.features->at + (size_t)j * d;
    double sum = 0;
    for (size_t t = 0; t < d; t++)
        sum += (x[t] - y[t]) * (x[t] - y[t]);
    return sum;
}

double seg_hoods_from_centroid(const seg_active *active, int32_t sample, size_t hood) {
    const size_t d = active->spec.features->cols;
    const double *x = active->spec.features->at + (size_t)sample * d, *total = active->sum + hood * d;
    double sum = 0;
    for (size_t t = 0; t < d; t++) {
        const double difference = x[t] - total[t] / (double)active->hoods[hood].size;
        sum += difference * difference;
    }
    return sum;
}

/* Consolidate draws samples at random: distances to the nearest known sample have done their work. */
static int needs_distances(const seg_active *active) {
    return active->spec.strategy != SEG_ACTIVE_EXPLORE_CONSOLIDATE || active->spec.k == 0 ||
           active->hood_count < (size_t)active->spec.k;
}

typedef struct approaching {
    seg_active *active;
    int32_t sample;
} approaching;

static void approach(void *arg, size_t first, size_t last, int worker) {
    const approaching *a = arg;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        const double distance = seg_active_distance2(a->active, (int32_t)i, a->sample);
        if (distance < a->active->distance[i])
            a->active->distance[i] = distance;
    }
}

/* d(x, S) = min over y in S of |x - y|, S all that is in a neighbourhood [basu2004active, Sec. 4]: one sample more. */
void seg_hoods_approach(seg_context *ctx, seg_active *active, int32_t sample) {
    const size_t n = needs_distances(active) ? active->spec.n : 0;
    seg_parallel_on(ctx, n > 4096 ? seg_threads(ctx) : 1, n, 0, approach, &(approaching){active, sample});
}

seg_status seg_hoods_join(seg_context *ctx, seg_active *active, int32_t sample, size_t hood) {
    const size_t d = active->spec.features->cols;
    int32_t member = sample;
    do {
        if (active->hood[member] < 0) {
            const double *x = active->spec.features->at + (size_t)member * d;
            active->hood[member] = (int32_t)hood;
            active->hoods[hood].size++;
            for (size_t t = 0; t < d; t++)
                active->sum[hood * d + t] += x[t];
            seg_status status = seg_poll(ctx);
            if (status != SEG_OK)
                return status;
            seg_hoods_approach(ctx, active, member);
        }
        member = active->relations.ring[member];
    } while (member != sample);
    return SEG_OK;
}

seg_status seg_hoods_start(seg_context *ctx, seg_active *active, int32_t sample) {
    const size_t d = active->spec.features->cols, hood = active->hood_count;
    if (hood == active->hood_room) {
        const size_t room = hood ? 2 * hood : 8;
        size_t cells;
        if (!seg_multiply(room, d, &cells))
            cells = SIZE_MAX;
        seg_hood *hoods = seg_realloc(ctx, active->hoods, room, sizeof *hoods);
        active->hoods = hoods ? hoods : active->hoods;
        double *sum = hoods ? seg_realloc(ctx, active->sum, cells, sizeof *sum) : NULL;
        if (!sum)
            return SEG_ERR_MEMORY;
        active->sum = sum;
        active->hood_room = room;
    }
    active->hoods[hood] = (seg_hood){.member = sample};
    memset(active->sum + hood * d, 0, d * sizeof *active->sum);
    seg_status status = seg_hoods_join(ctx, active, sample, hood);
    active->hood_count++;
    return status;
}

void seg_hoods_restart(seg_active *active) {
    const int32_t start = active->hoods[0].member;
    active->hood_count = 0;
    active->start_unanswered = active->unanswered = 0;
    active->candidate = -1;
    active->hood[start] = -1;
    for (size_t i = 0; i < active->spec.n; i++) {
        active->distance[i] = INFINITY;
        if (active->aside[i] == ASIDE_DOUBTED)
            active->aside[i] = ASIDE_NOT; /* the missing answer may have been about the start */
    }
    active->aside[start] = ASIDE_BAD_START;
}

typedef struct part {
    int32_t sample; /* the smallest member */
    int32_t size;
} part;

static int larger_first(const void *a, const void *b) {
    const part *x = a, *y = b;
    return x->size != y->size ? (x->size < y->size) - (x->size > y->size)
                              : (x->sample > y->sample) - (x->sample < y->sample);
}

seg_status seg_hoods_from_known(seg_context *ctx, seg_active *active) {
    const size_t parts = (size_t)active->closure.components;
    seg_status status = SEG_OK;
    size_t found = 0;
    part *list = seg_alloc(ctx, parts, sizeof *list);
    if (!list)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < active->spec.n && found < parts; i++)
        if (active->closure.component[i] == (int32_t)found) /* numbered in the order of their smallest members */
            list[found++] =
                (part){(int32_t)i, active->relations.size[seg_relations_root(&active->relations, (int32_t)i)]};
    qsort(list, parts, sizeof *list, larger_first);
    for (size_t p = 0; p < parts && status == SEG_OK; p++) {
        int apart = 1;
        for (size_t h = 0; h < active->hood_count && apart; h++)
            apart = seg_relations_between(&active->relations, list[p].sample, active->hoods[h].member) < 0;
        if (!apart)
            continue;
        if (active->spec.k && active->hood_count == (size_t)active->spec.k)
            status =
                seg_fail(ctx, SEG_ERR_CONTRADICTION,
                         "the constraints need more than k = %d clusters: that many cannot link to each other, and "
                         "sample %d cannot link to any of them; use a larger k, or remove a constraint",
                         active->spec.k, list[p].sample);
        else
            status = seg_hoods_start(ctx, active, list[p].sample);
    }
    free(list);
    return status;
}
