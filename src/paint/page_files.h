/* The files of page/, which are part of the program, in a table that CMake makes. */
#pragma once

typedef struct paint_embedded {
    const char *name, *text;
} paint_embedded;

extern const paint_embedded paint_embedded_files[]; /* ended by a row of zeros */
