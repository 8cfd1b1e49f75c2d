/* The files of page/, which are part of the program, in a table that CMake makes. */
#ifndef PAINT_PAGE_FILES_H
#define PAINT_PAGE_FILES_H

typedef struct paint_embedded {
    const char *name, *text;
} paint_embedded;

extern const paint_embedded paint_embedded_files[]; /* ended by a row of zeros */

#endif
