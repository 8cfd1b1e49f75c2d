/* Text by printf's rules: whole, and text that grows. */
#ifndef SEG_EVALUATION_REPORT_TEXT_H
#define SEG_EVALUATION_REPORT_TEXT_H

#include <segment/context.h>

#include <stddef.h>

/* NULL (message set) without memory; to be freed. */
char *seg_format(seg_context *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct seg_text {
    char *at; /* owned, ends in 0; NULL while empty */
    size_t length, room;
} seg_text;

/* Append as printf does. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_text_add(seg_context *ctx, seg_text *text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void seg_text_free(seg_text *text);

/* Write it as FOLDER/NAME. */
seg_status seg_text_write(seg_context *ctx, const seg_text *text, const char *folder, const char *name);

#endif
