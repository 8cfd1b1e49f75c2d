/* What the protocols are made of: drawn constraints, data sets and their graphs, repeated labellings. */
#include "check.h"

#include "constraints/closed.h"
#include "constraints/held_out_pairs.h"
#include "evaluation/experiments/measure.h"
#include "graph/affinity.h"
#include "graph/neighbours/nearest.h"
#include "vectors/synthetic.h"

BEFORE_ALL {
    ctx.threads = 1;
}

static const char *const easy[] = {"gaussians", NULL};

static void load_easy(seg_dataset **sets) {
    size_t count;
    assert_ok(&ctx, seg_datasets_load(&ctx, &(seg_dataset_source){.names = easy, .seed = 1}, sets, &count));
    assert_int_equal(count, 1);
}

static void check_pairs(const seg_constraints *drawn, const seg_labels *labels, const unsigned char *allowed) {
    for (size_t p = 0; p < drawn->pairs; p++) {
        const seg_pair *pair = &drawn->pair[p];
        assert_true(pair->i < pair->j);
        assert_int_equal(pair->sign, labels->label[pair->i] == labels->label[pair->j] ? 1 : -1);
        assert_true(!allowed || (allowed[pair->i] && allowed[pair->j]));
        for (size_t q = 0; q < p; q++)
            assert_true(pair->i != drawn->pair[q].i || pair->j != drawn->pair[q].j);
    }
}

TEST(pairs_drawn_evenly) {
    int32_t label[] = {0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
    const unsigned char allowed[] = {1, 1, 0, 1, 0, 1, 1, 0, 1, 1};
    const seg_labels labels = {.n = 10, .classes = 3, .label = label};
    int often[10][10] = {{0}};
    SCOPED(seg_constraints) drawn;
    for (ctx.seed = 0; ctx.seed < 600; ctx.seed++) {
        assert_ok(&ctx, seg_draw(&ctx, &labels, allowed, SEG_PAIRS_UNIFORM, 7, &drawn));
        assert_int_equal(drawn.pairs, 7);
        check_pairs(&drawn, &labels, allowed);
        for (size_t p = 0; p < drawn.pairs; p++)
            often[drawn.pair[p].i][drawn.pair[p].j]++;
        seg_constraints_free(&drawn);
    }
    for (int i = 0; i < 10; i++) /* 21 pairs, a third of them each time: 200 +- 5 deviations of 11.5 */
        for (int j = i + 1; j < 10; j++)
            if (allowed[i] && allowed[j])
                assert_in_range(often[i][j], 140, 260);
    assert_ok(&ctx, seg_draw(&ctx, &labels, NULL, SEG_PAIRS_UNIFORM, 1000, &drawn));
    assert_int_equal(drawn.pairs, 45); /* all there are */
    check_pairs(&drawn, &labels, NULL);
}

TEST(pairs_of_classes) {
    int32_t label[] = {0, 0, 0, 1, 1, 1, 1, 2};
    const seg_labels labels = {.n = 8, .classes = 3, .label = label};
    int met[3][3] = {{0}};
    SCOPED(seg_constraints) drawn;
    assert_ok(&ctx, seg_draw(&ctx, &labels, NULL, SEG_PAIRS_BETWEEN, 4, &drawn));
    check_pairs(&drawn, &labels, NULL);
    for (size_t p = 0; p < drawn.pairs; p++)
        met[label[drawn.pair[p].i]][label[drawn.pair[p].j]]++;
    assert_int_equal(met[0][0], 3); /* three samples have no more */
    assert_int_equal(met[1][1], 4);
    assert_int_equal(met[2][2], 0);
    assert_int_equal(met[0][1], 4);
    assert_int_equal(met[0][2], 3);
    assert_int_equal(met[1][2], 4);
}

/* What --methods and --param make of a protocol's table. */
TEST(variants_of_a_run) {
    const char *params[] = {"R=7"};
    seg_experiment_options options = {.methods = "enpakl1:paper,enpakl:B=5,ncut", .params = {params, 1}};
    seg_run run = {.protocol = &seg_protocol_accuracy_curve, .options = &options};
    const seg_method *enpakl1 = seg_method_find("enpakl1"), *enpakl = seg_method_find("enpakl");
    seg_params small, large, expected;
    assert_ok(&ctx, seg_run_variants(&ctx, &run));
    assert_int_equal(run.variants, 3);
    /* The protocol's own: B = 20, R = 10 up to 400 samples, 100 and 100 above; --param counts over both. */
    assert_int_equal(run.variant[0].own, 9);
    assert_ok(&ctx, seg_variant_params(&ctx, &run.variant[0], 400, &small));
    assert_ok(&ctx, seg_variant_params(&ctx, &run.variant[0], 401, &large));
    assert_ok(&ctx, seg_params_variant(&ctx, enpakl1, SEG_VARIANT_PAPER, &expected));
    assert_ok(&ctx, seg_params_set(&ctx, enpakl1, "R=7", &expected));
    assert_memory_equal(&large, &expected, sizeof large);
    assert_ok(&ctx, seg_params_set(&ctx, enpakl1, "B=20", &expected));
    assert_memory_equal(&small, &expected, sizeof small);
    assert_int_equal(seg_variant_graphs(&run.variant[0]), SEG_DATASET_PAPER);
    assert_int_equal(run.variant[1].own, -1);
    assert_int_equal(seg_variant_graphs(&run.variant[1]), 0);
    assert_ok(&ctx, seg_variant_params(&ctx, &run.variant[1], 1000, &large));
    expected = seg_params_default(enpakl);
    assert_ok(&ctx, seg_params_set(&ctx, enpakl, "B=5", &expected));
    assert_ok(&ctx, seg_params_set(&ctx, enpakl, "R=7", &expected));
    assert_memory_equal(&large, &expected, sizeof large);
    assert_true(run.variant[2].flags & SEG_VARIANT_UNCONSTRAINED);
    free(run.own);
    options = (seg_experiment_options){.methods = "tragek:paper", .params = {params, 1}};
    assert_int_equal(seg_run_variants(&ctx, &run), SEG_ERR_USAGE);
    free(run.own);
}

/* PCPSample is PCP on at most as many pairs as there are samples; where all fit, PCP itself. */
TEST(best_of_ten_samples) {
    seg_dataset *set;
    double sampled, whole;
    const seg_experiment_options options = {.methods = "pcp-sample,pcp:paper"};
    seg_run run = {
        .protocol = &seg_protocol_accuracy_curve, .options = &options, .realizations = 1, .restarts = 3, .seed = 1};
    assert_ok(&ctx, seg_run_variants(&ctx, &run));
    load_easy(&set);
    assert_ok(&ctx, seg_dataset_prepare(&ctx, set, seg_variant_graphs(&run.variant[0])));
    assert_int_equal(seg_variant_graphs(&run.variant[0]), SEG_DATASET_COMPLETE);
    for (int size = 20; size <= 150; size += 130) {
        seg_item item = {.set = set, .variant = &run.variant[0], .size = size};
        ctx.seed = 5;
        assert_ok(&ctx, run.protocol->solve(&ctx, &run, &item, &sampled));
        item.variant = &run.variant[1];
        assert_ok(&ctx, run.protocol->solve(&ctx, &run, &item, &whole));
        if (size == 20) /* 80 pairs of 200 samples: all of them, ten times */
            assert_near(sampled, whole, 1e-12);
        else
            assert_true(sampled < whole);
    }
    ctx.seed = 0;
    free(run.own);
    seg_datasets_free(set, 1);
}

/* Weights exp(-d^2 / 2 sigma^2): the logarithms of two candidates are in the ratio of the squared widths, which are r
 * times 0.1, 0.325, .., 1, 3.25, .., 10. */
TEST(nine_candidates) {
    static const double width[] = {0.1, 0.325, 0.55, 0.775, 1, 3.25, 5.5, 7.75, 10};
    seg_dataset *set;
    int32_t neighbour[200 * 20];
    double distance2[200 * 20], r = 0;
    load_easy(&set);
    assert_ok(&ctx, seg_dataset_prepare(&ctx, set, SEG_DATASET_CANDIDATES | SEG_DATASET_COMPLETE));
    assert_ok(&ctx, seg_nearest_search(&ctx, &set->X, 20, SEG_SEARCH_EXACT, neighbour, distance2));
    for (int i = 0; i < 200; i++)
        r += sqrt(distance2[20 * i + 19]) / 200;
    const int32_t nearest = neighbour[0];
    for (int c = 0; c < SEG_CANDIDATES; c++) {
        const seg_csr *W = &set->candidate[c];
        assert_int_equal(W->start[200], set->candidate[0].start[200]);
        for (size_t e = W->start[0]; e < W->start[1]; e++)
            if (W->column[e] == nearest)
                /* no edge is weaker than 1e-12 */
                assert_near(log(W->value[e]), fmax(-distance2[0] / (2 * width[c] * width[c] * r * r), log(1e-12)),
                            1e-9 * distance2[0] / (width[c] * width[c] * r * r));
    }
    assert_int_equal(set->complete.start[200], 200 * 199);
    double mean = 0, first = 0;
    for (size_t i = 0; i < 200; i++)
        for (size_t j = 0; j < 200; j++) {
            const double d = hypot(set->X.at[2 * i] - set->X.at[2 * j], set->X.at[2 * i + 1] - set->X.at[2 * j + 1]);
            mean += d / (200 * 199);
            if (i == 0 && j == 1)
                first = d;
        }
    assert_near(set->complete.value[0], exp(-first * first / (2 * mean * mean)), 1e-12);
    seg_datasets_free(set, 1);
}

/* One search for all widths gives the bytes of a search for each, in a unit of 2^-600 too; a bad width is refused. */
TEST(widths_of_one_search) {
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .search = SEG_SEARCH_EXACT, .neighbours = 20};
    seg_dataset *set;
    load_easy(&set);
    for (int tiny = 0; tiny < 2; tiny++) {
        double sigma[3] = {0.1, 0.5, 3};
        seg_csr together[3];
        for (size_t e = 0; tiny && e < set->X.rows * set->X.cols; e++)
            set->X.at[e] = ldexp(set->X.at[e], -600);
        for (int g = 0; g < 3; g++)
            sigma[g] = ldexp(sigma[g], tiny ? -600 : 0);
        assert_ok(&ctx, seg_graph_build_widths(&ctx, &set->X, &spec, sigma, 3, together));
        for (int g = 0; g < 3; g++) {
            SCOPED(seg_csr) alone;
            seg_graph_spec own = spec;
            own.sigma = sigma[g];
            assert_ok(&ctx, seg_graph_build(&ctx, &set->X, NULL, &own, &alone, NULL));
            const size_t edges = alone.start[200];
            assert_int_equal(together[g].start[200], edges);
            assert_memory_equal(together[g].column, alone.column, edges * sizeof *alone.column);
            assert_memory_equal(together[g].value, alone.value, edges * sizeof *alone.value);
            seg_csr_free(&together[g]);
        }
        sigma[2] = NAN;
        assert_int_equal(seg_graph_build_widths(&ctx, &set->X, &spec, sigma, 3, together), SEG_ERR_USAGE);
        for (int g = 0; g < 3; g++)
            seg_csr_free(&together[g]);
    }
    seg_datasets_free(set, 1);
}

/* Each of the three methods takes its eigenvectors from what is there: with the weights changed behind it, nothing
 * changes; without it, all three find something else. Other numbers of eigenvectors and other graphs are not there. */
TEST(spectra_are_shared) {
    static const seg_variant variants[] = {
        {.name = "ncut", .method = "ncut"}, {.name = "ccskl", .method = "ccskl"}, {.name = "ccsr", .method = "ccsr"}};
    const seg_experiment_options options = {.starts = 1};
    double alone[3];
    int found;
    SCOPED(seg_constraints) constraints;
    seg_dataset *set;
    seg_spectrum spectrum;
    seg_run run = {.options = &options};
    load_easy(&set);
    assert_ok(&ctx, seg_dataset_prepare(&ctx, set, SEG_DATASET_KNN));
    assert_ok(&ctx, seg_draw(&ctx, &set->labels, NULL, SEG_PAIRS_BETWEEN, 10, &constraints));
    for (int turn = 0; turn < 3; turn++) {
        for (int v = 0; v < 3; v++) {
            const seg_item item = {.set = set, .variant = &variants[v]};
            const seg_method *method = seg_method_find(variants[v].method);
            seg_problem problem = seg_item_problem(&run, &item, &constraints);
            SCOPED(seg_clustering) out;
            if (turn == 2)
                problem.prepared = NULL;
            seg_params params = seg_params_default(method);
            assert_ok(&ctx, seg_cluster(&ctx, method, &params, &problem, &out));
            const double value = v == 0 ? out.objective_bound : out.objective; /* ncut's objective looks at the graph */
            if (turn == 0) {
                const int columns = seg_smoothest_columns(method, &params, 200, problem.k);
                alone[v] = value;
                assert_ok(&ctx, seg_spectra_add(&ctx, &run.prepared.spectra, &set->knn, columns));
                assert_ok(&ctx, seg_spectra_add(&ctx, &run.prepared.spectra, &set->knn, columns)); /* nothing */
            } else if (turn == 1) {
                assert_true(value == alone[v]);
            } else {
                assert_true(fabs(value - alone[v]) > 1e-6);
            }
        }
        assert_int_equal(run.prepared.spectra.entries, 3);
        for (size_t e = 0; turn == 0 && e < set->knn.start[200]; e++)
            set->knn.value[e] *= set->knn.value[e];
    }
    assert_ok(&ctx, seg_spectra_take(&ctx, &run.prepared.spectra, &set->knn, 7, &found, &spectrum));
    assert_false(found);
    assert_ok(&ctx, seg_spectra_take(&ctx, &run.prepared.spectra, &set->complete, 20, &found, &spectrum));
    assert_false(found);
    assert_ok(&ctx, seg_spectra_take(&ctx, NULL, &set->knn, 20, &found, &spectrum));
    assert_false(found);
    assert_ok(&ctx, seg_spectra_add(&ctx, &run.prepared.spectra, &set->knn, 201)); /* cannot be computed: not there */
    assert_int_equal(run.prepared.spectra.entries, 3);
    seg_spectra_free(&run.prepared.spectra);
    seg_datasets_free(set, 1);
}

TEST(synthetic_sets) {
    static const char *const names[] = {"chessboard", "double-spiral", "two-circles", "gaussians"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED(seg_matrix) X, again;
        SCOPED(seg_labels) labels, again_labels;
        size_t members[4] = {0};
        assert_ok(&ctx, seg_synthetic_make(&ctx, names[i], 3, &X, &labels));
        assert_ok(&ctx, seg_synthetic_make(&ctx, names[i], 3, &again, &again_labels));
        assert_memory_equal(X.at, again.at, X.rows * 2 * sizeof *X.at);
        for (size_t t = 0; t < X.rows; t++)
            members[labels.label[t]]++;
        for (int c = 0; c < labels.classes; c++)
            assert_in_range(members[c], X.rows / (size_t)labels.classes - 2, X.rows / (size_t)labels.classes + 2);
    }
    seg_matrix X;
    seg_labels labels;
    assert_int_equal(seg_synthetic_make(&ctx, "torus", 1, &X, &labels), SEG_ERR_USAGE);
}

/* With all pairs of a part of the samples given, every restart of an embedding method labels nearly all samples right;
 * a method on another seed, and discretisation, give as many labellings as asked. */
TEST(labelled_often) {
    static const seg_variant variants[] = {{.name = "ccsr", .method = "ccsr"},
                                           {.name = "pckmeans", .method = "pckmeans"},
                                           {.name = "ncut", .method = "ncut"}};
    enum { RESTARTS = 3 };
    int32_t label[RESTARTS * 200];
    SCOPED(seg_constraints) constraints;
    seg_dataset *set;
    load_easy(&set);
    assert_ok(&ctx, seg_dataset_prepare(&ctx, set, SEG_DATASET_KNN));
    assert_ok(&ctx, seg_draw(&ctx, &set->labels, NULL, SEG_PAIRS_BETWEEN, 100, &constraints));
    for (int v = 0; v < 3; v++) {
        const seg_experiment_options options = {.starts = 1};
        const seg_run run = {.options = &options};
        const seg_item item = {.set = set, .variant = &variants[v]};
        const seg_problem problem = seg_item_problem(&run, &item, &constraints);
        memset(label, -1, sizeof label);
        assert_ok(&ctx, seg_label_often(&ctx, &variants[v], &problem, RESTARTS, label, NULL));
        for (int r = 0; r < RESTARTS; r++) {
            seg_scores scores;
            assert_ok(&ctx, seg_mean_scores(&ctx, label + 200 * r, 1, &set->labels, NULL, &scores));
            assert_true(scores.pairwise_accuracy > 0.75);
        }
        seg_judgement judged = {0};
        seg_judge_pairs(&constraints, label, &judged);
        if (v == 1) /* pckmeans obeys nearly all it is told */
            assert_true(judged.must_broken + judged.cannot_broken < 0.1 * (judged.must + judged.cannot));
    }
    /* Scored samples only: a labelling that is right on them and wrong elsewhere is perfect. */
    unsigned char only[200] = {0};
    seg_scores scores;
    for (int i = 0; i < 200; i++) {
        only[i] = i % 3 == 0;
        label[i] = only[i] ? set->labels.label[i] : 0;
    }
    assert_ok(&ctx, seg_mean_scores(&ctx, label, 1, &set->labels, only, &scores));
    assert_near(scores.nmi, 1, 1e-12);
    assert_int_equal(scores.scored, 67);
    seg_datasets_free(set, 1);
}

TEST(failures_of_methods) {
    const seg_item item = {.key = "set/method/1/1"};
    double value[2] = {1, 2};
    assert_int_equal(seg_soften(&ctx, SEG_ERR_NUMERIC, &item, value, 2), SEG_OK);
    assert_true(isnan(value[0]) && isnan(value[1]));
    assert_int_equal(seg_soften(&ctx, SEG_ERR_MEMORY, &item, value, 2), SEG_ERR_MEMORY);
    assert_int_equal(seg_soften(&ctx, SEG_ERR_CANCELLED, &item, value, 2), SEG_ERR_CANCELLED);
}

/* Pairs whose sign is not that of the classes. */
static size_t count_wrong(const seg_constraints *drawn, const seg_labels *labels) {
    size_t wrong = 0;
    for (size_t p = 0; p < drawn->pairs; p++)
        wrong += drawn->pair[p].sign != (labels->label[drawn->pair[p].i] == labels->label[drawn->pair[p].j] ? 1 : -1);
    return wrong;
}

/* Weights of drawn pairs: from above 0 to 1, those of right pairs larger in 5 of 6 cases; again the same. */
TEST(confidences_tell_right_from_wrong) {
    enum { N = 200, PAIRS = 1000 };
    int32_t label[N];
    SCOPED(seg_constraints) drawn;
    SCOPED(seg_constraints) again;
    const seg_labels labels = {.n = N, .label = label, .classes = 2};
    double larger = 0, compared = 0;
    for (int32_t i = 0; i < N; i++)
        label[i] = i % 2;
    assert_ok(&ctx, seg_draw(&ctx, &labels, NULL, SEG_PAIRS_UNIFORM, PAIRS, &drawn));
    assert_ok(&ctx, seg_draw(&ctx, &labels, NULL, SEG_PAIRS_UNIFORM, PAIRS, &again));
    for (size_t p = 0; p < PAIRS; p++)
        drawn.pair[p].sign = again.pair[p].sign *= p % 2 ? -1 : 1;
    seg_confidences_draw(&ctx, label, &drawn);
    seg_confidences_draw(&ctx, label, &again);
    assert_memory_equal(drawn.pair, again.pair, PAIRS * sizeof *drawn.pair);
    for (size_t p = 0; p < PAIRS; p += 2)
        for (size_t q = 1; q < PAIRS; q += 2) {
            assert_true(drawn.pair[p].weight > 0 && drawn.pair[p].weight <= 1);
            larger += drawn.pair[p].weight > drawn.pair[q].weight;
            compared++;
        }
    assert_near(larger / compared, 5.0 / 6, 0.03);
}

TEST(wrong_pairs_contradict_none) {
    enum { N = 60 };
    int32_t label[N];
    const seg_labels labels = {.n = N, .classes = 3, .label = label};
    static const struct {
        double share;
        size_t pairs, wrong;
    } cases[] = {{0, 40, 0}, {0.1, 40, 4}, {0.5, 8, 4}, {0.05, 9, 0}, {0.06, 9, 1}, {0.5, 0, 0}, {0.5, 1, 1}};
    for (int i = 0; i < N; i++)
        label[i] = i % 3;
    for (ctx.seed = 1; ctx.seed <= 20; ctx.seed++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            SCOPED(seg_constraints) drawn, again;
            SCOPED(seg_closure) closure;
            assert_ok(&ctx, seg_draw(&ctx, &labels, NULL, SEG_PAIRS_UNIFORM, cases[c].pairs, &drawn));
            assert_ok(&ctx, seg_draw(&ctx, &labels, NULL, SEG_PAIRS_UNIFORM, cases[c].pairs, &again));
            assert_ok(&ctx, seg_wrong_pairs_put(&ctx, cases[c].share, &drawn));
            assert_ok(&ctx, seg_wrong_pairs_put(&ctx, cases[c].share, &again));
            assert_int_equal(count_wrong(&drawn, &labels), cases[c].wrong);
            for (size_t p = 0; p < drawn.pairs; p++)
                assert_int_equal(drawn.pair[p].sign, again.pair[p].sign);
            assert_ok(&ctx, seg_closure_compute(&ctx, &drawn, SEG_CONTRADICTIONS_REFUSE, &closure));
        }
    ctx.seed = 1;
    /* Any pair of a triangle contradicts the two others. */
    SCOPED(seg_constraints) triangle = new_constraints(&ctx, N);
    for (int i = 0; i < 3; i++)
        assert_ok(&ctx, seg_constraints_add(&ctx, &triangle, (seg_pair){i == 2 ? 0 : 3 * i, i == 0 ? 3 : 6, 1, 1}));
    assert_ok(&ctx, seg_wrong_pairs_put(&ctx, 0.5, &triangle));
    assert_int_equal(count_wrong(&triangle, &labels), 0);
}

/* The normalized cut of a labelling, by its definition. */
static double cut_of(const seg_csr *W, const int32_t *label, int k) {
    double sum = 0;
    for (int c = 0; c < k; c++) {
        double out = 0, all = 0;
        for (size_t i = 0; i < W->rows; i++)
            for (size_t e = W->start[i]; label[i] == c && e < W->start[i + 1]; e++) {
                out += label[W->column[e]] != c ? W->value[e] : 0;
                all += W->value[e];
            }
        sum += all > 0 ? out / all : 1;
    }
    return sum;
}

/* Of ten starts N-cuts too keep the best: the mean cut of the labellings falls, and none is below the eigenvalues' sum.
 */
TEST(starts_lower_the_cut) {
    static const seg_variant variant = {.name = "ncut", .method = "ncut"};
    enum { RESTARTS = 8, CLUSTERS = 7 };
    int32_t label[RESTARTS * 200];
    double mean[2] = {0, 0};
    seg_dataset *set;
    load_easy(&set);
    assert_ok(&ctx, seg_dataset_prepare(&ctx, set, SEG_DATASET_KNN));
    for (int more = 0; more < 2; more++) {
        const seg_experiment_options options = {.starts = more ? 10 : 1};
        const seg_run run = {.options = &options};
        const seg_item item = {.set = set, .variant = &variant};
        seg_problem problem = seg_item_problem(&run, &item, NULL);
        SCOPED(seg_clustering) first;
        problem.k = CLUSTERS;
        assert_ok(&ctx, seg_label_often(&ctx, &variant, &problem, RESTARTS, label, &first));
        for (int r = 0; r < RESTARTS; r++) {
            const double cut = cut_of(&set->knn, label + 200 * r, CLUSTERS);
            assert_true(cut > first.objective_bound);
            mean[more] += cut / RESTARTS;
        }
    }
    assert_true(mean[1] < mean[0] - 1e-9);
    seg_datasets_free(set, 1);
}
