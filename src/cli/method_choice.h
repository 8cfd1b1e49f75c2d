/* Methods by name. */
#ifndef CLI_METHOD_CHOICE_H
#define CLI_METHOD_CHOICE_H

#include <segment/segment.h>

/* The method of that name, with or without ":paper" behind it; says what is wrong where there is none, and returns
 * NULL. */
const seg_method *cli_find_method(const char *text);

/* "auto (ncut)" or "ccskl:paper": the method and its variant, and what ran where that was another. */
void cli_method_text(const seg_method *method, seg_method_variant variant, const char *ran, char *text, size_t size);

#endif
