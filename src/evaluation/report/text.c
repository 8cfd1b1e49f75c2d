#include "evaluation/report/text.h"
#include "base/base.h"
#include "base/name_text.h"
#include "image/file.h"

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

seg_status seg_text_add(seg_context *ctx, seg_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 && !text->status)
        text->status = seg_fail(ctx, SEG_ERR_MEMORY, "a text cannot be formatted");
    const size_t needed = text->length + (size_t)length + 1;
    if (!text->status && needed > text->room) {
        char *grown = seg_realloc(ctx, text->at, 2 * needed + 256, 1);
        text->at = grown ? grown : text->at;
        text->room = grown ? 2 * needed + 256 : text->room;
        text->status = grown ? SEG_OK : SEG_ERR_MEMORY;
    }
    if (text->status)
        return text->status;
    va_start(arguments, format);
    vsnprintf(text->at + text->length, text->room - text->length, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
    return SEG_OK;
}

void seg_text_free(seg_text *text) {
    free(text->at);
    memset(text, 0, sizeof *text);
}

seg_status seg_text_write(seg_context *ctx, seg_text *text, const char *folder, const char *name) {
    SEG_FREED char *path = text->status ? NULL : seg_format(ctx, "%s/%s", folder, name);
    const seg_status status = path ? seg_file_write(ctx, path, text->at, text->length) : SEG_ERR_MEMORY;
    seg_text_free(text);
    return status;
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

char *seg_html_text(const char *text) {
    char *out = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&out, &size);
    if (to)
        seg_html_put(to, text);
    if (to && (ferror(to) | fclose(to)) == 0)
        return out;
    free(out);
    return NULL;
}
