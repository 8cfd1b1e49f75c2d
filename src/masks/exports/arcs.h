/* The borders of a mask as arcs: each lies between the same two labels all along and is stored once, so that what is
 * done to it is done to both sides. */
#ifndef SEG_MASKS_EXPORTS_ARCS_H
#define SEG_MASKS_EXPORTS_ARCS_H

#include <segment/image.h>

/* Corners of pixels, and middles of their sides, in halves of a pixel. */
typedef struct seg_half {
    int32_t x, y;
} seg_half;

/* From a junction to a junction, or a loop without one, whose first corner is the first in reading order and which goes
 * east from there. Junctions are corners where three or four borders meet, and where a border turns at the image's
 * edge: they stay where they are. */
typedef struct seg_arc {
    size_t first, count; /* of its corners, both ends included; of a loop without the first again */
    int loop;
    uint64_t start, end; /* keys, see seg_arc_key, of leaving by its first side and, the other way round, its last */
} seg_arc;

typedef struct seg_arcs {
    seg_half *corner; /* where borders turn, and the ends; owned */
    seg_arc *arc;     /* owned */
    size_t corners, arcs;
} seg_arcs;

/* Directions of travel: east, south, west, north. */
enum { SEG_EAST, SEG_SOUTH, SEG_WEST, SEG_NORTH };

/* All borders of labels 1..254, among themselves and with unlabelled pixels. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED;
 * `out` is zeroed on failure. Cost O(pixels + corners), a byte per pixel meanwhile. */
seg_status seg_arcs_find(seg_context *ctx, const seg_mask *mask, seg_arcs *out);
void seg_arcs_free(seg_arcs *arcs);

/* Whether the corner (in pixels) is a junction. */
int seg_is_junction(const seg_mask *mask, int x, int y);

/* The side of a pixel by which a way leaves the corner in a direction: one number for each. */
uint64_t seg_arc_key(const seg_mask *mask, int x, int y, int direction);

#endif
