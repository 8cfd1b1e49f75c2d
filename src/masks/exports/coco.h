/* Parts of COCO's files. */
#ifndef SEG_MASKS_EXPORTS_COCO_H
#define SEG_MASKS_EXPORTS_COCO_H

#include "masks/exports/export.h"
#include "masks/exports/json.h"

/* An annotation a label that occurs, numbered behind *id. A NULL array with SEG_OK is out of memory. */
seg_status seg_coco_annotations(seg_context *ctx, const seg_mask *mask, const seg_export_about *about, int image,
                                int *id, json_t **out);

/* A new reference, NULL without memory. */
json_t *seg_coco_image(const seg_mask *mask, const seg_export_about *about, int image);

#endif
