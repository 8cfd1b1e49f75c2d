/* Names as text: whatever bytes a name holds, its text is UTF-8, fits where it is written, and gives the name back. */
#include "check.h"

#include <jansson.h>

static void comes_back(const char *name) {
    for (int form = SEG_NAME_JSON; form <= SEG_NAME_LINE; form++) {
        AUTOFREE char *text = seg_name_encode(name, (seg_name_form)form);
        assert_non_null(text);
        json_t *json = json_string(text); /* refuses what is not UTF-8 */
        assert_non_null(json);
        json_decref(json);
        for (const char *c = text; *c && form == SEG_NAME_LINE; c++)
            assert_false((unsigned char)*c < ' ' || *c == 127);
        AUTOFREE char *back = seg_name_encode(text, SEG_NAME_BYTES);
        assert_non_null(back);
        assert_string_equal(back, name);
    }
}

TEST(any_bytes_come_back) {
    /* What makes up escapes and characters, so that they meet in every way. */
    static const char bytes[] =
        "\\x0123456789ABCDEFabcdef \t\n\r\x7f\xc2\xa9\xe2\x80\xa8\xed\xa0\x80\xf0\x9f\x98\xf4\x90\xff%/<";
    srand(11);
    for (int t = 0; t < 20000; t++) {
        char name[24];
        const int length = rand() % 20;
        for (int i = 0; i < length; i++)
            name[i] = t % 3 ? bytes[rand() % (int)(sizeof bytes - 1)] : (char)(1 + rand() % 255);
        name[length] = 0;
        comes_back(name);
    }
}

TEST(plain_names_stay) {
    static const struct {
        const char *name, *json, *line;
    } cases[] = {{"", "", ""},
                 {"a.jpg", "a.jpg", "a.jpg"},
                 {"50%25", "50%25", "50%25"},
                 {"a\\b", "a\\b", "a\\b"},
                 {"a\\x4", "a\\x4", "a\\x4"},
                 {"a\\x4g", "a\\x4g", "a\\x4g"},
                 {"a\\x41", "a\\x5Cx41", "a\\x5Cx41"},
                 {"caf\xc3\xa9", "caf\xc3\xa9", "caf\xc3\xa9"},
                 {"caf\xe9", "caf\\xE9", "caf\\xE9"},
                 {"a\tb", "a\tb", "a\\x09b"},
                 {"\xe2\x80\xa8", "\xe2\x80\xa8", "\\xE2\\x80\\xA8"},
                 {"\xc2\x85", "\xc2\x85", "\\xC2\\x85"},
                 {"\xed\xa0\x80", "\\xED\\xA0\\x80", "\\xED\\xA0\\x80"},
                 {"\xc0\xaf", "\\xC0\\xAF", "\\xC0\\xAF"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        AUTOFREE char *json = seg_name_encode(cases[c].name, SEG_NAME_JSON),
                      *line = seg_name_encode(cases[c].name, SEG_NAME_LINE);
        assert_string_equal(json, cases[c].json);
        assert_string_equal(line, cases[c].line);
    }
}
