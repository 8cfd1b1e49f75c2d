#include "evaluation/report/html.h"

#include "base/name_text.h"

#include <stdlib.h>
#include <string.h>

void seg_html_put(FILE *to, const char *text) {
    static const char reserved[] = "<>&\"";
    static const char *const escaped[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
    char piece[SEG_NAME_PIECE];
    size_t size;
    while (*text) {
        text += seg_name_piece(text, SEG_NAME_LINE, piece, &size);
        const char *found = strchr(reserved, *piece);
        if (found)
            fputs(escaped[found - reserved], to);
        else
            fwrite(piece, 1, size, to);
    }
}

void seg_html_put_in(FILE *to, const char *before, const char *text, const char *after) {
    fputs(before, to);
    seg_html_put(to, text);
    fputs(after, to);
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
