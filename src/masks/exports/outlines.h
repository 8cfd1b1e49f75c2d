/* Regions as polygons along the borders of pixels. */
#ifndef SEG_MASKS_EXPORTS_OUTLINES_H
#define SEG_MASKS_EXPORTS_OUTLINES_H

#include <segment/image.h>

typedef struct seg_corner {
    double x, y; /* whole numbers, and halves of simplified outlines */
} seg_corner;

/* For sorting in reading order. */
int seg_corner_order(seg_corner a, seg_corner b);

/* A simple closed polygon (no corner twice), the last corner joined to the first, which is the topmost, of these the
 * leftmost. The region lies to the right of the way as one sees it (y downwards). */
typedef struct seg_ring {
    size_t first, count; /* of its corners */
    uint32_t piece;      /* number of the first run (label_rows.h) of the connected piece that it bounds */
    uint8_t label;
    uint8_t hole; /* 0: the outer ring of its piece, which has one */
} seg_ring;

/* Ordered by label, then piece; of a piece the outer ring first, then its holes by first corner (y, then x). Rings may
 * touch at corners and never cross. */
typedef struct seg_outlines {
    seg_corner *corner; /* owned */
    seg_ring *ring;     /* owned */
    size_t corners, rings;
} seg_outlines;

/* Trace labels 1..254 of a mask. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED; `out` is zeroed on failure.
 * Cost O(pixels + corners), a byte per pixel meanwhile. */
seg_status seg_outlines_trace(seg_context *ctx, const seg_mask *mask, seg_outlines *out);
/* The same with fewer corners, within about `tolerance` pixels of the exact outlines (simplify.h): neighbours keep
 * their common borders, rings stay simple and do not cross. Edges run in any direction then. 0: as seg_outlines_trace.
 */
seg_status seg_outlines_trace_simply(seg_context *ctx, const seg_mask *mask, double tolerance, seg_outlines *out);
void seg_outlines_free(seg_outlines *outlines);

/* The rings of a piece are `first` and those behind it, up to the one returned (or outlines->rings). */
size_t seg_outlines_piece_end(const seg_outlines *outlines, size_t first);

/* One polygon for a piece: a cut of no width, there and back, leads from each hole straight up to what is above it, so
 * that filling it (even-odd or non-zero) gives the piece exactly. *corner is owned by the caller (free). */
seg_status seg_outlines_join(seg_context *ctx, const seg_outlines *outlines, size_t first, size_t end,
                             seg_corner **corner, size_t *count);

#endif
