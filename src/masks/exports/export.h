/* What the export formats share. A format is a file export_NAME.c with its writer seg_export_NAME, and a row of
 * SEG_EXPORT_FORMATS (segment/exports.h). */
#ifndef SEG_MASKS_EXPORTS_EXPORT_H
#define SEG_MASKS_EXPORTS_EXPORT_H

#include "masks/exports/json.h"
#include "masks/exports/outlines.h"

#include <segment/exports.h>

typedef seg_status (*seg_export_fn)(seg_context *ctx, const char *path, const seg_mask *mask,
                                    const seg_export_about *about);

#define SEG_EXPORT_WRITER(name, ending, folder)                                                                        \
    seg_status seg_export_##name(seg_context *ctx, const char *path, const seg_mask *mask,                             \
                                 const seg_export_about *about);
SEG_EXPORT_FORMATS(SEG_EXPORT_WRITER, SEG_EXPORT_WRITER)

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

/* Make a folder, unless it is there. SEG_OK, SEG_ERR_IO. */
seg_status seg_export_make_folder(seg_context *ctx, const char *path);

/* An annotation of COCO's for each label that occurs, numbered behind *id. A NULL array with SEG_OK is out of memory.
 */
seg_status seg_coco_annotations(seg_context *ctx, const seg_mask *mask, const seg_export_about *about, int image,
                                int *id, json_t **out);
/* Its entry for the image: a new reference, NULL without memory. */
json_t *seg_coco_image(const seg_mask *mask, const seg_export_about *about, int image);

/* The format of that name, in any case; NULL where there is none. */
const seg_export_format *seg_export_format_find(const char *name);

#endif
