/* approximate nearest neighbours: against all distances, whose recall is counted here anew. */
#include "neighbour_lists.h"

#include "graph/neighbours/nearest.h"

typedef enum point_kind { NORMAL, CLUSTERED, LATTICE, COLLINEAR, SAME, FAR_CLUSTERS, KINDS } point_kind;

static seg_matrix make_points(seg_context *ctx, point_kind kind, size_t n, size_t d) {
    seg_random random = seg_random_seeded(100 * n + d, kind);
    seg_matrix X = new_matrix(ctx, n, d);
    for (size_t i = 0; i < n; i++) {
        const double along = seg_random_normal(&random);
        const uint64_t cluster = seg_random_below(&random, 5);
        for (size_t c = 0; c < d; c++) {
            double x = 0.125;
            if (kind == NORMAL)
                x = seg_random_normal(&random);
            else if (kind == CLUSTERED)
                x = 4 * (double)(cluster * (c + 1) % 5) + seg_random_normal(&random);
            else if (kind == LATTICE)
                x = (double)seg_random_below(&random, 3);
            else if (kind == COLLINEAR)
                x = along * (double)(c + 1);
            else if (kind == FAR_CLUSTERS) /* distances within are lost in products told from a common origin */
                x = 2e2 * (double)(cluster * (c + 1) % 5) + seg_random_normal(&random);
            X.at[i * d + c] = x;
        }
    }
    return X;
}

static double square(const seg_matrix *X, size_t i, size_t j) {
    double sum = 0;
    for (size_t c = 0; c < X->cols; c++) {
        const double t = X->at[i * X->cols + c] - X->at[j * X->cols + c];
        sum += t * t;
    }
    return sum;
}

/* Lists are in order, without the row itself and without any other twice, with the distances that they state. */
static void assert_sound(const seg_matrix *X, size_t count, const lists *l) {
    AUTOFREE uint8_t *seen = calloc(X->rows, 1);
    assert_non_null(seen);
    for (size_t i = 0; i < X->rows; i++) {
        const int32_t *row = l->neighbour + i * count;
        const double *distance2 = l->distance2 + i * count;
        for (size_t e = 0; e < count; e++) {
            assert_in_range(row[e], 0, X->rows - 1);
            assert_int_not_equal(row[e], i);
            assert_int_equal(seen[row[e]]++, 0);
            assert_true(distance2[e] == square(X, i, (size_t)row[e]));
            assert_true(e == 0 || distance2[e] > distance2[e - 1] ||
                        (distance2[e] == distance2[e - 1] && row[e] > row[e - 1]));
        }
        for (size_t e = 0; e < count; e++)
            seen[row[e]] = 0;
    }
}

static double recall_of(const lists *found, const lists *exact, size_t n, size_t count) {
    size_t hits = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t e = 0; e < count; e++)
            hits += found->distance2[i * count + e] <= exact->distance2[i * count + count - 1];
    return (double)hits / (double)(n * count);
}

TEST(most_true_neighbours_are_found) {
    static const size_t sizes[][3] = {{2500, 20, 20}, {3000, 3, 10}, {1500, 130, 7}, {1700, 8, 40}};
    for (point_kind kind = 0; kind < KINDS; kind++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const size_t n = sizes[s][0], d = sizes[s][1], count = sizes[s][2];
            SCOPED(seg_matrix) X = make_points(&ctx, kind, n, d);
            SCOPED(lists) exact = lists_make(n * count), found = lists_make(n * count);
            assert_ok(&ctx,
                      seg_nearest_search(&ctx, &X, (int)count, SEG_SEARCH_EXACT, exact.neighbour, exact.distance2));
            assert_true((1 - ctx.missed) == 1);
            assert_ok(&ctx, seg_nearest_search(&ctx, &X, (int)count, SEG_SEARCH_APPROXIMATE, found.neighbour,
                                               found.distance2));
            const double stated = 1 - ctx.missed;
            assert_sound(&X, count, &found);
            const double recall = recall_of(&found, &exact, n, count);
            if (recall < 0.93 || fabs(recall - stated) > 0.03)
                fail_msg("kind %d, %zu x %zu: recall %g, stated %g", (int)kind, n, d, recall, stated);
        }
}

/* So few rows that all cells are searched: nothing is missed, down to one neighbour of two rows. */
TEST(few_rows_are_searched_exactly) {
    static const size_t sizes[][3] = {{2, 1, 1}, {3, 2, 2}, {17, 5, 16}, {128, 3, 127}, {129, 4, 128}, {300, 7, 299}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t n = sizes[s][0], d = sizes[s][1], count = sizes[s][2];
        SCOPED(seg_matrix) X = make_points(&ctx, NORMAL, n, d);
        SCOPED(lists) exact = lists_make(n * count), found = lists_make(n * count);
        double recall = 0;
        assert_ok(&ctx, seg_nearest_search(&ctx, &X, (int)count, SEG_SEARCH_EXACT, exact.neighbour, exact.distance2));
        assert_ok(&ctx,
                  seg_nearest_search(&ctx, &X, (int)count, SEG_SEARCH_APPROXIMATE, found.neighbour, found.distance2));
        recall = 1 - ctx.missed;
        assert_true(recall == 1);
        assert_memory_equal(exact.neighbour, found.neighbour, n * count * sizeof(int32_t));
        assert_memory_equal(exact.distance2, found.distance2, n * count * sizeof(double));
    }
}

TEST(threads_and_units_change_nothing) {
    enum { N = 2000, D = 12, COUNT = 15, ENTRIES = N * COUNT };
    SCOPED(seg_matrix) X = make_points(&ctx, CLUSTERED, N, D);
    SCOPED(lists) first = lists_make(ENTRIES), again = lists_make(ENTRIES);
    ctx.threads = 1;
    assert_ok(&ctx, seg_nearest_search(&ctx, &X, COUNT, SEG_SEARCH_APPROXIMATE, first.neighbour, first.distance2));
    for (ctx.threads = 2; ctx.threads <= 3; ctx.threads++) {
        assert_ok(&ctx, seg_nearest_search(&ctx, &X, COUNT, SEG_SEARCH_APPROXIMATE, again.neighbour, again.distance2));
        assert_memory_equal(first.neighbour, again.neighbour, ENTRIES * sizeof(int32_t));
        assert_memory_equal(first.distance2, again.distance2, ENTRIES * sizeof(double));
    }
    static const int exponents[] = {-300, 300}; /* powers of two: the same digits */
    for (size_t t = 0; t < sizeof exponents / sizeof *exponents; t++) {
        SCOPED(seg_matrix) Y = new_matrix(&ctx, N, D);
        for (size_t e = 0; e < (size_t)N * D; e++)
            Y.at[e] = ldexp(X.at[e], exponents[t]);
        assert_ok(&ctx, seg_nearest_search(&ctx, &Y, COUNT, SEG_SEARCH_APPROXIMATE, again.neighbour, again.distance2));
        assert_memory_equal(first.neighbour, again.neighbour, ENTRIES * sizeof(int32_t));
        for (size_t e = 0; e < ENTRIES; e++)
            assert_true(again.distance2[e] == ldexp(first.distance2[e], 2 * exponents[t]));
    }
}

/* The rows in another order: other cells, hardly another result. */
TEST(the_order_of_rows_hardly_matters) {
    enum { N = 4000, D = 10, COUNT = 10, ENTRIES = N * COUNT };
    SCOPED(seg_matrix) X = make_points(&ctx, NORMAL, N, D), Y;
    SCOPED(lists) a = lists_make(ENTRIES), b = lists_make(ENTRIES);
    size_t same = 0;
    Y = new_matrix(&ctx, N, D);
    for (size_t i = 0; i < N; i++)
        memcpy(Y.at + i * D, X.at + (i * 1001 % N) * D, D * sizeof(double)); /* 1001 and N have no common divisor */
    assert_ok(&ctx, seg_nearest_search(&ctx, &X, COUNT, SEG_SEARCH_APPROXIMATE, a.neighbour, a.distance2));
    assert_ok(&ctx, seg_nearest_search(&ctx, &Y, COUNT, SEG_SEARCH_APPROXIMATE, b.neighbour, b.distance2));
    for (size_t i = 0; i < N; i++)
        for (size_t e = 0; e < COUNT; e++)
            for (size_t f = 0; f < COUNT; f++)
                same += (size_t)b.neighbour[i * COUNT + e] * 1001 % N == (size_t)a.neighbour[i * 1001 % N * COUNT + f];
    assert_true((double)same > 0.9 * ENTRIES);
}

TEST(graphs_search_as_they_are_asked_to) {
    enum { N = 2000, D = 10 };
    SCOPED(seg_matrix) X = make_points(&ctx, CLUSTERED, N, D);
    seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 10, .sigma_scale = 1};
    seg_csr graph[3];
    for (int search = 0; search < 3; search++) {
        spec.search = (seg_neighbour_search)search;
        assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &graph[search], NULL));
        assert_true(search == SEG_SEARCH_APPROXIMATE ? (1 - ctx.missed) > 0.9 : (1 - ctx.missed) == 1);
    }
    const size_t edges = graph[SEG_SEARCH_EXACT].start[N];
    assert_int_equal(edges, graph[SEG_SEARCH_AUTO].start[N]); /* so few rows: exact */
    assert_memory_equal(graph[SEG_SEARCH_EXACT].column, graph[SEG_SEARCH_AUTO].column, edges * sizeof(int32_t));
    assert_memory_equal(graph[SEG_SEARCH_EXACT].value, graph[SEG_SEARCH_AUTO].value, edges * sizeof(double));
    assert_true(fabs((double)graph[SEG_SEARCH_APPROXIMATE].start[N] - (double)edges) < 0.1 * (double)edges);
    for (int search = 0; search < 3; search++)
        seg_csr_free(&graph[search]);
    spec.search = (seg_neighbour_search)3;
    assert_fails(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &graph[0], NULL), SEG_ERR_USAGE, "approximate");
}

/* Beyond SEG_EXACT_ROWS the automatic choice is approximate, but not of few columns. */
TEST(many_rows_are_searched_approximately) {
    for (size_t d = SEG_EXACT_COLUMNS; d <= SEG_EXACT_COLUMNS + 1; d++)
        for (size_t n = SEG_EXACT_ROWS; n <= SEG_EXACT_ROWS + 1; n++) {
            SCOPED(seg_matrix) X = make_points(&ctx, NORMAL, n, d);
            SCOPED(lists) l = lists_make(n * 3);
            assert_ok(&ctx, seg_nearest_search(&ctx, &X, 3, SEG_SEARCH_AUTO, l.neighbour, l.distance2));
            assert_int_equal((1 - ctx.missed) < 1, d > SEG_EXACT_COLUMNS && n > SEG_EXACT_ROWS);
        }
}

TEST(wrong_arguments_and_requests_to_stop_end_the_search) {
    SCOPED(seg_matrix) X = make_points(&ctx, NORMAL, 2500, 6);
    SCOPED(lists) l = lists_make(2500 * 5);
    assert_int_equal(seg_nearest_search(&ctx, &X, 0, SEG_SEARCH_APPROXIMATE, l.neighbour, l.distance2), SEG_ERR_USAGE);
    assert_int_equal(seg_nearest_search(&ctx, &X, 2500, SEG_SEARCH_APPROXIMATE, l.neighbour, l.distance2),
                     SEG_ERR_USAGE);
    int none = 0;
    ctx.progress = check_stop;
    ctx.progress_user = &none;
    assert_int_equal(seg_nearest_search(&ctx, &X, 5, SEG_SEARCH_APPROXIMATE, l.neighbour, l.distance2),
                     SEG_ERR_CANCELLED);
    ctx.progress = NULL;
    X.at[17] = NAN;
    assert_fails(&ctx, seg_nearest_search(&ctx, &X, 5, SEG_SEARCH_APPROXIMATE, l.neighbour, l.distance2), SEG_ERR_USAGE,
                 "row 3");
}
