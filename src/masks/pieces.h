/* Connected pieces (4-neighbourhood) of equal labels, as runs in the rows: specks and islands are such pieces. */
#ifndef SEG_MASKS_PIECES_H
#define SEG_MASKS_PIECES_H

#include "masks/pixel_scribbles.h"

/* Merge neighbouring runs of one label, and join the runs of each piece. */
void seg_pieces_join(seg_label_rows *rows);

/* The first run of the piece to which a run belongs. */
uint32_t seg_piece_root(seg_label_run *runs, uint32_t r);

/* A run of a piece that may change its label. */
typedef struct seg_piece_run {
    uint32_t root, number;
    int y;
    uint8_t own, winner; /* labels */
} seg_piece_run;

/* For qsort: orders runs by piece, and within a piece from the top left. */
int seg_piece_order(const void *a, const void *b);

/* Set `winner` of each piece of the list to the label that most of its border touches (the smallest of equals), or to
 * its own if it contains a marked pixel (scribbles; NULL: marks do not count) or has no border. Only borders with
 * pieces whose root has at least `least` pixels count. The list is in seg_piece_order. */
void seg_pieces_decide(const seg_label_rows *r, const seg_pixel_scribbles *scribbles, size_t least, seg_piece_run *list,
                       size_t count);

#endif
