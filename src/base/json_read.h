/* JSON texts, read by Jansson. Jansson fails where memory is short: its scanner drops letters that it has no room for,
 * and then ends the process by an assertion, reads beyond the end of a text or returns another number. The programs
 * call seg_json_watch against that; the library does not, as Jansson's allocation functions belong to the process. */
#pragma once

#include <segment/names.h>

#include <stddef.h>

#include <jansson.h>

/* Let Jansson allocate through this file. A program calls it first of all. What Jansson returns is freed as before. */
void seg_json_watch(void);
/* Whether an allocation of Jansson's, or of seg_json_text, failed since seg_json_watch or the last call. */
int seg_json_lost(void);

/* A JSON string of a name, or of a sentence with names in it: SEG_NAME_JSON is lossless, SEG_NAME_LINE is as pages show
 * it (base/name_text.h). NULL becomes null. New reference, NULL if out of memory. */
json_t *seg_json_text(const char *text, seg_name_form form);
/* Text, to be freed, of a JSON value, which is released. NULL if the value is NULL or seg_json_lost(): Jansson omits
 * what it has no memory for. */
char *seg_json_dump(json_t *json, size_t flags);

/* Read a text; `error` may be NULL. After seg_json_watch an allocation that fails ends the reading at once: the result
 * is NULL, nothing stays allocated, and errno is ENOMEM, which it is in no other case. */
json_t *seg_json_read(const char *text, size_t size, size_t flags, json_error_t *error);
