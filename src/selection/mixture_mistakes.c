/* Pairs that may be wrong, because people make mistakes. A wrong pair that contradicts no other is kept by every
 * labelling, and through chains of linked samples it makes other samples wrong. Candidates that do not know a pair
 * predict it, and these predictions tell which pairs to leave out. */
#include "selection/mixture_chooser.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define LEAVE_OUT_BELOW 0.1  /* least predicted probability of a pair that is kept */
#define TAKE_BACK_FROM  0.5  /* least predicted probability of a pair that comes back */
#define MOST            0.25 /* largest share of the pairs that may be left out */
#define AS_WELL         1.01 /* factor by which the loss may rise */
#define ROUNDS          4

/* What follows from the pairs that are kept. */
typedef struct chosen {
    seg_held_out held;
    unsigned char *left_out;
    double *same;
    double loss[CANDIDATES], share[CANDIDATES];
    int best;
} chosen;

/* Leave out these pairs instead of the present ones; `before` gets the results of those. */
static seg_status leave_out(seg_context *ctx, seg_mixture_chooser *s, unsigned char *pairs, int *best, chosen *before) {
    *before = (chosen){.held = s->held, .left_out = s->left_out, .same = s->same, .best = *best};
    memcpy(before->loss, s->loss, sizeof s->loss);
    memcpy(before->share, s->share, sizeof s->share);
    s->held = (seg_held_out){0};
    s->same = NULL;
    s->left_out = pairs;
    const seg_status status = seg_mixture_kept_pairs(ctx, s);
    return status ? status : seg_mixture_weigh(ctx, s, best);
}

static seg_status change_back(seg_context *ctx, seg_mixture_chooser *s, const chosen *before, int *best) {
    seg_held_out_free(&s->held);
    free(s->same);
    free(s->left_out);
    s->held = before->held;
    s->left_out = before->left_out;
    s->same = before->same;
    memcpy(s->loss, before->loss, sizeof s->loss);
    memcpy(s->share, before->share, sizeof s->share);
    *best = before->best;
    return seg_mixture_kept_pairs(ctx, s);
}

/* The probability that a pair is right, as the mean over the candidates. */
static double foretold(const seg_mixture_chooser *s, size_t p) {
    double same = 0, shares = 0;
    for (int which = 0; which < CANDIDATES; which++) {
        same += s->share[which] * s->same[p * CANDIDATES + (size_t)which];
        shares += s->share[which];
    }
    return s->all.pair[p].sign > 0 ? same / shares : 1 - same / shares;
}

/* Choose the pairs that the others contradict. Pairs that were left out come back if the others predict them. @return
 * how many are left out */
static size_t choose_pairs(const seg_mixture_chooser *s, unsigned char *left_out) {
    size_t count = 0;
    for (size_t p = 0, kept = 0; p < s->all.pairs; p++) {
        const int judged = s->left_out[p] || s->held.part[kept] < s->parts;
        kept += !s->left_out[p];
        left_out[p] = judged && foretold(s, p) < (s->left_out[p] ? TAKE_BACK_FROM : LEAVE_OUT_BELOW);
        count += left_out[p];
    }
    return count;
}

/* The loss of the candidates' mean on all pairs, including those left out: right pairs that are left out count as much
 * as wrong ones that stay. */
static double loss_of_all(const seg_mixture_chooser *s) {
    seg_mixture_errors e = {0};
    for (size_t p = 0, kept = 0; p < s->all.pairs; p++) {
        const int sign = s->all.pair[p].sign, judged = s->left_out[p] || s->held.part[kept] < s->parts;
        kept += !s->left_out[p];
        if (judged)
            seg_mixture_errors_add(&e, sign, sign > 0 ? foretold(s, p) : 1 - foretold(s, p));
    }
    return seg_mixture_errors_loss(&e, s->data.k);
}

seg_status seg_mixture_leave_out_mistakes(seg_context *ctx, seg_mixture_chooser *s, int *best) {
    seg_status status = SEG_OK;
    for (int round = 0; round < ROUNDS && !status; round++) {
        chosen before;
        unsigned char *left_out = seg_alloc(ctx, s->all.pairs, sizeof *left_out);
        if (!left_out)
            return SEG_ERR_MEMORY;
        const size_t count = choose_pairs(s, left_out);
        if ((double)count > MOST * (double)s->all.pairs || memcmp(left_out, s->left_out, s->all.pairs) == 0) {
            free(left_out);
            break;
        }
        const double loss = loss_of_all(s);
        status = leave_out(ctx, s, left_out, best, &before);
        const double now = status ? 0 : loss_of_all(s);
        seg_log(ctx, SEG_LOG_INFO, "mixture: without %zu pairs the loss is %.4f, %.4f before", count, now, loss);
        if (status || now > AS_WELL * loss) {
            const seg_status back = change_back(ctx, s, &before, best);
            return status ? status : back;
        }
        seg_held_out_free(&before.held);
        free(before.left_out);
        free(before.same);
    }
    return status;
}
