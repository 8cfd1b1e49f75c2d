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

/* Replace each stretch of border between two corners where three or four borders meet by fewer corners (Douglas and
 * Peucker [douglas1973]): the middles of the pixels' sides along it stay within `tolerance` pixels. Both sides of a
 * border get the same corners, so there are no gaps; where a region is thinner than the tolerance, borders may cross.
 */
seg_status seg_outlines_simplify(seg_context *ctx, const seg_mask *mask, double tolerance, seg_outlines *outlines);

/* Join the rings of each piece to one: a cut of no width, there and back, leads from each hole straight up to what is
 * above it, so that filling the ring (even-odd or non-zero) gives the piece exactly. */
seg_status seg_outlines_join(seg_context *ctx, seg_outlines *outlines);

/* Append a ring that begins at its first corner in reading order. SEG_OK, SEG_ERR_MEMORY. */
typedef struct seg_ring_maker {
    seg_context *ctx;
    seg_outlines *out;
    size_t corner_room, ring_room;
} seg_ring_maker;
seg_status seg_ring_append(seg_ring_maker *maker, seg_ring ring, const seg_corner *corner);
/* For sorting rings into the order of the outlines (user: the outlines). */
int seg_ring_order(const void *a, const void *b, void *outlines);
/* For sorting in reading order. */
int seg_corner_order(seg_corner a, seg_corner b);

#endif
