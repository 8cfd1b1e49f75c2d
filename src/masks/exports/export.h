/* What the export formats share. A format is a writer seg_export_NAME and a row of SEG_EXPORT_FORMATS
 * (segment/exports.h). */
#ifndef SEG_MASKS_EXPORTS_EXPORT_H
#define SEG_MASKS_EXPORTS_EXPORT_H

#include "image/file.h"
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

/* Make a folder, unless it is there. SEG_OK, SEG_ERR_IO. */
seg_status seg_export_make_folder(seg_context *ctx, const char *path);

/* A text of UTF-8 as JSON has it, and YAML too. */
void seg_export_put_quoted(FILE *to, const char *text);

/* COCO's arrays that are being written, and the numbers of the last image and annotation in them. */
typedef struct seg_coco_arrays {
    FILE *images, *annotations;
    int image, annotation;
} seg_coco_arrays;
/* Append the members for an image: its entry, and an annotation for each label that occurs. Nothing is written unless
 * SEG_OK is returned; failed writes are left to the file. */
seg_status seg_coco_put(seg_context *ctx, const seg_mask *mask, const seg_export_about *about, seg_coco_arrays *to);
/* Of labels 1..254 those that have a name here. */
typedef char seg_export_names[SEG_MAX_LABELS][64];
void seg_coco_put_categories(FILE *to, seg_export_names names);

/* The format of that name, in any case; NULL where there is none. */
const seg_export_format *seg_export_format_find(const char *name);

#endif
