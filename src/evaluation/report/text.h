/* Text formatted as by printf, at once or piece by piece; text escaped for CSV and HTML. */
#pragma once

#include "image/file.h"

/* A formatted text, to be freed; NULL (message set) if out of memory. */
char *seg_format(seg_context *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Open FOLDER/NAME; as seg_writer_open. */
seg_status seg_report_open(seg_context *ctx, const char *folder, const char *name, seg_writer *out);

/* Close a stream of open_memstream(), or NULL. @return 0 if out of memory */
int seg_text_end(FILE *to);

/* Write a name as a field of CSV: quoted where it must be [RFC 4180], without line ends and in UTF-8. */
void seg_csv_put(FILE *to, const char *name);

/* Write a text with HTML's reserved characters escaped; names, of any bytes, on one line as in base/name_text.h. */
void seg_html_put(FILE *to, const char *text);
/* The same between two pieces of HTML. */
void seg_html_put_in(FILE *to, const char *before, const char *text, const char *after);
