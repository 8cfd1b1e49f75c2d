/* MPCK-Means: a metric that the pairs teach, an objective that does not rise, units of columns, orders and edges. */
#include "toy.h"

#include "constraints/closed.h"

enum { COUNT = 120, NOISE = 4, COLUMNS = NOISE + 1 };

/* Two classes, by turns, 4 standard deviations apart in the first column; the others are two heaps each that have
 * nothing to do with the classes, and lie further apart. */
static seg_matrix rows_make(seg_context *ctx) {
    seg_random random = seg_random_seeded(11, 0);
    seg_matrix X = new_matrix(ctx, COUNT, COLUMNS);
    for (size_t i = 0; i < COUNT; i++) {
        X.at[i * COLUMNS] = 4 * (double)(i % 2) + seg_random_normal(&random);
        for (size_t t = 1; t < COLUMNS; t++)
            X.at[i * COLUMNS + t] = 5 * (double)seg_random_below(&random, 2) + seg_random_normal(&random) / 2;
    }
    return X;
}

static seg_constraints pairs_draw(seg_context *ctx, size_t count) {
    seg_random random = seg_random_seeded(12, 0);
    seg_constraints out = new_constraints(ctx, COUNT);
    while (out.pairs < count) {
        const int32_t i = (int32_t)seg_random_below(&random, COUNT), j = (int32_t)seg_random_below(&random, COUNT);
        if (i != j)
            assert_ok(ctx, seg_constraints_add(ctx, &out, (seg_pair){i, j, i % 2 == j % 2 ? 1 : -1, 1}));
    }
    return out;
}

static seg_clustering run(seg_context *ctx, const char *param, int restarts, const seg_matrix *X,
                          const seg_constraints *pairs) {
    const seg_problem problem = toy_problem(2, X, NULL, pairs, restarts);
    return toy_cluster(ctx, "mpck-means", param, &problem);
}

static size_t wrong(const seg_clustering *found) {
    size_t other = 0;
    for (size_t i = 0; i < COUNT; i++)
        other += found->label[i] != (int32_t)(i % 2);
    return other < COUNT - other ? other : COUNT - other;
}

TEST(pairs_teach_which_column_counts) {
    SCOPED(seg_matrix) X = rows_make(&ctx);
    SCOPED(seg_constraints) pairs = pairs_draw(&ctx, 60);
    SCOPED(seg_constraints) none = new_constraints(&ctx, COUNT);
    SCOPED(seg_clustering) blind = run(&ctx, "", 10, &X, &none);
    SCOPED(seg_clustering) taught = run(&ctx, "", 10, &X, &pairs);
    SCOPED(seg_clustering) listed = run(&ctx, "pairs=listed", 10, &X, &pairs);
    assert_true(wrong(&blind) > COUNT / 4); /* the heaps of a column that means nothing */
    assert_true(wrong(&taught) <= 8);       /* the classes overlap: 2.3 % lie beyond the middle */
    assert_true(wrong(&listed) <= 8);
    assert_true(taught.converged && listed.converged);
}

TEST(the_objective_does_not_rise) {
    SCOPED(seg_matrix) X = rows_make(&ctx);
    SCOPED(seg_constraints) pairs = pairs_draw(&ctx, 60);
    for (int listed = 0; listed < 2; listed++) {
        double last = INFINITY, first = 0;
        for (int turns = 0; turns < 12; turns++) {
            char param[64];
            snprintf(param, sizeof param, "iterations=%d pairs=%s", turns, listed ? "listed" : "closure");
            SCOPED(seg_clustering) found = run(&ctx, param, 1, &X, &pairs);
            first = turns ? first : found.objective;
            assert_true(found.objective <= last);
            last = found.objective;
        }
        assert_true(last < first);
    }
}

TEST(units_orders_and_threads_do_not_matter) {
    SCOPED(seg_matrix) X = rows_make(&ctx);
    SCOPED(seg_constraints) pairs = pairs_draw(&ctx, 60);
    SCOPED(seg_clustering) found = run(&ctx, "", 4, &X, &pairs);
    for (size_t p = 0; p < pairs.pairs / 2; p++) { /* the last pair first, and its ends exchanged */
        const seg_pair swap = pairs.pair[p], last = pairs.pair[pairs.pairs - 1 - p];
        pairs.pair[p] = (seg_pair){last.j, last.i, last.sign, last.weight};
        pairs.pair[pairs.pairs - 1 - p] = swap;
    }
    ctx.threads = 3;
    SCOPED(seg_clustering) again = run(&ctx, "", 4, &X, &pairs);
    assert_memory_equal(found.label, again.label, COUNT * sizeof *found.label);
    assert_near(found.objective, again.objective, 1e-9);
    for (size_t e = 0; e < COUNT * COLUMNS; e++)
        X.at[e] = X.at[e] * (e % COLUMNS ? 1024 : 1.0 / 64) + 8;
    SCOPED(seg_clustering) other = run(&ctx, "", 4, &X, &pairs);
    assert_memory_equal(found.label, other.label, COUNT * sizeof *found.label);
    assert_near(found.objective, other.objective, 1e-6);
}

/* A column that is constant, samples that are all alike, as many clusters as samples, groups. */
TEST(edges) {
    double at[] = {1, 7, 2, 7, 8, 7, 9, 7};
    const seg_matrix X = {4, 2, at};
    SCOPED(seg_constraints) pairs = new_constraints(&ctx, 4);
    assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){0, 3, -1, 1}));
    SCOPED(seg_clustering) found = run(&ctx, "", 3, &X, &pairs);
    assert_true(found.label[0] == found.label[1] && found.label[2] == found.label[3] &&
                found.label[0] != found.label[3]);
    for (int e = 0; e < 8; e++)
        at[e] = 3;
    SCOPED(seg_clustering) alike = run(&ctx, "", 3, &X, &pairs);
    assert_true(isfinite(alike.objective) && alike.label[0] != alike.label[3]);
    at[0] = 4;
    pairs.pairs = 0;
    seg_constraints_forget_closure(&pairs);
    const seg_problem problem = {.n = 4, .k = 4, .features = &X, .restarts = 2};
    SCOPED(seg_clustering) single;
    assert_ok(&ctx, seg_cluster(&ctx, seg_method_find("mpck-means"), NULL, &problem, &single));
    assert_true(isfinite(single.objective));
    pairs.groups = 2;
    pairs.group[0] = 1;
    pairs.group[1] = 0;
    SCOPED(seg_clustering) grouped = run(&ctx, "", 2, &X, &pairs);
    assert_true(grouped.label[0] == 1 && grouped.label[1] == 0);
}
