/* Texts in JSON read by Jansson, which does not survive a lack of memory: its scanner drops letters that it finds no
 * room for, and then ends the process by an assertion, reads beyond a text's end or returns another number. The
 * programs call seg_json_watch against that; the library does not, since Jansson's functions of allocation are the
 * process's. */
#ifndef SEG_BASE_JSON_READ_H
#define SEG_BASE_JSON_READ_H

#include <stddef.h>

#include <jansson.h>

/* Let Jansson allocate through here. A program calls it first of all. What Jansson returns is freed as ever. */
void seg_json_watch(void);
/* Whether an allocation of Jansson's failed since seg_json_watch or the last call. */
int seg_json_lost(void);
/* An allocation for a JSON text failed outside Jansson: counts as one of its own. */
void seg_json_lose(void);

/* Read a text; `error` may be NULL. After seg_json_watch an allocation that fails ends the reading there and then:
 * NULL comes back, nothing is left allocated, errno is ENOMEM; which it is else only where an allocation failed. */
json_t *seg_json_read(const char *text, size_t size, size_t flags, json_error_t *error);

#endif
