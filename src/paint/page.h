/* The files of the page, which are part of the program. */
#ifndef PAINT_PAGE_H
#define PAINT_PAGE_H

#include <stddef.h>

typedef struct paint_file {
    const char *type, *text;
    size_t size;
} paint_file;

/* The file of that name, "" for the page itself. @return 0 where there is none */
int paint_page_find(const char *name, paint_file *out);

#endif
