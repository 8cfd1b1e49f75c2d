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
