/* nearest neighbours: all ways give, to the last bit, what sorting all distances gives. */
#include "neighbour_lists.h"

#include "graph/neighbours/nearest.h"

#include <float.h>

typedef struct entry {
    double distance2;
    int32_t number;
} entry;

static int compare(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->distance2 != y->distance2)
        return x->distance2 < y->distance2 ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void slow_neighbours(const seg_matrix *X, size_t count, int32_t *neighbour, double *distance2) {
    AUTOFREE entry *all = malloc(X->rows * sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < X->rows; i++) {
        size_t others = 0;
        for (size_t j = 0; j < X->rows; j++) {
            double sum = 0;
            for (size_t c = 0; c < X->cols; c++) {
                double t = X->at[i * X->cols + c] - X->at[j * X->cols + c];
                sum += t * t;
            }
            if (i != j)
                all[others++] = (entry){sum, (int32_t)j};
        }
        qsort(all, others, sizeof *all, compare);
        for (size_t k = 0; k < count; k++) {
            neighbour[i * count + k] = all[k].number;
            distance2[i * count + k] = all[k].distance2;
        }
    }
}

static void assert_same(const lists *a, const lists *b, size_t entries) {
    assert_memory_equal(a->neighbour, b->neighbour, entries * sizeof(int32_t));
    assert_memory_equal(a->distance2, b->distance2, entries * sizeof(double));
}

static void check_all_ways(seg_context *ctx, const seg_matrix *X, size_t count) {
    const size_t entries = X->rows * count;
    SCOPED(lists) slow = lists_make(entries), fast = lists_make(entries);
    slow_neighbours(X, count, slow.neighbour, slow.distance2);
    /* More threads only where there is work for them: starting them costs more than the small cases. */
    for (ctx->threads = 1; ctx->threads <= (X->rows > 200 ? 3 : 1); ctx->threads++) {
        assert_ok(ctx, seg_nearest_by_tree(ctx, X, count, fast.neighbour, fast.distance2));
        assert_same(&slow, &fast, entries);
        memset(fast.neighbour, -1, entries * sizeof(int32_t));
        int able;
        assert_ok(ctx, seg_nearest_by_products(ctx, X, count, fast.neighbour, fast.distance2, &able));
        if (able)
            assert_same(&slow, &fast, entries);
        memset(fast.neighbour, -1, entries * sizeof(int32_t));
        assert_ok(ctx, seg_nearest_search(ctx, X, (int)count, SEG_SEARCH_EXACT, fast.neighbour, fast.distance2));
        assert_same(&slow, &fast, entries);
    }
}

typedef enum point_kind { UNIFORM, CLUSTERED, LATTICE, COLLINEAR, SAME, SORTED, KINDS } point_kind;

static seg_matrix make_points(seg_context *ctx, point_kind kind, size_t n, size_t d) {
    seg_random random = seg_random_seeded(100 * n + d, kind);
    seg_matrix X = new_matrix(ctx, n, d);
    for (size_t i = 0; i < n; i++) {
        double along = seg_random_uniform(&random);
        uint64_t cluster = seg_random_below(&random, 5);
        for (size_t c = 0; c < d; c++) {
            double x = 0.125;
            if (kind == UNIFORM)
                x = seg_random_uniform(&random);
            else if (kind == CLUSTERED)
                x = (double)(cluster * (c + 1) % 5) + 1e-3 * seg_random_normal(&random);
            else if (kind == LATTICE) /* few values: many points on one spot, many equal distances */
                x = (double)seg_random_below(&random, 3);
            else if (kind == COLLINEAR)
                x = along * (double)(c + 1);
            else if (kind == SORTED)
                x = (double)i;
            X.at[i * d + c] = x;
        }
    }
    return X;
}

TEST(every_way_equals_sorting) {
    static const size_t rows[] = {2, 3, 16, 17, 32, 33, 100, 230}, columns[] = {1, 2, 3, 7, 8, 9, 12, 13, 24, 40};
    for (int k = 0; k < KINDS; k++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
                SCOPED(seg_matrix) X = make_points(&ctx, (point_kind)k, rows[r], columns[c]);
                check_all_ways(&ctx, &X, 1);
                if (rows[r] > 6)
                    check_all_ways(&ctx, &X, 6);
                if (rows[r] <= 100)
                    check_all_ways(&ctx, &X, rows[r] - 1);
            }
}

/* Enough long rows that the blocks are taken in several tiles. */
TEST(tiles_leave_nothing_out) {
    for (int k = 0; k < KINDS; k++) {
        SCOPED(seg_matrix) X = make_points(&ctx, (point_kind)k, k == UNIFORM || k == LATTICE ? 600 : 210, 35);
        check_all_ways(&ctx, &X, 5);
    }
}

/* Distances that single precision cannot tell apart: far from the origin, over many powers of ten, by a last bit. */
TEST(what_single_precision_hides_is_decided_exactly) {
    enum { N = 210, D = 33 };
    for (int kind = 0; kind < 4; kind++) {
        SCOPED(seg_matrix) X = make_points(&ctx, UNIFORM, N, D);
        for (size_t i = 0; i < N; i++)
            for (size_t c = 0; c < D; c++) {
                double *x = &X.at[i * D + c];
                if (kind == 0)
                    *x = 1e6 + 1e-3 * *x;
                else if (kind == 1)
                    *x *= pow(10, (double)(i % 12) - 6); /* near the mean, single precision has nothing to add */
                else if (kind == 2)
                    *x = 1 + DBL_EPSILON * (double)(i * c % 5);
                else
                    *x = 1e-90 * (*x + 100 * (double)(i == 7));
            }
        int able;
        lists l = lists_make((size_t)N * 9);
        assert_ok(&ctx, seg_nearest_by_products(&ctx, &X, 9, l.neighbour, l.distance2, &able));
        assert_true(able);
        lists_free(&l);
        check_all_ways(&ctx, &X, 9);
    }
}

TEST(rows_without_columns_are_all_alike) {
    SCOPED(seg_matrix) X = new_matrix(&ctx, 20, 0);
    check_all_ways(&ctx, &X, 4);
}

/* Would take minutes if equal points were compared with each other or if splitting them did not end. */
TEST(many_equal_points_are_quick) {
    enum { N = 100000, K = 5 };
    SCOPED(lists) l = lists_make((size_t)N * K);
    SCOPED(seg_matrix) X = new_matrix(&ctx, N, 3);
    assert_ok(&ctx, seg_nearest_search(&ctx, &X, K, SEG_SEARCH_EXACT, l.neighbour, l.distance2));
    for (int32_t i = 0; i < N; i++)
        for (int32_t k = 0; k < K; k++) {
            assert_int_equal(l.neighbour[i * K + k], k < i ? k : k + 1);
            assert_true(l.distance2[i * K + k] == 0);
        }
}

/* Squares that overflow are infinite distances like any others: all equal, so by number. */
/* Squares leave the range of doubles: the neighbours are those in a unit where they do not. */
static void check_in_unit(seg_context *ctx, const seg_matrix *X, int power) {
    enum { COUNT = 7 };
    const size_t entries = X->rows * COUNT;
    SCOPED(lists) slow = lists_make(entries), fast = lists_make(entries);
    SCOPED(seg_matrix) turned = new_matrix(ctx, X->rows, X->cols);
    for (size_t e = 0; e < X->rows * X->cols; e++)
        turned.at[e] = ldexp(X->at[e], power);
    slow_neighbours(&turned, COUNT, slow.neighbour, slow.distance2);
    assert_ok(ctx, seg_nearest_search(ctx, X, COUNT, SEG_SEARCH_EXACT, fast.neighbour, fast.distance2));
    assert_memory_equal(slow.neighbour, fast.neighbour, entries * sizeof(int32_t));
    for (size_t e = 0; e < entries; e++)
        assert_true(fast.distance2[e] == ldexp(slow.distance2[e], -2 * power));
}

TEST(enormous_numbers_do_no_harm) {
    for (size_t d = 2; d <= 20; d += 18) {
        SCOPED(seg_matrix) X = make_points(&ctx, UNIFORM, 90, d);
        for (size_t i = 0; i < X.rows * d; i++)
            X.at[i] = (X.at[i] - 0.5) * DBL_MAX;
        X.at[0] = DBL_MAX;
        X.at[d] = -DBL_MAX;
        check_in_unit(&ctx, &X, -1000);
        for (size_t i = 0; i < X.rows * d; i++)
            X.at[i] = (double)(i % 7) * DBL_MIN; /* squares that underflow */
        check_in_unit(&ctx, &X, 1000);
    }
}

TEST(wrong_arguments_are_refused) {
    int32_t neighbour[30];
    double distance2[30];
    SCOPED(seg_matrix) X = make_points(&ctx, UNIFORM, 10, 3);
    assert_int_equal(seg_nearest_search(&ctx, &X, 0, SEG_SEARCH_EXACT, neighbour, distance2), SEG_ERR_USAGE);
    assert_int_equal(seg_nearest_search(&ctx, &X, -3, SEG_SEARCH_EXACT, neighbour, distance2), SEG_ERR_USAGE);
    assert_fails(&ctx, seg_nearest_search(&ctx, &X, 10, SEG_SEARCH_EXACT, neighbour, distance2), SEG_ERR_USAGE, "10");
    X.at[17] = NAN;
    assert_fails(&ctx, seg_nearest_search(&ctx, &X, 3, SEG_SEARCH_EXACT, neighbour, distance2), SEG_ERR_USAGE, "row 6");
    X.at[17] = INFINITY;
    assert_int_equal(seg_nearest_search(&ctx, &X, 3, SEG_SEARCH_EXACT, neighbour, distance2), SEG_ERR_USAGE);
}
