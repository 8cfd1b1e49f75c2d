/* Texts in answers: file names and sentences with file names in them are bytes, JSON is UTF-8. */
#ifndef PAINT_TEXT_H
#define PAINT_TEXT_H

#include <jansson.h>

/* A new reference, NULL without memory. */
json_t *paint_text(const char *text);

#endif
