/* What the export formats share. A format is a file export_NAME.c with its writer, and a row in export.c. */
#ifndef SEG_MASKS_EXPORTS_EXPORT_H
#define SEG_MASKS_EXPORTS_EXPORT_H

#include "masks/exports/outlines.h"

#include <segment/exports.h>

typedef seg_status (*seg_export_fn)(seg_context *ctx, const char *path, const seg_mask *mask,
                                    const seg_export_about *about);

seg_status seg_export_coco(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about);
seg_status seg_export_yolo(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about);
seg_status seg_export_geojson(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about);
seg_status seg_export_svg(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about);
seg_status seg_export_npy(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about);
seg_status seg_export_labelme(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about);
seg_status seg_export_masks(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about);

seg_status seg_export_voc(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about);

/* SEG_ERR_USAGE where a field is out of its range. */
seg_status seg_export_check(seg_context *ctx, const seg_export_about *about);

/* Pixels and box of a label; right and bottom are beyond it. */
typedef struct seg_extent {
    size_t pixels;
    int left, top, right, bottom;
} seg_extent;
void seg_extents(const seg_mask *mask, seg_extent extent[256]);

/* The label's name, or "label N"; valid UTF-8. */
void seg_export_name(const seg_export_about *about, int label, char name[64]);
/* "#rrggbb" */
void seg_export_colour(const seg_mask *mask, int label, char text[8]);

/* The format of that name, in any case; NULL where there is none. */
const seg_export_format *seg_export_format_find(const char *name);

#endif
