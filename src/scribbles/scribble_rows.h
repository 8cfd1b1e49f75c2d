/* Scribbles of images that are too large for an array of labels. */
#ifndef SEG_SCRIBBLES_SCRIBBLE_ROWS_H
#define SEG_SCRIBBLES_SCRIBBLE_ROWS_H

#include "image/label_rows.h"

#include <segment/image.h>

/* Read scribbles of an image of width x height pixels: an image or array of its size or, as usual, of its proportions,
 * or shapes in its coordinates. As seg_scribbles_read, but that strokes on a copy of the image are not found.
 * header: labels, colours and size, without an array. SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY; free `out` in
 * either case. */
seg_status seg_scribble_rows_read(seg_context *ctx, const char *path, int width, int height, const seg_labelmap *map,
                                  seg_mask *header, seg_label_rows *out, seg_scribbles_about *about);

#endif
