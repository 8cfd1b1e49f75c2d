/* From strokes in colours to labels. */
#ifndef SEG_SCRIBBLES_STROKE_LABELS_H
#define SEG_SCRIBBLES_STROKE_LABELS_H

#include "scribbles/ground.h"

/* Fill `out` (created, all 0) from strokes on that ground. Strokes whose pixels are not exact are snapped, with a
 * warning. `about` gets the kind (COLOURS, PAINTED or SNAPPED), the ground's name and the number of labels.
 * SEG_ERR_INPUT: no strokes, too many colours, a colour missing from the map, colours or pixels that are ambiguous. */
seg_status seg_scribbles_from_colours(seg_context *ctx, const seg_raster *raster, const char *name,
                                      const seg_ground *ground, unsigned least_opacity, const seg_labelmap *map,
                                      seg_mask *out, seg_scribbles_about *about);

#endif
