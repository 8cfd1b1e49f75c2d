/* The files of an image: where they are, which image the file had when it was opened, and the journal, of which every
 * edit is a line, on disk before it is answered. */
#ifndef PAINT_DOCUMENT_IMAGE_FILES_H
#define PAINT_DOCUMENT_IMAGE_FILES_H

#include "cli/common/file_hash.h"
#include "paint/document/acts.h"

#include <stdint.h>
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

/* Files of an image that other programs may change too. */
typedef enum paint_file_kind { PAINT_SCRIBBLES = 0, PAINT_PAIRS, PAINT_FILE_KINDS } paint_file_kind;

/* paint_hash of what was written last, and until that is known to be there of what was before: a kill in between leaves
 * the earlier file. 0 where none was. */
typedef struct paint_saved {
    uint64_t last, before;
} paint_saved;

typedef struct paint_journal {
    int file; /* -1: none */
    paint_saved saved[PAINT_FILE_KINDS];
} paint_journal;

enum { PAINT_MESSAGE = 512 };

/* Open the journal, or begin one, and apply its edits to an empty drawing. A last line that was cut off by a crash is
 * taken away. While it is open no other process can open it.
 * @return 1, or 0 with a sentence */
int paint_journal_open(const char *path, paint_drawing *drawing, paint_journal *out, char message[PAINT_MESSAGE]);
void paint_journal_close(paint_journal *journal);

/* Write an edit behind the others, and see it on the disk. @return 1, or 0: the journal is as before */
int paint_journal_append(paint_journal *journal, const json_t *edit);

/* Note what is about to be written, so that a change by another program is known as such. */
int paint_journal_saving(paint_journal *journal, paint_file_kind kind, uint64_t hash);
/* Note that it is. */
void paint_journal_saved(paint_journal *journal, paint_file_kind kind);
/* A file with this hash lies there. @return whether it is one that was written from here */
int paint_journal_found(paint_journal *journal, paint_file_kind kind, uint64_t hash);
/* Whether any file was. */
int paint_journal_has_saved(const paint_journal *journal);

/* Of the labels of marks, or of a file's bytes; never 0. */
uint64_t paint_hash(const void *bytes, size_t size);

#endif
