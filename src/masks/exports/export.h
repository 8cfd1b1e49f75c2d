/* Shared by the formats, each a writer seg_export_NAME and a row of SEG_EXPORT_FORMATS (segment/exports.h). */
#pragma once

#include "image/file.h"

#include <segment/exports.h>

/* Regions as polygons along the borders of pixels. */

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

/* Join the rings of each piece to one: a cut of no width, there and back, leads from each hole straight up to what is
 * above it, so that filling the ring (even-odd or non-zero) gives the piece exactly. */
seg_status seg_outlines_join(seg_context *ctx, seg_outlines *outlines);

typedef seg_status (*seg_export_fn)(seg_context *ctx, const char *path, const seg_mask *mask,
                                    const seg_export_about *about);

#define SEG_EXPORT_WRITER(name, ending, folder)                                                                        \
    seg_status seg_export_##name(seg_context *ctx, const char *path, const seg_mask *mask,                             \
                                 const seg_export_about *about);
SEG_EXPORT_FORMATS(SEG_EXPORT_WRITER, SEG_EXPORT_WRITER)

/* SEG_ERR_USAGE where a field is out of its range. */
seg_status seg_export_check(seg_context *ctx, const seg_export_about *about);

/* Pixels and box of a label; right and bottom are beyond it. */
typedef struct seg_label_box {
    size_t pixels;
    int left, top, right, bottom;
} seg_label_box;
void seg_label_boxes(const seg_mask *mask, seg_label_box box[256]);

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
