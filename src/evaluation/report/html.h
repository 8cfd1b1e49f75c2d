/* Text in a page. */
#ifndef SEG_EVALUATION_REPORT_HTML_H
#define SEG_EVALUATION_REPORT_HTML_H

#include <stdio.h>

/* Write a text with what HTML takes for marks escaped. Names may hold any byte: they are shown as a line has them
 * (base/name_text.h). */
void seg_html_put(FILE *to, const char *text);
/* The same as a text of its own, to be freed; NULL if out of memory. */
char *seg_html_text(const char *text);

#endif
