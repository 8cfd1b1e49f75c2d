/* The files of an image: their paths, the state of the image file when it was opened, and the journal, which gets a
 * line for each edit before the edit is answered. */
#pragma once

#include "cli/common/paths.h"
#include "paint/document/acts.h"

#include <sys/stat.h>

/* Paths of the files of an image. */
typedef struct paint_paths {
    char *photo, *given; /* `given`: scribbles to start with, or NULL */
    int slices;          /* of a volume; of an image 1 */
    double spacing;      /* of slices */
    int channels;        /* 1: colours */
    char **channel;      /* the files of them, `photo` being their folder; NULL: there is one file */
    const char *named;   /* by --channels; borrowed, or NULL */
    char *start;         /* a mask that the strokes correct, or NULL */
    char *name;          /* of the image without folder and extension */
    char *scribbles, *mask, *journal;
} paint_paths;

typedef struct paint_source {
    struct stat file;         /* when it was read */
    char hash[CLI_HASH_SIZE]; /* SHA-256 of the file; "" before it was read, or if it is not a regular file */
    int64_t number;           /* number of different contents so far */
    int is_unseen;            /* 1: the page still shows the earlier content */
} paint_source;

/* Read the state of the file. */
void paint_source_read(const char *path, paint_source *source);

typedef enum paint_source_state { PAINT_SOURCE_SAME = 0, PAINT_SOURCE_CHANGED, PAINT_SOURCE_GONE } paint_source_state;

/* Compare the file with that state; its bytes only if size, time or inode differ. */
paint_source_state paint_source_check(const char *path, paint_source *source);

typedef struct paint_journal {
    int file; /* -1: none */
    /* paint_hash of the scribbles that were written last and, until that write is known to be complete, of those
     * before, which remain if the program is killed in between. 0: none. */
    uint64_t last, before;
    json_t *photo; /* the image that is drawn on, as noted last; NULL: not noted; owned */
} paint_journal;

enum { PAINT_MESSAGE = 512 };

/* Open or create the journal, and apply its edits to an empty drawing. An incomplete last line, left by a crash, is
 * removed. No other process can open it meanwhile. @return 1, or 0 with a message */
int paint_journal_open(const char *path, paint_drawing *drawing, paint_journal *out, char message[PAINT_MESSAGE]);
void paint_journal_close(paint_journal *journal);

/* Append an edit and flush it to disk. @return 1, or 0 if the journal is unchanged */
int paint_journal_append(paint_journal *journal, const json_t *edit);

/* Note which image is drawn on, by a hash of its pixels. @return 1, with a remark if the file has changed since the
 * strokes were drawn; 0 with a message if they are of another image in another place */
int paint_journal_photo(paint_journal *journal, const char *photo, uint64_t hash, int is_drawn,
                        char message[PAINT_MESSAGE]);

/* Record whether an image without acts is in object mode, likewise. */
int paint_journal_objects(paint_journal *journal, int objects);

/* Record the scribbles that are about to be written, so that changes by other programs can be recognised. */
int paint_journal_saving(paint_journal *journal, uint64_t hash);
/* Record that they were written. */
void paint_journal_saved(paint_journal *journal);
/* Tell which scribbles were found on disk. @return 1 if this program wrote them */
int paint_journal_found(paint_journal *journal, uint64_t hash);

/* Hash of bytes; never 0. */
uint64_t paint_hash(const void *bytes, size_t size);
