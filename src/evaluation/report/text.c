#include "evaluation/report/text.h"
#include "base/base.h"
#include "base/name_text.h"

#include <stdarg.h>

char *seg_format(seg_context *ctx, const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0)
        return text;
    seg_fail(ctx, SEG_ERR_MEMORY, "out of memory");
    return NULL;
}

seg_status seg_report_open(seg_context *ctx, const char *folder, const char *name, seg_writer *out) {
    *out = (seg_writer){0};
    SEG_LOCAL(char, path, seg_format(ctx, "%s/%s", folder, name));
    const seg_status status = seg_writer_open(ctx, path, out);
    out->path = out->target ? out->target : name; /* `path` ends here */
    return status;
}

int seg_text_end(FILE *to) {
    const int is_whole = to && !ferror(to); /* before it is closed */
    return (!to || fclose(to) == 0) && is_whole;
}

void seg_csv_put(FILE *to, const char *name) {
    const int quoted = strpbrk(name, ",\"") != NULL;
    char piece[SEG_NAME_PIECE];
    size_t size;
    if (quoted)
        putc('"', to);
    while (*name) {
        name += seg_name_piece(name, SEG_NAME_LINE, piece, &size);
        if (*piece == '"')
            putc('"', to);
        fwrite(piece, 1, size, to);
    }
    if (quoted)
        putc('"', to);
}

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
