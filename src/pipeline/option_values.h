/* The names of a choice, as messages list them. */
#ifndef SEG_PIPELINE_OPTION_VALUES_H
#define SEG_PIPELINE_OPTION_VALUES_H

#include <stddef.h>

/* "knn, grid, both or full" of NULL-ended names. */
void seg_list_choices(const char *const *names, char *list, size_t size);

#endif
