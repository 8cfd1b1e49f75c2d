/* Which image a file held when it was opened, so that a mask is never written for one that is there no more. */
#ifndef PAINT_SOURCE_H
#define PAINT_SOURCE_H

#include "cli/common/file_hash.h"

#include <sys/stat.h>

/* Where the files of an image are. */
typedef struct paint_paths {
    char *photo, *given, *given_pairs; /* `given`: scribbles and answers to begin with, or NULL */
    char *name;                        /* of the image without folder and ending */
    char *scribbles, *pairs, *mask, *journal;
    char *truth; /* or NULL */
} paint_paths;

typedef struct paint_source {
    struct stat file;         /* when it was read */
    char hash[CLI_HASH_SIZE]; /* of its bytes; "" before the first time, and of what is not a regular file */
    int64_t number;           /* counts different contents */
    int is_unseen;            /* the page shows what was there before */
} paint_source;

/* Note what the file holds now. @return whether that is something else than before */
int paint_source_read(const char *path, paint_source *source);

typedef enum paint_source_state { PAINT_SOURCE_SAME = 0, PAINT_SOURCE_CHANGED, PAINT_SOURCE_GONE } paint_source_state;

/* Compare the file with what was noted: its bytes where size, time or inode differ. */
paint_source_state paint_source_check(const char *path, paint_source *source);

#endif
