/* With the option object a session changes its last mask only near the strokes that were added since, which in patches
 * s at a distance d from them have the log odds
 *
 *     w o' + (1 - w) o,    w = 1 - exp(-d^2 / (2 (2.5 R)^2)),
 *
 * o' those of the last mask and o those of all strokes. R is the distance from the added stroke to where the last mask
 * has its label, at its farthest patch and at least 2 patches: half the width of what was wrong. Without added strokes
 * nothing changes; where one was removed, or none had the label, o' is not used. Chosen by simulated clicks, of which
 * half as many then make a mask worse: docs/history/first-clicks.md, "A session that remembers". */
#include "pipeline/run.h"

#include "base/base.h"
#include "masks/distance.h"

#define REACH       2.5
#define LEAST       2.0
#define LEAST_SCORE 1e-4

static double log_odds(const seg_matrix *score, size_t i) {
    return log(fmax(score->at[2 * i], LEAST_SCORE)) - log(fmax(score->at[2 * i + 1], LEAST_SCORE));
}

/* Lower the weights w of the last mask near the added strokes of a label. */
static seg_status lower(seg_context *ctx, const seg_run *r, int label, double *w) {
    const seg_patch_grid *grid = &r->session->layout.grid;
    const seg_last_mask *last = &r->session->last;
    const size_t n = r->clustering.n;
    double reach2 = LEAST * LEAST;
    SEG_LOCAL(uint8_t, had, seg_alloc(ctx, n, 2));
    SEG_LOCAL(double, distance2, seg_alloc(ctx, n, sizeof *distance2));
    uint8_t *added = had + n;
    for (size_t i = 0; i < n; i++) {
        had[i] = (log_odds(&last->score, i) < 0) == label;
        added[i] = r->given.group[i] == label && last->group[i] < 0;
    }
    if (!memchr(added, 1, n))
        return SEG_OK;
    const int first = !memchr(had, 1, n);
    if (!first)
        SEG_TRY(seg_patch_distances(ctx, had, grid, distance2));
    for (size_t i = 0; i < n; i++)
        reach2 = first ? INFINITY : added[i] ? fmax(reach2, distance2[i]) : reach2;
    SEG_TRY(seg_patch_distances(ctx, added, grid, distance2));
    for (size_t i = 0; i < n; i++)
        w[i] = fmin(w[i], 1 - exp(-distance2[i] / (2 * REACH * REACH * reach2)));
    return SEG_OK;
}

static seg_status join(seg_context *ctx, seg_run *r) {
    seg_clustering *c = &r->clustering;
    SEG_LOCAL(double, w, seg_alloc(ctx, c->n, sizeof *w));
    for (size_t i = 0; i < c->n; i++)
        w[i] = 1;
    for (int label = 0; label < 2; label++)
        SEG_TRY(lower(ctx, r, label, w));
    for (size_t i = 0; i < c->n; i++)
        if (r->given.group[i] < 0) {
            const double odds = w[i] * log_odds(&r->session->last.score, i) + (1 - w[i]) * log_odds(&c->score, i);
            c->score.at[2 * i] = 1 / (1 + exp(-odds));
            c->score.at[2 * i + 1] = 1 / (1 + exp(odds));
            c->label[i] = odds < 0;
        }
    return SEG_OK;
}

static int remembers(const seg_run *r) {
    return r->options->object && !r->session->start && !r->session->once && !r->options->box.width &&
           r->clustering.k == 2;
}

seg_status seg_run_steady(seg_context *ctx, seg_run *r) {
    const seg_last_mask *last = &r->session->last;
    int all_are_left = remembers(r) && last->group && last->score.rows == r->clustering.n;
    for (size_t i = 0; all_are_left && i < r->clustering.n; i++)
        all_are_left = last->group[i] < 0 || last->group[i] == r->given.group[i];
    return all_are_left ? join(ctx, r) : SEG_OK;
}

/* out is zero. */
static seg_status copy(seg_context *ctx, const seg_last_mask *from, seg_last_mask *out) {
    const size_t n = from->score.rows;
    if (!from->group)
        return SEG_OK;
    SEG_TRY(seg_matrix_create(ctx, n, 2, &out->score));
    memcpy(out->score.at, from->score.at, 2 * n * sizeof *out->score.at);
    SEG_TRY(seg_allocated(out->group = seg_alloc(ctx, n, sizeof *out->group)));
    memcpy(out->group, from->group, n * sizeof *out->group);
    return SEG_OK;
}

seg_status seg_run_remember(seg_context *ctx, const seg_run *r) {
    const seg_last_mask now = {r->given.group, r->clustering.score};
    return remembers(r) ? seg_session_remind(ctx, r->session, &now) : SEG_OK;
}

seg_status seg_session_remind(seg_context *ctx, seg_session *session, const seg_last_mask *mask) {
    seg_last_mask_free(&session->last);
    return mask ? copy(ctx, mask, &session->last) : SEG_OK;
}

seg_last_mask *seg_session_recall(seg_context *ctx, const seg_session *session) {
    seg_last_mask *made = seg_alloc_zero(ctx, 1, sizeof *made);
    if (!made || copy(ctx, &session->last, made) == SEG_OK)
        return made;
    seg_last_mask_drop(made);
    return NULL;
}

void seg_last_mask_drop(seg_last_mask *mask) {
    if (mask)
        seg_last_mask_free(mask);
    free(mask);
}

void seg_last_mask_free(seg_last_mask *last) {
    free(seg_taken(&last->group));
    seg_matrix_free(&last->score);
}
