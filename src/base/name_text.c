#include "base/name_text.h"

#include <stdlib.h>
#include <string.h>

size_t seg_utf8(const char *text, size_t length, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    const size_t size = at[0] < 0x80   ? 1
                        : at[0] < 0xC0 ? 5
                        : at[0] < 0xE0 ? 2
                        : at[0] < 0xF0 ? 3
                        : at[0] < 0xF8 ? 4
                                       : 5;
    uint32_t read = size < 2 ? at[0] : at[0] & (0x7Fu >> size);
    *code = at[0];
    if (size > 4 || size > length)
        return 0;
    for (size_t i = 1; i < size; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        read = read << 6 | (at[i] & 0x3Fu);
    }
    if (read < least[size] || read > 0x10FFFF || (read >= 0xD800 && read < 0xE000))
        return 0;
    *code = read;
    return size;
}

static int digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte of \xHH; 0 if the text is not of that form, since names have no such byte. */
static int escaped(const char *text) {
    if (text[0] != '\\' || text[1] != 'x' || digit(text[2]) < 0 || digit(text[3]) < 0)
        return 0;
    return 16 * digit(text[2]) + digit(text[3]);
}

size_t seg_name_piece(const char *name, seg_name_form form, char text[SEG_NAME_PIECE], size_t *size) {
    static const char digits[] = "0123456789ABCDEF";
    const unsigned char *at = (const unsigned char *)name;
    uint32_t code;
    const size_t length = seg_utf8(name, SEG_NAME_PIECE, &code);
    const int breaks = length && (code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029);
    if (length && !(form == SEG_NAME_LINE && breaks) && !escaped(name)) {
        memcpy(text, name, length);
        *size = length;
        return length;
    }
    text[0] = '\\';
    text[1] = 'x';
    text[2] = digits[at[0] >> 4];
    text[3] = digits[at[0] & 15];
    *size = 4;
    return 1; /* the other bytes of a character are not UTF-8 by themselves */
}

char *seg_name_encode(const char *name, seg_name_form form) {
    char *text = malloc(SEG_NAME_PIECE * strlen(name) + 1), *end = text;
    size_t size;
    if (!text)
        return NULL;
    if (form == SEG_NAME_BYTES) {
        seg_name_decode(strcpy(text, name));
        return text;
    }
    for (; *name; end += size) {
        char piece[SEG_NAME_PIECE];
        name += seg_name_piece(name, form, piece, &size);
        memcpy(end, piece, size);
    }
    *end = 0;
    return text;
}

void seg_name_decode(char *text) {
    char *to = text;
    for (const char *from = text; *from;) {
        const int byte = escaped(from);
        *to++ = byte ? (char)byte : *from;
        from += byte ? 4 : 1;
    }
    *to = 0;
}
