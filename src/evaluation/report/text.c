#include "evaluation/report/text.h"

#include "base/base.h"
#include "image/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (length < 0)
        return seg_fail(ctx, SEG_ERR_MEMORY, "a text cannot be formatted");
    if (text->length + (size_t)length + 1 > text->room) {
        const size_t room = 2 * (text->length + (size_t)length + 1) + 256;
        char *grown = seg_realloc(ctx, text->at, room, 1);
        if (!grown)
            return SEG_ERR_MEMORY;
        text->at = grown;
        text->room = room;
    }
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

seg_status seg_text_write(seg_context *ctx, const seg_text *text, const char *folder, const char *name) {
    char *path = seg_format(ctx, "%s/%s", folder, name);
    const seg_status status = path ? seg_file_write(ctx, path, text->at, text->length) : SEG_ERR_MEMORY;
    free(path);
    return status;
}
