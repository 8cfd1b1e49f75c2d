/* JSON texts, read by Jansson. Jansson fails where memory is short: its scanner drops letters that it has no room for,
 * and then ends the process by an assertion, reads beyond the end of a text or returns another number. The programs
 * call seg_json_watch against that; the library does not, as Jansson's allocation functions belong to the process. */
#pragma once

#include <stddef.h>

#include <jansson.h>

/* Let Jansson allocate through this file. A program calls it first of all. What Jansson returns is freed as before. */
void seg_json_watch(void);
/* Whether an allocation of Jansson's failed since seg_json_watch or the last call. */
int seg_json_lost(void);
/* An allocation for a JSON text failed outside Jansson: counts as one of its own. */
void seg_json_lose(void);

/* Read a text; `error` may be NULL. After seg_json_watch an allocation that fails ends the reading at once: the result
 * is NULL, nothing stays allocated, and errno is ENOMEM, which it is in no other case. */
json_t *seg_json_read(const char *text, size_t size, size_t flags, json_error_t *error);
