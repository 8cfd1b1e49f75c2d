/* The default method: its forest, what lies around a patch, and the walk with priors against a dense solution. */
#include "toy.h"

#include "features/context_features.h"
#include "likelihood/forest.h"

static const seg_forest_options forest = {.trees = 20, .floor = 1e-3};

static int largest(const double *row, int count) {
    int best = 0;
    for (int c = 1; c < count; c++)
        if (row[c] > row[best])
            best = c;
    return best;
}

TEST(forest_knows_its_marks) {
    SCOPED(seg_matrix) X, P;
    X = toy_blobs(&ctx, 3, 50, 3);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, X.rows, 3, 6);
    assert_ok(&ctx, seg_forest_posterior(&ctx, &X, groups.group, 3, &forest, &P));
    for (size_t i = 0; i < X.rows; i++) {
        const double *p = P.at + 3 * i;
        assert_near(p[0] + p[1] + p[2], 1, 1e-12);
        assert_true(p[0] > 0 && p[1] > 0 && p[2] > 0);
        assert_int_equal(largest(p, 3), (int)(i % 3));
        if (groups.group[i] >= 0) /* leaves are pure: every tree votes for the mark */
            assert_near(p[groups.group[i]], 1.001 / 1.003, 1e-6);
    }
}

TEST(forest_splits_what_cannot_be_told_apart) {
    double value[] = {1, 1, 1, 1, 5};
    const int16_t group[] = {0, 1, 1, 1, -1};
    seg_matrix X = {5, 1, value}, P;
    assert_ok(&ctx, seg_forest_posterior(&ctx, &X, group, 2, &forest, &P));
    for (size_t i = 0; i < 5; i++)
        assert_near(P.at[2 * i], (0.25 + 0.001) / 1.002, 1e-6);
    seg_matrix_free(&P);
}

TEST(forest_invariances) {
    SCOPED(seg_matrix) X, P, Q;
    AUTOFREE int16_t *renamed;
    X = toy_blobs(&ctx, 3, 400, 5);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, X.rows, 3, 20);
    ctx.threads = 1;
    assert_ok(&ctx, seg_forest_posterior(&ctx, &X, groups.group, 3, &forest, &P));
    ctx.threads = 4;
    assert_ok(&ctx, seg_forest_posterior(&ctx, &X, groups.group, 3, &forest, &Q));
    assert_memory_equal(P.at, Q.at, P.rows * 3 * sizeof(double));
    seg_matrix_free(&Q);
    for (size_t i = 0; i < X.rows; i++) /* a column has no unit */
        X.at[2 * i] *= 1024;
    assert_ok(&ctx, seg_forest_posterior(&ctx, &X, groups.group, 3, &forest, &Q));
    assert_memory_equal(P.at, Q.at, P.rows * 3 * sizeof(double));
    seg_matrix_free(&Q);
    renamed = malloc(X.rows * sizeof *renamed);
    for (size_t i = 0; i < X.rows; i++)
        renamed[i] = (int16_t)(groups.group[i] < 0 ? -1 : 2 - groups.group[i]);
    assert_ok(&ctx, seg_forest_posterior(&ctx, &X, renamed, 3, &forest, &Q));
    for (size_t i = 0; i < X.rows; i++)
        for (size_t g = 0; g < 3; g++)
            assert_near(P.at[3 * i + g], Q.at[3 * i + 2 - g], 1e-12);
}

static const seg_forest_options alike = {.trees = 60, .floor = 1e-3, .one_unit = 1};

/* The share of votes for group 0 by columns in one unit. value: n x columns. */
static void share_of(size_t n, size_t columns, double *value, const int16_t *group, double *share) {
    SCOPED(seg_matrix) P;
    const seg_matrix X = {n, columns, value};
    assert_ok(&ctx, seg_forest_posterior(&ctx, &X, group, 2, &alike, &P));
    for (size_t i = 0; i < n; i++) {
        share[i] = P.at[2 * i];
        assert_near(P.at[2 * i] + P.at[2 * i + 1], 1, 1e-12);
    }
}

/* One wide column and nine narrow ones tell two marks apart equally well, and contradict each other elsewhere. */
TEST(columns_in_one_unit_count_by_their_width) {
    enum { N = 40, COLUMNS = 10 };
    double value[N * COLUMNS], larger[N * COLUMNS], turned[N * COLUMNS], share[N], other[N];
    int16_t group[N];
    for (size_t e = 0; e < sizeof value / sizeof *value; e++) {
        const size_t i = e / COLUMNS, c = e % COLUMNS;
        value[e] = c == 4 ? (double)(i % 2) : 1e-6 * (double)(i < 2 ? i : 1 - i % 2);
        group[i] = (int16_t)(i < 2 ? (int)i : -1);
        larger[e] = 3 * value[e];
        turned[(N - 1 - i) * COLUMNS + COLUMNS - 1 - c] = value[e];
    }
    share_of(N, COLUMNS, value, group, share);
    for (size_t i = 0; i < N; i++)
        assert_true(i % 2 ? share[i] < 0.05 : share[i] > 0.95);
    share_of(N, COLUMNS, larger, group, other); /* in another unit */
    for (size_t i = 0; i < N; i++)
        assert_near(other[i], share[i], 1e-9);
    int16_t moved[N];
    for (size_t i = 0; i < N; i++)
        moved[N - 1 - i] = group[i];
    share_of(N, COLUMNS, turned, moved, other); /* in another order */
    for (size_t i = 0; i < N; i++)
        assert_near(other[N - 1 - i], share[i], 1e-9);
}

/* Beyond the marked values votes fade with the distance in deviations; within them they do not. */
TEST(votes_fade_beyond_what_is_marked) {
    enum { N = 9 };
    double value[N] = {0, 1, 0, 1, 2, -1, 11, -9, 0}, share[N], mean = 0, variance = 0;
    int16_t group[N] = {0, 1, -1, -1, -1, -1, -1, -1, -1};
    for (int i = 0; i < N; i++)
        mean += value[i] / N;
    for (int i = 0; i < N; i++)
        variance += (value[i] - mean) * (value[i] - mean) / N;
    share_of(N, 1, value, group, share);
    for (int i = 0; i < N; i++) {
        const double vote = value[i] > 0 ? 0.001 / 1.002 : 1.001 / 1.002;
        const double far = fmax(0, fmax(-value[i], value[i] - 1)) / sqrt(variance) / 0.2;
        const double kept = 1 / (1 + far * far * far);
        assert_near(share[i], kept * vote + (1 - kept) / 2, 1e-3);
    }
    /* One mark, all marked, one value everywhere: what was known before. */
    const int16_t one[N] = {0, -1, -1, -1, -1, -1, -1, -1, -1}, all[N] = {0, 1, 0, 1, 1, 0, 1, 0, 0};
    share_of(N, 1, value, one, share);
    assert_near(share[8], 1.001 / 1.002, 1e-6);
    assert_true(share[6] > 0.5 && share[6] < share[4] && share[4] < share[8]);
    share_of(N, 1, value, all, share);
    for (int i = 0; i < N; i++)
        assert_near(share[i], all[i] ? 0.001 / 1.002 : 1.001 / 1.002, 1e-6);
    for (int i = 0; i < N; i++)
        value[i] = 7;
    share_of(N, 1, value, group, share);
    for (int i = 0; i < N; i++)
        assert_near(share[i], 0.5, 1e-6);
}

TEST(forest_refuses_nothing) {
    double value[] = {1, 2};
    const int16_t group[] = {-1, -1};
    seg_matrix X = {2, 1, value}, P;
    assert_int_equal(seg_forest_posterior(&ctx, &X, group, 2, &forest, &P), SEG_ERR_USAGE);
    assert_null(P.at);
}

TEST(surroundings_of_flat_and_of_a_spot) {
    enum { SIDE = 41, MIDDLE = SIDE / 2 * SIDE + SIDE / 2 };
    SCOPED(seg_matrix) S;
    const seg_patch_grid grid = seg_patch_grid_make(5 * SIDE, 5 * SIDE, 5);
    seg_feature_spec spec = {{0}};
    double total = 0;
    spec.weight[SEG_FEATURE_MEAN] = spec.weight[SEG_FEATURE_POSITION] = 1;
    SCOPED(seg_matrix) X = new_matrix(&ctx, SIDE * SIDE, 5);
    for (size_t i = 0; i < X.rows; i++) {
        X.at[5 * i] = 7;                         /* flat */
        X.at[5 * i + 1] = i == MIDDLE;           /* one spot */
        X.at[5 * i + 2] = (double)(i % SIDE);    /* a ramp */
        X.at[5 * i + 3] = X.at[5 * i + 4] = 1e6; /* position: left out */
    }
    assert_ok(&ctx, seg_context_features(&ctx, &X, &grid, &spec, &S));
    assert_int_equal(S.cols, 9);
    for (size_t i = 0; i < S.rows; i++) {
        const double *s = S.at + 9 * i;
        assert_near(s[3], 7, 1e-12);
        assert_near(s[6], 7, 1e-12);
        total += s[4];
    }
    /* Far from the border a Gaussian keeps the mass and has its own height and symmetry. */
    assert_near(total, 1, 1e-3);
    assert_near(S.at[9 * MIDDLE + 4], 1 / (2 * 3.141592653589793 * 1.5 * 1.5), 1e-3);
    assert_near(S.at[9 * MIDDLE + 7], 1 / (2 * 3.141592653589793 * 16), 1e-3);
    assert_near(S.at[9 * (MIDDLE + 3) + 4], S.at[9 * (MIDDLE - 3 * SIDE) + 4], 1e-15);
    assert_near(S.at[9 * MIDDLE + 5], SIDE / 2, 1e-9);
}

/* Scores without blending against (L + diag(absorb)) S = diag(prior degree) P solved directly. */
TEST(walk_solves_its_system) {
    const double prior = 0.01, termination = 0.02;
    SCOPED(seg_matrix) X, P;
    SCOPED(seg_csr) W;
    SCOPED_CHOLESKY *factor;
    X = toy_blobs(&ctx, 3, 60, 11);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, X.rows, 3, 2);
    W = toy_knn(&ctx, &X, 8);
    const seg_problem problem = toy_problem(3, &X, &W, &groups, 1);
    SCOPED(seg_clustering) found = toy_cluster(&ctx, "auto", "prior=0.01 termination=0.02 blend=0 trees=20", &problem);
    assert_ok(&ctx, seg_forest_posterior(&ctx, &X, groups.group, 3, &forest, &P));
    for (size_t e = 0; e < 3 * X.rows; e++) /* two samples a group: three quarters of the votes count */
        P.at[e] = 0.75 * P.at[e] + 0.25 / 3;

    const size_t n = X.rows;
    AUTOFREE double *S = calloc(3 * n, sizeof *S), *spring = calloc(n, sizeof *spring);
    for (size_t i = 0; i < n; i++) {
        double degree = 0;
        for (size_t e = W.start[i]; e < W.start[i + 1]; e++)
            degree += W.value[e];
        /* a marked sample is tied to its value by a spring far stiffer than anything else */
        spring[i] = groups.group[i] >= 0 ? 1e9 : (prior + termination) * degree;
        for (int g = 0; g < 3; g++)
            S[3 * i + (size_t)g] =
                groups.group[i] >= 0 ? 1e9 * (groups.group[i] == g) : prior * degree * P.at[3 * i + (size_t)g];
    }
    SCOPED(seg_csr) A = toy_laplacian(&ctx, &W, spring);
    assert_ok(&ctx, seg_cholesky_create(&ctx, &A, &factor));
    assert_ok(&ctx, seg_cholesky_solve(&ctx, factor, 3, S, S));
    for (size_t i = 0; i < n; i++) {
        const double sum = S[3 * i] + S[3 * i + 1] + S[3 * i + 2];
        for (size_t g = 0; g < 3; g++)
            assert_near(found.score.at[3 * i + g], S[3 * i + g] / sum, 1e-5);
        assert_int_equal(found.label[i], (int)(i % 3));
    }
}

/* Odds are those of the first cluster, and count the less the larger the discount: at 1 not at all. */
TEST(odds_count_by_their_discount) {
    enum { N = 40 };
    double odds[N], mean[5] = {0};
    SCOPED(seg_matrix) X = toy_blobs(&ctx, 2, N / 2, 11);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, X.rows, 2, 6);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 8);
    seg_problem problem = toy_problem(2, &X, &W, &groups, 1);
    for (int i = 0; i < N; i++)
        odds[i] = 3;
    for (int which = 0; which < 5; which++) {
        problem.odds = which < 4 ? odds : NULL;
        problem.discount = which < 4 ? which / 3.0 : 0;
        SCOPED(seg_clustering) found = toy_cluster(&ctx, "auto", "prior=0.01", &problem);
        for (int i = 0; i < N; i++)
            mean[which] += found.score.at[2 * i] / N;
    }
    assert_true(mean[0] > mean[1] + 1e-3 && mean[1] > mean[2] + 1e-3 && mean[2] > mean[3] + 1e-3);
    assert_near(mean[3], mean[4], 1e-9);
}

/* Numbers that are not finite or of the wrong sign, and evidence for another number of clusters, are refused. */
TEST(evidence_is_checked) {
    enum { N = 40 };
    static const char *const says[] = {"number 5 of the odds",  "number 5 of the background",
                                       "number 5 of the prior", "give doubles",
                                       "for 3 clusters",        "discount"};
    double number[2 * N] = {0};
    SCOPED(seg_matrix) X = toy_blobs(&ctx, 2, N / 2, 11);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, X.rows, 2, 6);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 8);
    const seg_matrix prior = {N, 2, number, NULL}, single = {N, 2, NULL, NULL};
    const seg_method *method = seg_method_find("auto");
    const seg_params params = toy_params(&ctx, method, "");
    for (int which = 0; which < 6; which++) {
        seg_clustering found;
        seg_problem problem = toy_problem(2 + (which == 4), &X, &W, &groups, 1);
        number[4] = which == 0 ? NAN : -1;
        problem.odds = which % 4 == 0 ? number : NULL;
        problem.background = which == 1 ? number : NULL;
        problem.prior = which == 2 ? &prior : which == 3 ? &single : NULL;
        problem.discount = which == 5 ? 1.5 : 0;
        assert_fails(&ctx, seg_cluster(&ctx, method, &params, &problem, &found), SEG_ERR_USAGE, says[which]);
    }
}

/* Listed pairs become groups first: the blobs are found whole, whatever their numbers. */
TEST(pairs_become_groups) {
    SCOPED(seg_clustering) found;
    SCOPED(seg_matrix) X = toy_blobs(&ctx, 2, 40, 13);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, X.rows, 2, 5);
    SCOPED(seg_constraints) listed = toy_list_pairs(&ctx, &groups);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 8);
    const seg_problem problem = toy_problem(2, &X, &W, &listed, 3);
    assert_ok(&ctx, seg_cluster(&ctx, seg_method_find("auto"), NULL, &problem, &found));
    for (size_t i = 0; i < X.rows; i++)
        assert_int_equal(found.label[i], found.label[i % 2]);
    assert_int_not_equal(found.label[0], found.label[1]);
}
