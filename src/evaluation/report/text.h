/* Text formatted as by printf, at once or piece by piece; text escaped for CSV and HTML. */
#pragma once

#include <segment/context.h>

#include <stddef.h>
#include <stdio.h>

/* A formatted text, to be freed; NULL (message set) if out of memory. */
char *seg_format(seg_context *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct seg_text {
    char *at; /* owned, ends in 0; NULL while empty */
    size_t length, room;
    seg_status status; /* of all pieces so far */
} seg_text;

/* Append as printf does. SEG_OK or SEG_ERR_MEMORY; after a failure nothing more is appended, and text->status stays, so
 * that a caller may check only after the last piece. */
seg_status seg_text_add(seg_context *ctx, seg_text *text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void seg_text_free(seg_text *text);

/* Write the text to FOLDER/NAME if no piece failed, and free it. SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY. */
seg_status seg_text_write(seg_context *ctx, seg_text *text, const char *folder, const char *name);

/* Write a name as a field of CSV: quoted where it must be [RFC 4180], without line ends and in UTF-8. */
void seg_csv_put(FILE *to, const char *name);

/* Write a text with the characters that HTML reserves escaped. Names may contain any byte: they are shown on one line
 * as in base/name_text.h. */
void seg_html_put(FILE *to, const char *text);
/* The same between two pieces of HTML. */
void seg_html_put_in(FILE *to, const char *before, const char *text, const char *after);
/* The same as a new text, to be freed; NULL if out of memory. */
char *seg_html_text(const char *text);
