/* The random walker with priors of a forest: methods walk and forest; groups for clusters without, by other methods. */
#include "base/base.h"
#include "constraints/closed.h"
#include "constraints/held_out_pairs.h"
#include "groups/groups.h"
#include "likelihood/forest.h"
#include "methods/assign.h"
#include "methods/steps.h"

#define FLOOR        1e-3 /* the least vote of the forest */
#define OWN_SHARE    0.5  /* weight of an image's own marked samples beside the prior */
#define RARER        0.1  /* factor of the probability of an end in the prior where there are marked samples */
#define ALIKE        20.0 /* marked patches from which on the forest is mostly believed */
#define VOTES        0.5  /* exponent of the forest's votes beside odds that are given */
#define ALONE        0.16 /* factor of the background where it has no group (docs/history/first-clicks.md) */
#define KERNEL_SHARE 0.02 /* of a kernel's scores at each step of a walk, see seg_walk_with_prior */
#define TOLERANCE    1e-6 /* on images/ no label differs from those of 1e-8, no score by more than 1e-3 */

/* Walks that end in the background, column 2, count for the second cluster. A group alone is the object's, and its
 * strokes reach less far than strokes on both sides. */
static void name_background(const seg_problem *problem, const seg_matrix *ends, seg_matrix *S) {
    const double factor = problem->constraints->groups == 1 ? ALONE : 1;
    for (size_t i = 0; i < S->rows; i++) {
        const double *e = ends->at + 3 * i;
        S->at[2 * i] = e[0];
        S->at[2 * i + 1] = factor * (e[1] + e[2]);
    }
}

/* What a walk's absorption is made of: shares of a sample's degree, and the priors. */
typedef struct absorption {
    const seg_matrix *P;
    double prior, termination, tolerance;
} absorption;

/* (L + diag(absorb)) S = diag(prior * degree) P, S given at the marked samples; S: out's scores. */
static seg_status walk(seg_context *ctx, const seg_problem *problem, const absorption *how, seg_clustering *out) {
    const seg_csr *W = problem->affinity;
    const size_t n = problem->n, k = out->score.cols;
    const seg_laplacian *laplacian = seg_prepared_of(problem).laplacian;
    SEG_RELEASED(seg_laplacian_release) seg_laplacian *own = NULL;
    SEG_RELEASED(seg_matrix_free) seg_matrix three = {0};
    seg_matrix *X = problem->background ? &three : &out->score;
    SEG_LOCAL(double, absorb, seg_alloc(ctx, n, sizeof *absorb));
    if (!laplacian)
        SEG_TRY(seg_laplacian_create(ctx, W, &own));
    if (problem->background)
        SEG_TRY(seg_matrix_create(ctx, n, k + 1, &three));
    for (size_t i = 0; i < n; i++) {
        const int g = problem->constraints->groups ? problem->constraints->group[i] : -1;
        const double ends = problem->background && g < 0 ? problem->background[i] : 0;
        double degree = seg_csr_row_sum(W, i), *s = X->at + i * X->cols;
        if (degree <= 0) /* isolated in the graph: the forest decides */
            degree = 1;
        absorb[i] = g >= 0 ? SEG_FIXED : (how->prior + how->termination + ends) * degree;
        for (size_t c = 0; c < k; c++)
            s[c] = g >= 0 ? (double)((size_t)g == c) : how->prior * degree * how->P->at[i * k + c];
        if (problem->background)
            s[k] = ends * degree;
    }
    SEG_TRY(
        seg_laplacian_solve(ctx, laplacian ? laplacian : own,
                            &(seg_laplacian_system){absorb, X->cols, how->tolerance, X->at, X->at, &out->iterations}));
    if (problem->background)
        name_background(problem, X, &out->score);
    return SEG_OK;
}

/* How much the first strokes of an object are known to be that. */
static double trust(const seg_problem *problem) {
    return problem->background || problem->odds ? 1 - problem->discount : 0;
}

/* Join the votes with the odds of what people would mark, which say more than a forest grown on a few strokes. */
static void join_odds(const seg_problem *problem, seg_matrix *P) {
    const double own = trust(problem);
    for (size_t i = 0; i < problem->n; i++) {
        double *p = P->at + 2 * i;
        const double odds = own * problem->odds[i] + (1 - own * (1 - VOTES)) * log(p[0] / p[1]);
        p[0] = 1 / (1 + exp(-odds));
        p[1] = 1 / (1 + exp(odds));
    }
}

typedef struct combining {
    const seg_problem *problem;
    const seg_matrix *P;
    double blend;
    seg_clustering *out;
} combining;

/* Where no walk ends at a label, the forest alone decides. */
static void combine_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const combining *j = arg;
    const int16_t *group = j->problem->constraints->group;
    const int any = j->problem->constraints->groups > 0;
    const size_t k = j->P->cols;
    for (size_t i = first; i < last; i++) {
        double *s = j->out->score.at + i * k, sum = 0;
        const double *p = j->P->at + i * k;
        if (any && group[i] >= 0) {
            j->out->label[i] = group[i];
            continue;
        }
        for (size_t c = 0; c < k; c++)
            sum += s[c] = fmax(s[c], 0);
        for (size_t c = 0; c < k; c++)
            s[c] = sum > 0 ? pow(s[c] / sum, 1 - j->blend) * pow(p[c], j->blend) : p[c];
        seg_normalise_scores(k, s);
        j->out->label[i] = (int32_t)seg_largest_of(k, s);
    }
}

/* One sample of a label shows nothing of how its samples differ, and a few show little: the forest's votes are taken
 * with a share of 1 - 1 / m^2, m the samples of the label that has fewest. The first strokes of an object and its
 * background show little of both: their share is multiplied by m / (m + 20), by 1 where nobody takes them for that. */
static void shrink(const seg_problem *problem, seg_matrix *P) {
    size_t members[SEG_MAX_LABELS] = {0}, fewest = problem->n;
    for (size_t i = 0; i < problem->n; i++)
        if (problem->constraints->group[i] >= 0)
            members[problem->constraints->group[i]]++;
    for (int g = 0; g < problem->constraints->groups; g++)
        fewest = members[g] < fewest ? members[g] : fewest;
    const double m = (double)fewest, object = trust(problem);
    const double share = (1 - 1 / (m * m)) * (1 - object * ALIKE / (m + ALIKE)), rest = (1 - share) / (double)P->cols;
    for (size_t e = 0; e < P->rows * P->cols; e++)
        P->at[e] = share * P->at[e] + rest;
}

/* Without features or trees, or with one group alone, only the graph is known, and every group is equally likely. */
static seg_status votes(seg_context *ctx, const seg_problem *problem, int trees, seg_matrix *P) {
    const seg_forest_options options = {.trees = trees, .floor = FLOOR, .one_unit = problem->patches};
    const seg_matrix *appearance = problem->context ? problem->context : problem->features;
    if (appearance && trees > 0 && problem->constraints->groups == problem->k) {
        SEG_TRY(seg_forest_posterior(ctx, appearance, problem->constraints->group, problem->k, &options, P));
        shrink(problem, P);
        return SEG_OK;
    }
    SEG_TRY(seg_matrix_create(ctx, problem->n, (size_t)problem->k, P));
    for (size_t e = 0; e < P->rows * P->cols; e++)
        P->at[e] = 1.0 / problem->k;
    return SEG_OK;
}

seg_status seg_random_walk(seg_context *ctx, const seg_problem *problem, const seg_random_walk_options *options,
                           seg_clustering *out) {
    const double tolerance = options->tolerance > 0 ? options->tolerance : TOLERANCE;
    SEG_RELEASED(seg_matrix_free) seg_matrix P = {0};
    SEG_TRY(votes(ctx, problem, options->trees, &P));
    if (problem->odds)
        join_odds(problem, &P);
    SEG_TRY(walk(ctx, problem, &(absorption){&P, options->prior, options->termination, tolerance}, out));
    seg_parallel(ctx, problem->n, 0, combine_rows, &(combining){problem, &P, options->blend, out});
    return SEG_OK;
}

/* What the prior knows of the clusters. */
typedef struct prior_knowledge {
    char of[SEG_MAX_LABELS]; /* 1 where it knows a cluster */
    double *taken; /* k x k: the share that a new cluster may take from a known one, from the prior of the new one's
                      marked samples, scaled so that the largest is 1 */
} prior_knowledge;

/* out->taken holds zeros. */
static void look_at_prior(const seg_problem *problem, prior_knowledge *out) {
    const seg_matrix *prior = problem->prior;
    const size_t k = prior->cols;
    for (size_t e = 0; e < prior->rows * k; e++)
        out->of[e % k] |= prior->at[e] > 0;
    for (size_t i = 0; i < prior->rows; i++)
        for (size_t c = 0; problem->constraints->group[i] >= 0 && c < k; c++)
            out->taken[(size_t)problem->constraints->group[i] * k + c] += prior->at[i * k + c];
    for (size_t g = 0; g < k; g++) {
        double most = 0, *row = out->taken + g * k;
        for (size_t c = 0; c < k; c++)
            most = fmax(most, row[c]);
        for (size_t c = 0; c < k; c++)
            row[c] = most > 0 ? row[c] / most : 1;
    }
}

/* Combine votes and prior. Only clusters with a group have votes: they divide the sum of their priors by the geometric
 * mean of both. A new cluster, which the prior does not know, takes the share of its votes from the clusters to which
 * the prior assigned its marked samples. */
static void join_rows(const seg_problem *problem, const prior_knowledge *known, double own, seg_matrix *P) {
    const size_t k = P->cols, marked = (size_t)problem->constraints->groups;
    for (size_t i = 0; i < P->rows; i++) {
        const double *p = problem->prior->at + i * k;
        double *v = P->at + i * k, left[SEG_MAX_LABELS], held = 0, votes = 0;
        memcpy(left, p, k * sizeof *left);
        for (size_t g = 0; g < marked; g++)
            for (size_t c = 0; !known->of[g] && c < k; c++) {
                const double moved = known->of[c] ? left[c] * v[g] * known->taken[g * k + c] : 0;
                left[c] -= moved;
                left[g] += moved;
            }
        for (size_t g = 0; g < marked; g++)
            if (known->of[g]) {
                held += left[g];
                votes += v[g];
            }
        for (size_t c = 0; c < k; c++) {
            const double before = fmax(left[c], 0.1 * FLOOR);
            if (c < marked && known->of[c] && votes > 0)
                v[c] = pow(before, 1 - own) * pow(fmax(held * v[c] / votes, 0.1 * FLOOR), own);
            else
                v[c] = before;
        }
        seg_normalise_scores(k, v);
    }
}

seg_status seg_walk_with_prior(seg_context *ctx, const seg_problem *problem, const seg_random_walk_options *options,
                               seg_clustering *out) {
    const int marked = problem->constraints->groups;
    const double strength = marked ? options->prior * RARER : options->prior;
    SEG_RELEASED(seg_matrix_free) seg_matrix P = {0};
    if (marked) {
        SEG_LOCAL(double, taken, seg_alloc_zero(ctx, (size_t)problem->k, (size_t)problem->k * sizeof *taken));
        SEG_TRY(votes(ctx, problem, options->trees, &P));
        prior_knowledge known = {.taken = taken};
        look_at_prior(problem, &known);
        join_rows(problem, &known, OWN_SHARE, &P);
    } else {
        SEG_TRY(seg_matrix_create(ctx, problem->n, (size_t)problem->k, &P));
        memcpy(P.at, problem->prior->at, P.rows * P.cols * sizeof *P.at);
    }
    SEG_TRY(walk(ctx, problem, &(absorption){&P, strength, 0, TOLERANCE}, out));
    seg_parallel(ctx, problem->n, 0, combine_rows, &(combining){problem, &P, 0, out});
    return SEG_OK;
}

seg_status seg_assign_linked(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, int extras,
                             seg_clustering *out) {
    const int iterations = out->iterations;
    SEG_RELEASED(seg_constraints_free) seg_constraints found = {0};
    seg_problem own = *problem;
    if (!extras || !problem->patches)
        return Z ? seg_assign_kmeans(ctx, problem, Z, SEG_ASSIGN_GROUPS, out) : SEG_OK;
    if (problem->constraints->groups == 0 && seg_constraints_cannots(problem->constraints) > 0)
        SEG_TRY(seg_groups_from_pairs(ctx, problem, Z ? Z : &out->score, &found));
    if (found.groups > 0)
        own.constraints = &found;
    SEG_TRY(Z ? seg_assign_kmeans(ctx, &own, Z, SEG_ASSIGN_GROUPS, out) : seg_name_clusters(ctx, &own, out));
    if (own.constraints->groups < problem->k)
        return SEG_OK;
    own.prior = &out->score; /* read before the walk's scores are written */
    const seg_status status = seg_walk_with_prior(ctx, &own, &(seg_random_walk_options){.prior = KERNEL_SHARE}, out);
    out->iterations = iterations;
    return status;
}

/* ---- Groups for clusters that have none. ---- */

seg_status seg_complete_groups(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    const seg_method_row *finder = !problem->affinity             ? &seg_method_pckmeans
                                   : problem->constraints->groups ? &seg_method_mixture
                                                                  : &seg_method_ccskl; /* the mixture walks by pairs */
    const char *name = finder->info.name;
    SEG_RELEASED(seg_clustering_free) seg_clustering found = {0};
    memset(out, 0, sizeof *out);
    if (problem->constraints->groups == problem->k)
        return seg_constraints_copy(ctx, problem->n, problem->constraints, out);
    SEG_TRY(seg_clustering_begin(ctx, problem, &found));
    SEG_TRY(seg_method_solve(ctx, finder, problem, &found));
    SEG_TRY(seg_fill_clusters(ctx, name, problem, &found));
    SEG_TRY(seg_join_linked(ctx, name, problem, &found));
    return seg_groups_from_clusters(ctx, problem, &found, out);
}

/* ---- The random walker alone: a walk from an unmarked sample ends at the first marked sample that it meets, and the
 * sample belongs to each cluster with the probability that this is one of the cluster's [grady2006]. At every step it
 * may also end where it is, without a label, which gives near samples more weight: priors that are equal for all labels
 * [grady2005priors, Eq. 8]. The default method joins it with a forest (selection/auto.c). ---- */

/* Without a forest nothing bounds the probabilities from below, and they are small far from the marked samples. */
#define WALK_TOLERANCE 1e-10

static const seg_param walk_params[] = {
    {"termination", 5e-4, 0, 0.01, 0, NULL,
     "the probability that the walk ends there without counting, as a share of a sample's degree; 0: never"},
};

seg_status seg_pair_groups(seg_context *ctx, const seg_problem *problem, seg_spectrum *spectrum, seg_constraints *out) {
    if (problem->features)
        return seg_enpakl_groups(ctx, problem, out);
    if (!spectrum->vector)
        SEG_TRY(seg_smoothest(ctx, problem, seg_ccsr_columns(problem), spectrum));
    return seg_ccsr_groups(ctx, problem, spectrum, out);
}

/* Groups for all clusters: the marked ones, where all are marked; for pairs with cannot-links among them, the groups
 * that a learned kernel shows, and then out has no pairs; else those that seg_complete_groups finds. Must-links alone
 * do not keep the samples of a learned kernel apart. */
static seg_status groups_of_all(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    const seg_constraints *given = problem->constraints;
    SEG_RELEASED(seg_spectrum_free) seg_spectrum spectrum = {0};
    memset(out, 0, sizeof *out);
    if (given->groups == 0 && given->pairs == 0 && !problem->prior)
        return seg_fail(ctx, SEG_ERR_USAGE, "the method walk needs marked samples or pairs, and there are none");
    if (given->groups == 0 && seg_constraints_cannots(given) > 0)
        SEG_TRY(seg_pair_groups(ctx, problem, &spectrum, out));
    if (out->groups == problem->k)
        return SEG_OK;
    seg_constraints_free(out);
    return seg_complete_groups(ctx, problem, out);
}

static seg_status solve_walk(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_random_walk_options options = {.termination = param[0], .tolerance = WALK_TOLERANCE};
    seg_problem own = *problem;
    SEG_RELEASED(seg_constraints_free) seg_constraints groups = {0};
    SEG_TRY(groups_of_all(ctx, problem, &groups));
    own.constraints = &groups;
    SEG_TRY(seg_random_walk(ctx, &own, &options, out));
    /* Groups that were found from the pairs have used them already. */
    return groups.pairs > 0 ? seg_keep_pairs(ctx, problem, out, NULL) : SEG_OK;
}

const seg_method_row seg_method_walk = {
    {"walk", "random walker: the marked samples that walks on the graph end at", "grady2006; grady2005priors, Eq. 8",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS, SEG_PARAMS(walk_params), NULL, NULL, SEG_PAPER_GRAPH_NONE},
    solve_walk,
};

/* ---- The forest alone: extremely randomised trees grown on the marked samples [geurts2006], whose votes are the
 * scores. Only the context features connect a sample with its neighbours. The default method uses the votes as the
 * priors of a walk (selection/auto.c). ---- */

static const seg_param forest_params[] = {
    {"trees", 40, 1, 1000, 1, NULL, "trees of the forest"},
    {"candidates", 0, 0, 1000, 1, NULL, "features tried at each split; 0: the root of their number, rounded up"},
};
enum { TREES, CANDIDATES };

/* Marked samples keep their labels. Votes are sums in single precision, so rows are normalised again. */
static void decide(const seg_constraints *groups, seg_clustering *out) {
    const size_t k = (size_t)out->k;
    for (size_t i = 0; i < out->n; i++) {
        double *score = out->score.at + i * k;
        seg_normalise_scores(k, score);
        if (groups->group[i] >= 0) {
            memset(score, 0, k * sizeof *score);
            score[groups->group[i]] = 1;
        }
        out->label[i] = (int32_t)seg_largest_of(k, score);
    }
}

static seg_status solve_forest(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_forest_options options = {
        .trees = (int)param[TREES], .candidates = (int)param[CANDIDATES], .floor = FLOOR};
    const seg_matrix *X = problem->context ? problem->context : problem->features;
    SEG_RELEASED(seg_constraints_free) seg_constraints groups = {0};
    seg_matrix votes = {0};
    seg_problem own = *problem;
    own.affinity = NULL; /* it knows no graph */
    SEG_TRY(seg_complete_groups(ctx, &own, &groups));
    SEG_TRY(seg_forest_posterior(ctx, X, groups.group, problem->k, &options, &votes));
    seg_matrix_free(&out->score);
    out->score = votes;
    decide(&groups, out);
    return groups.pairs > 0 ? seg_keep_pairs(ctx, problem, out, NULL) : SEG_OK;
}

const seg_method_row seg_method_forest = {
    {"forest", "forest of extremely randomised trees grown on the marked samples", "geurts2006",
     SEG_NEEDS_FEATURES | SEG_NEEDS_CONSTRAINTS | SEG_USES_CONTEXT, SEG_PARAMS(forest_params), NULL, NULL,
     SEG_PAPER_GRAPH_NONE},
    solve_forest,
};
