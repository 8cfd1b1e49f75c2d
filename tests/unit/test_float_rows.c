/* Tables that stay float32: read as they are where that can be, and clustered to the same bytes as their
 * doubles, by any number of threads. */
#include "toy.h"

#include <segment/methods.h>
#include <segment/vectors.h>

#include "linalg/wide_rows.h"
#include "methods/method.h"

#include <zlib.h>

#define FILE_NAME SEGMENT_BINARY_DIR "/test_float_rows_input"

/* The same numbers twice. */
typedef struct tables {
    seg_matrix narrow, wide;
} tables;

typedef enum kind { BLOBS, TIES, EQUAL, HUGE_UNIT, TINY_UNIT } kind;

static tables tables_make(seg_context *ctx, size_t n, size_t d, kind how) {
    tables t;
    seg_random random = seg_random_seeded(5, n + d);
    t.narrow = (seg_matrix){.rows = n, .cols = d, .single = calloc(n * d, sizeof(float))};
    assert_non_null(t.narrow.single);
    t.wide = new_matrix(ctx, n, d);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            double value = 3 * (double)((i * 7 + c) % 5) + seg_random_normal(&random);
            if (how == TIES)
                value = (double)seg_random_below(&random, 3) - 1;
            else if (how == EQUAL)
                value = i % 2 ? 0.0 : -0.0;
            else if (how != BLOBS)
                value *= how == HUGE_UNIT ? 1e36 : 1e-42; /* the smaller ones are not normal numbers */
            t.narrow.single[i * d + c] = (float)value;
            t.wide.at[i * d + c] = (double)t.narrow.single[i * d + c];
        }
    return t;
}

static void tables_free(tables *t) {
    seg_matrix_free(&t->narrow);
    seg_matrix_free(&t->wide);
}

/* Pairs that agree with each other; with `groups` some samples are marked, too. */
static void constrain(seg_context *ctx, size_t n, int k, int groups, seg_constraints *out) {
    *out = new_constraints(ctx, n);
    for (size_t i = 0; i + (size_t)k < n && i < 40; i++)
        if (i % 3 == 0 && k > 1) {
            assert_ok(ctx, seg_constraints_add(ctx, out, (seg_pair){(int32_t)i, (int32_t)i + k, 1, 1}));
            assert_ok(ctx, seg_constraints_add(ctx, out, (seg_pair){(int32_t)i, (int32_t)i + 1, -1, 2}));
        }
    out->groups = groups ? 1 : 0;
    if (groups)
        out->group[n - 1] = 0;
}

static void assert_same(const seg_clustering *a, const seg_clustering *b) {
    assert_memory_equal(a->label, b->label, a->n * sizeof *a->label);
    assert_memory_equal(a->score.at, b->score.at, a->n * (size_t)a->k * sizeof(double));
    assert_memory_equal(&a->objective, &b->objective, sizeof a->objective);
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->converged, b->converged);
}

static void compare(const tables *t, int k, int restarts, const char *name, const char *settings, int groups) {
    const seg_method *method = seg_method_find(name);
    const size_t n = t->wide.rows;
    SCOPED(seg_constraints) c;
    seg_clustering expected, found;
    const seg_params params = toy_params(&ctx, method, settings);
    constrain(&ctx, n, k, groups, &c);
    seg_problem problem = {.n = n, .k = k, .features = &t->wide, .constraints = &c, .restarts = restarts};
    ctx.threads = 1;
    assert_ok(&ctx, seg_cluster(&ctx, method, &params, &problem, &expected));
    problem.features = &t->narrow;
    for (int threads = 1; threads <= 3; threads++) {
        ctx.threads = threads;
        assert_ok(&ctx, seg_cluster(&ctx, method, &params, &problem, &found));
        assert_same(&expected, &found);
        seg_clustering_free(&found);
    }
    seg_clustering_free(&expected);
}

/* Sizes at the edges, and those at which loops go another way: one tile, several, rows wider than one, runs together
 * (above a megabyte of doubles). */
TEST(the_same_bytes_as_doubles) {
    static const struct {
        size_t n, d;
        int k, restarts;
        kind kind;
    } cases[] = {{1, 1, 1, 1, BLOBS},       {1, 3, 1, 2, BLOBS},     {7, 2, 7, 3, BLOBS},     {2, 1, 2, 1, TIES},
                 {500, 1, 4, 3, BLOBS},     {300, 2, 3, 4, TIES},    {50, 2, 3, 2, EQUAL},    {600, 3, 4, 2, HUGE_UNIT},
                 {600, 3, 4, 2, TINY_UNIT}, {40, 1100, 3, 2, BLOBS}, {20001, 7, 5, 4, BLOBS}, {140001, 1, 3, 3, BLOBS},
                 {70, 9000, 3, 2, BLOBS}};
    for (size_t e = 0; e < sizeof cases / sizeof *cases; e++) {
        SCOPED(tables) t = tables_make(&ctx, cases[e].n, cases[e].d, cases[e].kind);
        compare(&t, cases[e].k, cases[e].restarts, "kmeans", "", 0);
        compare(&t, cases[e].k, cases[e].restarts, "kmeans", "", 1);
        compare(&t, cases[e].k, cases[e].restarts, "pckmeans", "", 0);
    }
}

/* Each parameter that reads the rows in a way of its own. */
TEST(the_same_bytes_with_every_parameter) {
    static const char *const of_kmeans[] = {"seeds=none", "distance=cosine"};
    static const char *const of_pckmeans[] = {"unit=one",
                                              "w=1e12",
                                              "w=0",
                                              "start=farthest",
                                              "rest=perturbed",
                                              "distance=cosine",
                                              "pairs=closure moves=samples",
                                              "rest=perturbed distance=cosine start=farthest"};
    static const struct {
        const char *method, *params;
    } of_others[] = {{"seeded-kmeans", ""}, {"constrained-kmeans", ""}, {"constrained-kmeans", "distance=cosine"},
                     {"hmrf-kmeans", ""},   {"cop-kmeans", ""},         {"mpck-means", ""},
                     {"kernel-kmeans", ""} /* does more with the features, and gets doubles */};
    SCOPED(tables) t = tables_make(&ctx, 1500, 6, BLOBS);
    for (int groups = 0; groups < 2; groups++) {
        for (size_t e = 0; e < sizeof of_others / sizeof *of_others; e++)
            compare(&t, 6, 3, of_others[e].method, of_others[e].params, groups);
        for (size_t e = 0; e < sizeof of_kmeans / sizeof *of_kmeans; e++)
            compare(&t, 6, 3, "kmeans", of_kmeans[e], groups);
        for (size_t e = 0; e < sizeof of_pckmeans / sizeof *of_pckmeans; e++)
            compare(&t, 6, 3, "pckmeans", of_pckmeans[e], groups);
    }
}

/* What may not be: the sentence is that of doubles, where there is one. */
TEST(unfit_floats_are_refused) {
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    static const char *const methods[] = {"kmeans", "pckmeans", "hmrf-kmeans"};
    seg_clustering out;
    SCOPED(tables) t = tables_make(&ctx, 20, 3, BLOBS);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const seg_method *method = seg_method_find(methods[m]);
        for (size_t b = 0; b < 3; b++) {
            char said[sizeof ctx.message];
            const float kept = t.narrow.single[31];
            t.narrow.single[31] = bad[b];
            t.wide.at[31] = (double)bad[b];
            seg_problem problem = {.n = 20, .k = 2, .features = &t.wide, .restarts = 1};
            assert_int_equal(seg_cluster(&ctx, method, NULL, &problem, &out), SEG_ERR_USAGE);
            memcpy(said, ctx.message, sizeof said);
            problem.features = &t.narrow;
            assert_int_equal(seg_cluster(&ctx, method, NULL, &problem, &out), SEG_ERR_USAGE);
            assert_string_equal(ctx.message, said);
            assert_non_null(strstr(said, "row 11"));
            t.narrow.single[31] = kept;
            t.wide.at[31] = (double)kept;
        }
        seg_problem problem = {.n = 19, .k = 2, .features = &t.narrow, .restarts = 1};
        assert_int_equal(seg_cluster(&ctx, method, NULL, &problem, &out), SEG_ERR_USAGE);
        assert_string_equal(ctx.message, "20 rows of features for 19 samples");
    }
}

#define put(bytes, size) assert_int_equal(seg_file_write(&ctx, FILE_NAME, bytes, size), SEG_OK)

static size_t make_npy(unsigned char *to, const char *header, const void *numbers, size_t size) {
    const size_t length = strlen(header);
    const unsigned char start[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)length, 0};
    memcpy(to, start, sizeof start);
    memcpy(to + sizeof start, header, length);
    memcpy(to + sizeof start + length, numbers, size);
    return sizeof start + length + size;
}

enum { ROWS = 100001, COLS = 3, ALL = ROWS * COLS }; /* more than one block */

static void header_of(char *to, size_t size, const char *type, const char *fortran, int rows) {
    snprintf(to, size, "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }", type, fortran, rows, COLS);
}

/* Either reader says the same of the file. */
static void assert_refused_alike(void) {
    char said[sizeof ctx.message];
    seg_matrix F, X;
    const seg_status status = seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &X, NULL);
    assert_int_equal(status, SEG_ERR_INPUT);
    memcpy(said, ctx.message, sizeof said);
    memset(&F, 1, sizeof F);
    assert_int_equal(seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE_STORED, &F, NULL), status);
    assert_string_equal(ctx.message, said);
    assert_true(F.at == NULL && F.single == NULL && F.rows == 0 && F.cols == 0);
}

TEST(large_float_files_are_read_as_they_are) {
    static const size_t place[] = {0, ((size_t)1 << 18) - 1, (size_t)1 << 18, ALL - 1};
    static const float bad[] = {NAN, INFINITY, -INFINITY, NAN};
    AUTOFREE float *number = malloc(ALL * sizeof *number);
    AUTOFREE unsigned char *file = malloc(ALL * sizeof *number + 1000);
    char header[120];
    SCOPED(seg_matrix) X;
    assert_true(number && file);
    for (size_t e = 0; e < ALL; e++)
        number[e] = (float)e * 0.37F - (float)(e % 7 == 0) * 3e38F;
    header_of(header, sizeof header, "<f4", "False", ROWS);
    size_t size = make_npy(file, header, number, ALL * sizeof *number);
    put(file, size);
    assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE_STORED, &X, NULL));
    assert_true(X.rows == ROWS && X.cols == COLS);
    assert_null(X.at);
    assert_memory_equal(X.single, number, ALL * sizeof *number);
    put(file, size - 1); /* cut off */
    assert_refused_alike();
    put(file, size / 2);
    assert_refused_alike();
    file[size] = 0; /* more than the header says */
    put(file, size + 1);
    assert_refused_alike();
    header_of(header, sizeof header, "<f4", "False", ROWS + 1);
    put(file, make_npy(file, header, number, ALL * sizeof *number));
    assert_refused_alike();
    header_of(header, sizeof header, "<f4", "False", ROWS);
    for (size_t b = 0; b < 4; b++) {
        const float kept = number[place[b]];
        number[place[b]] = bad[b];
        put(file, make_npy(file, header, number, ALL * sizeof *number));
        assert_refused_alike();
        number[place[b]] = kept;
    }
    unlink(FILE_NAME);
}

static void assert_doubles(size_t rows) {
    SCOPED(seg_matrix) X, Y;
    assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE_STORED, &X, NULL));
    assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &Y, NULL));
    assert_null(X.single);
    assert_true(X.rows == rows && Y.rows == rows && X.cols == Y.cols);
    assert_memory_equal(X.at, Y.at, rows * X.cols * sizeof(double));
}

/* Small, packed, of another type or order: as doubles. */
TEST(other_files_become_doubles) {
    static const char *const other[][2] = {{">f4", "False"}, {"<f4", "True"}, {"<i4", "False"}};
    AUTOFREE unsigned char *file = calloc(ALL * sizeof(double) + 1000, 1), *numbers = calloc(ALL, sizeof(double));
    char header[120];
    assert_true(file && numbers);
    for (size_t o = 0; o < 3; o++) {
        header_of(header, sizeof header, other[o][0], other[o][1], ROWS);
        put(file, make_npy(file, header, numbers, ALL * sizeof(float)));
        assert_doubles(ROWS);
    }
    header_of(header, sizeof header, "<f8", "False", ROWS);
    put(file, make_npy(file, header, numbers, ALL * sizeof(double)));
    assert_doubles(ROWS);
    header_of(header, sizeof header, "<f4", "False", 9);
    put(file, make_npy(file, header, numbers, 9 * COLS * sizeof(float)));
    assert_doubles(9);
    header_of(header, sizeof header, "<f4", "False", ROWS);
    const size_t size = make_npy(file, header, numbers, ALL * sizeof(float));
    gzFile to = gzopen(FILE_NAME, "wb0"); /* not made smaller: as large as what it holds */
    assert_int_equal(gzwrite(to, file, (unsigned)size), size);
    gzclose(to);
    assert_doubles(ROWS);
    memset(file, '\n', size); /* text */
    for (size_t e = 0; e < 200; e++)
        memcpy(file + 1000 * e, "1.5", 3);
    put(file, size);
    assert_doubles(200);
    unlink(FILE_NAME);
}
