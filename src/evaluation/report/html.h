/* Text in a page. */
#ifndef SEG_EVALUATION_REPORT_HTML_H
#define SEG_EVALUATION_REPORT_HTML_H

#include <stdio.h>

/* Write a text with the characters that HTML reserves escaped. Names may contain any byte: they are shown on one line
 * as in base/name_text.h. */
void seg_html_put(FILE *to, const char *text);
/* The same between two pieces of HTML. */
void seg_html_put_in(FILE *to, const char *before, const char *text, const char *after);
/* The same as a text of its own, to be freed; NULL if out of memory. */
char *seg_html_text(const char *text);

#endif
