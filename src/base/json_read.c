#include "base/json_read.h"

#include <errno.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

/* A text that is being read by this thread: the blocks that it has so far, in the order of their allocation. */
typedef struct reading {
    void **block;
    size_t count, room;
    jmp_buf out_of_memory;
} reading;

static atomic_int lost; /* Jansson's functions of allocation get no handle */
static _Thread_local reading this_thread, *current;

static void *watched_malloc(size_t size) {
    void *block = malloc(size);
    reading *r = current;
    if (block && r && r->count == r->room) {
        const size_t room = r->room ? 2 * r->room : 64;
        void **grown = realloc(r->block, room * sizeof *grown);
        if (grown) {
            r->block = grown;
            r->room = room;
        } else {
            free(block);
            block = NULL;
        }
    }
    if (!block) {
        atomic_store(&lost, 1);
        if (r)
            longjmp(r->out_of_memory, 1);
    } else if (r) {
        r->block[r->count++] = block;
    }
    return block;
}

static void watched_free(void *block) {
    reading *r = current;
    for (size_t i = r && block ? r->count : 0; i-- > 0;) /* most often one of the last */
        if (r->block[i] == block) {
            memmove(r->block + i, r->block + i + 1, (--r->count - i) * sizeof *r->block);
            break;
        }
    free(block);
}

void seg_json_watch(void) {
    json_set_alloc_funcs(watched_malloc, watched_free);
    atomic_store(&lost, 0);
}

int seg_json_lost(void) {
    return atomic_exchange(&lost, 0);
}

json_t *seg_json_text(const char *text, seg_name_form form) {
    char *encoded = text ? seg_name_encode(text, form) : NULL;
    json_t *json = encoded ? json_string(encoded) : text ? NULL : json_null();
    free(encoded);
    if (!json)
        atomic_store(&lost, 1);
    return json;
}

char *seg_json_dump(json_t *json, size_t flags) {
    char *text = json ? json_dumps(json, flags) : NULL;
    json_decref(json);
    if (!seg_json_lost())
        return text;
    free(text);
    return NULL;
}

json_t *seg_json_read(const char *text, size_t size, size_t flags, json_error_t *error) {
    json_t *volatile value = NULL;
    volatile int whole = 0;
    reading *r = &this_thread; /* not a local variable: its value must survive longjmp */
    *r = (reading){0};
    current = r;
    errno = 0;
    if (setjmp(r->out_of_memory) == 0) {
        value = json_loadb(text, size, flags, error);
        whole = 1;
    }
    current = NULL;
    for (size_t i = 0; i < this_thread.count && !whole; i++)
        free(this_thread.block[i]);
    free(this_thread.block);
    if (!whole)
        errno = ENOMEM;
    return value;
}
