#include "methods/linked.h"

#include <math.h>

double seg_linked_cost(const seg_linked *l, int32_t which, int32_t c, double apart) {
    const seg_neighbourhoods *f = &l->near;
    double sum = 0;
    for (size_t m = f->start[which]; m < f->start[which + 1]; m++)
        sum += l->cost[(size_t)f->member[m] * l->k + (size_t)c];
    for (size_t e = f->cannot_start[which]; e < f->cannot_start[which + 1]; e++)
        sum += seg_linked_label(l, f->cannot[e]) == c ? apart * f->apart[e] : 0;
    return sum;
}

static void put(seg_linked *l, int32_t which, int32_t c) {
    const size_t samples = seg_neighbourhood_size(&l->near, which);
    l->size[seg_linked_label(l, which)] -= samples;
    l->size[c] += samples;
    for (size_t m = l->near.start[which]; m < l->near.start[which + 1]; m++)
        l->label[l->near.member[m]] = c;
}

/* Move each neighbourhood where it costs least, unless that leaves a cluster empty. @return whether any moved */
static int sweep(seg_linked *l, double apart) {
    int moved = 0;
    for (int32_t which = 0; which < l->near.count; which++) {
        const size_t samples = seg_neighbourhood_size(&l->near, which);
        const int32_t from = seg_linked_label(l, which);
        int32_t to = from;
        double least = seg_linked_cost(l, which, from, apart);
        for (int32_t c = 0; c < (int32_t)l->k && l->size[from] > samples; c++) {
            const double value = seg_linked_cost(l, which, c, apart);
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

/* Move two neighbourhoods with a cannot-link between them, of weight `link`, where they cost least together: where each
 * is at the other's place, neither could go alone without breaking the link. @return whether they moved */
static int move_two(seg_linked *l, double apart, double link, int32_t p, int32_t q) {
    const int32_t from_p = seg_linked_label(l, p), from_q = seg_linked_label(l, q);
    int32_t to_p = from_p, to_q = from_q;
    double least = INFINITY;
    for (int32_t a = 0; a < (int32_t)l->k; a++) {
        put(l, p, a);
        for (int32_t b = 0; b < (int32_t)l->k; b++) {
            put(l, q, b); /* the cost has the link between them in both when it is broken, and it counts once */
            const int kept = l->size[from_p] > 0 && l->size[from_q] > 0;
            const double value =
                seg_linked_cost(l, p, a, apart) + seg_linked_cost(l, q, b, apart) - (a == b ? apart * link : 0);
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

double seg_linked_total(const seg_linked *l, double apart) {
    double total = 0;
    for (int32_t which = 0; which < l->near.count; which++) /* a broken link is met from both its ends */
        total += seg_linked_cost(l, which, seg_linked_label(l, which), apart / 2);
    return total;
}

int seg_linked_move(seg_linked *l, double apart) {
    int moved = sweep(l, apart);
    for (int32_t p = 0; p < l->near.count; p++)
        for (size_t e = l->near.cannot_start[p]; e < l->near.cannot_start[p + 1]; e++)
            if (p < l->near.cannot[e])
                moved |= move_two(l, apart, l->near.apart[e], p, l->near.cannot[e]);
    return moved;
}
