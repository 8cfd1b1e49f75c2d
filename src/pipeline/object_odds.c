/* What a net takes for the object (masks/object_net.h), for strokes of one or two labels. With the option object, and
 * with strokes of one label, the object is known, and the net counts in full. Else either of two labels may be it. The
 * net is asked both ways: q_c is the probability of each patch to be the object's if that has label c. It has label 0
 * with the probability p = 1 / (1 + exp(z_1 - z_0)),
 *
 *     z_c = 1.6 log((1.03 - f_c) / (f_c + 0.03)) - 3.1 log(u_c + 0.01) + 1.4 log(s_c + 0.01),
 *
 * with f_c and s_c the means of q_c on the image's frame and in the image, and u_c the mean of min(q_c, 1 - q_c): an
 * object touches little of the frame for its size, and the net is sure of it. Its odds are those of p q_0 + (1 - p)
 * (1 - q_1), and they count with the weight
 *
 *     max(0, 1 - m / 300)^2 / (1 + (u / 0.05)^6),    u = p u_0 + (1 - p) u_1,
 *
 * with m marked patches of the label that has fewer. Many strokes say more than the net, and what it is not sure of,
 * such as vessels, it has not learned. The constants were learned from simulated clicks and strokes, with whole data
 * sets left out: docs/history/first-clicks.md, "Either label may be the object". */
#include "pipeline/run.h"

#include "base/base.h"
#include "features/grid.h"

#define BY_FRAME  1.6
#define BY_UNSURE 3.1
#define BY_SIZE   1.4
#define ENOUGH    300.0 /* marked patches */
#define UNSURE    0.05
#define LEAST     0.01 /* added to shares */
#define LEAST_ODD 1e-3 /* added to probabilities */

/* The log odds of the object if it has the label `object`. */
static seg_status ask(seg_context *ctx, const seg_run *r, int object, double *odds) {
    seg_session *s = r->session;
    SEG_LOCAL(int16_t, group, seg_alloc(ctx, r->given.n, sizeof *group));
    for (size_t i = 0; i < r->given.n; i++)
        group[i] = (int16_t)(r->given.group[i] < 0 ? -1 : r->given.group[i] ^ object);
    if (!s->net)
        SEG_TRY(seg_object_net_look(ctx, s->copy ? s->copy : s->photo, &s->net));
    for (int label = 0; label < 2; label++)
        SEG_TRY(seg_object_net_mark(ctx, s->net, &s->layout.grid, group, label));
    return seg_object_net_odds(ctx, s->net, &s->layout.grid, odds);
}

/* z of an answer. unsure: its u. */
static double credit(const seg_run *r, const double *odds, double *unsure) {
    const size_t n = r->given.n;
    double area = 0, frame = 0, sides = 0;
    *unsure = 0;
    for (size_t i = 0; i < n; i++) {
        const double q = 1 / (1 + exp(-odds[i])), at_frame = seg_patch_to_frame(&r->session->layout.grid, i) == 0;
        area += q / (double)n;
        *unsure += fmin(q, 1 - q) / (double)n;
        frame += at_frame * q;
        sides += at_frame;
    }
    frame /= sides;
    return BY_FRAME * log((1.03 - frame) / (frame + 0.03)) - BY_UNSURE * log(*unsure + LEAST) +
           BY_SIZE * log(area + LEAST);
}

/* Both answers, one after the other, become that of label 0. */
static void join(seg_context *ctx, const seg_run *r, double *odds, double *trust) {
    const size_t n = r->given.n;
    double u0, u1;
    const double z = credit(r, odds, &u0) - credit(r, odds + n, &u1), p = 1 / (1 + exp(-z));
    *trust /= 1 + pow((p * u0 + (1 - p) * u1) / UNSURE, 6);
    for (size_t i = 0; i < n; i++) {
        const double q = p / (1 + exp(-odds[i])) + (1 - p) / (1 + exp(odds[n + i]));
        odds[i] = log((q + LEAST_ODD) / (1 - q + LEAST_ODD));
    }
    seg_log(ctx, SEG_LOG_INFO, "label %d is an object with the probability %.2f; what a net takes for it counts %.2f",
            r->scan.label[p < 0.5], fmax(p, 1 - p), *trust);
}

seg_status seg_run_object_odds(seg_context *ctx, const seg_run *r, double **odds, double *trust) {
    const int is_known = r->out->decided[SEG_DECIDED_FRAME].on;
    const size_t n = r->given.n;
    size_t marked[2] = {0, 0};
    for (size_t i = 0; i < n; i++)
        if (r->given.group[i] >= 0)
            marked[r->given.group[i]]++;
    const double fewer = (double)(marked[0] < marked[1] ? marked[0] : marked[1]);
    *odds = NULL;
    *trust = is_known ? 1 : pow(fmax(0, 1 - fewer / ENOUGH), 2);
    if (*trust <= 0)
        return SEG_OK;
    SEG_LOCAL(double, made, seg_alloc(ctx, n, (is_known ? 1 : 2) * sizeof *made));
    for (int object = 0; object < (is_known ? 1 : 2); object++)
        SEG_TRY(ask(ctx, r, object, made + (size_t)object * n));
    if (!is_known)
        join(ctx, r, made, trust);
    *odds = seg_taken(&made);
    return SEG_OK;
}
