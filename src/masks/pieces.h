/* Connected pieces (4-neighbourhood) of equal labels, as runs of pixels in the rows: what specks and islands are. */
#ifndef SEG_MASKS_PIECES_H
#define SEG_MASKS_PIECES_H

#include "masks/pixel_scribbles.h"

/* Merge neighbouring runs of one label, and join the runs of each piece. */
void seg_pieces_join(seg_label_rows *rows);

/* The first run of the piece that a run is of. */
uint32_t seg_piece_root(seg_label_run *runs, uint32_t r);

/* A run of a piece that may change its label. */
typedef struct seg_piece_run {
    uint32_t root, number;
    int y;
    uint8_t own, winner; /* labels */
} seg_piece_run;

/* For qsort: piece by piece, the runs of each from the top left. */
int seg_piece_order(const void *a, const void *b);

/* The label that most of the border of each piece of the list touches (the smaller of equals); its own where it holds a
 * marked pixel (scribbles: NULL where none counts) or has no border. Borders count with pieces whose root has `least`
 * pixels or more only. The list is in seg_piece_order. */
void seg_pieces_decide(const seg_label_rows *r, const seg_pixel_scribbles *scribbles, size_t least, seg_piece_run *list,
                       size_t count);

#endif
