/* vectors: MatrixMarket files meet their dense twins, malformed ones are refused with the line; tf-idf by hand. */
#include "check.h"

#include <segment/vectors.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define FILE_NAME SEGMENT_BINARY_DIR "/test_sparse_input"
#define HEAD      "%%MatrixMarket matrix coordinate real general\n"

AFTER_ALL {
    unlink(FILE_NAME);
}

static void put(const char *text, int packed) {
    gzFile file = gzopen(FILE_NAME, packed ? "wb" : "wbT");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), strlen(text));
    assert_int_equal(gzclose(file), Z_OK);
}

static void gives(const char *text, size_t rows, size_t cols, const double *expected) {
    for (int packed = 0; packed < 2; packed++) {
        SCOPED(seg_matrix) X;
        SCOPED(seg_labels) labels;
        put(text, packed);
        assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &X, &labels));
        assert_int_equal(X.rows, rows);
        assert_int_equal(X.cols, cols);
        for (size_t e = 0; e < rows * cols; e++)
            assert_true(X.at[e] == expected[e]);
        assert_null(labels.column);
    }
}

TEST(files_meet_their_dense_twins) {
    const double expected[] = {0, 2.5, 0, -1, 0, 3e10}, ones[] = {1, 0, 0, 2}, zeros[2] = {0}, one[] = {7};
    gives(HEAD "2 3 3\n1 2 2.5\n2 1 -1\n2 3 3e10\n", 2, 3, expected);
    gives(HEAD "% a comment\n\n2 3 3\n2 3 3e10\n\t2\t1   -1 \n% another\n1 2 2.5", 2, 3, expected); /* in any order */
    gives("%%matrixmarket MATRIX Coordinate Real GENERAL\r\n2 3 3\r\n1 2 2.5\r\n2 1 -1\r\n2 3 3e10\r\n", 2, 3,
          expected);
    gives(HEAD "2 3 5\n1 2 1\n2 3 1e10\n1 2 1.5\n2 1 -1\n2 3 2e10\n", 2, 3, expected); /* listed twice: added */
    gives("%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n2 2\n2 2\n", 2, 2, ones);
    gives("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 1\n2 2 2\n", 2, 2, ones);
    gives(HEAD "1 2 0\n", 1, 2, zeros);
    gives(HEAD "1 1 1\n1 1 7", 1, 1, one);
}

TEST(malformed_files_are_refused) {
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"%%MatrixMarket", ":1: the first line"},
        {"%%MatrixMarket matrix coordinate real\n1 1 0\n", ":1: the first line"},
        {"%%MatrixMarket matrix coordinate real general more\n1 1 0\n", ":1: the first line"},
        {"%%MatrixMarket vector coordinate real general\n1 1 0\n", ":1: the first line"},
        {"%%MatrixMarket matrix array real general\n1 1\n1\n", "dense array"},
        {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n", "not 'complex'"},
        {"%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 1\n", "'general'"},
        {HEAD, "missing below the first line"},
        {HEAD "2 2\n", "missing below the first line"},
        {HEAD "0 0 0\n", ":2: 0 rows and 0 columns"},
        {HEAD "2 0 0\n", "there must be one of each"},
        {HEAD "-1 2 0\n", ":2: column 1, '-1'"},
        {HEAD "1.5 2 0\n", "whole number"},
        {HEAD "4e9 2 0\n", "whole number"},
        {HEAD "2 2 -1\n", "possible number of entries"},
        {HEAD "2 2 1000000000000\n1 1 1\n", "more than the file can contain"},
        {HEAD "2000000000 2000000000 1\n1 1 1\n", "2^30 numbers"},
        {HEAD "65536 32768 1\n1 1 1\n", "2^30 numbers"},
        {HEAD "2 2 1\n0 1 1\n", ":3: column 1, '0', is not the number of a row"},
        {HEAD "2 2 1\n3 1 1\n", ":3: column 1, '3', is not the number of a row"},
        {HEAD "2 2 1\n1 3 1\n", ":3: column 2, '3', is not the number of a column"},
        {HEAD "2 2 1\n1 1.5 1\n", ":3: column 2"},
        {HEAD "2 2 1\n1 x 1\n", ":3: column 2, 'x'"},
        {HEAD "2 2 1\n1 1\n", ":3: 2 fields"},
        {HEAD "2 2 1\n1,1,1\n", ":3: 1 fields"},
        {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 5\n", "written row column"},
        {HEAD "2 2 1\n1 1 nan\n", ":3: column 3"},
        {HEAD "2 2 1\n1 1 1e300\n", ":3: column 3"},
        {HEAD "2 2 3\n1 1 1e200\n2 2 1\n1 1 1e200\n", ":5: the entries of row 1 and column 1 add up"},
        {HEAD "2 2 2\n1 1 1\n", "has 1 entries, but declares 2"},
        {HEAD "2 2 1\n1 1 1\n2 2 1\n", ":4: more than the 1 entries"},
    };
    for (size_t t = 0; t < sizeof bad / sizeof *bad; t++) {
        seg_matrix X = {1, 1, (double *)1};
        put(bad[t].text, 0);
        assert_int_equal(seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &X, NULL), SEG_ERR_INPUT);
        if (!strstr(ctx.message, bad[t].words) || !strstr(ctx.message, "test_sparse_input"))
            fail_msg("'%s' does not say '%s'", ctx.message, bad[t].words);
        assert_null(X.at);
    }
    seg_matrix X;
    seg_labels labels;
    put(HEAD "1 1 0\n", 0);
    assert_fails(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_LAST, &X, &labels), SEG_ERR_INPUT,
                 "file of their own");
}

/* The limit is kept before the matrix is there. */
TEST(the_limit_refuses_a_large_matrix) {
    seg_context small;
    seg_matrix X;
    seg_context_init(&small);
    small.max_memory = (size_t)1 << 30;
    put(HEAD "30000 30000 1\n1 1 1\n", 0);
    assert_int_not_equal(seg_vectors_read(&small, FILE_NAME, SEG_LABELS_NONE, &X, NULL), SEG_OK);
    assert_true(small.over_limit);
    assert_null(X.at);
    seg_context_end(&small);
}

TEST(weights_by_hand) {
    /* Terms of 3 documents: the first in all, the second in two, the third in one, the fourth in none. */
    double at[] = {5, 2, 0, 0, 1, 1, 3, 0, 2, 0, 0, 0}, same[12];
    seg_matrix X = {3, 4, at};
    assert_ok(&ctx, seg_scale(&ctx, SEG_SCALING_TF_IDF, &X));
    const double half = log(1.5), whole = 3 * log(3), norm = sqrt(half * half + whole * whole);
    const double expected[] = {0, 1, 0, 0, 0, half / norm, whole / norm, 0, 0, 0, 0, 0};
    for (int e = 0; e < 12; e++)
        assert_near(at[e], expected[e], 1e-15);
    /* A document times any number is the same document, and no count is too large or small. */
    const double scale[] = {1e150, 7, 1e-150};
    const double counts[] = {5, 2, 0, 0, 1, 1, 3, 0, 2, 0, 0, 0};
    for (int e = 0; e < 12; e++)
        same[e] = scale[e / 4] * counts[e];
    X.at = same;
    assert_ok(&ctx, seg_scale(&ctx, SEG_SCALING_TF_IDF, &X));
    for (int e = 0; e < 12; e++)
        assert_near(same[e], expected[e], 1e-15);
}

TEST(counts_that_cannot_be_weighed) {
    double alike[] = {1, 2, 3, 4}, negative[] = {1, 0, -1, 1}, nan[] = {1, NAN};
    seg_matrix X = {2, 2, alike}, one = {1, 2, alike}, N = {2, 2, negative}, M = {2, 1, nan};
    assert_int_equal(seg_scale(&ctx, SEG_SCALING_TF_IDF, &one), SEG_ERR_INPUT);
    alike[0] = 1;
    alike[1] = 2;
    assert_fails(&ctx, seg_scale(&ctx, SEG_SCALING_TF_IDF, &X), SEG_ERR_INPUT, "all 2 rows or in none");
    assert_fails(&ctx, seg_scale(&ctx, SEG_SCALING_TF_IDF, &N), SEG_ERR_INPUT, "column 1 of row 2 is -1");
    assert_int_equal(seg_scale(&ctx, SEG_SCALING_TF_IDF, &M), SEG_ERR_INPUT);
}
