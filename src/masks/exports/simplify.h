/* Fewer corners along the borders of a mask. */
#ifndef SEG_MASKS_EXPORTS_SIMPLIFY_H
#define SEG_MASKS_EXPORTS_SIMPLIFY_H

#include "masks/exports/arcs.h"

/* Cut the corners of arcs at the middles of the pixels' sides next to them, and leave out what can be left out
 * [visvalingam1993] while the middles of all sides are within `tolerance` pixels of their arc; exact corners are then
 * within 0.36 more. Junctions stay. Arcs touch at junctions only, and none encloses what it
 * did not enclose before: a corner goes only where the triangle with its neighbours has no other corner in it. `made`
 * has the arcs of `exact`, in their order. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED; `made` is zeroed on failure. Cost
 * about O(n log n) for n corners. */
seg_status seg_arcs_simplify(seg_context *ctx, const seg_mask *mask, const seg_arcs *exact, double tolerance,
                             seg_arcs *made);

#endif
