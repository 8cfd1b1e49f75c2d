/* Where the files of an image are. */
#ifndef PAINT_PATHS_H
#define PAINT_PATHS_H

typedef struct paint_paths {
    char *photo, *given, *given_pairs; /* `given`: scribbles and answers to begin with, or NULL */
    char *name;                        /* of the image without folder and ending */
    char *scribbles, *pairs, *mask, *journal;
    char *truth; /* or NULL */
} paint_paths;

#endif
