/* The journal of an image: every edit is a line of it, on disk before it is answered. */
#ifndef PAINT_JOURNAL_H
#define PAINT_JOURNAL_H

#include "paint/drawing.h"

#include <stdint.h>

typedef struct paint_journal {
    int file;       /* -1: none */
    uint64_t saved; /* paint_marks_hash of the scribbles that were written last, 0 where none were */
} paint_journal;

enum { PAINT_MESSAGE = 512 };

/* Open the journal, or begin one, and apply its edits to an empty drawing. A last line that was cut off by a crash is
 * taken away. While it is open no other process can open it.
 * @return 1, or 0 with a sentence */
int paint_journal_open(const char *path, paint_drawing *drawing, paint_journal *out, char message[PAINT_MESSAGE]);
void paint_journal_close(paint_journal *journal);

/* Write an edit behind the others, and see it on the disk. @return 1, or 0: the journal is as before */
int paint_journal_append(paint_journal *journal, const json_t *edit);

/* Note which scribbles are about to be written, so that a change by another program is known as such. */
int paint_journal_saving(paint_journal *journal, uint64_t hash);

uint64_t paint_marks_hash(const uint8_t *label, size_t pixels);

#endif
