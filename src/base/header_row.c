#include "base/header_row.h"

#include "base/name_text.h"

#include <string.h>
#include <strings.h>

/* The next character; bytes that are not UTF-8 count one by one. @return its length */
static size_t next_character(const char *text, size_t length, uint32_t *code) {
    const size_t size = seg_utf8(text, length, code);
    return size ? size : 1;
}

static int is_digit(uint32_t c) {
    static const uint32_t zero[] = {'0', 0x660, 0x6F0, 0x966, 0xFF10}; /* Latin, Arabic, Persian, Devanagari, wide */
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
        if (c >= zero[i] && c < zero[i] + 10)
            return 1;
    return 0;
}

/* Characters that may precede the first digit: signs, points, brackets, currencies and blanks. */
static int may_lead(uint32_t c) {
    static const uint32_t lead[] = {' ',    '\t',   '+',    '-',    '.',    ',',    '(',    '\'',   '"',
                                    '$',    '<',    '>',    '=',    '~',    0xA0,   0xA2,   0xA3,   0xA5,
                                    0xB1,   0x2009, 0x202F, 0x20AC, 0x2212, 0x2213, 0x2248, 0x2264, 0x2265,
                                    0x3000, 0xFE62, 0xFE63, 0xFF0B, 0xFF0D, 0xFF0E};
    for (size_t i = 0; i < sizeof lead / sizeof *lead; i++)
        if (c == lead[i])
            return 1;
    return c >= 0x2010 && c <= 0x2015; /* hyphens and dashes */
}

static int equals(const char *text, size_t length, const char *word) {
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

int seg_looks_like_number(const char *text, size_t length) {
    uint32_t c = 0;
    size_t at = 0, size;
    while (at < length && (size = next_character(text + at, length - at, &c), may_lead(c)))
        at += size;
    return at < length &&
           (is_digit(c) || equals(text + at, length - at, "inf") || equals(text + at, length - at, "infinity"));
}

int seg_is_missing_value(const char *text, size_t length) {
    static const char *const missing[] = {"", "?", "na", "n/a", "nan", "+nan", "-nan"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (equals(text, length, missing[i]))
            return 1;
    return 0;
}

void seg_row_look_at(seg_row_look *row, const char *text, size_t length) {
    const int number = seg_looks_like_number(text, length);
    row->numbers += (size_t)number;
    row->words += !number && !seg_is_missing_value(text, length);
    row->unknown |= length == 1 && *text == '?';
}

int seg_row_may_be_header(const seg_row_look *row) {
    return row->numbers == 0 && row->words > 0 && !row->unknown;
}

/* A missing value does not make it a row of names. */
int seg_row_is_numbers(const seg_row_look *row) {
    return row->numbers > 0 && row->words == 0;
}
