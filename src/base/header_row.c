#include "base/header_row.h"

#include <string.h>

static int is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int equals(const char *text, size_t length, const char *word) {
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

int seg_looks_like_number(const char *text, size_t length) {
    size_t at = 0;
    while (at < length && !is_letter(text[at]) && !(text[at] >= '0' && text[at] <= '9'))
        at++;
    return at < length && (!is_letter(text[at]) || equals(text + at, length - at, "inf") ||
                           equals(text + at, length - at, "infinity"));
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
    row->data |= number || equals(text, length, "?");
    row->words |= !number && !seg_is_missing_value(text, length);
}
