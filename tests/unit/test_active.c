/* Active choice of constraints. What is implied is recomputed here from all answers, the slow way. */
#include "toy.h"

#include "active/selector.h"
#include "constraints/closed.h"

FREED_BY(seg_active, seg_active_free)
#define SCOPED_ACTIVE SCOPED_POINTER(seg_active)

enum { MOST = 64 };

/* Slow twin of the closure: relation[i][j] = 1 must, -1 cannot, 0 nothing, by passing over all triples until still. */
typedef struct twin {
    int n, k;
    signed char relation[MOST][MOST];
    char asked[MOST][MOST];
} twin;

static twin twin_make(int n) {
    twin t = {.n = n};
    for (int i = 0; i < n; i++)
        t.relation[i][i] = 1;
    return t;
}

static void twin_add(twin *t, int i, int j, int sign) {
    int changed = 1;
    assert_true(t->relation[i][j] == 0 || t->relation[i][j] == sign); /* no contradiction */
    t->relation[i][j] = t->relation[j][i] = (signed char)sign;
    while (changed) {
        changed = 0;
        for (int a = 0; a < t->n; a++)
            for (int b = 0; b < t->n; b++)
                for (int c = 0; c < t->n && t->relation[a][b] > 0; c++)
                    if (t->relation[b][c] && !t->relation[a][c]) {
                        t->relation[a][c] = t->relation[c][a] = t->relation[b][c];
                        changed = 1;
                    }
    }
}

static const seg_question *history_of(const seg_active *active, size_t *count) {
    const seg_active_tally about = seg_active_about(active);
    *count = about.asked + about.inferred;
    return about.history;
}

/* Enter what the selector has inferred since `seen` answers. */
static size_t twin_follow(twin *t, const seg_active *active, size_t seen) {
    size_t count;
    const seg_question *history = history_of(active, &count);
    for (; seen < count; seen++)
        if (history[seen].inferred)
            twin_add(t, history[seen].i, history[seen].j, 1);
    return seen;
}

static void same_history(const seg_active *one, const seg_active *other) {
    size_t a, b;
    const seg_question *first = history_of(one, &a), *second = history_of(other, &b);
    assert_int_equal(a, b);
    assert_memory_equal(first, second, a * sizeof *first);
}

/* It is known of every two samples, but for `doubtful`, whether they belong together. */
static void all_is_placed(const twin *t, const int32_t *label, int doubtful) {
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->n; j++)
            if (i != doubtful && j != doubtful)
                assert_int_equal(t->relation[i][j], label[i] == label[j] ? 1 : -1);
}

typedef seg_answer (*answer_fn)(void *user, int32_t i, int32_t j);

/* The next question, or 0 where there is none. */
static int ask(seg_active *active, int32_t *i, int32_t *j) {
    int more;
    assert_ok(&ctx, seg_active_next(&ctx, active, i, j, &more));
    return more;
}

/* Ask to the end; every question must be new and not implied. */
static seg_active *ask_all(const seg_active_spec *spec, answer_fn answer, void *user, twin *t) {
    seg_active *out;
    int32_t i, j;
    size_t seen = 0;
    assert_ok(&ctx, seg_active_create(&ctx, spec, &out));
    for (;;) {
        const int more = ask(out, &i, &j);
        seen = twin_follow(t, out, seen);
        if (!more)
            return out;
        assert_true(i >= 0 && j >= 0 && i < t->n && j < t->n && i != j);
        assert_int_equal(t->relation[i][j], 0);
        assert_false(t->asked[i][j]);
        t->asked[i][j] = t->asked[j][i] = 1;
        const seg_answer given = answer(user, i, j);
        if (given)
            twin_add(t, i, j, (int)given);
        assert_ok(&ctx, seg_active_answer(&ctx, out, given));
    }
    return out;
}

static seg_answer by_label(void *user, int32_t i, int32_t j) {
    const int32_t *label = user;
    return label[i] == label[j] ? SEG_ANSWER_MUST : SEG_ANSWER_CANNOT;
}

static seg_answer never(void *user, int32_t i, int32_t j) {
    (void)user, (void)i, (void)j;
    return SEG_ANSWER_UNKNOWN;
}

static seg_answer at_random(void *user, int32_t i, int32_t j) {
    (void)i, (void)j;
    return (seg_answer)((int)seg_random_below(user, 3) - 1);
}

/* Blobs far apart: row i belongs to i % clusters. */
static seg_matrix blobs(int clusters, size_t each, uint64_t seed, int32_t label[MOST]) {
    seg_matrix X = toy_blobs(&ctx, clusters, each, seed);
    for (size_t i = 0; i < X.rows; i++) {
        label[i] = (int32_t)(i % (size_t)clusters);
        X.at[2 * i] += 90 * cos(6.283185307179586 * label[i] / clusters);
        X.at[2 * i + 1] += 90 * sin(6.283185307179586 * label[i] / clusters);
    }
    return X;
}

/* Between blobs, farthest-first goes to a new one each time: 1 + 2 + ... + (k - 1) cannot-links and no question more.
 */
TEST(explore_finds_all_clusters) {
    for (int k = 2; k <= 5; k++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            int32_t label[MOST];
            ctx.seed = seed;
            SCOPED(seg_matrix) X = blobs(k, 10, seed, label);
            twin t = twin_make((int)X.rows);
            const size_t needed = (size_t)(k * (k - 1) / 2);
            const seg_active_spec spec = {
                .strategy = SEG_ACTIVE_EXPLORE_CONSOLIDATE, .k = k, .budget = needed, .n = X.rows, .features = &X};
            SCOPED_ACTIVE *active = ask_all(&spec, by_label, label, &t);
            const seg_active_tally tally = seg_active_about(active);
            assert_int_equal(tally.neighbourhoods, k);
            assert_int_equal(tally.asked, needed);
            assert_int_equal(tally.cannot, needed);
        }
}

/* To the end: everything is placed rightly, and no sample costs more than k - 1 questions once there are k groups. */
TEST(consolidate_places_everything) {
    enum { K = 4 };
    for (seg_active_strategy strategy = 0; strategy <= SEG_ACTIVE_NPU;
         strategy += 1 + (strategy == SEG_ACTIVE_MINMAX)) {
        int32_t label[MOST];
        size_t cost[MOST] = {0}, count;
        SCOPED(seg_matrix) X = blobs(K, 12, 3, label);
        for (size_t i = 0; i < X.rows; i += 7)
            label[i] = (label[i] + 2) % K; /* where one would look last */
        twin t = twin_make((int)X.rows);
        const seg_active_spec spec = {.strategy = strategy, .k = K, .budget = SIZE_MAX, .n = X.rows, .features = &X};
        SCOPED_ACTIVE *active = ask_all(&spec, by_label, label, &t);
        const seg_question *history = history_of(active, &count);
        size_t inferred = 0;
        for (size_t a = 0; a < count; a++) {
            cost[history[a].i] += !history[a].inferred;
            inferred += history[a].inferred != 0;
            if (history[a].inferred)
                assert_int_equal(label[history[a].i], label[history[a].j]);
        }
        assert_true(inferred > 0);
        for (size_t i = 0; i < X.rows; i++)
            assert_true(cost[i] <= K - 1);
        all_is_placed(&t, label, -1);
        SCOPED(seg_constraints) c;
        SCOPED(seg_closure) closure;
        assert_ok(&ctx, seg_active_constraints(&ctx, active, &c));
        assert_ok(&ctx, seg_closure_compute(&ctx, &c, SEG_CONTRADICTIONS_REFUSE, &closure));
        assert_int_equal(closure.components, K);
    }
}

/* Without k, Explore and Consolidate is Explore, and it too ends with everything placed. */
TEST(unknown_number_of_clusters) {
    int32_t label[MOST];
    SCOPED(seg_matrix) X = blobs(3, 10, 4, label);
    twin t = twin_make((int)X.rows), u = t;
    seg_active_spec spec = {.budget = SIZE_MAX, .n = X.rows, .features = &X};
    SCOPED_ACTIVE *one = ask_all(&spec, by_label, label, &t);
    spec.strategy = SEG_ACTIVE_EXPLORE;
    SCOPED_ACTIVE *two = ask_all(&spec, by_label, label, &u);
    same_history(one, two);
    assert_int_equal(seg_active_about(one).neighbourhoods, 3);
    assert_int_equal(seg_active_about(one).inferred, 0);
    all_is_placed(&t, label, -1);
}

/* Rows in another order, the same start: the same samples are asked about. */
static void same_in_another_order(seg_active_strategy strategy) {
    seg_constraints known[2];
    seg_active *active[2];
    int32_t label[2][MOST], i[2], j[2];
    SCOPED(seg_matrix) X = blobs(5, 8, 6, label[0]);
    const size_t n = X.rows;
    SCOPED(seg_matrix) Y = new_matrix(&ctx, n, 2);
    for (size_t r = 0; r < n; r++) { /* row r of X is row 7 r + 3 of Y */
        memcpy(Y.at + 2 * ((7 * r + 3) % n), X.at + 2 * r, 2 * sizeof(double));
        label[1][(7 * r + 3) % n] = label[0][r];
    }
    for (int side = 0; side < 2; side++) {
        const int a = side ? (7 * 0 + 3) % (int)n : 0, b = side ? (7 * 1 + 3) % (int)n : 1;
        known[side] = new_constraints(&ctx, n);
        assert_ok(&ctx, seg_constraints_add(&ctx, &known[side], (seg_pair){a, b, -1, 1}));
        const seg_active_spec spec = {
            .strategy = strategy, .k = 5, .budget = 9, .n = n, .features = side ? &Y : &X, .known = &known[side]};
        assert_ok(&ctx, seg_active_create(&ctx, &spec, &active[side]));
    }
    for (int question = 0; question < 9; question++) { /* 2 + 3 + 4, all neighbourhoods of one sample */
        for (int side = 0; side < 2; side++) {
            assert_true(ask(active[side], &i[side], &j[side]));
            assert_ok(&ctx, seg_active_answer(&ctx, active[side], by_label(label[side], i[side], j[side])));
        }
        assert_int_equal((7 * (size_t)i[0] + 3) % n, i[1]);
        assert_int_equal((7 * (size_t)j[0] + 3) % n, j[1]);
    }
    for (int side = 0; side < 2; side++) {
        if (strategy == SEG_ACTIVE_EXPLORE_CONSOLIDATE)
            assert_int_equal(seg_active_about(active[side]).neighbourhoods, 5);
        seg_active_free(active[side]);
        seg_constraints_free(&known[side]);
    }
}

TEST(order_of_rows) {
    same_in_another_order(SEG_ACTIVE_EXPLORE_CONSOLIDATE);
    same_in_another_order(SEG_ACTIVE_NPU);
}

/* MinMax by its definition: the sample with the smallest largest Gaussian similarity, and the most similar member. */
TEST(minmax_by_definition) {
    enum { K = 3 };
    SCOPED_ACTIVE *active;
    int32_t label[MOST], i, j, last = -1;
    char placed[MOST] = {0};
    size_t count, compared = 0;
    SCOPED(seg_matrix) X = toy_blobs(&ctx, K, 12, 8);
    for (size_t r = 0; r < X.rows; r++)
        label[r] = (int32_t)(r % K);
    const seg_active_spec spec = {
        .strategy = SEG_ACTIVE_MINMAX, .k = K, .budget = SIZE_MAX, .n = X.rows, .features = &X};
    assert_ok(&ctx, seg_active_create(&ctx, &spec, &active));
    while (ask(active, &i, &j)) {
        const seg_question *history = history_of(active, &count);
        for (size_t a = 0; a < count; a++)
            if (history[a].answer == SEG_ANSWER_MUST || seg_active_about(active).neighbourhoods == K)
                placed[history[a].i] = placed[history[a].j] = history[a].i != i;
        if (seg_active_about(active).neighbourhoods == K && i != last) {
            double least = INFINITY, own = 0;
            int32_t at_least = -1, nearest = -1;
            for (size_t r = 0; r < X.rows; r++) {
                double most = 0;
                for (size_t s = 0; s < X.rows && !placed[r]; s++) {
                    const double dx = X.at[2 * r] - X.at[2 * s], dy = X.at[2 * r + 1] - X.at[2 * s + 1];
                    const double similarity = placed[s] ? exp(-(dx * dx + dy * dy) / (2 * 10 * 10)) : 0;
                    most = similarity > most ? similarity : most;
                    if (r == (size_t)i && similarity > own) {
                        own = similarity;
                        nearest = (int32_t)s;
                    }
                }
                if (!placed[r] && most < least) {
                    least = most;
                    at_least = (int32_t)r;
                }
            }
            assert_int_equal(i, at_least);
            assert_int_equal(j, nearest);
            compared++;
        }
        last = i;
        assert_ok(&ctx, seg_active_answer(&ctx, active, by_label(label, i, j)));
    }
    assert_true(compared > 20);
}

/* The share of a sample's mean similarities that belongs to each of the neighbourhoods, as printed. */
static void shares_of(const seg_matrix *X, double width2, size_t sample, const int32_t *hood, int hoods,
                      double *share) {
    double total = 0;
    for (int h = 0; h < hoods; h++) {
        size_t members = 0;
        share[h] = 0;
        for (size_t s = 0; s < X->rows; s++)
            if (hood[s] == h) {
                const double dx = X->at[2 * sample] - X->at[2 * s], dy = X->at[2 * sample + 1] - X->at[2 * s + 1];
                share[h] += exp(-(dx * dx + dy * dy) / (2 * width2));
                members++;
            }
        share[h] /= (double)members;
        total += share[h];
    }
    for (int h = 0; h < hoods; h++)
        share[h] /= total;
}

/* Entropy over the expected number of questions; the rank of each share by counting the larger ones. */
static double uncertainty_of(const double *share, int hoods) {
    double entropy = 0, questions = 0;
    for (int h = 0; h < hoods; h++) {
        int rank = 1;
        for (int g = 0; g < hoods; g++)
            rank += share[g] > share[h] || (share[g] == share[h] && g < h);
        entropy -= share[h] > 0 ? share[h] * log2(share[h]) : 0;
        questions += rank * share[h];
    }
    return entropy / questions;
}

static double tenth_of_variance(const seg_matrix *X) {
    double mean[2] = {0, 0}, total = 0;
    for (size_t v = 0; v < 2 * X->rows; v++)
        mean[v % 2] += X->at[v] / (double)X->rows;
    for (size_t v = 0; v < 2 * X->rows; v++)
        total += (X->at[v] - mean[v % 2]) * (X->at[v] - mean[v % 2]) / (double)X->rows;
    return total / 10;
}

/* The neighbourhoods after the answers so far, from the history alone; the first cannot-link's second sample begins. */
static int hoods_of(const seg_active *active, size_t n, int32_t *hood, int32_t current) {
    size_t count;
    const seg_question *history = history_of(active, &count);
    int hoods = 0;
    for (size_t i = 0; i < n; i++)
        hood[i] = -1;
    for (size_t a = 0; a < count; a++) {
        if (a == 0)
            hood[history[a].j] = hoods++;
        if (history[a].answer == SEG_ANSWER_MUST)
            hood[history[a].i] = hood[history[a].j];
        else if (history[a].i != current && (a + 1 == count || history[a + 1].i != history[a].i))
            hood[history[a].i] = hoods++;
    }
    return hoods;
}

/* NPU by its definition: the sample of the largest uncertainty for its questions, and the likeliest neighbourhoods
 * first. k is not given, so that nothing follows without a question. */
TEST(npu_by_definition) {
    enum { K = 4 };
    SCOPED_ACTIVE *active;
    int32_t label[MOST], hood[MOST], i, j, last = -1;
    double share[MOST], before = 2;
    size_t compared = 0, ordered = 0;
    SCOPED(seg_matrix) X = toy_blobs(&ctx, K, 12, 8);
    for (size_t r = 0; r < X.rows; r++)
        label[r] = (int32_t)((r + (r % 7 == 0)) % K); /* some where one would not look first */
    const double width2 = tenth_of_variance(&X);
    const seg_active_spec spec = {.strategy = SEG_ACTIVE_NPU, .budget = SIZE_MAX, .n = X.rows, .features = &X};
    assert_ok(&ctx, seg_active_create(&ctx, &spec, &active));
    while (ask(active, &i, &j)) {
        const int hoods = hoods_of(active, X.rows, hood, i);
        shares_of(&X, width2, (size_t)i, hood, hoods, share);
        if (hoods > 1 && i != last) {
            const double own = uncertainty_of(share, hoods);
            double other[MOST];
            for (size_t r = 0; r < X.rows; r++)
                if (hood[r] < 0) {
                    shares_of(&X, width2, r, hood, hoods, other);
                    assert_true(uncertainty_of(other, hoods) <= own + 1e-9);
                    compared++;
                }
            before = 2;
        }
        if (hoods > 1) {
            assert_true(share[hood[j]] <= before);
            ordered += i == last;
            before = share[hood[j]];
        }
        last = i;
        assert_ok(&ctx, seg_active_answer(&ctx, active, by_label(label, i, j)));
    }
    assert_int_equal(seg_active_about(active).neighbourhoods, K);
    assert_true(compared > 300 && ordered > 5);
}

/* Questions until every two of three groups are known to differ; for random pairs that is the least they can need. */
static size_t until_found(const seg_active_spec *spec, const int32_t *label) {
    SCOPED_ACTIVE *active;
    int32_t i, j;
    int apart[3] = {0};
    assert_ok(&ctx, seg_active_create(&ctx, spec, &active));
    while (!(apart[0] && apart[1] && apart[2])) {
        assert_true(ask(active, &i, &j));
        if (label[i] != label[j])
            apart[label[i] + label[j] - 1] = 1;
        assert_ok(&ctx, seg_active_answer(&ctx, active, by_label((void *)label, i, j)));
    }
    return seg_active_about(active).asked;
}

TEST(npu_finds_groups_sooner_than_random) {
    size_t by_npu = 0, by_chance = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        int32_t label[MOST];
        ctx.seed = seed;
        SCOPED(seg_matrix) X = blobs(3, 10, seed, label);
        seg_active_spec spec = {.strategy = SEG_ACTIVE_NPU, .budget = SIZE_MAX, .n = X.rows, .features = &X};
        const size_t asked = until_found(&spec, label);
        assert_in_range(asked, 3, 8);
        by_npu += asked;
        spec.strategy = SEG_ACTIVE_RANDOM;
        by_chance += until_found(&spec, label);
    }
    assert_true(by_npu <= by_chance);
}

/* Known pairs in another order, their ends too: the same questions. All samples in one place: any order, and an end. */
TEST(npu_known_in_another_order) {
    int32_t label[MOST];
    seg_constraints known[2];
    seg_active *active[2];
    SCOPED(seg_matrix) X = blobs(3, 10, 4, label);
    for (int side = 0; side < 2; side++) {
        const int pairs[][2] = {{0, 1}, {4, 5}, {0, 3}, {1, 4}, {7, 5}, {9, 3}};
        twin t = twin_make((int)X.rows);
        known[side] = new_constraints(&ctx, X.rows);
        for (int at = 0; at < 6; at++) {
            const int a = pairs[side ? 5 - at : at][side], b = pairs[side ? 5 - at : at][!side];
            const int sign = label[a] == label[b] ? 1 : -1;
            assert_ok(&ctx, seg_constraints_add(&ctx, &known[side], (seg_pair){a, b, sign, 1}));
            twin_add(&t, a, b, sign);
        }
        const seg_active_spec spec = {
            .strategy = SEG_ACTIVE_NPU, .k = 3, .budget = 40, .n = X.rows, .features = &X, .known = &known[side]};
        active[side] = ask_all(&spec, by_label, label, &t);
    }
    same_history(active[0], active[1]);
    for (int side = 0; side < 2; side++) {
        seg_active_free(active[side]);
        seg_constraints_free(&known[side]);
    }
    SCOPED(seg_matrix) same = new_matrix(&ctx, 12, 2);
    for (int v = 0; v < 24; v++)
        same.at[v] = 7;
    twin t = twin_make(12);
    const seg_active_spec spec = {.strategy = SEG_ACTIVE_NPU, .k = 3, .budget = SIZE_MAX, .n = 12, .features = &same};
    active[0] = ask_all(&spec, by_label, label, &t);
    assert_int_equal(seg_active_about(active[0]).neighbourhoods, 3);
    seg_active_free(active[0]);
}

/* Nobody knows: it ends, and no pair comes twice (ask_all looks). */
TEST(nobody_knows) {
    int32_t label[MOST];
    SCOPED(seg_matrix) X = blobs(3, 8, 5, label);
    for (seg_active_strategy strategy = 0; strategy < SEG_ACTIVE_STRATEGIES; strategy++)
        for (int k = strategy == SEG_ACTIVE_AIPC; k < 4; k++) {
            twin t = twin_make((int)X.rows);
            const seg_active_spec spec = {
                .strategy = strategy, .k = k, .budget = SIZE_MAX, .n = X.rows, .features = &X};
            SCOPED_ACTIVE *active = ask_all(&spec, never, NULL, &t);
            if (strategy == SEG_ACTIVE_RANDOM) /* every pair was asked */
                assert_int_equal(seg_active_about(active).asked, X.rows * (X.rows - 1) / 2);
            else if (k != 1)
                assert_true(seg_active_about(active).asked >= X.rows - 1);
        }
}

typedef struct doubter {
    const int32_t *label;
    int32_t about; /* nobody can tell about this one */
} doubter;

static seg_answer unanswered_twice(void *user, int32_t i, int32_t j) {
    const doubter *d = user;
    return i == d->about || j == d->about ? SEG_ANSWER_UNKNOWN : by_label((void *)d->label, i, j);
}

/* Whatever sample nobody can tell about, the start among them, the others are all placed. */
TEST(one_doubtful_sample) {
    int32_t label[MOST];
    SCOPED(seg_matrix) X = blobs(3, 8, 5, label);
    for (seg_active_strategy strategy = 0; strategy <= SEG_ACTIVE_NPU; strategy += 1 + (strategy == SEG_ACTIVE_MINMAX))
        for (int32_t about = 0; about < (int32_t)X.rows; about += 3) {
            doubter d = {label, about};
            twin t = twin_make((int)X.rows);
            const seg_active_spec spec = {
                .strategy = strategy, .k = 3, .budget = SIZE_MAX, .n = X.rows, .features = &X};
            SCOPED_ACTIVE *active = ask_all(&spec, unanswered_twice, &d, &t);
            assert_true(seg_active_about(active).unknown >= 1 && seg_active_about(active).unknown <= 2);
            all_is_placed(&t, label, about);
        }
}

/* Answers out of thin air, taken back now and then: never a contradiction, never a question that was answered. */
TEST(random_answers) {
    seg_random random = seg_random_seeded(11, 0);
    for (int round = 0; round < 120; round++) {
        SCOPED(seg_constraints) c;
        SCOPED(seg_closure) closure;
        const size_t n = 1 + seg_random_below(&random, 24);
        SCOPED(seg_matrix) X = new_matrix(&ctx, n, 2);
        for (size_t v = 0; v < 2 * n; v++) /* with equal rows among them */
            X.at[v] = (double)seg_random_below(&random, 4);
        ctx.seed = (uint64_t)round;
        twin t = twin_make((int)n);
        const seg_active_strategy strategy = (seg_active_strategy)(round % SEG_ACTIVE_STRATEGIES);
        const seg_active_spec spec = {.strategy = strategy,
                                      .k = strategy == SEG_ACTIVE_AIPC ? 1 + (int)seg_random_below(&random, 4)
                                                                       : (int)seg_random_below(&random, 5),
                                      .budget = round % 3 ? SIZE_MAX : seg_random_below(&random, 30),
                                      .n = n,
                                      .features = &X};
        SCOPED_ACTIVE *active = ask_all(&spec, at_random, &random, &t);
        assert_true(seg_active_about(active).asked <= spec.budget);
        if (spec.k && spec.strategy != SEG_ACTIVE_RANDOM)
            assert_true(seg_active_about(active).neighbourhoods <= spec.k);
        assert_ok(&ctx, seg_active_constraints(&ctx, active, &c));
        assert_ok(&ctx, seg_closure_compute(&ctx, &c, SEG_CONTRADICTIONS_REFUSE, &closure));
    }
}

/* An answer that is taken back leaves no trace. */
TEST(undo) {
    int32_t label[MOST], i, j, after_i, after_j;
    int undone;
    SCOPED(seg_matrix) X = blobs(3, 10, 7, label);
    for (seg_active_strategy strategy = 0; strategy < SEG_ACTIVE_STRATEGIES; strategy++) {
        SCOPED_ACTIVE *straight, *back;
        seg_random random = seg_random_seeded(3, 0);
        const seg_active_spec spec = {.strategy = strategy, .k = 3, .budget = 40, .n = X.rows, .features = &X};
        assert_ok(&ctx, seg_active_create(&ctx, &spec, &straight));
        assert_ok(&ctx, seg_active_create(&ctx, &spec, &back));
        assert_ok(&ctx, seg_active_undo(&ctx, back, &undone));
        assert_false(undone);
        while (ask(straight, &i, &j)) {
            const seg_answer right = by_label(label, i, j);
            assert_ok(&ctx, seg_active_answer(&ctx, straight, right));
            int more = ask(back, &after_i, &after_j);
            const int wrong = (int)seg_random_below(&random, 3); /* that many answers are given and taken back */
            for (int w = 0; w < wrong && more; w++) {
                assert_ok(&ctx, seg_active_answer(&ctx, back, at_random(&random, 0, 0)));
                assert_ok(&ctx, seg_active_undo(&ctx, back, &undone));
                assert_true(undone);
                more = ask(back, &after_i, &after_j);
            }
            assert_int_equal(after_i, i);
            assert_int_equal(after_j, j);
            assert_ok(&ctx, seg_active_answer(&ctx, back, right));
        }
        assert_false(ask(back, &i, &j));
        same_history(straight, back);
    }
}

/* Half the answers, then a new selector that knows them: nothing is asked twice, and all is placed in the end. */
TEST(resumed) {
    int32_t label[MOST];
    SCOPED(seg_matrix) X = blobs(3, 10, 9, label);
    for (seg_active_strategy strategy = 0; strategy <= SEG_ACTIVE_NPU;
         strategy += 1 + (strategy == SEG_ACTIVE_MINMAX)) {
        SCOPED(seg_constraints) known;
        twin t = twin_make((int)X.rows);
        seg_active_spec spec = {.strategy = strategy, .k = 3, .budget = 15, .n = X.rows, .features = &X};
        SCOPED_ACTIVE *first = ask_all(&spec, by_label, label, &t);
        assert_ok(&ctx, seg_active_constraints(&ctx, first, &known));
        SCOPED(seg_constraints) unknown = new_constraints(&ctx, X.rows);
        int a = 0, b = 1;
        while (t.relation[a][b])
            b++;
        assert_ok(&ctx, seg_constraints_add(&ctx, &unknown, (seg_pair){a, b, 1, 1}));
        t.asked[a][b] = t.asked[b][a] = 1; /* ask_all fails where it is asked */
        spec.budget = SIZE_MAX;
        spec.known = &known;
        spec.unknown = &unknown;
        SCOPED_ACTIVE *second = ask_all(&spec, by_label, label, &t);
        assert_int_equal(seg_active_about(second).neighbourhoods, 3);
        all_is_placed(&t, label, -1);
    }
}

TEST(small_and_impossible) {
    double at[] = {0, 0, 5, 0, 0, 5, 5, 5};
    int32_t i, j, label[4] = {0, 0, 1, 1};
    for (size_t n = 1; n <= 2; n++)
        for (seg_active_strategy strategy = 0; strategy < SEG_ACTIVE_STRATEGIES; strategy++) {
            const seg_matrix X = {n, 2, at};
            twin t = twin_make((int)n);
            const seg_active_spec spec = {.strategy = strategy,
                                          .k = strategy == SEG_ACTIVE_AIPC ? 3 : 0, /* more than there are samples */
                                          .budget = SIZE_MAX,
                                          .n = n,
                                          .features = &X};
            SCOPED_ACTIVE *active = ask_all(&spec, by_label, label, &t);
            assert_int_equal(seg_active_about(active).asked, n - 1);
            assert_int_equal(seg_active_answer(&ctx, active, SEG_ANSWER_MUST), SEG_ERR_USAGE);
        }
    const seg_matrix X = {4, 2, at};
    seg_active_spec spec = {.k = 1, .budget = SIZE_MAX, .n = 4, .features = &X};
    seg_active *active;
    assert_ok(&ctx, seg_active_create(&ctx, &spec, &active)); /* one cluster: nothing to ask */
    assert_false(ask(active, &i, &j));
    seg_active_free(active);

    SCOPED(seg_constraints) known = new_constraints(&ctx, 4);
    for (int a = 0; a < 3; a++)
        for (int b = a + 1; b < 3; b++)
            assert_ok(&ctx, seg_constraints_add(&ctx, &known, (seg_pair){a, b, -1, 1}));
    spec.known = &known;
    spec.k = 2; /* three samples that cannot link */
    assert_fails(&ctx, seg_active_create(&ctx, &spec, &active), SEG_ERR_CONTRADICTION, "k = 2");
    assert_null(active);
    spec.k = 3;
    assert_ok(&ctx, seg_constraints_add(&ctx, &known, (seg_pair){0, 3, 1, 1}));
    assert_ok(&ctx, seg_active_create(&ctx, &spec, &active));
    seg_active_free(active);
    assert_ok(&ctx, seg_constraints_add(&ctx, &known, (seg_pair){1, 3, 1, 1}));
    assert_int_equal(seg_active_create(&ctx, &spec, &active), SEG_ERR_CONTRADICTION);

    const seg_active_spec unfit[] = {{.k = -1, .n = 4, .features = &X},
                                     {.n = 4},
                                     {.n = 3, .features = &X},
                                     {.strategy = (seg_active_strategy)9, .n = 4, .features = &X}};
    for (int u = 0; u < 4; u++)
        assert_int_equal(seg_active_create(&ctx, &unfit[u], &active), SEG_ERR_USAGE);
    at[3] = NAN;
    spec = (seg_active_spec){.n = 4, .features = &X};
    assert_int_equal(seg_active_create(&ctx, &spec, &active), SEG_ERR_INPUT);
    seg_active_free(NULL);
}

/* The must-links of the history that were not asked about, of each kind; each comes after a cannot-link of its sample.
 */
static void count_unasked(const seg_active *active, size_t of[3]) {
    size_t count;
    const seg_question *history = history_of(active, &count);
    memset(of, 0, 3 * sizeof *of);
    for (size_t a = 0; a < count; a++) {
        of[history[a].inferred]++;
        if (history[a].inferred) {
            assert_int_equal(history[a].i, history[a - 1].i);
            assert_int_equal(history[a - 1].answer, SEG_ANSWER_CANNOT);
            assert_int_equal(history[a].answer, SEG_ANSWER_MUST);
        }
    }
}

/* Two blobs with a sample between them: it is the first question, about the blob that is a little farther away, and
 * what follows a cannot-link is a guess until the two central samples were asked about. */
TEST(aipc_asks_about_the_second_cluster) {
    double at[] = {0, 0.1, 0.2, 0.3, 0.4, 10, 10.1, 10.2, 10.3, 10.4, 4.9};
    const int32_t right[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0};
    const seg_matrix X = {11, 1, at};
    SCOPED(seg_constraints) known = new_constraints(&ctx, 11);
    for (int told = 0; told < 2; told++) { /* whether the central samples are known to differ */
        SCOPED_ACTIVE *active;
        int32_t i, j;
        size_t of[3];
        const seg_active_spec spec = {
            .strategy = SEG_ACTIVE_AIPC, .k = 2, .budget = 1, .n = 11, .features = &X, .known = &known};
        assert_ok(&ctx, seg_active_create(&ctx, &spec, &active));
        assert_true(ask(active, &i, &j) && i == 10 && j == 5);
        assert_ok(&ctx, seg_active_answer(&ctx, active, by_label((void *)right, i, j)));
        assert_false(ask(active, &i, &j)); /* the budget is used up, and the must-link is there all the same */
        count_unasked(active, of);
        assert_int_equal(of[told ? 1 : 2], 1);
        SCOPED(seg_constraints) c;
        assert_ok(&ctx, seg_active_constraints(&ctx, active, &c));
        assert_int_equal(c.pair[c.pairs - 1].i, 10);
        assert_int_equal(c.pair[c.pairs - 1].j, 4);
        assert_ok(&ctx, seg_constraints_add(&ctx, &known, (seg_pair){4, 5, -1, 1}));
    }
    /* The answer is known, or nobody knows it: not asked about, and taken for what it is. */
    for (int sign = -1; sign <= 1; sign++) {
        SCOPED(seg_constraints) one = new_constraints(&ctx, 11);
        SCOPED_ACTIVE *active;
        int32_t i, j;
        size_t of[3];
        assert_ok(&ctx, seg_constraints_add(&ctx, &one, (seg_pair){5, 10, sign ? sign : 1, 1}));
        seg_active_spec spec = {.strategy = SEG_ACTIVE_AIPC, .k = 2, .budget = 1, .n = 11, .features = &X};
        *(sign ? &spec.known : &spec.unknown) = &one;
        assert_ok(&ctx, seg_active_create(&ctx, &spec, &active));
        assert_true(ask(active, &i, &j) && i != 10);
        const seg_active_tally tally = seg_active_about(active);
        assert_int_equal(tally.inferred, sign < 0);
        if (sign < 0)
            assert_true(tally.history->i == 10 && tally.history->j == 4 && tally.history->inferred == 2);
        assert_ok(&ctx, seg_active_answer(&ctx, active, SEG_ANSWER_UNKNOWN)); /* nothing is guessed from that */
        of[0] = seg_active_about(active).inferred;
        assert_int_equal(of[0], sign < 0);
    }
}

/* One question a sample at most, and then an end; fewer questions are the first ones of more; guesses may be wrong, but
 * agree with each other and with the answers. Equal rows, and more clusters than different rows. */
TEST(aipc_to_the_end) {
    for (int round = 0; round < 40; round++) {
        seg_active *active[2];
        int32_t label[MOST];
        size_t count[2], asked[MOST] = {0}, of[3];
        const int k = 2 + round % 4, values = 2 + round % 9;
        const size_t n = 30;
        seg_random random = seg_random_seeded((uint64_t)round, 0);
        SCOPED(seg_matrix) X = new_matrix(&ctx, n, 2);
        for (size_t i = 0; i < n; i++) {
            label[i] = (int32_t)seg_random_below(&random, (uint64_t)k);
            for (size_t t = 0; t < 2; t++)
                X.at[2 * i + t] = (double)seg_random_below(&random, (uint64_t)values) + 3 * (label[i] == (int)t);
        }
        ctx.seed = (uint64_t)round;
        for (int side = 0; side < 2; side++) {
            twin t = twin_make((int)n);
            const seg_active_spec spec = {
                .strategy = SEG_ACTIVE_AIPC, .k = k, .budget = side ? SIZE_MAX : 7, .n = n, .features = &X};
            active[side] = ask_all(&spec, by_label, label, &t);
        }
        const seg_question *few = history_of(active[0], &count[0]), *all = history_of(active[1], &count[1]);
        assert_true(count[0] <= count[1] && seg_active_about(active[0]).asked <= 7);
        assert_memory_equal(few, all, count[0] * sizeof *few);
        for (size_t a = 0; a < count[1]; a++) {
            asked[all[a].i] += !all[a].inferred;
            if (all[a].inferred == 1) /* what is said to follow is right; guesses may be wrong, and prove nothing */
                assert_int_equal(label[all[a].i], label[all[a].j]);
        }
        for (size_t i = 0; i < n; i++)
            assert_true(asked[i] <= 1);
        assert_int_equal(seg_active_about(active[1]).neighbourhoods, 0);
        count_unasked(active[1], of);
        SCOPED(seg_constraints) c;
        SCOPED(seg_closure) closure;
        assert_ok(&ctx, seg_active_constraints(&ctx, active[1], &c));
        assert_int_equal(c.pairs, seg_active_about(active[1]).asked + of[1] + of[2]);
        assert_ok(&ctx, seg_closure_compute(&ctx, &c, SEG_CONTRADICTIONS_REFUSE, &closure));
        seg_active_free(active[0]);
        seg_active_free(active[1]);
    }
    /* The number of clusters: unknown, one. All rows equal: an end. No rows. */
    SCOPED(seg_matrix) same = new_matrix(&ctx, 9, 1);
    for (int k = 0; k < 4; k++) {
        seg_active *active;
        int32_t label[9] = {0};
        twin t = twin_make(9);
        const seg_active_spec spec = {.strategy = SEG_ACTIVE_AIPC, .k = k, .budget = 90, .n = 9, .features = &same};
        if (k == 0) {
            assert_fails(&ctx, seg_active_create(&ctx, &spec, &active), SEG_ERR_USAGE, "needs the number of clusters");
            continue;
        }
        active = ask_all(&spec, by_label, label, &t);
        assert_true(k > 1 ? seg_active_about(active).asked >= 7 : seg_active_about(active).asked == 0);
        seg_active_free(active);
    }
    const seg_matrix none = {0, 1, same.at};
    const seg_active_spec spec = {.strategy = SEG_ACTIVE_AIPC, .k = 2, .budget = 9, .features = &none};
    twin t = twin_make(0);
    seg_active_free(ask_all(&spec, never, NULL, &t));
}

static void same_pairs(const seg_constraints *a, const seg_constraints *b) {
    assert_int_equal(a->pairs, b->pairs);
    for (size_t p = 0; p < a->pairs; p++) {
        assert_int_equal(a->pair[p].i, b->pair[p].i);
        assert_int_equal(a->pair[p].j, b->pair[p].j);
        assert_int_equal(a->pair[p].sign, b->pair[p].sign);
        assert_near(a->pair[p].weight, b->pair[p].weight, 0);
    }
}

/* The same questions for any number of threads, and the rates of the oracle are kept. */
static void same_for_any_threads(seg_active_strategy strategy) {
    seg_constraints one, two;
    seg_active_tally tally;
    SCOPED(seg_matrix) X = toy_blobs(&ctx, 3, 2000, 2);
    AUTOFREE int32_t *label = malloc(X.rows * sizeof *label);
    for (size_t i = 0; i < X.rows; i++)
        label[i] = (int32_t)(i % 3);
    seg_label_oracle oracle = {.label = label, .unknown_rate = 0.25};
    const seg_active_spec spec = {.strategy = strategy, .k = 3, .budget = 400, .n = X.rows, .features = &X};
    ctx.threads = 1;
    assert_ok(&ctx, seg_active_from_labels(&ctx, &spec, &oracle, &one, &tally));
    ctx.threads = 2;
    assert_ok(&ctx, seg_active_from_labels(&ctx, &spec, &oracle, &two, NULL));
    same_pairs(&one, &two);
    assert_int_equal(tally.asked, 400);
    assert_int_equal(tally.must + tally.cannot + tally.unknown, 400);
    assert_true(tally.unknown > 60 && tally.unknown < 140); /* 100 +- 4.6 standard deviations */
    assert_int_equal(one.pairs, tally.must + tally.cannot + tally.inferred);
    seg_constraints_free(&one);
    seg_constraints_free(&two);

    oracle = (seg_label_oracle){.label = label, .wrong_rate = 1};
    assert_ok(&ctx, seg_active_from_labels(&ctx, &spec, &oracle, &one, &tally));
    for (size_t p = 0; p < one.pairs && !tally.inferred; p++)
        assert_int_equal(one.pair[p].sign, label[one.pair[p].i] == label[one.pair[p].j] ? -1 : 1);
    seg_constraints_free(&one);
    oracle.wrong_rate = 1.5;
    assert_int_equal(seg_active_from_labels(&ctx, &spec, &oracle, &one, &tally), SEG_ERR_USAGE);
}

TEST(oracle_and_threads) {
    same_for_any_threads(SEG_ACTIVE_EXPLORE);
    same_for_any_threads(SEG_ACTIVE_NPU);
}

/* Written answers are read back as they were; of other data they are refused. */
TEST(files) {
    const char *path = SEGMENT_BINARY_DIR "/active.csv";
    SCOPED(seg_constraints) want, unknown;
    const size_t n = 35;
    SCOPED(seg_matrix) X = new_matrix(&ctx, n, 1);
    for (size_t i = 0; i < n; i++)
        X.at[i] = (double)(i * 17 % n);
    seg_random random = seg_random_seeded(1, 0);
    twin t = twin_make((int)n);
    const seg_active_spec spec = {.k = 3, .budget = 40, .n = n, .features = &X};
    SCOPED_ACTIVE *active = ask_all(&spec, at_random, &random, &t);
    assert_ok(&ctx, seg_active_constraints(&ctx, active, &want));
    const seg_active_tally tally = seg_active_about(active);
    assert_true(tally.unknown > 0 && tally.inferred > 0);
    SCOPED(seg_constraints) got = new_constraints(&ctx, n);
    unknown = new_constraints(&ctx, n);
    assert_ok(&ctx, seg_active_write(&ctx, path, "# mine", active));
    assert_ok(&ctx, seg_constraints_read(&ctx, path, NULL, 0, &got, &unknown));
    same_pairs(&got, &want);
    assert_int_equal(unknown.pairs, tally.unknown);
    assert_ok(&ctx, seg_constraints_read(&ctx, path, NULL, 0, &got, NULL)); /* the same without what is unknown */
    assert_int_equal(got.pairs, 2 * want.pairs);
    seg_constraints_free(&got);
    for (size_t samples = n - 1; samples <= n + 1; samples += 2) {
        got = new_constraints(&ctx, samples);
        assert_fails(&ctx, seg_constraints_read(&ctx, path, NULL, 0, &got, NULL), SEG_ERR_INPUT, "other data");
        assert_int_equal(got.pairs, 0);
        seg_constraints_free(&got);
    }
    const seg_patch_grid grid = seg_patch_grid_make(33, 21, 5);
    got = new_constraints(&ctx, n);
    assert_fails(&ctx, seg_constraints_read(&ctx, path, &grid, 0, &got, NULL), SEG_ERR_INPUT, "this is an image");
    assert_int_equal(seg_active_write(&ctx, SEGMENT_BINARY_DIR "/no/such/folder", NULL, active), SEG_ERR_IO);
}
