/* From strokes in flat colours to labels. */
#ifndef SEG_IMAGE_STROKE_LABELS_H
#define SEG_IMAGE_STROKE_LABELS_H

#include "image/labels.h"

/* Fill `out` (created, all 0) from strokes on black or transparent ground, or where painted_copy is 1 on the
 * photograph. Strokes whose pixels are not exact are snapped, with a warning. @param kind  COLOURS, PAINTED or SNAPPED
 * SEG_ERR_INPUT: no strokes, too many colours, a colour missing from the map, too many ambiguous pixels. */
seg_status seg_marks_from_colours(seg_context *ctx, const seg_raster *raster, const char *name, const seg_image *photo,
                                  int painted_copy, int tolerance, unsigned least_opacity, const seg_labelmap *map,
                                  seg_mask *out, seg_marks_kind *kind);

#endif
