/* Groups from listed pairs: known answers on separated clouds, must-links kept, order and numbering without effect. */
#include "toy.h"

#include "graph/harmonic.h"
#include "groups/groups.h"
#include "methods/steps.h"

enum { N = 240, K = 3, PAIRS = 15 };

BEFORE_EACH {
    ctx.threads = 2;
}

typedef struct setting {
    seg_matrix X;
    seg_csr W;
    seg_constraints pairs;
    seg_problem problem;
} setting;

/* Sample i is of class i % 3, in one of two clouds of its class: without pairs nobody knows which clouds belong
 * together. */
static setting make(int reversed) {
    setting s = {0};
    seg_random random = seg_random_seeded(3, 0);
    s.X = new_matrix(&ctx, N, 2);
    for (int i = 0; i < N; i++) {
        const int cloud = i % 3 + 3 * ((i / 3) % 2);
        s.X.at[2 * i] = 8 * cos(cloud * 1.0472) + 0.6 * seg_random_normal(&random);
        s.X.at[2 * i + 1] = 8 * sin(cloud * 1.0472) + 0.6 * seg_random_normal(&random);
    }
    assert_ok(&ctx, seg_graph_build(&ctx, &s.X, NULL,
                                    &(seg_graph_spec){.kind = SEG_GRAPH_KNN, .neighbours = 10, .sigma_scale = 1.5},
                                    &s.W, NULL));
    SCOPED(seg_constraints) classes = new_constraints(&ctx, N);
    classes.groups = K;
    for (int i = 0; i < N; i++)
        classes.group[i] = (int16_t)(i % 3);
    assert_ok(&ctx, seg_constraints_sample(&ctx, &classes, PAIRS, &s.pairs));
    for (size_t p = 0; reversed && p < s.pairs.pairs / 2; p++) {
        const seg_pair swap = s.pairs.pair[p];
        s.pairs.pair[p] = s.pairs.pair[s.pairs.pairs - 1 - p];
        s.pairs.pair[s.pairs.pairs - 1 - p] = swap;
    }
    s.problem = (seg_problem){.n = N, .k = K, .restarts = 3};
    return s;
}

static void aim(setting *s) {
    s->problem.features = &s->X;
    s->problem.affinity = &s->W;
    s->problem.constraints = &s->pairs;
}

static void release(setting *s) {
    seg_matrix_free(&s->X);
    seg_csr_free(&s->W);
    seg_constraints_free(&s->pairs);
}

TEST(finds_classes) {
    setting s = make(0);
    aim(&s);
    seg_constraints groups;
    int named[3] = {-1, -1, -1}, wrong = 0;
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &s.problem, &groups));
    assert_int_equal(groups.groups, K);
    assert_int_equal(groups.pairs, 0);
    uint8_t linked[N] = {0};
    for (size_t p = 0; p < s.pairs.pairs; p++) {
        const seg_pair *pair = &s.pairs.pair[p];
        linked[pair->i] = linked[pair->j] = 1;
        if (pair->sign > 0) /* never broken */
            assert_int_equal(groups.group[pair->i], groups.group[pair->j]);
    }
    for (int i = 0; i < N; i++) {
        assert_int_equal(groups.group[i] >= 0, linked[i]);
        if (!linked[i])
            continue;
        if (named[i % 3] < 0)
            named[i % 3] = groups.group[i];
        wrong += groups.group[i] != named[i % 3];
    }
    assert_int_equal(wrong, 0);
    assert_true(named[0] != named[1] && named[1] != named[2] && named[0] != named[2]);
    seg_constraints_free(&groups);

    static const char *const methods[] = {"enpakl", "auto"};
    for (int m = 0; m < 2; m++) {
        SCOPED(seg_clustering) found;
        assert_ok(&ctx, seg_cluster(&ctx, seg_method_find(methods[m]), NULL, &s.problem, &found));
        for (int i = 0; i < N; i++)
            assert_int_equal(found.label[i], found.label[i % 3]);
        assert_true(found.label[0] != found.label[1] && found.label[1] != found.label[2]);
    }
    release(&s);
}

/* Six classes of 9 to 76 samples that overlap, most samples named, so that the linked ones are large sets: a link
 * between two of them is worth more than one pair, and classes do not merge for the gain of a few votes. */
TEST(large_classes_stay_apart) {
    enum { CLASSES = 6, D = 9 };
    static const int size[CLASSES] = {70, 76, 17, 29, 13, 9};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        SCOPED(seg_constraints) pairs, groups;
        double centre[CLASSES][D];
        size_t n = 0, broken = 0;
        seg_random random = seg_random_seeded(seed, 0);
        ctx.seed = seed;
        for (int c = 0; c < CLASSES * D; c++)
            centre[c / D][c % D] = 0.55 * seg_random_normal(&random);
        for (int c = 0; c < CLASSES; c++)
            n += (size_t)size[c];
        SCOPED(seg_matrix) X = new_matrix(&ctx, n, D);
        SCOPED(seg_constraints) truth = new_constraints(&ctx, n);
        truth.groups = CLASSES;
        for (size_t i = 0, c = 0, left = (size_t)size[0]; i < n; i++, left--) {
            if (left == 0)
                left = (size_t)size[++c];
            truth.group[i] = (int16_t)c;
            for (int t = 0; t < D; t++)
                X.at[i * D + (size_t)t] = centre[c][t] + seg_random_normal(&random);
        }
        SCOPED(seg_csr) W = toy_knn(&ctx, &X, 20);
        assert_ok(&ctx, seg_constraints_sample(&ctx, &truth, 50, &pairs));
        const seg_problem problem = toy_problem(CLASSES, &X, &W, &pairs, 3);
        assert_ok(&ctx, seg_enpakl_groups(&ctx, &problem, &groups));
        for (size_t p = 0; p < pairs.pairs; p++)
            broken += (groups.group[pairs.pair[p].i] == groups.group[pairs.pair[p].j]) != (pairs.pair[p].sign > 0);
        if (broken)
            print_error("seed %d: %zu\n", (int)seed, broken);
        assert_int_equal(broken, 0);
    }
}

/* The order of the pairs and the number of threads change nothing. */
TEST(invariance) {
    SCOPED(seg_constraints) first, other;
    setting s = make(0), t = make(1);
    aim(&s);
    aim(&t);
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &s.problem, &first));
    ctx.threads = 1;
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &s.problem, &other));
    assert_memory_equal(first.group, other.group, N * sizeof *first.group);
    seg_constraints_free(&other);
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &t.problem, &other));
    for (int i = 0; i < N; i++) /* groups may be numbered in another order */
        for (int j = 0; j < i; j++)
            assert_int_equal(first.group[i] == first.group[j], other.group[i] == other.group[j]);
    release(&s);
    release(&t);
}

/* Two samples named and three clusters wanted: no groups, and the methods fall back. */
TEST(too_few) {
    setting s = make(0);
    aim(&s);
    s.pairs.pairs = 1;
    SCOPED(seg_constraints) groups;
    SCOPED(seg_clustering) found;
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &s.problem, &groups));
    assert_int_equal(groups.groups, 0);
    seg_constraints_free(&groups);
    assert_ok(&ctx, seg_cluster(&ctx, seg_method_find("auto"), NULL, &s.problem, &found));
    /* All samples named in one chain of must-links: one neighbourhood cannot make three groups. */
    s.pairs.pairs = 0;
    for (int i = 0; i + 3 < N; i += 3)
        assert_ok(&ctx, seg_constraints_add(&ctx, &s.pairs, (seg_pair){i, i + 3, 1, 1}));
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &s.problem, &groups));
    assert_int_equal(groups.groups, 0);
    release(&s);
}

/* Samples 10 and 11 cannot link; the kernel takes each for one of the other's class, and the graph says so by 4 to 1
 * only: less than a broken link costs. Together they go where they belong. */
TEST(exchanges_ends) {
    enum { COUNT = 12 };
    static const seg_pair listed[] = {{0, 1, 1, 1}, {1, 2, 1, 1}, {2, 3, 1, 1}, {3, 4, 1, 1},  {5, 6, 1, 1},
                                      {6, 7, 1, 1}, {7, 8, 1, 1}, {8, 9, 1, 1}, {0, 5, -1, 1}, {10, 11, -1, 1}};
    SCOPED(seg_constraints) groups;
    SCOPED(seg_matrix) Z = new_matrix(&ctx, COUNT, 2);
    SCOPED(seg_matrix) full = new_matrix(&ctx, COUNT, COUNT);
    SCOPED(seg_constraints) pairs = new_constraints(&ctx, COUNT);
    SCOPED(seg_csr) W = new_csr(&ctx, COUNT, COUNT, COUNT * COUNT);
    for (size_t p = 0; p < sizeof listed / sizeof *listed; p++)
        assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, listed[p]));
    for (int i = 0; i < COUNT; i++) {
        Z.at[2 * i + (i == 10 || (i >= 5 && i < 10))] = 1;
        for (int j = 0; j < 10; j++)
            if (i < 10 && i != j && i / 5 == j / 5)
                full.at[i * COUNT + j] = 1;
            else if (i >= 10)
                full.at[i * COUNT + j] = full.at[j * COUNT + i] = i - 10 == j / 5 ? 0.4 : 0.1;
    }
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < COUNT; j++)
            if (full.at[i * COUNT + j] > 0) {
                W.column[W.start[i + 1]] = j;
                W.value[W.start[i + 1]++] = full.at[i * COUNT + j];
            }
        if (i + 1 < COUNT)
            W.start[i + 2] = W.start[i + 1];
    }
    const seg_problem problem = {.n = COUNT, .k = 2, .restarts = 3, .affinity = &W, .constraints = &pairs};
    assert_ok(&ctx, seg_groups_from_pairs(&ctx, &problem, &Z, &groups));
    assert_int_equal(groups.groups, 2);
    assert_int_equal(groups.group[10], groups.group[0]);
    assert_int_equal(groups.group[11], groups.group[5]);
    assert_int_not_equal(groups.group[0], groups.group[5]);
}

/* A ring of 12 nodes with chords, weights of the caller's unit. */
static void make_ring(double unit, int turned, seg_csr *W) {
    enum { COUNT = 12 };
    double full[COUNT][COUNT] = {{0}};
    for (int i = 0; i < COUNT; i++) {
        const int a = (i + turned) % COUNT, b = (i + 1 + turned) % COUNT, c = (i + 5 + turned) % COUNT;
        full[a][b] = full[b][a] = unit * (1 + i % 3);
        full[a][c] = full[c][a] = unit * (0.5 + 0.25 * (i % 4));
    }
    size_t entries = 0;
    *W = new_csr(&ctx, COUNT, COUNT, COUNT * COUNT);
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < COUNT; j++)
            if (full[i][j] > 0) {
                W->column[entries] = j;
                W->value[entries++] = full[i][j];
            }
        W->start[i + 1] = entries;
    }
}

static double entry(const seg_csr *A, size_t row, int32_t column) {
    for (size_t e = A->start[row]; e < A->start[row + 1]; e++)
        if (A->column[e] == column)
            return A->value[e];
    return 0;
}

/* The slow twin: what one chosen node meets is what elimination leaves, L_cu L_uu^-1 L_ul and the direct edges. */
TEST(meets_what_is_left) {
    enum { COUNT = 12, CHOSEN = 4, FREE = COUNT - CHOSEN };
    static const size_t node[CHOSEN] = {7, 0, 3, 10}, others[FREE] = {1, 2, 4, 5, 6, 8, 9, 11};
    seg_csr W, met, again;
    make_ring(1, 0, &W);
    assert_ok(&ctx, seg_first_met(&ctx, &W, node, CHOSEN, (seg_first_met_options){1e-14, 100000}, &met));
    SCOPED_CHOLESKY *factor;
    double B[FREE * CHOSEN] = {0}, X[FREE * CHOSEN], left_over[FREE * FREE];
    for (size_t i = 0; i < FREE; i++) {
        double degree = 0;
        for (int32_t j = 0; j < COUNT; j++)
            degree += entry(&W, others[i], j);
        for (size_t j = 0; j < FREE; j++)
            left_over[i * FREE + j] = (i == j ? degree : 0) - entry(&W, others[i], (int32_t)others[j]);
        for (size_t c = 0; c < CHOSEN; c++)
            B[i * CHOSEN + c] = entry(&W, others[i], (int32_t)node[c]);
    }
    seg_csr L = toy_sparse(&ctx, FREE, left_over);
    assert_ok(&ctx, seg_cholesky_create(&ctx, &L, &factor));
    assert_ok(&ctx, seg_cholesky_solve(&ctx, factor, CHOSEN, B, X));
    for (size_t c = 0; c < CHOSEN; c++)
        for (size_t d = 0; d < CHOSEN; d++) {
            double left = entry(&W, node[c], (int32_t)node[d]);
            for (size_t i = 0; i < FREE; i++)
                left += B[i * CHOSEN + c] * X[i * CHOSEN + d];
            assert_true(fabs(entry(&met, c, (int32_t)d) - (c == d ? 0 : left)) < 1e-9);
        }
    seg_csr_free(&L);
    seg_csr_free(&W);
    /* Another unit, and walks that are cut off: less is met, nothing that is not there; one thread, the same bytes. */
    make_ring(1e90, 0, &W);
    assert_ok(&ctx, seg_first_met(&ctx, &W, node, CHOSEN, (seg_first_met_options){0.05, 5}, &again));
    for (size_t c = 0; c < CHOSEN; c++)
        for (size_t d = 0; d < CHOSEN; d++) {
            const double cut = entry(&again, c, (int32_t)d) / 1e90;
            assert_true(cut >= 0 && cut <= entry(&met, c, (int32_t)d) * (1 + 1e-12));
            assert_true(entry(&again, c, (int32_t)d) == entry(&again, d, (int32_t)c));
        }
    seg_csr_free(&met);
    ctx.threads = 1;
    assert_ok(&ctx, seg_first_met(&ctx, &W, node, CHOSEN, (seg_first_met_options){0.05, 5}, &met));
    assert_int_equal(met.start[CHOSEN], again.start[CHOSEN]);
    assert_memory_equal(met.value, again.value, met.start[CHOSEN] * sizeof *met.value);
    seg_csr_free(&met);
    seg_csr_free(&again);
    /* All nodes chosen: the graph itself. One, and none: nothing to meet. */
    size_t every[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        every[i] = i;
    assert_ok(&ctx, seg_first_met(&ctx, &W, every, COUNT, (seg_first_met_options){1e-3, 200}, &met));
    assert_int_equal(met.start[COUNT], W.start[COUNT]);
    for (size_t e = 0; e < W.start[COUNT]; e++)
        assert_true(met.column[e] == W.column[e] && fabs(met.value[e] / W.value[e] - 1) < 1e-12);
    seg_csr_free(&met);
    for (size_t count = 0; count < 2; count++) {
        assert_ok(&ctx, seg_first_met(&ctx, &W, every, count, (seg_first_met_options){1e-3, 200}, &met));
        assert_int_equal(met.rows, count);
        assert_int_equal(met.start[count], 0);
        seg_csr_free(&met);
    }
    seg_csr_free(&W);
}

/* A long strip of 4 x 90 samples, two classes of equal looks in six stretches A B A B A B: only the links tell which
 * stretches belong together, and the graph that they hold together. What a kernel knows of nothing but noise is no
 * hindrance. */
TEST(finds_stretches) {
    enum { WIDTH = 90, HEIGHT = 4, SIZE = WIDTH * HEIGHT };
    SCOPED(seg_csr) W;
    SCOPED(seg_constraints) pairs, groups;
    seg_random random = seg_random_seeded(5, 0);
    SCOPED(seg_matrix) X = new_matrix(&ctx, SIZE, 2);
    SCOPED(seg_matrix) Z = new_matrix(&ctx, SIZE, 2);
    SCOPED(seg_constraints) classes = new_constraints(&ctx, SIZE);
    classes.groups = 2;
    for (int i = 0; i < SIZE; i++) {
        const int stretch = i % WIDTH / 15;
        classes.group[i] = (int16_t)(stretch % 2);
        X.at[2 * i] = i % WIDTH + 12.0 * stretch;
        X.at[2 * i + 1] = i / (double)WIDTH;
        const double angle = 6.28 * seg_random_uniform(&random);
        Z.at[2 * i] = cos(angle);
        Z.at[2 * i + 1] = sin(angle);
    }
    assert_ok(&ctx,
              seg_graph_build(&ctx, &X, NULL,
                              &(seg_graph_spec){.kind = SEG_GRAPH_KNN, .neighbours = 8, .sigma_scale = 1.5}, &W, NULL));
    assert_ok(&ctx, seg_constraints_sample(&ctx, &classes, 40, &pairs));
    const seg_problem problem = {
        .n = SIZE, .k = 2, .restarts = 3, .features = &X, .affinity = &W, .constraints = &pairs};
    assert_ok(&ctx, seg_groups_from_pairs(&ctx, &problem, &Z, &groups));
    assert_int_equal(groups.groups, 2);
    int wrong = 0, named = 0, first = -1;
    for (int i = 0; i < SIZE; i++) {
        if (groups.group[i] < 0)
            continue;
        if (first < 0)
            first = groups.group[i] ^ classes.group[i];
        wrong += (groups.group[i] ^ classes.group[i]) != first;
        named++;
    }
    assert_true(named > 100);
    assert_int_equal(wrong, 0);
}
