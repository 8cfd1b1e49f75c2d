/* A map of labels as runs of equal ones in its rows: of an image of a gigapixel some megabytes. */
#ifndef SEG_IMAGE_LABEL_ROWS_H
#define SEG_IMAGE_LABEL_ROWS_H

#include <segment/context.h>

#include <stddef.h>
#include <stdint.h>

/* Pixels from .. to-1 of a row, all of one label. The runs of a piece (pieces.h) share a root, the first of them. */
typedef struct seg_label_run {
    int from, to;
    uint32_t parent, pixels; /* pixels: of the run; in a root, what the caller makes of it */
    uint8_t label;
} seg_label_run;

/* Every row is covered from its first pixel to its last. Zeroed: nothing. */
typedef struct seg_label_rows {
    int width, height;  /* height: rows that are there */
    size_t *first;      /* height + 1: runs of each row; owned */
    seg_label_run *run; /* owned */
    size_t row_room, run_room;
} seg_label_rows;

/* Append the runs of `rows` rows of `width` labels each. The first rows set the width. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_label_rows_append(seg_context *ctx, int width, int rows, const uint8_t *label, seg_label_rows *out);
/* Append one row whose runs are given by their label and end; neighbours of one label become one. */
seg_status seg_label_rows_append_runs(seg_context *ctx, int width, const seg_label_run *run, size_t count,
                                      seg_label_rows *out);
void seg_label_rows_free(seg_label_rows *rows);

/* Neighbouring runs of one label, as changed labels leave them, become one. */
void seg_label_rows_merge(seg_label_rows *rows);

/* The run of row y that holds pixel x. Cost O(log runs of the row). */
size_t seg_label_rows_at(const seg_label_rows *rows, int x, int y);

/* All labels, to width * height bytes. */
void seg_label_rows_paint(const seg_label_rows *rows, uint8_t *label);

/* The labels of pixels left .. right-1 of row y. */
void seg_label_rows_read(const seg_label_rows *rows, int y, int left, int right, uint8_t *label);

#endif
