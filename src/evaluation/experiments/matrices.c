/* Protocols that measure matrices over all samples: the mean of their entries within classes and between them, which
 * the farthest samples rule, and, which they do not, the silhouette and the purity of nearest neighbours.
 *
 * distances: distance matrices of the data, the spectral embedding and the learned kernels [li2009ccskl, Fig. 4;
 * li2009ccsr, Fig. 5]: learned embeddings should show the classes as blocks. Each method uses the candidate graph on
 * which its error is least, as in the papers, and as many random constraints as samples.
 *
 * kernels: kernel matrices that the methods learn on the artificial sets [chen2011npkl, Fig. 2; kulis2009sskk,
 * Sec. 5.3]: within a class they should tend to 1, between classes to -1 (TRAGEK) or 0. */
#include "evaluation/experiments/measure.h"

#include "base/base.h"
#include "kernels/sdp_kernels.h"
#include "linalg/dense.h"

/* SCORE: the error of `distances`, the accuracy of `kernels` */
enum { WITHIN, BETWEEN, SCORE, SILHOUETTE, PURITY, VALUES };

static const seg_variant embeddings[] = {
    {.name = "data", .method = "kmeans", .param = {"seeds=none"}, .flags = SEG_VARIANT_UNCONSTRAINED},
    {.name = "spectral", .method = "ncut", .flags = SEG_VARIANT_UNCONSTRAINED},
    {.name = "ccskl", .method = "ccskl"},
    {.name = "ccsr", .method = "ccsr"},
    {.name = "enpakl", .method = "enpakl"},
};
static const seg_variant kernels[] = {
    {.name = "tragek", .method = "tragek", .most = SEG_TRAGEK_SAMPLES},
    {.name = "tragek:paper", .method = "tragek", .flags = SEG_VARIANT_PRINTED, .most = SEG_TRAGEK_SAMPLES},
    {.name = "pcp", .method = "pcp", .most = SEG_PCP_SAMPLES},
    {.name = "enpakl", .method = "enpakl"},
    {.name = "ccsr", .method = "ccsr"},
};

static int as_many_as_samples(const seg_dataset *set, int *size) {
    size[0] = (int)set->labels.n;
    return 1;
}

static double row_distance(const seg_matrix *X, size_t i, size_t j) {
    return sqrt(seg_distance2(X->cols, X->at + i * X->cols, X->at + j * X->cols));
}

/* 1 minus the cosine of the angle between two rows, which is 0 for a row of zeros. */
static double cosine_distance(const seg_matrix *Z, size_t i, size_t j) {
    const size_t d = Z->cols;
    const double *a = Z->at + i * d, *b = Z->at + j * d, own = seg_dot(d, a, a), other = seg_dot(d, b, b);
    return own > 0 && other > 0 ? 1 - seg_dot(d, a, b) / sqrt(own * other) : 1;
}

/* The mean distances of pairs of samples within classes and between them (i != j), the mean silhouette
 * [rousseeuw1987silhouettes], which is 0 for the only sample of a class, and the share of samples whose nearest other
 * sample, the first of equals, has their class. */
static seg_status measure_matrix(seg_context *ctx, const seg_labels *labels, const seg_matrix *Z,
                                 double (*distance)(const seg_matrix *, size_t, size_t), double *value) {
    double sum[2] = {0, 0}, pairs[2] = {0, 0};
    if (Z->rows != labels->n || Z->cols == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "the method has no embedding to measure");
    for (size_t i = 0; i < labels->n; i++) {
        const int own = labels->label[i];
        double to[SEG_MAX_LABELS + 1] = {0}, count[SEG_MAX_LABELS + 1] = {0}, least = INFINITY, other = INFINITY;
        int nearest = own;
        for (size_t j = 0; j < labels->n; j++) {
            const int class = labels->label[j];
            const double away = i == j ? INFINITY : distance(Z, i, j);
            nearest = away < least ? class : nearest;
            least = fmin(away, least);
            to[class] += i == j ? 0 : away;
            count[class] += i != j;
        }
        for (int c = 0; c < labels->classes; c++) {
            sum[c != own] += to[c];
            pairs[c != own] += count[c];
            other = c != own ? fmin(other, to[c] / count[c]) : other;
        }
        const double within = count[own] > 0 ? to[own] / count[own] : other, larger = fmax(within, other);
        value[SILHOUETTE] += larger > 0 ? (other - within) / larger / (double)labels->n : 0;
        value[PURITY] += (nearest == own) / (double)labels->n;
        SEG_TRY(seg_poll(ctx));
    }
    value[WITHIN] = sum[0] / fmax(pairs[0], 1);
    value[BETWEEN] = sum[1] / fmax(pairs[1], 1);
    return SEG_OK;
}

static seg_status solve_distances(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    const int data = strcmp(item->variant->name, "data") == 0;
    SEG_RELEASED(seg_clustering_free) seg_clustering best = {0};
    SEG_RELEASED(seg_trial_end) seg_trial trial = {0};
    SEG_TRY(seg_trial_begin(ctx, run, item, &trial));
    value[SCORE] = INFINITY;
    for (int g = 0; g < (data ? 1 : item->set->widths); g++) {
        SEG_RELEASED(seg_clustering_free) seg_clustering found = {0};
        seg_scores scores;
        double failed;
        trial.problem.affinity = &item->set->candidate[g];
        const seg_status status = seg_trial_score(ctx, &trial, &found, &scores);
        SEG_TRY(seg_soften(ctx, status, item, &failed, 1));
        if (!status && scores.clustering_error < value[SCORE]) {
            SEG_SWAP(seg_clustering, best, found);
            value[SCORE] = scores.clustering_error;
        }
    }
    if (value[SCORE] == INFINITY)
        return seg_fail(ctx, SEG_ERR_NUMERIC, "no candidate graph could be used");
    return measure_matrix(ctx, &item->set->labels, data ? &item->set->X : &best.embedding, row_distance, value);
}

static seg_status solve_kernels(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    SEG_RELEASED(seg_trial_end) seg_trial trial = {0};
    SEG_RELEASED(seg_clustering_free) seg_clustering found = {0};
    seg_scores scores;
    SEG_TRY(seg_trial_begin(ctx, run, item, &trial));
    SEG_TRY(seg_trial_score(ctx, &trial, &found, &scores));
    value[SCORE] = scores.pairwise_accuracy;
    SEG_TRY(measure_matrix(ctx, &item->set->labels, &found.embedding, cosine_distance, value));
    value[WITHIN] = 1 - value[WITHIN]; /* the kernel's entries */
    value[BETWEEN] = 1 - value[BETWEEN];
    return SEG_OK;
}

const seg_protocol seg_protocol_distances = {
    .info = {"distances", "distance matrices of data, spectral embedding and learned kernels",
             "li2009ccskl, Fig. 4; li2009ccsr, Fig. 5", SEG_WORDS("gaussians", "two-circles"), 1, 5, 1, 50,
             "sets of constraints", "starts of k-means, averaged"},
    SEG_VARIANTS(embeddings),
    .graphs = SEG_DATASET_CANDIDATES,
    .pairs = SEG_PAIRS_UNIFORM,
    .columns = "within,between,error,silhouette,purity",
    .values = VALUES,
    .sizes = as_many_as_samples,
    .solve = solve_distances,
};

const seg_protocol seg_protocol_kernels = {
    .info = {"kernels", "learned kernel matrices of the artificial sets", "chen2011npkl, Fig. 2",
             SEG_WORDS("chessboard", "double-spiral", "two-circles"), 1, 10, 1, 10, "sets of constraints",
             "starts of k-means, averaged"},
    SEG_VARIANTS(kernels),
    .graphs = SEG_DATASET_KNN,
    .pairs = SEG_PAIRS_BETWEEN,
    .columns = "within,between,accuracy,silhouette,purity",
    .values = VALUES,
    .size = {100}, /* the largest number in Fig. 3 */
    .listed = 1,
    .solve = solve_kernels,
};
