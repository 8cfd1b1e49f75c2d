/* Regions as polygons along the borders of pixels. */
#ifndef SEG_MASKS_EXPORTS_OUTLINES_H
#define SEG_MASKS_EXPORTS_OUTLINES_H

#include <segment/image.h>

typedef struct seg_corner {
    double x, y; /* whole numbers, and halves of simplified outlines */
} seg_corner;

/* A closed polygon, the last corner joined to the first, which is the topmost, of these the leftmost. The region lies
 * to the right of the way as one sees it (y downwards). */
typedef struct seg_ring {
    size_t first, count; /* of its corners */
    uint32_t piece;      /* number of the first run (label_rows.h) of the connected piece that it bounds */
    uint8_t label;
    uint8_t hole; /* 0: the outer ring of its piece, which has one */
} seg_ring;

/* Ordered by label, then piece; of a piece the outer ring first, then its holes by first corner (y, then x). */
typedef struct seg_outlines {
    seg_corner *corner; /* owned */
    seg_ring *ring;     /* owned */
    size_t corners, rings;
} seg_outlines;

/* Trace labels 1..254 of a mask. With `tolerance` 0 rings are exact: no corner comes twice, rings may touch at corners
 * and never cross. Else they have fewer corners, see seg_outlines_simplify. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED;
 * `out` is zeroed on failure. Cost O(pixels + corners), five bytes per pixel meanwhile. */
seg_status seg_outlines_trace(seg_context *ctx, const seg_mask *mask, double tolerance, seg_outlines *out);
void seg_outlines_free(seg_outlines *outlines);

/* Join the rings of each piece to one: a cut of no width, there and back, leads from each hole straight up to what is
 * above it, so that filling the ring (even-odd or non-zero) gives the piece exactly. */
seg_status seg_outlines_join(seg_context *ctx, seg_outlines *outlines);

#endif
