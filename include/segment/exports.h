/** @file exports.h
 *  Masks in the formats of other programs. Coordinates are corners of pixels: (0, 0) is the top left corner of the
 *  image, x grows to the right, y downwards, so polygons along the borders of pixels are exact. */
#pragma once

#include <segment/image.h>

/** @addtogroup images Images, strokes, masks
 *  @{ */

/** A format that masks can be written in. Labels are 1..254; pixels of 0 and SEG_VOID belong to no label and are
 *  omitted in every format but npy and nrrd. docs/formats.md describes the formats. */
typedef struct seg_export_format {
    const char *name;   /**< static storage, as all here */
    const char *ending; /**< usual extension of its files, without a dot; for a folder that of its name */
    int folder;         /**< 1: a folder of files */
} seg_export_format;

/** The list of formats.
 *  @param FIRST  macro of (name, ending, 1 for a folder of files) for the first format
 *  @param NEXT   macro of the same for each of the others */
#define SEG_EXPORT_FORMATS(FIRST, NEXT)                                                                                \
    FIRST(coco, "coco.json", 0)                                                                                        \
    NEXT(yolo, "yolo.txt", 0)                                                                                          \
    NEXT(geojson, "geojson", 0)                                                                                        \
    NEXT(svg, "svg", 0)                                                                                                \
    NEXT(npy, "npy", 0)                                                                                                \
    NEXT(nrrd, "nrrd", 0)                                                                                              \
    NEXT(labelme, "labelme.json", 0)                                                                                   \
    NEXT(masks, "masks", 1)                                                                                            \
    NEXT(voc, "voc.png", 0)

/** @cond */
#define SEG_EXPORT_FIRST_NAME(name, ending, folder) #name
#define SEG_EXPORT_NEXT_NAME(name, ending, folder)  ", " #name
/** @endcond */

/** Their names as one text, "coco, yolo, ...". */
#define SEG_EXPORT_FORMAT_NAMES SEG_EXPORT_FORMATS(SEG_EXPORT_FIRST_NAME, SEG_EXPORT_NEXT_NAME)

#define SEG_MAX_SIMPLIFY 100 /**< pixels */

/** The formats in the order above; calls find them by name in any case.
 *  @param position  from 0
 *  @return NULL if there are fewer, or `position` is negative */
SEG_API const seg_export_format *seg_export_format_at(int position);

/** Further inputs of an export; every pointer may be NULL. */
typedef struct seg_export_about {
    const char *photo;         /**< path of the image, whose name without folders is written */
    const seg_labelmap *names; /**< of the labels; else "label N" */
    /** Polygons with fewer corners, 0..SEG_MAX_SIMPLIFY pixels; 0: exact (docs/formats.md) */
    double simplify;
    double spacing;      /**< of a volume, from slice to slice in pixels; 0: 1 */
    int64_t reserved[2]; /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_export_about;

/** Write a mask in a format, as carefully as seg_mask_write; `path` "-" is standard output (not for folders).
 *  Text that is not UTF-8 is written with '?' for its bytes.
 *  @param format  name of a format
 *  @param path  file or folder to write
 *  @param mask  the mask
 *  @param about  may be NULL
 *  @return SEG_OK, SEG_ERR_USAGE (no such format, a folder as "-", `simplify` out of range), SEG_ERR_IO,
 * SEG_ERR_MEMORY. Cost: O(pixels + corners of the regions), for yolo and labelme also O(holes x corners) of a piece.
 *  Memory: 9 bytes per pixel and about ten per corner. */
SEG_API seg_status seg_export_write(seg_context *ctx, const char *format, const char *path, const seg_mask *mask,
                                    const seg_export_about *about);

/** Masks of many images in one export: coco, a file whose images are numbered from 1 in the order in which they are
 *  added, with one list of categories; and yolo, a folder with labels/NAME.txt per image and data.yaml, which
 *  expects the images at images/NAME.jpg (they are not copied). */
typedef struct seg_export_set seg_export_set;

/** Begin an export of several masks.
 *  @param format  "coco" or "yolo"
 *  @param path    file, "-" for standard output, or folder (created with the first image); copied
 *  @param out     end with seg_export_set_close(); NULL on failure
 *  @return SEG_OK, SEG_ERR_USAGE (another format, a folder as "-"), SEG_ERR_MEMORY */
SEG_API seg_status seg_export_set_open(seg_context *ctx, const char *format, const char *path, seg_export_set **out);

/** Add an image. For coco the text is stored until the end, for yolo the image's file is written.
 *  @param ctx    the call's context, which may be another one each time
 *  @param set    the export
 *  @param mask   the mask
 *  @param about  with the image's path, which names yolo's file; the first name of a label is used
 *  @return as seg_export_write(); on failure the set lacks this image. SEG_ERR_USAGE without a path */
SEG_API seg_status seg_export_set_add(seg_context *ctx, seg_export_set *set, const seg_mask *mask,
                                      const seg_export_about *about);

/** Write coco's file or yolo's data.yaml, as carefully as seg_mask_write, and release the set. Its categories are
 * the labels that have a name or occur.
 *  @param set   NULL is fine
 *  @param keep  0: nothing more is written
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY; the set is released in each case */
SEG_API seg_status seg_export_set_close(seg_context *ctx, seg_export_set *set, int keep);

/** @} */
