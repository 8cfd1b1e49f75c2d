/* k-means on the features and its variants with pairwise constraints: parameters, and from problems to the scores. */
#include "methods/assign.h"
#include "methods/method.h"

#include "base/base.h"
#include "clustering/pckmeans.h"
#include "linalg/dense.h"

#define STREAM     0x4000
#define ITERATIONS 200 /* limit of one run */

/* clang-format off */
#define START(first) \
    {"start", first, 0, 1, 1, SEG_WORDS("largest", "farthest"), \
     "neighbourhoods that start clusters: the largest, or farthest-first"}
#define REST \
    {"rest", 0, 0, 1, 1, SEG_WORDS("kmeans++", "perturbed"), \
     "other clusters start by k-means++, or at random perturbations of the mean as printed"}
/* cosine is spherical k-means [dhillon2001concept] with the method's constraints */
#define DISTANCE \
    {"distance", 0, 0, 1, 1, SEG_WORDS("euclidean", "cosine"), \
     "squared Euclidean, or 1 - cos of the angle, whatever the rows' lengths (spherical k-means)"}
/* behind `w` and `unit` of a method where broken constraints have a cost */
#define SOFT(first) \
    {"pairs", 1, 0, 1, 1, SEG_WORDS("listed", "closure"), \
     "that cost: the listed ones, or all that the closure implies (paper)"}, \
    {"moves", 1, 0, 1, 1, SEG_WORDS("samples", "neighbourhoods"), \
     "samples alone, as printed, or whole neighbourhoods, too"}, \
    START(first), REST
/* clang-format on */

/* param: start, rest. */
static seg_pckmeans_options options_of(seg_pckmeans_kind kind, const double *param, double distance) {
    return (seg_pckmeans_options){.kind = kind,
                                  .start = param[0] == 0 ? SEG_START_LARGEST : SEG_START_FARTHEST,
                                  .perturbed = param[1] == 1,
                                  .cosine = distance == 1,
                                  .distortion = 1};
}

static double mean_squared_error(const seg_matrix *X, const int32_t *label, const double *centre, double *room) {
    const size_t d = X->cols;
    double sum = 0;
    for (size_t i = 0; i < X->rows; i++)
        sum += seg_distance2(d, seg_rows_at(X, i, 1, room), centre + (size_t)label[i] * d);
    return sum / (double)X->rows;
}

/* Scores as in seg_assign_kmeans, but 1 for a sample that its constraints keep from the nearest centre. Then clusters
 * are named after the groups, whose samples get their own cluster even if a soft method put them elsewhere. With
 * `cosine` the rows are scaled to length one, so that half a squared distance is 1 - cos. */
static seg_status solve_pairwise(seg_context *ctx, const seg_problem *problem, seg_pckmeans_options options,
                                 seg_clustering *out) {
    const seg_matrix *X = problem->features;
    const int exponent = options.cosine ? 0 : problem->exponent; /* X is in units of 2^exponent */
    SEG_LOCAL(double, centre, seg_alloc(ctx, (size_t)problem->k, X->cols * sizeof *centre));
    SEG_LOCAL(double, room, seg_rows_room(ctx, X, 1));
    SEG_RELEASED(seg_matrix_free) seg_matrix unit = {0};
    seg_kmeans_result result = {0};
    if (options.cosine) {
        SEG_TRY(seg_sphere_create(ctx, X, &unit));
        X = &unit;
        options.distortion = 0.5; /* of |x - c|^2: 1 - cos */
    }
    options.k = problem->k;
    options.restarts = problem->restarts;
    options.iterations = ITERATIONS;
    options.stream = STREAM;
    if (options.unit == SEG_PCKMEANS_ONE || options.unit == SEG_PCKMEANS_CONSTRAINTS) /* squares as measured */
        options.w = fmin(ldexp(options.w, -2 * exponent), SEG_KMEANS_LARGEST);
    SEG_TRY(seg_pckmeans(ctx, X, problem->constraints, &options, (seg_clusters){out->label, centre}, &result));
    seg_clustering_solved(out, ldexp(result.objective, 2 * exponent), result.iterations, result.converged);
    const double spread2 = mean_squared_error(X, out->label, centre, room);
    SEG_TRY(seg_score_by_distance(ctx, X, centre, spread2 > 0 ? 0.5 / spread2 : 0, out->label, &out->score));
    return seg_name_clusters(ctx, problem, out);
}

/* param: w, unit, SOFT, distance or count. unit: what the parameter unit means by 1; 2 is SEG_PCKMEANS_SPREAD. */
static seg_status solve_soft(seg_context *ctx, const seg_problem *problem, const double *param, seg_pckmeans_unit unit,
                             seg_clustering *out) {
    enum { WEIGHT, UNIT, PAIRS, MOVES, STARTS, LAST = STARTS + 2 };
    const double last = param[LAST], distance = unit == SEG_PCKMEANS_DISTANCE ? last : 0;
    seg_pckmeans_options options = options_of(SEG_PCKMEANS_SOFT, param + STARTS, distance);
    options.given = last == 0; /* of SEG_PCKMEANS_CONSTRAINTS */
    options.w = param[WEIGHT];
    options.unit = param[UNIT] == 0 ? SEG_PCKMEANS_ONE : param[UNIT] == 1 ? unit : SEG_PCKMEANS_SPREAD;
    options.distortion = unit == SEG_PCKMEANS_DISTANCE ? 0.5 : 1;
    options.closure = param[PAIRS] == 1;
    options.whole = param[MOVES] == 1;
    return solve_pairwise(ctx, problem, options, out);
}

/* ---- k-means: k-means++ starts [arthur2007kmeanspp], Lloyd's iterations, the best of the restarts. ---- */

static const seg_param kmeans_params[] = {
    {"seeds", 0, 0, 1, 1, SEG_WORDS("fixed", "none"),
     "marked samples stay in their cluster (fixed), or only name it afterwards (none)"},
    DISTANCE,
};

static seg_status solve_kmeans(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const int groups = param[0] == 0 ? SEG_ASSIGN_GROUPS : 0;
    SEG_RELEASED(seg_matrix_free) seg_matrix unit = {0};
    if (param[1] == 1) {
        SEG_TRY(seg_sphere_create(ctx, problem->features, &unit));
        return seg_assign_kmeans(ctx, problem, &unit, groups | SEG_ASSIGN_COSINE, out);
    }
    SEG_TRY(seg_assign_kmeans(ctx, problem, problem->features, groups, out));
    out->objective = ldexp(out->objective, 2 * problem->exponent);
    return SEG_OK;
}

const seg_method_row seg_method_kmeans = {
    {"kmeans", "k-means on the features, k-means++ starts", "arthur2007kmeanspp; seeds fixed: basu2002seeding",
     SEG_NEEDS_FEATURES, SEG_PARAMS(kmeans_params), SEG_WORDS("seeds=none"), "samples of groups stay in their clusters",
     SEG_PAPER_GRAPH_NONE},
    solve_kmeans,
};

/* ---- The constraints choose the starts only, or the neighbourhoods that start clusters stay in them
 * [basu2002seeding, Sec. 3]. ---- */

static const seg_param seeded_params[] = {START(SEG_START_LARGEST), REST, DISTANCE};
static const char *const seeded_paper[] = {"rest=perturbed", NULL};

static seg_status solve_seeded(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    return solve_pairwise(ctx, problem, options_of(SEG_PCKMEANS_SEEDED, param, param[2]), out);
}

static seg_status solve_constrained(seg_context *ctx, const seg_problem *problem, const double *param,
                                    seg_clustering *out) {
    return solve_pairwise(ctx, problem, options_of(SEG_PCKMEANS_CONSTRAINED, param, param[2]), out);
}

const seg_method_row seg_method_seeded_kmeans = {
    {"seeded-kmeans", "k-means started from the constraints", "basu2002seeding, Sec. 3", SEG_NEEDS_FEATURES,
     SEG_PARAMS(seeded_params), seeded_paper, "clusters without a neighbourhood start by k-means++",
     SEG_PAPER_GRAPH_NONE},
    solve_seeded,
};

const seg_method_row seg_method_constrained_kmeans = {
    {"constrained-kmeans", "k-means with seeds that stay in their clusters", "basu2002seeding, Sec. 3",
     SEG_NEEDS_FEATURES, SEG_PARAMS(seeded_params), seeded_paper, "clusters without a neighbourhood start by k-means++",
     SEG_PAPER_GRAPH_NONE},
    solve_constrained,
};

/* ---- PCKMeans: a broken constraint costs w [basu2004active, Eq. 2.1 and Sec. 3]. ---- */

static const seg_param pckmeans_params[] = {
    {"w", 1, 0, 1e12, 0, NULL, "cost of a broken constraint: 0 = none (Seeded-KMeans), 1e12 = hard"},
    {"unit", 1, 0, 1, 1, SEG_WORDS("one", "distance"),
     "of w: one (paper: 1 on iris), or the mean squared distance of two samples"},
    SOFT(SEG_START_LARGEST),
    DISTANCE,
};

static seg_status solve_pckmeans(seg_context *ctx, const seg_problem *problem, const double *param,
                                 seg_clustering *out) {
    return solve_soft(ctx, problem, param, SEG_PCKMEANS_DISTANCE, out);
}

const seg_method_row seg_method_pckmeans = {
    {"pckmeans", "pairwise constrained k-means, broken constraints cost", "basu2004active, Fig. 1", SEG_NEEDS_FEATURES,
     SEG_PARAMS(pckmeans_params),
     SEG_WORDS("unit=one", "pairs=closure", "moves=samples", "start=largest", "rest=perturbed"),
     "costs in the data's own unit; whole neighbourhoods may move; clusters without a neighbourhood start by k-means++",
     SEG_PAPER_GRAPH_NONE},
    solve_pckmeans,
};

/* ---- COP-KMeans never breaks a constraint [wagstaff2001cop]. As printed, every iteration assigns all samples again
 * and fails at the first one without a possible cluster. Here a first assignment is searched for until it is found or
 * shown not to exist, and later moves keep all constraints. ---- */

static const seg_param cop_params[] = {
    START(SEG_START_LARGEST),
    REST,
    {"search", 0, 0, 1, 1, SEG_WORDS("full", "none"),
     "for an assignment that keeps all constraints; none: as printed, which starts at drawn samples whatever start and "
     "rest say, and fails where a sample finds no cluster"},
    DISTANCE,
};

static seg_status solve_cop(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    seg_pckmeans_options options = options_of(SEG_PCKMEANS_HARD, param, param[3]);
    options.printed = param[2] == 1;
    return solve_pairwise(ctx, problem, options, out);
}

const seg_method_row seg_method_cop_kmeans = {
    {"cop-kmeans", "k-means that keeps every constraint", "wagstaff2001cop, Table 1", SEG_NEEDS_FEATURES,
     SEG_PARAMS(cop_params), SEG_WORDS("search=none"),
     "starts from the must-links' neighbourhoods; an assignment that keeps all constraints is searched for until it is "
     "found or shown not to exist, and each step starts from the last one",
     SEG_PAPER_GRAPH_NONE},
    solve_cop,
};

/* ---- HMRF-KMeans with squared Euclidean distance and generalised Potts penalties [kulis2009sskk, Eq. 2], started
 * farthest-first [kulis2009sskk, Algorithm 3]. w is in units of n / (k constraints) [kulis2009sskk, Sec. 5.2], by
 * default times the mean variance of a column, since the effect of the paper's depends on the data's unit. ---- */

static const seg_param hmrf_params[] = {
    {"w", 1, 0, 1e12, 0, NULL, "cost of a broken constraint: 0 = none, 1e12 = hard"},
    {"unit", 2, 0, 2, 1, SEG_WORDS("one", "constraints", "spread"),
     "of w: one, n / (k C) with C constraints (paper), or that times per column's mean variance"},
    SOFT(SEG_START_FARTHEST),
    {"count", 1, 0, 1, 1, SEG_WORDS("given", "costing"), "C: the constraints as given (paper), or the pairs that cost"},
};

static seg_status solve_hmrf(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    return solve_soft(ctx, problem, param, SEG_PCKMEANS_CONSTRAINTS, out);
}

const seg_method_row seg_method_hmrf_kmeans = {
    {"hmrf-kmeans", "hidden Markov random field k-means, Potts penalties", "kulis2009sskk, Eq. 2", SEG_NEEDS_FEATURES,
     SEG_PARAMS(hmrf_params),
     SEG_WORDS("unit=constraints", "count=given", "pairs=closure", "moves=samples", "start=farthest", "rest=perturbed"),
     "costs in the columns' variance, per pair that costs; whole neighbourhoods may move; clusters without a "
     "neighbourhood start by k-means++",
     SEG_PAPER_GRAPH_NONE},
    solve_hmrf,
};
