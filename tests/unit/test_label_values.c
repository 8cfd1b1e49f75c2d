/* Labels that are numbers: by value where a double tells them apart, else by their text. */
#include "check.h"

#define FILE_NAME SEGMENT_BINARY_DIR "/test_label_values_input"

AFTER_ALL {
    unlink(FILE_NAME);
}

#define put(bytes, size) assert_int_equal(seg_file_write(&ctx, FILE_NAME, bytes, size), SEG_OK)

/* Texts in ascending order; `same` ones are one label. As a file of labels and as a column of a table. */
static void check_order(const char *const *text, size_t count, const int32_t *expected) {
    char all[4096] = "", table[4096] = "";
    seg_labels labels;
    seg_matrix X;
    for (size_t i = 0; i < count; i++) { /* last line first: the order of the lines means nothing */
        const char *own = text[count - 1 - i];
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s\n", own);
        snprintf(table + strlen(table), sizeof table - strlen(table), "%zu,%s\n", i, own);
    }
    for (int as_table = 0; as_table < 2; as_table++) {
        put(as_table ? table : all, strlen(as_table ? table : all));
        if (as_table) {
            assert_ok(&ctx, seg_vectors_read(&ctx, FILE_NAME, SEG_LABELS_LAST, &X, &labels));
            seg_matrix_free(&X);
        } else {
            assert_ok(&ctx, seg_labels_read(&ctx, FILE_NAME, count, &labels));
        }
        for (size_t i = 0; i < count; i++)
            if (labels.label[count - 1 - i] != expected[i]) {
                print_error("%s is label %d, not %d\n", text[i], labels.label[count - 1 - i], expected[i]);
                fail();
            }
        seg_labels_free(&labels);
    }
}

TEST(whole_numbers_beyond_doubles) {
    static const char *const text[] = {"18446744073709551615", "18446744073709551616", "9007199254740992",
                                       "9007199254740993"};
    const int32_t expected[] = {0, 1, 2, 3}; /* in the order of the bytes */
    check_order(text, sizeof text / sizeof *text, expected);
}

TEST(one_value_has_many_texts) {
    static const char *const text[] = {"-0.5", "-0",  "0",  "0.000", "0e99",    "0.5",
                                       "1",    "1.0", "+1", "0.1e1", "001.000", "9007199254740991"};
    const int32_t expected[] = {0, 1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 4};
    check_order(text, sizeof text / sizeof *text, expected);
}

/* numpy.save of 64-bit whole numbers: those that doubles tell apart are labels. */
TEST(whole_numbers_of_npy) {
    for (int large = 0; large < 2; large++) {
        static const char header[] = "{'descr': '<i8', 'fortran_order': False, 'shape': (4,), }";
        const int64_t number[4] = {9007199254740991, 9007199254740990, -9007199254740991,
                                   large ? -9007199254740993 : -9007199254740990};
        static const int32_t expected[] = {3, 2, 0, 1};
        unsigned char bytes[128 + 32] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
        SCOPED(seg_labels) labels;
        memset(bytes + 10, ' ', 118);
        memcpy(bytes + 10, header, strlen(header));
        bytes[127] = '\n';
        for (int i = 0; i < 4; i++)
            for (int b = 0; b < 8; b++)
                bytes[128 + 8 * i + b] = (unsigned char)((uint64_t)number[i] >> (8 * b));
        put(bytes, sizeof bytes);
        if (large) {
            assert_fails(&ctx, seg_labels_read(&ctx, FILE_NAME, 4, &labels), SEG_ERR_INPUT, "below 2^53");
            continue;
        }
        assert_ok(&ctx, seg_labels_read(&ctx, FILE_NAME, 4, &labels));
        assert_memory_equal(labels.label, expected, sizeof expected);
    }
}

TEST(similarities_have_their_limit) {
    seg_matrix K;
    SCOPED(seg_csr) W;
    put("1e101,0\n0,1e101\n", 16);
    assert_fails(&ctx, seg_kernel_read(&ctx, FILE_NAME, &K), SEG_ERR_INPUT, "above 1e+100");
    put("0 1 1e101\n", 10);
    assert_fails(&ctx, seg_edges_read(&ctx, FILE_NAME, &(int){0}, 2, &W), SEG_ERR_INPUT, "above 1e100");
    put("0 1 1e100\n", 10);
    assert_ok(&ctx, seg_edges_read(&ctx, FILE_NAME, &(int){0}, 2, &W));
}
