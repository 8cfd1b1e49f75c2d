/* Which first rows are headers: one rule for tables, kernels, labels, edges and pairs. Numbers in a notation that is
 * not read are refused with their line and never passed over as names. */
#include "check.h"

#include <segment/constraints.h>
#include <segment/vectors.h>

#include "base/header_row.h"

#define FILE_NAME SEGMENT_BINARY_DIR "/test_headers_input.csv"

AFTER_ALL {
    unlink(FILE_NAME);
}

static const char *const readers[] = {"table", "labelled", "kernel", "edges", "pairs", "labels", "numbered labels"};
enum { READERS = sizeof readers / sizeof *readers };

/* Whether rows of numbers are read under a first row; *rows is how many were. */
static seg_status read_as(int reader, const char *first, const char *rest, size_t *rows) {
    seg_status status = SEG_OK;
    SCOPED(seg_matrix) X = {0};
    SCOPED(seg_labels) labels = {0};
    SCOPED(seg_csr) graph = {0};
    SCOPED(seg_constraints) pairs = {0};
    FILE *file = fopen(FILE_NAME, "wb");
    assert_non_null(file);
    fprintf(file, "%s%s", first, rest);
    assert_int_equal(fclose(file), 0);
    *rows = 0;
    switch (reader) {
    case 0:
    case 1:
        status = seg_vectors_read(&ctx, FILE_NAME, reader ? SEG_LABELS_LAST : SEG_LABELS_NONE, &X, &labels);
        *rows = X.rows;
        break;
    case 2:
        status = seg_kernel_read(&ctx, FILE_NAME, &X);
        *rows = X.rows;
        break;
    case 3:
        status = seg_edges_read(&ctx, FILE_NAME, &(int){0}, 9, &graph);
        *rows = status == SEG_OK ? graph.start[9] / 2 : 0;
        break;
    case 4:
        pairs = new_constraints(&ctx, 9);
        status = seg_constraints_read(&ctx, FILE_NAME, NULL, 0, &pairs, NULL);
        *rows = pairs.pairs;
        break;
    default:
        status = seg_labels_read(&ctx, FILE_NAME, 2, &labels);
        *rows = labels.n;
    }
    return status;
}

/* Two rows that each reader takes, and a first row of as many fields, all alike. */
static const char *rows_of(int reader) {
    static const char *const rows[READERS] = {"1,2,3\n4,5,6\n",  "1,2,a\n3,4,b\n", "2,1\n1,2\n", "1,2,1\n2,3,1\n",
                                              "0,1,1\n2,3,-1\n", "7\n8\n",         "0,7\n1,8\n"};
    return rows[reader];
}

static const char *row_of(int reader, const char *field) {
    static char row[256];
    static const int fields[READERS] = {3, 3, 2, 3, 3, 1, 2};
    row[0] = 0;
    for (int f = 0; f < fields[reader]; f++) {
        strcat(row, f ? "," : "");
        strcat(row, field);
    }
    strcat(row, "\n");
    return row;
}

TEST(numbers_in_other_notations_are_no_header) {
    static const char *const field[] = {
        "\"1,5\"", "0x10", "\342\210\2221", "\342\200\2232", "1e",  "1.2.3", "1 000",     "1'000",     "$3",
        "5%",      "3cm",  "2020-01-02",    "12:30",         "1/2", "inf",   "-Infinity", "\302\2407", "(4)",
        "+.5x",    "?",    "\342\202\2549"};
    size_t rows;
    for (size_t f = 0; f < sizeof field / sizeof *field; f++)
        for (int reader = 0; reader < READERS; reader++) {
            const seg_status status = read_as(reader, row_of(reader, field[f]), rows_of(reader), &rows);
            if (status != SEG_ERR_INPUT || !strstr(ctx.message, ".csv:1:"))
                fail_msg("%s, '%s': status %d, %zu rows, '%s'", readers[reader], field[f], (int)status, rows,
                         ctx.message);
        }
    /* Between semicolons too, whatever follows. */
    assert_fails(&ctx, read_as(0, "1,5;2,5\n", "3;4\n", &rows), SEG_ERR_INPUT,
                 ":1: column 1, '1,5', is not a number; write numbers with a decimal point");
    assert_fails(&ctx, read_as(0, "1,5;2,5\n", "", &rows), SEG_ERR_INPUT, ":1: column 1, '1,5'");
    assert_fails(&ctx, read_as(0, "a,1\n", "3,4\n", &rows), SEG_ERR_INPUT, ":1: column 1, 'a', is not a number");
    assert_int_equal(read_as(1, "x,y,1\n", "3,4,1\n", &rows), SEG_ERR_INPUT); /* the labels' column counts */
}

TEST(names_are_a_header_over_numbers) {
    static const char *const field[] = {"x",   "\"x\"",   "x1", "V2.5",    "Na",           "e1", "-x", "_5",
                                        "R^2", "\"a b\"", "in", "\xE9tat", "\xE9\x95\xBF", ".x", "E"};
    for (size_t f = 0; f < sizeof field / sizeof *field; f++)
        for (int reader = 0; reader < READERS; reader++) {
            size_t rows, missing = strcmp(field[f], "Na") == 0; /* alone it is a missing value */
            const seg_status status = read_as(reader, row_of(reader, field[f]), rows_of(reader), &rows);
            if (missing ? status != SEG_ERR_INPUT : status != SEG_OK || rows != 2)
                fail_msg("%s, '%s': status %d, %zu rows, '%s'", readers[reader], field[f], (int)status, rows,
                         ctx.message);
        }
    size_t rows;
    assert_ok(&ctx, read_as(0, "Na,Mg,nan\n", "1,2,3\n", &rows));
    assert_int_equal(rows, 1);
    assert_ok(&ctx, read_as(1, "x,y,class\n", "# numbers\n\n1,2,a\n", &rows));
    assert_int_equal(rows, 1);
    assert_ok(&ctx, read_as(5, "species\n", "setosa\nvirginica\n", &rows)); /* no label is called so */
    assert_int_equal(rows, 2);
}

TEST(names_over_no_numbers_are_no_header) {
    for (int reader = 0; reader < READERS; reader++) {
        size_t rows;
        char twice[300];
        snprintf(twice, sizeof twice, "%s%s", row_of(reader, "b"), row_of(reader, "c"));
        if (reader != 5 && read_as(reader, row_of(reader, "a"), twice, &rows) != SEG_ERR_INPUT)
            fail_msg("%s: rows of words are read", readers[reader]);
        if (reader != 4 && read_as(reader, row_of(reader, "a"), "", &rows) != SEG_ERR_INPUT)
            fail_msg("%s: a row of words alone is read", readers[reader]);
        snprintf(twice, sizeof twice, "%s%s", rows_of(reader), row_of(reader, "a"));
        if (read_as(reader, row_of(reader, "a"), twice, &rows) != SEG_ERR_INPUT)
            fail_msg("%s: a header at the end is read", readers[reader]);
    }
    size_t rows;
    assert_fails(&ctx, read_as(5, "setosa\n", "setosa\nvirginica\n", &rows), SEG_ERR_INPUT,
                 ":1: column 1, 'setosa', is a label like those below");
    assert_int_equal(read_as(5, "1\n", "2\n3\n", &rows), SEG_ERR_INPUT);
}

TEST(looks) {
    assert_false(seg_looks_like_number("", 0));
    assert_false(seg_looks_like_number("-", 1));
    assert_false(seg_looks_like_number("\xE2\x88", 2)); /* cut off within a character */
    assert_false(seg_looks_like_number("infix", 5));
    assert_true(seg_looks_like_number("0", 1));
    assert_false(seg_looks_like_number("x0", 1));
}
