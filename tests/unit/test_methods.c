/* The registry and every method of it: a problem with a known answer, invariances, refusals. */
#include "toy.h"

#define CLUSTERS 3
#define EACH     60
#define COUNT    (CLUSTERS * EACH)

typedef struct fixture {
    seg_matrix X;
    seg_csr W;
    seg_constraints groups;
    seg_problem problem;
} fixture;

static fixture given, *const f = &given; /* of each test */

BEFORE_EACH {
    memset(f, 0, sizeof *f);
    f->X = toy_blobs(&ctx, CLUSTERS, EACH, 21);
    f->groups = toy_groups(&ctx, COUNT, CLUSTERS, 4);
    f->W = toy_knn(&ctx, &f->X, 10);
    f->problem = toy_problem(CLUSTERS, &f->X, &f->W, &f->groups, 3);
}

AFTER_EACH {
    seg_matrix_free(&f->X);
    seg_csr_free(&f->W);
    seg_constraints_free(&f->groups);
}

static void check_scores(const seg_clustering *c) {
    for (size_t i = 0; i < c->n; i++) {
        double sum = 0;
        for (int l = 0; l < c->k; l++) {
            assert_true(c->score.at[i * (size_t)c->k + (size_t)l] >= 0);
            sum += c->score.at[i * (size_t)c->k + (size_t)l];
        }
        assert_near(sum, 1, 1e-9);
        assert_true(c->label[i] >= 0 && c->label[i] < c->k);
    }
}

static void check_blobs(const char *what, const seg_clustering *found) {
    check_scores(found);
    for (size_t i = 0; i < COUNT; i++)
        if (found->label[i] != (int32_t)(i % CLUSTERS))
            fail_msg("%s: sample %zu", what, i);
}

TEST(every_method_finds_the_blobs) {
    for (int m = 0; seg_method_at(m); m++) {
        SCOPED(seg_clustering) found;
        assert_ok(&ctx, seg_cluster(&ctx, seg_method_at(m), NULL, &f->problem, &found));
        check_blobs(seg_method_at(m)->name, &found);
    }
}

TEST(every_setting_of_enpakl_finds_the_blobs) {
    static const char *const settings[] = {"solver=project",
                                           "solver=pcp",
                                           "weights=lle",
                                           "B=6 R=3",
                                           "B=6 R=3 weights=lle",
                                           "B=6 R=3 alpha=equal solver=project",
                                           "smoother=0 sigma-scale=1",
                                           "lambda=0",
                                           "rank=2"};
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        SCOPED(seg_clustering) found = toy_cluster(&ctx, "enpakl", settings[s], &f->problem);
        check_blobs(settings[s], &found);
    }
}

/* Renaming the labels renames the answer and changes nothing else. */
TEST(labels_may_be_permuted) {
    for (int m = 0; seg_method_at(m); m++) {
        SCOPED(seg_clustering) plain, renamed;
        assert_ok(&ctx, seg_cluster(&ctx, seg_method_at(m), NULL, &f->problem, &plain));
        for (size_t i = 0; i < COUNT; i++)
            if (f->groups.group[i] >= 0)
                f->groups.group[i] = (int16_t)((f->groups.group[i] + 1) % CLUSTERS);
        assert_ok(&ctx, seg_cluster(&ctx, seg_method_at(m), NULL, &f->problem, &renamed));
        for (size_t i = 0; i < COUNT; i++) {
            assert_int_equal(renamed.label[i], (plain.label[i] + 1) % CLUSTERS);
            if (f->groups.group[i] >= 0)
                f->groups.group[i] = (int16_t)((f->groups.group[i] + CLUSTERS - 1) % CLUSTERS);
        }
    }
}

/* The same bytes with one thread and with two, and a second time. */
TEST(threads_change_nothing) {
    for (int m = 0; seg_method_at(m); m++) {
        SCOPED(seg_clustering) one, two;
        ctx.threads = 1;
        assert_ok(&ctx, seg_cluster(&ctx, seg_method_at(m), NULL, &f->problem, &one));
        ctx.threads = 2;
        assert_ok(&ctx, seg_cluster(&ctx, seg_method_at(m), NULL, &f->problem, &two));
        assert_memory_equal(one.label, two.label, COUNT * sizeof *one.label);
        assert_memory_equal(one.score.at, two.score.at, COUNT * CLUSTERS * sizeof *one.score.at);
    }
}

/* k above the number of labels: the marked ones keep their numbers, the third blob is found without a stroke. */
TEST(a_cluster_without_strokes_is_found) {
    f->groups.groups = CLUSTERS - 1;
    for (size_t i = 0; i < COUNT; i++)
        if (f->groups.group[i] == CLUSTERS - 1)
            f->groups.group[i] = -1;
    for (int m = 0; seg_method_at(m); m++) {
        SCOPED(seg_clustering) found;
        assert_ok(&ctx, seg_cluster(&ctx, seg_method_at(m), NULL, &f->problem, &found));
        check_blobs(seg_method_at(m)->name, &found);
    }
}

/* Listed pairs only; clusters then have no given numbers. */
TEST(pairs_alone_suffice) {
    SCOPED(seg_constraints) pairs = toy_list_pairs(&ctx, &f->groups);
    f->problem.constraints = &pairs;
    for (int m = 0; seg_method_at(m); m++) {
        SCOPED(seg_clustering) found;
        assert_ok(&ctx, seg_cluster(&ctx, seg_method_at(m), NULL, &f->problem, &found));
        for (size_t i = CLUSTERS; i < COUNT; i++)
            assert_int_equal(found.label[i], found.label[i % CLUSTERS]);
        assert_true(found.label[0] != found.label[1] && found.label[1] != found.label[2]);
    }
}

TEST(a_must_link_carries_a_label) {
    seg_pair pair = {0, COUNT - 2, 1, 1}; /* a sample of blob 1 is told to go with blob 0 */
    SCOPED(seg_clustering) found;
    assert_ok(&ctx, seg_constraints_add(&ctx, &f->groups, pair));
    assert_ok(&ctx, seg_cluster(&ctx, seg_method_find("enpakl"), NULL, &f->problem, &found));
    assert_int_equal(found.label[COUNT - 2], 0);
}

TEST(refusals_say_what_helps) {
    seg_clustering found;
    const seg_method *enpakl = seg_method_find("enpakl"), *ccskl = seg_method_find("ccskl");
    seg_problem p = f->problem;
    p.k = 2;
    assert_fails(&ctx, seg_cluster(&ctx, enpakl, NULL, &p, &found), SEG_ERR_USAGE, "set k to 3");
    p = f->problem;
    p.constraints = NULL;
    assert_fails(&ctx, seg_cluster(&ctx, ccskl, NULL, &p, &found), SEG_ERR_USAGE, "strokes");
    p = f->problem;
    p.affinity = NULL;
    assert_int_equal(seg_cluster(&ctx, ccskl, NULL, &p, &found), SEG_ERR_USAGE);
    p = f->problem;
    p.k = COUNT + 1;
    assert_int_equal(seg_cluster(&ctx, enpakl, NULL, &p, &found), SEG_ERR_USAGE);
    seg_pair apart = {0, CLUSTERS, -1, 1}; /* both of group 0 */
    assert_ok(&ctx, seg_constraints_add(&ctx, &f->groups, apart));
    assert_int_equal(seg_cluster(&ctx, enpakl, NULL, &f->problem, &found), SEG_ERR_CONTRADICTION);
    assert_null(found.label);
    assert_null(seg_method_find("nonsense"));
    assert_ptr_equal(seg_method_find(NULL), seg_method_find("auto"));
    assert_null(seg_method_at(-1));
    seg_params params = seg_params_default(enpakl);
    assert_fails(&ctx, seg_params_set(&ctx, enpakl, "rank=1", &params), SEG_ERR_USAGE, "2 to 200");
    assert_int_equal(seg_params_set(&ctx, enpakl, "rank=2.5", &params), SEG_ERR_USAGE);
    assert_int_equal(seg_params_set(&ctx, enpakl, "rank=nan", &params), SEG_ERR_USAGE);
    assert_fails(&ctx, seg_params_set(&ctx, enpakl, "weights=other", &params), SEG_ERR_USAGE, "harmonic or lle");
    assert_int_equal(seg_params_set(&ctx, enpakl, "colour=3", &params), SEG_ERR_USAGE);
    assert_int_equal(seg_params_set(&ctx, enpakl, "rank", &params), SEG_ERR_USAGE);
}

TEST(the_registry_is_complete) {
    for (int m = 0; seg_method_at(m); m++) {
        const seg_method *method = seg_method_at(m);
        assert_ptr_equal(seg_method_find(method->name), method);
        assert_true(method->title[0] && method->source[0] && method->param_count <= SEG_MAX_PARAMS);
        for (int p = 0; p < method->param_count; p++) {
            const seg_param *param = &method->param[p];
            assert_true(param->low <= param->initial && param->initial <= param->high && param->help[0]);
            if (param->choice)
                assert_null(param->choice[(int)param->high + 1]);
        }
    }
    (void)f;
}

/* The width of CCSKL's paper, by a slow search. */
static double mean_distance_to(const seg_matrix *X, size_t which) {
    double sum = 0;
    for (size_t i = 0; i < X->rows; i++) {
        double nearest[COUNT], last = -1;
        for (size_t j = 0; j < X->rows; j++) {
            nearest[j] = i == j ? INFINITY : 0;
            for (size_t c = 0; i != j && c < X->cols; c++)
                nearest[j] += pow(X->at[i * X->cols + c] - X->at[j * X->cols + c], 2);
        }
        for (size_t rank = 0; rank < which; rank++) {
            double next = INFINITY;
            for (size_t j = 0; j < X->rows; j++)
                next = nearest[j] > last && nearest[j] < next ? nearest[j] : next;
            last = next;
        }
        sum += sqrt(last) / (double)X->rows;
    }
    return sum;
}

TEST(a_variant_has_its_graph_and_restarts) {
    const seg_method *ccskl = seg_method_find("ccskl"), *tragek = seg_method_find("tragek");
    seg_cluster_settings ours = {0}, paper = {0}, full = {0}, chosen = {0};
    assert_ok(&ctx, seg_cluster_settings_fill(&ctx, ccskl, SEG_VARIANT_IMPROVED, &f->X, &ours));
    assert_true(ours.graph.kind == SEG_GRAPH_KNN && ours.graph.neighbours == 20 && ours.restarts == 10);
    assert_true(ours.graph.sigma == 0 && ours.graph.sigma_scale == 1.5 && ours.graph.search == SEG_SEARCH_AUTO);
    assert_ok(&ctx, seg_cluster_settings_fill(&ctx, ccskl, SEG_VARIANT_PAPER, &f->X, &paper));
    assert_true(paper.graph.kind == SEG_GRAPH_KNN && paper.graph.neighbours == 20 && paper.restarts == 1);
    assert_true(paper.graph.search == SEG_SEARCH_EXACT);
    assert_near(paper.graph.sigma, mean_distance_to(&f->X, 20), 1e-12);
    assert_ok(&ctx, seg_cluster_settings_fill(&ctx, tragek, SEG_VARIANT_PAPER, &f->X, &full));
    assert_true(full.graph.kind == SEG_GRAPH_FULL && full.graph.sigma == 0 && full.graph.sigma_scale == 1);
    /* What the caller chose stays, and a graph that is partly chosen is not the paper's. */
    chosen = (seg_cluster_settings){.graph = {.neighbours = 7, .search = SEG_SEARCH_AUTO},
                                    .restarts = 4,
                                    .chosen = SEG_CHOSEN_NEIGHBOURS | SEG_CHOSEN_SEARCH | SEG_CHOSEN_RESTARTS};
    assert_ok(&ctx, seg_cluster_settings_fill(&ctx, tragek, SEG_VARIANT_PAPER, &f->X, &chosen));
    assert_true(chosen.graph.kind == SEG_GRAPH_KNN && chosen.graph.neighbours == 7 && chosen.restarts == 4);
    assert_true(chosen.graph.sigma == 0 && chosen.graph.sigma_scale == 1.5 && chosen.graph.search == SEG_SEARCH_AUTO);
    chosen = (seg_cluster_settings){.graph = {.kind = SEG_GRAPH_FULL}};
    assert_ok(&ctx, seg_cluster_settings_fill(&ctx, ccskl, SEG_VARIANT_PAPER, &f->X, &chosen));
    assert_true(chosen.graph.kind == SEG_GRAPH_FULL && chosen.graph.sigma_scale == 1);
    assert_int_equal(seg_cluster_settings_fill(&ctx, seg_method_find("auto"), SEG_VARIANT_PAPER, &f->X, &chosen),
                     SEG_ERR_USAGE);
}
