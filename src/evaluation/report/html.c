#include "evaluation/report/html.h"

#include "base/name_text.h"

#include <stdlib.h>

void seg_html_put(FILE *to, const char *text) {
    char piece[SEG_NAME_PIECE];
    size_t size;
    while (*text) {
        text += seg_name_piece(text, SEG_NAME_LINE, piece, &size);
        switch (*piece) {
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        default:
            fwrite(piece, 1, size, to);
        }
    }
}

char *seg_html_text(const char *text) {
    char *out = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&out, &size);
    if (!to)
        return NULL;
    seg_html_put(to, text);
    const int lost = ferror(to);
    if (fclose(to) == 0 && !lost)
        return out;
    free(out);
    return NULL;
}
