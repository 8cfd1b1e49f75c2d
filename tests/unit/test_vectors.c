/* vectors: tables, labels, NPY, edge lists and kernels are read as they stand, and anything else is refused with the
 * file and the line. */
#include "check.h"

#include <segment/vectors.h>

#include "vectors/table.h"
#include "vectors/vectors_write.h"

#include <zlib.h>

#define FILE_NAME SEGMENT_BINARY_DIR "/test_vectors_input"
#define OTHER     SEGMENT_BINARY_DIR "/test_vectors_output.npy"

AFTER_ALL {
    unlink(FILE_NAME);
}

#define put(bytes, size) assert_int_equal(seg_file_write(&ctx, FILE_NAME, bytes, size), SEG_OK)

static void put_text(const char *text) {
    put(text, strlen(text));
}

static void assert_matrix(const seg_matrix *matrix, size_t rows, size_t cols, const double *expected) {
    assert_int_equal(matrix->rows, rows);
    assert_int_equal(matrix->cols, cols);
    for (size_t e = 0; e < rows * cols; e++)
        assert_true(matrix->at[e] == expected[e]);
}

/* The file is refused with these words, and nothing is left. */
static void refuse_file(seg_label_column column, const char *words) {
    seg_matrix X = {1, 1, (double *)1};
    seg_labels labels = {.n = 1};
    assert_fails(&ctx, seg_vectors_read(&ctx, FILE_NAME, column, &X, &labels), SEG_ERR_INPUT, words);
    assert_says(&ctx, "test_vectors_input");
    assert_null(X.at);
    assert_null(labels.label);
    assert_null(labels.name);
}

static void refuse_table(const char *text, seg_label_column column, const char *words) {
    put_text(text);
    refuse_file(column, words);
}

TEST(tables_of_every_kind_are_the_same) {
    static const char *const texts[] = {
        "1,-2.5,3e2\n4,5,6\n",
        "1;-2.5;3e2\n4;5;6",
        "1\t-2.5\t3e2\r\n4\t5\t6\r\n",
        "  1   -2.5  3e2\n\n 4\t5 \t6  \n",
        "# a comment\n\"x\",\"a, b\",z\n1,\"-2.5\" , 300.0\n% another\n4,5,6\n\n",
        "\xef\xbb\xbf"
        "Na,Mg,nan,\n"
        "1,-2.5,3e2\r4,5,6\r",
        "x y z\n1 -2.5 +3E+2\n4. 5.0 .6e1\n",
    };
    const double expected[] = {1, -2.5, 300, 4, 5, 6};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        SCOPED(seg_matrix) X;
        put_text(texts[t]);
        if (t == 5) { /* the header has one name too many, an empty one */
            refuse_file(SEG_LABELS_NONE, "without a name");
            put_text("\xef\xbb\xbfNa,Mg,nan\n1,-2.5,3e2\r4,5,6\r");
        }
        assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &X, NULL));
        assert_matrix(&X, 2, 3, expected);
    }
}

TEST(bad_tables_are_refused_with_the_line) {
    refuse_table("1,2\n3,\n", SEG_LABELS_NONE, ":2: column 2 is empty");
    refuse_table("x,y\n1,2\n?,4\n", SEG_LABELS_NONE, ":3: column 1, '?', is a missing value");
    refuse_table("1,2\n3,NaN\n", SEG_LABELS_NONE, ":2: column 2, 'NaN', is a missing value");
    refuse_table("NA,NA\n3,4\n", SEG_LABELS_NONE, ":1: column 1, 'NA', is a missing value");
    refuse_table("?,a\n3,4\n", SEG_LABELS_NONE, ":1: column 1");
    refuse_table("1,2\n\n#\n3,four\n", SEG_LABELS_NONE, ":4: column 2, 'four', is not a number");
    refuse_table("1,2\n3,-inf\n", SEG_LABELS_NONE, "is infinite");
    refuse_table("1,2\n3,1e201\n", SEG_LABELS_NONE, "above 1e200");
    refuse_table("1,2\n3,1e999\n", SEG_LABELS_NONE, "above 1e200");
    refuse_table("1,2\n3,0x10\n", SEG_LABELS_NONE, "'0x10', is not a number");
    refuse_table("1;2,5\n", SEG_LABELS_NONE, "decimal point");
    refuse_table("1,2\n3,4,5\n", SEG_LABELS_NONE, ":2: 3 columns, but line 1 has 2");
    refuse_table("a,b,c\n3,4\n", SEG_LABELS_NONE, ":2: 2 columns, but the header in line 1 names 3");
    refuse_table("1,2\n3\n", SEG_LABELS_NONE, ":2: 1 columns");
    refuse_table("1,\"2\n", SEG_LABELS_NONE, "quote");
    refuse_table("1,\"2\"3\n", SEG_LABELS_NONE, "quote");
    refuse_table("\n\n  \n# nothing\n", SEG_LABELS_NONE, "no row");
    refuse_table("x,y\n", SEG_LABELS_NONE, "no row");
    refuse_table("", SEG_LABELS_NONE, "is empty");
    refuse_table("1\n2\n", SEG_LABELS_LAST, "no features");
    refuse_table("1,2,a\n3,4,\n", SEG_LABELS_LAST, ":2: column 3 is empty: it is a missing label");
    refuse_table("?,2,3\n", SEG_LABELS_FIRST, ":1: column 1, '?', is a missing label");
    refuse_table("1,2\n3,a very long text that nobody wants to see in full length in a sentence\n", SEG_LABELS_NONE,
                 "...'");
    const char zero[] = "1,2\n3\0,4\n";
    put(zero, sizeof zero - 1);
    refuse_file(SEG_LABELS_NONE, ":2: this is not text");
    seg_matrix X;
    assert_int_equal(seg_vectors_read(&ctx, SEGMENT_BINARY_DIR "/none-such", SEG_LABELS_NONE, &X, NULL), SEG_ERR_IO);
    assert_int_equal(seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_LAST, &X, NULL), SEG_ERR_USAGE);
}

TEST(labels_are_numbered_by_value) {
    SCOPED(seg_matrix) X;
    SCOPED(seg_labels) labels;
    const double expected[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const int32_t by_number[] = {1, 2, 0, 2}, by_bytes[] = {1, 0, 2, 0};
    put_text("1,2,9\n3,4,10\n5,6,-1\n7,8,1e1\n");
    assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_LAST, &X, &labels));
    assert_matrix(&X, 4, 2, expected);
    assert_int_equal(labels.classes, 3);
    assert_memory_equal(labels.label, by_number, sizeof by_number);
    assert_string_equal(labels.name[0], "-1");
    assert_string_equal(labels.name[2], "10"); /* as its first sample has it */
    assert_null(labels.column);
    seg_matrix_free(&X);
    seg_labels_free(&labels);
    put_text("class\tx\ty\nrose gold\t1\t2\nRose\t3\t4\n\"tulip\"\t5\t6\nRose\t7\t8\n");
    assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_FIRST, &X, &labels));
    assert_matrix(&X, 4, 2, expected);
    assert_memory_equal(labels.label, by_bytes, sizeof by_bytes);
    assert_string_equal(labels.name[0], "Rose");
    assert_string_equal(labels.name[1], "rose gold");
    assert_string_equal(labels.name[2], "tulip");
    assert_string_equal(labels.column[0], "x");
    assert_string_equal(labels.column[1], "y");
}

TEST(too_many_classes_are_refused) {
    FILE *file = fopen(FILE_NAME, "wb");
    assert_non_null(file);
    for (int i = 0; i <= SEG_MAX_CLASSES; i++)
        fprintf(file, "0,%d\n", i);
    assert_int_equal(fclose(file), 0);
    refuse_file(SEG_LABELS_LAST, "measurement");
}

TEST(numbers_are_rounded_as_strtod_does) {
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    assert_true(locale != (locale_t)0);
    static const char *const fixed[] = {"0.1",
                                        "-0",
                                        "9007199254740993",
                                        "9007199254740992",
                                        "123456789012345678901234567890",
                                        "0.000000000000000000000000000000000000000000000001",
                                        "1e22",
                                        "1e23",
                                        "1e-22",
                                        "1e-23",
                                        "2.2250738585072014e-308",
                                        "4.9e-324",
                                        "1e-999999999999",
                                        "1e100",
                                        "00000000000000000000000000000001.5",
                                        "0e999999"};
    srand(7);
    for (int t = 0; t < 20000; t++) {
        char random[64];
        const char *text = random;
        if (t < (int)(sizeof fixed / sizeof *fixed))
            text = fixed[t];
        else
            snprintf(random, sizeof random, "%s%d%c%0*de%d", rand() % 2 ? "-" : "", rand() % 1000, '.', 1 + rand() % 20,
                     rand(), rand() % 60 - 30);
        double value = 0;
        assert_int_equal(seg_number_parse(text, strlen(text), locale, &value), SEG_NUMBER_GOOD);
        if (memcmp(&value, &(double){strtod(text, NULL)}, sizeof value) != 0)
            fail_msg("%s is read as %.17g", text, value);
    }
    static const char *const words[] = {"-", "+", ".", "e5", "1e", "1e+", "1.2.3", "1 2", "--1", "1f", "0x1p3", "one"};
    double value;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        assert_int_equal(seg_number_parse(words[w], strlen(words[w]), locale, &value), SEG_NUMBER_WORD);
    assert_int_equal(seg_number_parse("12", 1, locale, &value), SEG_NUMBER_GOOD); /* the length counts, not a 0 */
    assert_true(value == 1);
    freelocale(locale);
}

static void put_packed(const void *bytes, size_t size, const char *mode) {
    gzFile file = gzopen(FILE_NAME, mode);
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, (unsigned)size), size);
    assert_int_equal(gzclose(file), Z_OK);
}

static size_t get(unsigned char *bytes, size_t room) {
    FILE *file = fopen(FILE_NAME, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    assert_true(size < room);
    return size;
}

TEST(gzip_is_unpacked_and_damage_is_found) {
    seg_matrix X;
    unsigned char packed[4096];
    const double expected[] = {1, 2, 3, 4};
    put_packed("1,2\n", 4, "wb");
    put_packed("3,4\n", 4, "ab"); /* a second member */
    assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &X, NULL));
    assert_matrix(&X, 2, 2, expected);
    seg_matrix_free(&X);
    size_t size = get(packed, sizeof packed);
    for (size_t cut = 2; cut < size; cut++) {
        put(packed, cut);
        seg_status status = seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &X, NULL);
        if (status == SEG_OK) { /* a cut between the members leaves a good file */
            assert_int_equal(X.rows, 1);
            seg_matrix_free(&X);
        } else {
            assert_fails(&ctx, status, SEG_ERR_INPUT, "cut off");
        }
    }
    packed[size - 6] ^= 1; /* the check sum */
    put(packed, size);
    refuse_file(SEG_LABELS_NONE, "damaged");
    put_packed("", 0, "wb");
    refuse_file(SEG_LABELS_NONE, "is empty");
}

TEST(npy_round_trip) {
    double numbers[] = {0.1, -1e100, 5e-324, 3, 1.0 / 3, 6};
    seg_matrix X = {3, 2, numbers}, back;
    assert_ok(&ctx, seg_matrix_write(&ctx, OTHER, &X, 0));
    assert_ok(&ctx, seg_vectors_read(&ctx, OTHER, SEG_LABELS_NONE, &back, NULL));
    assert_matrix(&back, 3, 2, numbers);
    seg_matrix_free(&back);
    SCOPED(seg_labels) labels;
    assert_ok(&ctx, seg_vectors_read(&ctx, OTHER, SEG_LABELS_LAST, &back, &labels));
    const double first[] = {0.1, 5e-324, 1.0 / 3};
    const int32_t classes[] = {0, 1, 2};
    assert_matrix(&back, 3, 1, first);
    assert_memory_equal(labels.label, classes, sizeof classes);
    seg_matrix_free(&back);
    unlink(OTHER);
}

/* An NPY file of version 1 with the header as given and `size` bytes of numbers. */
static size_t make_npy(unsigned char *to, const char *header, const void *numbers, size_t size) {
    size_t length = strlen(header);
    const unsigned char start_bytes[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)length, 0};
    memcpy(to, start_bytes, 10);
    memcpy(to + 10, header, length);
    memcpy(to + 10 + length, numbers, size);
    return 10 + length + size;
}

/* The header of an array by rows, as NumPy writes it. */
#define BY_ROWS(type, shape) "{'descr': '" type "', 'fortran_order': False, 'shape': " shape ", }"

TEST(npy_of_every_type) {
    static const struct {
        const char *header;
        unsigned char bytes[48];
        size_t size, rows, cols;
        double expected[4];
    } cases[] = {
        {BY_ROWS("<f4", "(2,)"), {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}, 8, 2, 1, {1, -2}},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (1, 2)}", {0x3f, 0x80, 0, 0, 0xc0}, 8, 1, 2, {1, -2}},
        {"{'shape': (1,1), 'fortran_order': False, 'descr': '>f8'}", {0x3f, 0xf8}, 8, 1, 1, {1.5}},
        {"{\"descr\": \"|i1\", \"fortran_order\": True, \"shape\": (2, 2), }\n",
         {1, 2, 0xff, 0x80},
         4,
         2,
         2,
         {1, -1, 2, -128}},
        {BY_ROWS("|u1", "(2, 2)"), {1, 2, 0xff, 0x80}, 4, 2, 2, {1, 2, 255, 128}},
        {BY_ROWS("|b1", "(2, 2)"), {1, 0, 0, 1}, 4, 2, 2, {1, 0, 0, 1}},
        {BY_ROWS("<i2", "(2, 1)"), {0xfe, 0xff, 0, 1}, 4, 2, 1, {-2, 256}},
        {BY_ROWS(">u2", "(2, 1)"), {0xfe, 0xff, 0, 1}, 4, 2, 1, {65279, 1}},
        {BY_ROWS("<i4", "(1,)"), {0, 0, 0, 0x80}, 4, 1, 1, {-2147483648.0}},
        {BY_ROWS("<i8", "(1,)"), {0, 0, 0, 0, 0, 0, 0, 0x80}, 8, 1, 1, {-9223372036854775808.0}},
        {BY_ROWS("<u8", "(1,)"), {0, 0, 0, 0, 0, 0, 0, 0x80}, 8, 1, 1, {9223372036854775808.0}},
    };
    unsigned char file[512];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        SCOPED(seg_matrix) X;
        put(file, make_npy(file, cases[c].header, cases[c].bytes, cases[c].size));
        assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &X, NULL));
        assert_matrix(&X, cases[c].rows, cases[c].cols, cases[c].expected);
    }
}

/* A file beyond the first block is read block by block: the same numbers as in one piece, which columns side by side
 * and labels in the file take; its faults are told at their place, and a file that is truncated is refused. */
TEST(large_npy_is_read_in_blocks) {
    enum { rows = 70001, cols = 5 };
    static const char *const head = "{'descr': '<f4', 'fortran_order': %s, 'shape': (%d, %d), }";
    char header[2][100];
    AUTOFREE float *number = malloc((size_t)rows * cols * sizeof *number),
                   *turned = malloc((size_t)rows * cols * sizeof *turned);
    AUTOFREE unsigned char *file = malloc((size_t)rows * cols * sizeof *number + 1000);
    seg_matrix X, Y;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            number[i * cols + j] = turned[j * rows + i] = (float)(i * 0.37 + 1000.0 * (double)j);
    for (int f = 0; f < 2; f++)
        snprintf(header[f], sizeof header[f], head, f ? "True" : "False", rows, cols);
    const size_t bytes = (size_t)rows * cols * sizeof *number;
    put(file, make_npy(file, header[1], turned, bytes));
    assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &Y, NULL));
    const size_t size = make_npy(file, header[0], number, bytes);
    put(file, size);
    assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &X, NULL));
    assert_int_equal(X.rows, rows);
    assert_int_equal(X.cols, cols);
    for (size_t e = 0; e < (size_t)rows * cols; e++)
        assert_true(X.at[e] == (double)number[e] && X.at[e] == Y.at[e]);
    seg_matrix_free(&X);
    seg_matrix_free(&Y);
    put(file, size - 1);
    refuse_file(SEG_LABELS_NONE, "fewer numbers");
    number[69000 * cols + 3] = NAN;
    put(file, make_npy(file, header[0], number, bytes));
    refuse_file(SEG_LABELS_NONE, "row 69000, column 3");
}

/* Single and double precision, in either order of bytes, in a file of one block and of several, with labels in it or
 * not: the same bytes in memory. */
TEST(precision_and_order_make_no_difference) {
    enum { most = 70001, cols = 5 };
    static const char *const type[] = {"<f4", ">f4", "<f8", ">f8"};
    static const float edge[] = {-0.0F, 1e-45F, -3.4028235e38F, 1.1754944e-38F, 16777217.0F};
    const uint16_t probe = 1;
    const int is_big = *(const unsigned char *)&probe == 0;
    AUTOFREE unsigned char *file = malloc((size_t)most * cols * sizeof(double) + 1000),
                           *turned = malloc((size_t)most * cols * 8);
    AUTOFREE double *number = malloc((size_t)most * cols * sizeof *number);
    assert_true(file && turned && number);
    for (size_t e = 0; e < (size_t)most * cols; e++)
        number[e] = e % 1000 < 5 ? (double)edge[e % 1000] : e % cols == cols - 1 ? 7 : (double)((float)e * 0.37F);
    const size_t rows[] = {1, 9, most};
    for (size_t r = 0; r < 3; r++)
        for (size_t width = 1; width <= cols; width += cols - 1)
            for (size_t t = 0; t < 4; t++) {
                const size_t count = rows[r] * width, size = t < 2 ? 4 : 8;
                char header[100];
                SCOPED(seg_matrix) X;
                for (size_t e = 0; e < count; e++) {
                    const float single = (float)number[e];
                    const unsigned char *from =
                        size == 4 ? (const unsigned char *)&single : (unsigned char *)&number[e];
                    for (size_t b = 0; b < size; b++)
                        turned[e * size + b] = from[(int)(t % 2) == is_big ? b : size - 1 - b];
                }
                snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }",
                         type[t], rows[r], width);
                put(file, make_npy(file, header, turned, count * size));
                assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &X, NULL));
                assert_int_equal(X.rows, rows[r]);
                assert_int_equal(X.cols, width);
                assert_memory_equal(X.at, number, count * sizeof *number);
                if (width > 1 && rows[r] < most) {
                    SCOPED(seg_matrix) Y;
                    SCOPED(seg_labels) labels;
                    assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_LAST, &Y, &labels));
                    assert_int_equal(Y.cols, width - 1);
                    for (size_t i = 0; i < rows[r]; i++)
                        assert_memory_equal(Y.at + i * (width - 1), X.at + i * width, (width - 1) * sizeof *Y.at);
                }
            }
}

/* One number that is refused, at the ends of the file and of its blocks of 2^20 bytes: its row and column are told, in
 * single precision as in double. */
TEST(refused_numbers_are_found_anywhere) {
    enum { rows = 100003, cols = 3, all = rows * cols };
    AUTOFREE double *number = malloc(all * sizeof *number);
    AUTOFREE float *single = malloc(all * sizeof *single);
    AUTOFREE unsigned char *file = malloc(all * sizeof *number + 1000);
    assert_true(number && single && file);
    for (size_t e = 0; e < all; e++)
        number[e] = single[e] = (float)e;
    const struct {
        double value;
        const char *words;
    } bad[] = {
        {NAN, "is a missing value"}, {INFINITY, "above 1e200"}, {-INFINITY, "above 1e200"}, {1.1e200, "above 1e200"}};
    for (size_t size = 4; size <= 8; size += 4) {
        const size_t block = ((size_t)1 << 20) / size, place[] = {0, block - 1, block, all - 1};
        char header[100], words[60];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }",
                 size == 4 ? "<f4" : "<f8", rows, cols);
        for (size_t p = 0; p < 4; p++) {
            const size_t at = place[p], which = size == 4 ? p % 3 : p;
            number[at] = bad[which].value;
            if (size == 4)
                single[at] = (float)bad[which].value;
            put(file, make_npy(file, header, size == 4 ? (void *)single : (void *)number, all * size));
            snprintf(words, sizeof words, "row %zu, column %zu (from 0)", at / cols, at % cols);
            refuse_file(SEG_LABELS_NONE, words);
            assert_says(&ctx, bad[which].words);
            number[at] = single[at] = (float)at;
        }
    }
}

TEST(hostile_npy_is_refused) {
    static const struct {
        const char *header, *words;
    } cases[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", "fewer numbers"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", "more than its header"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 9223372036854775807), }", "fewer"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999999, 1), }", "header lacks"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 1), }", "header lacks"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 5), }", "empty array"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 1), }", "3 dimensions"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "0 dimensions"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", "type '|O'"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }", "type '<c8'"},
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (8,), }", "type '<f2'"},
        {"{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2,), }", "header lacks"},
        {"{'descr': '<f8', 'fortran_order': False, }", "lacks"},
        {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", "header lacks"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,", "header lacks"},
        {"{'descr': '<f8, 'fortran_order': False, 'shape': (2,)}", "type '<f8, '"},
        {"", "header lacks"},
    };
    unsigned char file[512];
    const double numbers[2] = {1, 2}, bad[2] = {1, NAN};
    seg_matrix X;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        put(file, make_npy(file, cases[c].header, numbers, sizeof numbers));
        refuse_file(SEG_LABELS_NONE, cases[c].words);
    }
    const char *good = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
    put(file, make_npy(file, good, bad, sizeof bad));
    refuse_file(SEG_LABELS_NONE, "row 1, column 0 (from 0) is a missing value");
    /* Cut anywhere: refused. Changed anywhere: refused or read, never worse. */
    size_t size = make_npy(file, good, numbers, sizeof numbers);
    for (size_t cut = 6; cut < size; cut++) {
        put(file, cut);
        refuse_file(SEG_LABELS_NONE, "");
    }
    for (size_t at = 0; at < size; at++)
        for (int change = 1; change < 256; change *= 2) {
            file[at] ^= (unsigned char)change;
            put(file, size);
            file[at] ^= (unsigned char)change;
            seg_status status = seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_NONE, &X, NULL);
            assert_true(status == SEG_OK || status == SEG_ERR_INPUT);
            assert_true((X.at != NULL) == (status == SEG_OK));
            seg_matrix_free(&X);
        }
}

TEST(hostile_text_is_refused_or_read) {
    const char good[] = "x,\"y\",c\r\n1.5,-2e3,a\n0.25,\"4\",b\n";
    const char swap[] = {',', '"', '\n', '\r', '\t', ';', ' ', 'e', '.', '-', '#', '\0', (char)0xff, '9'};
    char text[sizeof good];
    seg_matrix X;
    seg_labels labels;
    seg_csr W;
    for (size_t at = 0; at < sizeof good - 1; at++)
        for (size_t s = 0; s <= sizeof swap; s++) {
            size_t size = sizeof good - 1;
            memcpy(text, good, sizeof good);
            if (s < sizeof swap)
                text[at] = swap[s];
            else
                size = at + 1; /* cut */
            put(text, size);
            for (int column = 0; column < 3; column++) {
                seg_status status = seg_vectors_read(&ctx, FILE_NAME, (seg_label_column)column, &X, &labels);
                assert_true(status == SEG_OK || status == SEG_ERR_INPUT);
                assert_true((X.at != NULL) == (status == SEG_OK));
                seg_matrix_free(&X);
                seg_labels_free(&labels);
            }
            seg_status status = seg_labels_read(&ctx, FILE_NAME, 3, &labels);
            assert_true(status == SEG_OK || status == SEG_ERR_INPUT);
            seg_labels_free(&labels);
            status = seg_edges_read(&ctx, FILE_NAME, &(int){SEG_BASE_DETECT}, 0, &W);
            assert_true(status == SEG_OK || status == SEG_ERR_INPUT);
            seg_csr_free(&W);
        }
}

TEST(label_files) {
    static const char *const texts[] = {"b\na\nb\n", "class\nb\na\nb\n", "0,b\n1,a\n2,b\n",
                                        "sample,label\n1,2\n2,-7\n3,2\n", "2\n1.0\n2\n"};
    const int32_t expected[] = {1, 0, 1};
    seg_labels labels;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        put_text(texts[t]);
        assert_ok(&ctx, seg_labels_read(&ctx, FILE_NAME, 3, &labels));
        assert_int_equal(labels.n, 3);
        assert_int_equal(labels.classes, 2);
        assert_memory_equal(labels.label, expected, sizeof expected);
        seg_labels_free(&labels);
    }
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"a\nb\n", "has 2 labels for 3 samples"},
        {"a\nb\nc\nd\ne\n", "more than 3 labels"},
        {"a\nb\n?\n", ":3: column 1, '?', is a missing label"},
        {"a,b,c\na,b,c\na,b,c\n", ":1: 3 columns"},
        {"1,a\n2\n3,b\n", ":2: 1 columns"},
        {"0,a\n2,b\n1,c\n", ":2: the first of two columns must count the samples, 1 here"},
        {"x,a\n0,b\n1,c\n", ":1: the first of two columns"},
    };
    for (size_t t = 0; t < sizeof bad / sizeof *bad; t++) {
        put_text(bad[t].text);
        assert_fails(&ctx, seg_labels_read(&ctx, FILE_NAME, 3, &labels), SEG_ERR_INPUT, bad[t].words);
        assert_null(labels.label);
    }
}

TEST(written_labels_are_read_again) {
    static const char *const endings[] = {"", ".txt", ".csv", ".npy", ".NPY"};
    const int32_t label[] = {2, 0, 1, 2, 2};
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        char path[512];
        SCOPED(seg_labels) labels;
        snprintf(path, sizeof path, "%s%s", OTHER, endings[e]);
        assert_ok(&ctx, seg_labels_write(&ctx, path, label, 5));
        assert_ok(&ctx, seg_labels_read(&ctx, path, 5, &labels));
        assert_memory_equal(labels.label, label, sizeof label);
        unlink(path);
    }
    assert_int_equal(seg_labels_write(&ctx, SEGMENT_BINARY_DIR "/none/such", label, 5), SEG_ERR_IO);
}

static void assert_triangle(const char *text, int base, size_t nodes) {
    /* 0 - 1 of weight 0.5, 1 - 2 of weight 2, node 3 alone where there are four */
    const size_t starts[] = {0, 1, 3, 4, 4};
    const int32_t columns[] = {1, 0, 2, 1};
    const double values[] = {0.5, 0.5, 2, 2};
    SCOPED(seg_csr) W;
    put_text(text);
    assert_ok(&ctx, seg_edges_read(&ctx, FILE_NAME, &(int){base}, nodes, &W));
    assert_int_equal(W.rows, nodes ? nodes : 3);
    assert_int_equal(W.cols, W.rows);
    assert_memory_equal(W.start, starts, (W.rows + 1) * sizeof *starts);
    assert_memory_equal(W.column, columns, sizeof columns);
    assert_memory_equal(W.value, values, sizeof values);
}

TEST(edge_lists) {
    assert_triangle("0 1 0.5\n1 2 2\n", SEG_BASE_DETECT, 0);
    assert_triangle("1 2 0.5\n2 3 2\n", SEG_BASE_DETECT, 0);
    assert_triangle("source,target,weight\n3,2,2\n1,2,.5\n2,1,0.5\n", SEG_BASE_DETECT, 0);
    assert_triangle("% c\n1\t2\t0.5\n2\t2\t7\n2\t3\t2\n1\t3\t0\n", SEG_BASE_DETECT, 0);
    assert_triangle("0 1 0.5\n1 2 2\n", SEG_BASE_DETECT, 4);
    assert_triangle("1 2 0.5\n2 3 2\n", 1, 4);
    seg_csr W;
    put_text("1 2\n2 3\n"); /* counted from 0, node 0 is alone */
    assert_ok(&ctx, seg_edges_read(&ctx, FILE_NAME, &(int){0}, 0, &W));
    assert_int_equal(W.rows, 4);
    assert_int_equal(W.start[1], 0);
    assert_true(W.value[0] == 1);
    seg_csr_free(&W);
    static const struct {
        const char *text, *words;
        int base;
        size_t nodes;
    } bad[] = {
        {"0 1\n1\n", ":2: 1 columns", SEG_BASE_DETECT, 0},
        {"0 1 1 1\n", ":1: 4 columns", SEG_BASE_DETECT, 0},
        {"0 1\n1 x\n", ":2: column 2, 'x', is not a number", SEG_BASE_DETECT, 0},
        {"0 1\n1 -2\n", ":2: column 2, '-2', is not the number of a node", SEG_BASE_DETECT, 0},
        {"0 1.5\n", "is not the number of a node", SEG_BASE_DETECT, 0},
        {"0 2147483647\n", "is not the number of a node", SEG_BASE_DETECT, 0},
        {"0 2147483646\n", "number the nodes one after the other", SEG_BASE_DETECT, 0},
        {"0 1 -1\n", "negative weight", SEG_BASE_DETECT, 0},
        {"0 1 nan\n", "missing value", SEG_BASE_DETECT, 0},
        {"0 1 1\n2 1 1\n1 0 2\n", ":3: the edge has the weight 2, but 1 in line 1", SEG_BASE_DETECT, 0},
        {"0 1\n", "counted from 1", 1, 0},
        {"0 1\n1 3\n", "node 3, but there are 3 nodes", SEG_BASE_DETECT, 3},
        {"1 1\n", "no edge", SEG_BASE_DETECT, 0},
        {"# nothing\n", "no edge", SEG_BASE_DETECT, 0},
        {"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 2 1\n", "MatrixMarket", SEG_BASE_DETECT, 0},
    };
    for (size_t t = 0; t < sizeof bad / sizeof *bad; t++) {
        put_text(bad[t].text);
        assert_fails(&ctx, seg_edges_read(&ctx, FILE_NAME, &(int){bad[t].base}, bad[t].nodes, &W), SEG_ERR_INPUT,
                     bad[t].words);
        assert_null(W.start);
    }
    assert_int_equal(seg_edges_read(&ctx, FILE_NAME, &(int){2}, 0, &W), SEG_ERR_USAGE);
}

/* Against a dense matrix, with many mentions of the same edges in both directions and any order. */
TEST(edges_meet_a_dense_twin) {
    enum { NODES = 23, EDGES = 400 };
    double dense[NODES][NODES] = {{0}};
    srand(11);
    FILE *file = fopen(FILE_NAME, "wb");
    assert_non_null(file);
    fprintf(file, "0 %d 3\n", NODES - 1);
    dense[0][NODES - 1] = dense[NODES - 1][0] = 3;
    for (int e = 0; e < EDGES; e++) {
        int i = rand() % NODES, j = rand() % NODES;
        double weight = dense[i][j] > 0 ? dense[i][j] : 1 + rand() % 9;
        if (i != j)
            dense[i][j] = dense[j][i] = weight;
        fprintf(file, "%d %d %g\n", i, j, weight);
    }
    assert_int_equal(fclose(file), 0);
    SCOPED(seg_csr) W;
    assert_ok(&ctx, seg_edges_read(&ctx, FILE_NAME, &(int){SEG_BASE_DETECT}, 0, &W));
    assert_int_equal(W.rows, NODES);
    for (size_t i = 0; i < NODES; i++) {
        size_t e = W.start[i];
        for (size_t j = 0; j < NODES; j++)
            if (dense[i][j] > 0) {
                assert_true(e < W.start[i + 1]);
                assert_int_equal(W.column[e], j);
                assert_true(W.value[e++] == dense[i][j]);
            }
        assert_int_equal(e, W.start[i + 1]);
    }
}

TEST(kernels) {
    seg_matrix K;
    const double expected[] = {2, 1 + 0.5e-9, 1 + 0.5e-9, 1};
    put_text("2,1\n1.000000001,1\n");
    assert_ok(&ctx, seg_kernel_read(&ctx, FILE_NAME, &K));
    for (int e = 0; e < 4; e++)
        assert_near(K.at[e], expected[e], 1e-15);
    assert_true(K.at[1] == K.at[2]);
    seg_matrix_free(&K);
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"1,2\n", "1 rows and 2 columns"},
        {"1,0.5\n0.4,1\n", "not symmetric: row 2, column 1 is 0.4, and row 1, column 2 is 0.5"},
        {"0,3\n3,0\n", "distances"},
        {"1,0\n0,-1\n", "entry 2 of its diagonal"},
        {"1,0\n0,x\n", ":2: column 2"},
    };
    for (size_t t = 0; t < sizeof bad / sizeof *bad; t++) {
        put_text(bad[t].text);
        assert_fails(&ctx, seg_kernel_read(&ctx, FILE_NAME, &K), SEG_ERR_INPUT, bad[t].words);
        assert_null(K.at);
    }
}

TEST(standardising) {
    enum { ROWS = 500, COLS = 4 };
    double numbers[ROWS * COLS], same[ROWS * COLS];
    srand(3);
    for (int i = 0; i < ROWS; i++) {
        double x = rand() / (double)RAND_MAX;
        const double row[COLS] = {x, 7, 1e99 * (x - 2), 1e6 + x};
        memcpy(numbers + COLS * i, row, sizeof row);
    }
    seg_matrix X = {ROWS, COLS, numbers};
    assert_ok(&ctx, seg_scale(&ctx, SEG_SCALING_STANDARDISED, &X));
    for (int c = 0; c < COLS; c++) {
        double mean = 0, squares = 0;
        for (int i = 0; i < ROWS; i++) {
            mean += numbers[COLS * i + c] / ROWS;
            squares += numbers[COLS * i + c] * numbers[COLS * i + c] / ROWS;
        }
        assert_near(mean, 0, 1e-9);
        assert_near(squares, c == 1 ? 0 : 1, 1e-9);
    }
    for (int i = 0; i < ROWS; i++) { /* the same numbers at other scales and offsets */
        assert_near(numbers[COLS * i + 2], numbers[COLS * i], 1e-9);
        assert_near(numbers[COLS * i + 3], numbers[COLS * i], 1e-8);
    }
    memcpy(same, numbers, sizeof same);
    assert_ok(&ctx, seg_scale(&ctx, SEG_SCALING_STANDARDISED, &X));
    for (int e = 0; e < ROWS * COLS; e++)
        assert_near(numbers[e], same[e], 1e-9);
}
