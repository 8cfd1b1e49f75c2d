/* How many listed pairs a clustering keeps, and the warnings where it breaks some. */
#include "base/base.h"
#include "constraints/origins.h"
#include "selection/by_pairs.h"

#define SMALL_PERCENT 1 /* of the samples: a smaller cluster is suspect where pairs are few */
#define EQUAL_PARTS   4 /* and less than an equal share divided by this */

static int is_broken(const seg_pair *pair, const seg_clustering *result) {
    return (result->label[pair->i] == result->label[pair->j]) != (pair->sign > 0);
}

static void count(const seg_constraints *constraints, const seg_clustering *result, seg_kept *out) {
    size_t size[SEG_MAX_LABELS] = {0};
    memset(out, 0, sizeof *out);
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        *(pair->sign > 0 ? &out->must_links : &out->cannot_links) += 1;
        *(pair->sign > 0 ? &out->broken_must_links : &out->broken_cannot_links) += (size_t)is_broken(pair, result);
    }
    for (size_t i = 0; i < result->n; i++)
        size[result->label[i]]++;
    out->smallest = result->n;
    for (int c = 0; c < result->k; c++)
        out->smallest = size[c] < out->smallest ? size[c] : out->smallest;
}

static void count_text(const char *what, size_t broken, size_t all, char text[96]) {
    text[0] = 0;
    if (broken)
        snprintf(text, 96, "%zu of %zu %s%s", broken, all, what, all == 1 ? "" : "s");
}

static void warn(seg_context *ctx, const seg_method *method, const seg_constraints *constraints,
                 const seg_clustering *result, const seg_kept *kept) {
    const size_t pairs = kept->must_links + kept->cannot_links;
    const int few = kept->cannot_links == 0 || pairs < SEG_LEARN_FROM * (size_t)result->k;
    const double share = (double)kept->smallest / (double)result->n;
    const int small = 100 * share < SMALL_PERCENT && EQUAL_PARTS * result->k * share < 1;
    const seg_method *usual = seg_method_find(NULL);
    char remedy[128] = "";
    if (method != usual)
        snprintf(remedy, sizeof remedy, "; the default method, %s, may keep more of them", usual->name);
    if (kept->broken_must_links + kept->broken_cannot_links > 0) {
        char must[96], cannot[96];
        count_text("must-link", kept->broken_must_links, kept->must_links, must);
        count_text("cannot-link", kept->broken_cannot_links, kept->cannot_links, cannot);
        seg_log(ctx, SEG_LOG_WARNING, "the result of %s breaks %s%s%s%s", method->name, must,
                must[0] && cannot[0] ? " and " : "", cannot, remedy);
        for (const seg_pair *pair = constraints->pair; pair < constraints->pair + constraints->pairs; pair++)
            if (is_broken(pair, result)) {
                seg_origin_pair(constraints, pair, must, sizeof must);
                seg_log(ctx, SEG_LOG_INFO, "broken: %s", must);
            }
    }
    if (method != usual)
        snprintf(remedy, sizeof remedy, ", or take the default method, %s", usual->name);
    if (pairs && constraints->groups == 0 && few && small)
        seg_log(
            ctx, SEG_LOG_WARNING,
            "the constraints say little: %zu pair%s%s for %d clusters, and the smallest cluster of %s has %.2g %% of "
            "the samples; list %d pairs or more, cannot-links among them%s",
            pairs, pairs == 1 ? "" : "s", kept->cannot_links ? "" : " without a cannot-link", result->k, method->name,
            100 * (double)kept->smallest / (double)result->n, SEG_LEARN_FROM * result->k, remedy);
}

void seg_kept_count(seg_context *ctx, const seg_method *method, const seg_constraints *constraints,
                    const seg_clustering *result, seg_kept *out) {
    count(constraints, result, out);
    if (method)
        warn(ctx, method, constraints, result, out);
}
