/* A label map as runs of equal labels in each row: some megabytes for an image of a gigapixel. */
#pragma once

#include <segment/context.h>

/* Pixels from .. to-1 of a row, all of one label. The runs of a piece (pieces.h) share a root, the first of them. */
typedef struct seg_label_run {
    int from, to;
    uint32_t parent, pixels; /* pixels: of the run; in a root, for use by the caller */
    uint8_t label;
} seg_label_run;

/* The runs cover every row from its first pixel to its last. A zeroed struct is an empty map. */
typedef struct seg_label_rows {
    int width, height;  /* height: rows appended so far */
    size_t *first;      /* height + 1: row y has the runs first[y] .. first[y + 1] - 1; owned */
    seg_label_run *run; /* owned */
    int slice;          /* rows of each slice of a volume; 0: all rows are one image */
} seg_label_rows;

/* Append the runs of `rows` rows of `width` labels each. The first rows set the width. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_label_rows_append(seg_context *ctx, int width, int rows, const uint8_t *label, seg_label_rows *out);
/* Append one row whose runs are given by their label and end; neighbouring runs of one label are merged. */
seg_status seg_label_rows_append_runs(seg_context *ctx, int width, const seg_label_run *run, size_t count,
                                      seg_label_rows *out);
void seg_label_rows_free(seg_label_rows *rows);

/* Merge neighbouring runs of one label, as they occur after labels were changed. */
void seg_label_rows_merge(seg_label_rows *rows);

/* The run of row y that holds pixel x. Cost O(log runs of the row). */
size_t seg_label_rows_at(const seg_label_rows *rows, int x, int y);

/* Write all labels to an array of width * height bytes. */
void seg_label_rows_paint(const seg_label_rows *rows, uint8_t *label);

/* Read the labels of pixels left .. right-1 of row y. */
void seg_label_rows_read(const seg_label_rows *rows, int y, int left, int right, uint8_t *label);
