/* Methods by name. */
#ifndef CLI_COMMON_METHOD_CHOICE_H
#define CLI_COMMON_METHOD_CHOICE_H

#include <segment/segment.h>

/* The method of that name, optionally followed by ":paper". NULL after a message if there is none. */
const seg_method *cli_find_method(const char *text);

/* "auto (ncut)" or "ccskl:paper": the method and its variant, and the method that ran if it differs. */
void cli_method_text(const seg_method *method, seg_method_variant variant, const char *ran, char *text, size_t size);

#endif
